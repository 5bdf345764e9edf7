// What a side adds to a user's bundle: the blog's post as the benchmark of requests has it, bundled from what is installed,
// minified and gzipped. What a user has anyway (zod, the AWS SDK) is left out.

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { columns } from './columns.mjs';
import { verdict } from './verdict.mjs';

const BOUND = 4096;
const SIDES = {
  'hand-written': 'hand-written',
  tablewright: 'tablewright',
  ElectroDB: 'electrodb',
  'dynamodb-toolbox': 'dynamodb-toolbox',
  OneTable: 'onetable',
};
const DESIGN = "export { blog } from '../../dist/lib/systems/blog/design.js'";

/** Bytes by side, minified and gzipped. */
export function measure() {
  const sides = Object.entries(SIDES).map(([name, file]) => [name, sizeOf(`export * from './sides/${file}.mjs'`)]);
  return { ...Object.fromEntries(sides), design: sizeOf(DESIGN) };
}

export function report({ design, ...sides }) {
  const kilobytes = (bytes) => `${(bytes / 1024).toFixed(1)} KB`;
  const { tablewright } = sides;
  const rows = Object.entries(sides).map(([name, { minified, gzipped }]) => [
    name,
    kilobytes(minified),
    kilobytes(gzipped),
    (gzipped / tablewright.gzipped).toFixed(1),
  ]);
  const parts = `of which the blog's design, ten entities and all their patterns, is ${kilobytes(design.gzipped)}`;
  return [
    ...columns([['bundle', 'minified', 'gzipped', 'times ours'], ...rows]),
    '',
    verdict(
      tablewright.gzipped < BOUND,
      `${kilobytes(tablewright.gzipped)} gzipped (under ${kilobytes(BOUND)}), ${parts}`,
    ),
  ];
}

function sizeOf(contents) {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    external: ['zod', '@aws-sdk/*'],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
  });
  const [{ contents: minified }] = outputFiles;
  return { minified: minified.length, gzipped: gzipSync(minified, { level: 9 }).length };
}
