import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped, HUES } from '../draw/shape';
import type { PageData } from '../view';

/** The page's script and style sheet, as built. */
interface Assets {
  readonly script: string;
  readonly style: string;
}

let assets: Assets | undefined;

function load(): Assets {
  if (assets === undefined) {
    const read = (name: string) => {
      const file = join(__dirname, '../page', name);
      if (!existsSync(file))
        throw new Error("the page has not been built; in a clone of the repository, run 'npm ci && npm run build'");
      return readFileSync(file, 'utf8');
    };
    const hues = HUES.map((hue, i) => `.e${i}{--h:${hue}}`).join('');
    assets = { script: read('client.js'), style: `${read('client.css')}${hues}` };
  }
  return assets;
}

/**
 * A page and its Content-Security-Policy. The policy allows only the page's own script and style, and no requests
 * except to the page's own server.
 */
export interface Page {
  readonly html: string;
  readonly policy: string;
}

/** @param body the HTML that the page shows before its script runs */
export function pageOf(data: PageData, title: string, body: string): Page {
  const { script, style } = load();
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    ...(data.token === undefined ? [] : ["connect-src 'self'"]),
  ].join('; ');
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const html = htmlOf(
    { title, policy, style },
    `<div id="app">${body}</div>
<script type="application/json" id="data">${json}</script>
<script>${script}</script>`,
  );
  return { html, policy };
}

/** A page that has no script. @param body the content, as HTML */
export function stillPage(title: string, body: string): Page {
  const { style } = load();
  const policy = `default-src 'none'; style-src '${hashOf(style)}'`;
  return { html: htmlOf({ title, policy, style }, body), policy };
}

/** Marks a page as written by this library. */
export const GENERATOR = '<meta name="generator" content="tablewright explore">';

function htmlOf({ title, policy, style }: { title: string; policy: string; style: string }, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
${GENERATOR}
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** Renders the content of the page for readers without JavaScript. */
export function readable(data: PageData): string {
  // The build bundles the components of the page into one file.
  const { documentOf } = require(join(__dirname, '../page/document.js')) as { documentOf(data: PageData): string };
  return documentOf(data);
}
