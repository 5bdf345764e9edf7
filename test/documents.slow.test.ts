import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, tsc } from './support/compile';
import { codeOf, documents } from './support/documents';

// The folder is next to the repository's packages, so that the compiler finds aws-cdk-lib and zod.
const cache = join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The source file of each package entry, keyed by the entry's import path. */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.entries(exports as Readonly<Record<string, { readonly types?: string }>>).flatMap(
  ([entry, { types }]) =>
    types === undefined
      ? []
      : [[`tablewright${entry.slice(1)}`, [join(ROOT, types.replace('dist/', '').replace('.d.ts', '.ts'))]]],
);

const nameOf = (document: string) => document.replace('.md', '').replaceAll('/', '-');

/**
 * Returns code that a document uses without showing it: the design from the first chapter about changes, or the design
 * that `init` writes.
 */
function sharedBy(document: string): Iterable<readonly [string, string]> {
  if (document.startsWith('docs/guides/evolve')) return codeOf('docs/guides/evolve/first-change.md');
  if (document !== 'docs/start.md' && !document.startsWith('docs/skills/')) return [];
  return [['design.ts', readFileSync(join(ROOT, 'examples/start/aws/typescript/design.ts'), 'utf8')]];
}

/** Compiles all documents in one run, because each run has to read aws-cdk-lib. */
let messages: readonly string[];

beforeAll(() => {
  for (const document of documents) {
    mkdirSync(join(folder, nameOf(document)));
    const files = new Map([...sharedBy(document), ...codeOf(document)]);
    for (const [file, code] of files) writeFileSync(join(folder, nameOf(document), file), code);
  }
  const compilerOptions = { noUnusedLocals: false, paths: Object.fromEntries(entries) };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['**/*.ts'], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  messages = tsc('-p', folder, '--noEmit')
    .split(/\n(?=\S)/)
    .filter((message) => message !== '');
});

test.each(documents)('the code in %s compiles', (document) => {
  expect(messages.filter((message) => message.includes(`${basename(folder)}/${nameOf(document)}/`))).toEqual([]);
});

test('the documents compile together without an error, and more than five of them contain code', () => {
  expect(messages).toEqual([]);
  expect(documents.filter((document) => codeOf(document).size > 0).length).toBeGreaterThan(5);
});
