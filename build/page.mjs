// Builds the explorer's page: the script for the browser, and the renderer for browsers without JavaScript. Both built
// files contain Preact, so users of the package need not install Preact.
import { createRequire } from 'node:module';
import { build } from 'esbuild';

const page = 'lib/explore/page';
const common = {
  bundle: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  legalComments: 'none',
};

/** Whether Preact is installed. Without Preact, a clone can build everything except the page, but cannot be packed. */
function isInstalled() {
  try {
    createRequire(import.meta.url).resolve('preact');
    return true;
  } catch (error) {
    if (process.env.npm_lifecycle_event === 'prepack') throw error;
    console.warn("the page of 'tablewright explore' was not built, because preact is not installed; run 'npm ci'");
    return false;
  }
}

export async function makePage() {
  if (!isInstalled()) return;
  await build({
    ...common,
    entryPoints: [`${page}/client.tsx`, `${page}/client.css`],
    outdir: `dist/${page}`,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    minify: true,
    charset: 'utf8',
  });
  await build({
    ...common,
    entryPoints: [`${page}/document.tsx`],
    outfile: `dist/${page}/document.js`,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
  });
}
