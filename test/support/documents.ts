import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** Every document that users and contributors read. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

export function textOf(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** The files that a document links to, as it names them. */
export function linksIn(document: string): readonly string[] {
  const text = textOf(document);
  return [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
}

/** The code blocks of a document by the file name in their first line; one without a name stands alone. */
export function codeOf(document: string): ReadonlyMap<string, string> {
  const text = textOf(document);
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  return new Map(blocks.map((code, i) => [/^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block${i}.ts`, code]));
}
