import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT, tsc } from './support/compile';
import { codeOf, documents } from './support/documents';

// Beside the repository's packages, so that aws-cdk-lib and zod are found.
const cache = join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'documents-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The sources of the package's entries, by what they are imported as. */
const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const entries = Object.entries(exports as Readonly<Record<string, { readonly types?: string }>>).flatMap(
  ([entry, { types }]) =>
    types === undefined
      ? []
      : [[`tablewright${entry.slice(1)}`, [join(ROOT, types.replace('dist/', '').replace('.d.ts', '.ts'))]]],
);

const nameOf = (document: string) => document.replace('.md', '').replaceAll('/', '-');

/** The code of a document. The chapters about changes share the design of the first one. */
function filesOf(document: string): ReadonlyMap<string, string> {
  const first = 'docs/guides/evolve/first-change.md';
  return new Map([...(document.startsWith('docs/guides/evolve') ? codeOf(first) : []), ...codeOf(document)]);
}

/** What the compiler says, of all documents at once: each alone would read aws-cdk-lib anew. */
let messages: readonly string[];

beforeAll(() => {
  for (const document of documents) {
    mkdirSync(join(folder, nameOf(document)));
    for (const [file, code] of filesOf(document)) writeFileSync(join(folder, nameOf(document), file), code);
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

test('so does everything that it uses, and there is code', () => {
  expect(messages).toEqual([]);
  expect(documents.filter((document) => codeOf(document).size > 0).length).toBeGreaterThan(5);
});
