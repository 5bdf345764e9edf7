import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');

/** The code blocks of a document by the file name in their first line; one without a name stands alone. */
export function codeOf(document: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, document), 'utf8');
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  return new Map(blocks.map((code, i) => [/^\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `block${i}.ts`, code]));
}
