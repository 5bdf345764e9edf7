import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '../..');

/** The documents for users and contributors. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `${folder}/${file}`),
  ),
];

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** Returns the files that a document links to, as written in its links. */
export function linksIn(document: string): readonly string[] {
  const text = textOf(document);
  return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
}

/** Returns a document's links to headings, in the same document or in another one. */
export function anchorsIn(document: string): readonly { readonly file: string; readonly anchor: string }[] {
  return [...textOf(document).matchAll(/\]\(([^)#:]*\.md|)#([^)]+)\)/g)].map(([, file = '', anchor = '']) => ({
    file: file === '' ? document : join(dirname(document), file),
    anchor,
  }));
}

/** Returns the anchors that GitHub makes from a document's headings. */
export function headingsOf(document: string): readonly string[] {
  const text = textOf(document).replace(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/**
 * Returns a document's TypeScript blocks, keyed by the file name in their first line. A block without a file name is
 * named after its position: `block0.ts`.
 */
export function codeOf(document: string): ReadonlyMap<string, string> {
  const text = textOf(document);
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  return new Map(blocks.map((code, i) => [/^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block${i}.ts`, code]));
}
