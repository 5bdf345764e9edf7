import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './support/run';

const root = join(__dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-bundle-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/tablewright'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles a script with esbuild, without zod. */
function bundle(script: string): string {
  writeFileSync(join(folder, 'lambda.js'), script);
  const options = ['--bundle', '--platform=node', '--external:zod', '--log-level=warning'];
  const { code, output } = run(folder, join(root, 'node_modules/.bin/esbuild'), 'lambda.js', ...options);
  if (code !== 0) throw new Error(output);
  return output;
}

interface Bytes {
  readonly gzipped: number;
}

test('a Lambda bundle with one entity and one query is small, and smaller than with any comparable library', () => {
  const { output } = run(root, process.execPath, 'test/bench/bench.mjs', 'bundles', '--format', 'json');
  const { bundles } = JSON.parse(output) as { bundles: { sides: Record<string, Bytes> } };
  const {
    'tablewright, zod/mini': ours,
    'tablewright, zod': classic,
    'tablewright, and writes': whole,
    'hand-written': _,
    ...peers
  } = bundles.sides;
  expect(ours?.gzipped).toBeLessThan(17 * 1024);
  // All of classic zod would be over 100 KB. The import in the README lets bundlers drop most of zod.
  expect(classic?.gzipped).toBeLessThan(40 * 1024);
  expect(Object.keys(peers)).toHaveLength(3);
  expect(Object.values(peers).filter(({ gzipped }) => gzipped <= (ours?.gzipped ?? 0))).toEqual([]);
  expect(whole?.gzipped).toBeLessThanOrEqual(25 * 1024);
  expect(Object.values(peers).filter(({ gzipped }) => gzipped <= (whole?.gzipped ?? 0))).toEqual([]);
  expect(ours?.gzipped).toBeLessThan(whole?.gzipped ?? 0);
}, 120_000);

test('bundlers use the ES modules for both import and require', () => {
  const imported = bundle("import { requests } from 'tablewright/dynamodb'; requests();");
  const required = bundle("require('tablewright/dynamodb').requests();");
  for (const code of [imported, required]) {
    expect(code).toContain('dist/esm/lib/dynamodb/index.mjs');
    expect(code).not.toContain('dist/lib/');
  }
});

test('a bundle with one system contains no other system and no cases', () => {
  const { length } = bundle("import { blog } from 'tablewright/systems/blog'; console.log(blog);");
  const code = bundle("import { blog } from 'tablewright/systems'; console.log(blog);");
  expect(code).toContain('postsByCategory');
  expect(code).not.toMatch(/CartaPorte|ruralCreditAI|DocumentTypes|ProviderAvailability/);
  expect(Math.abs(code.length - length)).toBeLessThan(1_000);
});

test.each([
  ["import { requests } from 'tablewright/azure-tables'; requests();", 'requests'],
  ["import { azureKeysOf } from 'tablewright/azure-tables/equivalents'; azureKeysOf();", 'azureKeysOf'],
  ["import { requests } from 'tablewright/dynamodb'; requests();", 'requests'],
  ["import { defineTable } from 'tablewright'; defineTable();", 'defineTable'],
])("a bundle of %s contains none of the check's code", (script, name) => {
  const code = bundle(script);
  expect(code).toContain(`function ${name}(`);
  expect(code).not.toContain('key-collision');
});

/** The functions that only writes need, on either cloud. */
const WRITES = /function (changeMaker|makeItem|putBuilder|transactionBuilder|settle)\(/;

test.each(['dynamodb', 'azure-tables'])(
  'a bundle that imports only `reads` from tablewright/%s contains no code for writes',
  (entry) => {
    const reading = bundle(`import { reads } from 'tablewright/${entry}'; reads();`);
    expect(reading).toContain('function reads(');
    expect(reading).not.toMatch(WRITES);
    expect(bundle(`import { requests } from 'tablewright/${entry}'; requests();`)).toMatch(WRITES);
  },
);

/** The functions that only unique values, unions, scans or changes to list elements need. */
const FEATURES = /function (guardWriter|guardDesigns|findOf|scanBuilder|located|appended|narrow|objectOf)\(/;

test('a bundle contains the code for a feature only if the script imports the feature', () => {
  expect(bundle("import { requests } from 'tablewright/dynamodb'; requests();")).not.toMatch(FEATURES);
  const importing = (feature: string) =>
    bundle(`import { requests, ${feature} } from 'tablewright/dynamodb'; requests({}, '', { ${feature} });`);
  const codes = { unique: 'guardWriter', scans: 'scanBuilder', lists: 'located', unions: 'narrow' };
  for (const [feature, code] of Object.entries(codes)) expect(importing(feature)).toContain(`function ${code}(`);
  expect(bundle("import { client } from 'tablewright/dynamodb'; client();")).not.toMatch(
    /function (guardWriter|rawTable)\(/,
  );
  expect(bundle("import { raw } from 'tablewright/dynamodb'; raw();")).toContain('function rawTable(');
});

test('a bundle contains the check if the script imports the check', () => {
  expect(bundle("import { check } from 'tablewright/check'; check();")).toContain('key-collision');
});
