import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemDesign } from '../../../lib/design/system';
import { callOf, identifier } from '../../../lib/explore/call';
import { explore } from '../../../lib/explore/system';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { compile, ROOT } from '../../support/compile';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the generated call compiles for every pattern in every bundled system', () => {
  mkdirSync(join(folder, 'node_modules/@azure/identity'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules/tablewright'));
  symlinkSync(join(ROOT, 'node_modules/@aws-sdk'), join(folder, 'node_modules/@aws-sdk'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'node_modules/@azure/identity/package.json'), '{ "types": "index.d.ts" }');
  // This repository does not install the package, so the test declares the one name that the calls import.
  writeFileSync(
    join(folder, 'node_modules/@azure/identity/index.d.ts'),
    'export declare class DefaultAzureCredential {}',
  );
  const files = Object.entries(systems).flatMap(([name, system]) => {
    const { view } = explore(system as SystemDesign, cases[name]);
    const origin = { module: 'tablewright/systems', name: identifier(name) };
    return view.tables.flatMap((table) =>
      table.patterns.map((pattern) => {
        const file = join(folder, `${name}-${table.name}-${pattern.name}.ts`);
        writeFileSync(file, callOf({ ...view, origin }, table.name, pattern.name, pattern.example));
        return file;
      }),
    );
  });
  expect(files.length).toBeGreaterThan(100);
  expect(compile(files)).toBe('');
});

test('the generated call passes the table as the design if the file exports a single table, and decodes bytes from Base64', () => {
  const pattern = { name: 'seal-it', parameters: [{ name: 'seal', kind: 'binary', optional: false }] };
  const system = {
    ...{ name: 'notes', cloud: 'aws', tables: [{ name: 'notes', entities: [], patterns: [pattern] }] },
    origin: { module: './src/designs', name: 'db', isTable: true },
  };
  expect(
    callOf(system as never, 'notes', 'seal-it', { seal: 'AQ==' })
      .split('\n')
      .slice(-4),
  ).toEqual([
    "import { db } from './src/designs';",
    '',
    "const table = client(db, 'notes-prod-notes', dynamo(new DynamoDBClient()));",
    "const result = await table['seal-it']({ seal: Buffer.from('AQ==', 'base64') });",
  ]);
});
