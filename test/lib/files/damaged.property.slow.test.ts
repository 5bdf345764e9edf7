import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verified } from '../../../lib/azure-tables/backup/file';
import { azureTablesIn, readStack } from '../../../lib/azure-tables/terraform';
import { awsCosts } from '../../../lib/costs/aws';
import { azureCosts } from '../../../lib/costs/azure';
import { readAssembly } from '../../../lib/dynamodb/template/assembly';
import { tablesIn } from '../../../lib/dynamodb/template/tables';
import { lockOf, readLock } from '../../../lib/evolve';
import { readJson } from '../../../lib/files/read';
import { systems } from '../../../lib/systems';
import fc from '../../support/fuzz';
import { edited, edits } from '../../support/hostile';

const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

const goldens = join(__dirname, '../../golden');
const golden = (name: string): unknown => JSON.parse(readFileSync(join(goldens, name), 'utf8'));
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
/** Renders any value as JSON: a bigint becomes a string, and a cyclic value becomes truncated JSON. */
const json = (value: unknown): string => {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? '';
  } catch {
    return '{"itself":';
  }
};

/** Generates damage to the text of a file: a truncation, or a byte order mark or NUL at the start. */
const damage = fc.record({
  cut: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  head: fc.constantFrom('', '', '\ufeff', '\0'),
});
const damaged = (text: string, { cut, head }: { cut: number | null; head: string }) =>
  head + (cut === null ? text : text.slice(0, Math.floor(cut * text.length)));

const TELLING: ReadonlySet<string> = new Set(['FileProblem', 'EvolutionError']);

/**
 * Returns the outcome of reading a damaged file: `read`, `told` if the error explains the damage, or the message of any
 * other error.
 */
async function outcomeOf(read: () => unknown): Promise<string> {
  try {
    await read();
    return 'read';
  } catch (error) {
    const { name, message } = error as Error;
    // `azureTablesIn` reports an illegal table name with a plain error.
    return TELLING.has(name) || message.startsWith('azapi_resource.') ? 'told' : `${name}: ${message}`;
  }
}

const expectTold = (
  file: string,
  text: (changes: Parameters<typeof edited>[1]) => string,
  read: (path: string) => unknown,
) =>
  fc.assert(
    fc.asyncProperty(edits, damage, async (changes, how) => {
      const path = write(file, damaged(text(changes), how));
      expect(await outcomeOf(() => read(path))).toMatch(/^(read|told)$/);
    }),
    { numRuns: 60 },
  );

test('every reader reads a damaged template or reports the damage', async () => {
  const template = golden('booking-prod.json');
  write('manifest.json', '{"artifacts":{"booking":{"properties":{"templateFile":"template.json"}}}}');
  await expectTold(
    'template.json',
    (changes) => json(edited(template, changes)),
    () => {
      const stacks = readAssembly(folder);
      for (const stack of stacks) for (const read of [awsCosts, tablesIn]) read(stack.template);
    },
  );
});

test('reads a damaged manifest of an assembly or reports the damage', async () => {
  const manifest = {
    artifacts: {
      a: { properties: { templateFile: 'empty.json', stackName: 'a' } },
      b: { properties: { directoryName: 'sub' } },
    },
  };
  mkdirSync(join(folder, 'sub'));
  write('empty.json', '{}');
  write('sub/manifest.json', '{}');
  await expectTold(
    'manifest.json',
    (changes) => json(edited(manifest, changes)),
    () => readAssembly(folder),
  );
});

test('reads damaged Terraform JSON or reports the damage', async () => {
  const stack = golden('azure/controle-pgm-prod.json');
  await expectTold(
    'cdk.tf.json',
    (changes) => json(edited(stack, changes)),
    (path) => {
      const read = readStack(path);
      azureCosts(read);
      azureTablesIn(read);
    },
  );
});

test('reads a damaged export or reports the damage', async () => {
  const line = { table: 'Users', entity: { PartitionKey: 'a', RowKey: 'b', Age: { type: 'Int32', value: '7' } } };
  const header = { tablewright: 'export', version: 1, system: 'x', exportedAt: '2025-01-01', tables: ['Users'] };
  const trailer = { entities: { Users: 1 }, sha256: 'x' };
  const lines = [header, line, trailer];
  await expectTold(
    'export.jsonl',
    (changes) => `${([edited(lines, changes)].flat() as unknown[]).map(json).join('\n')}\n`,
    verified,
  );
});

test('refuses an export that contains rows of a table missing from its first line, even if its last line counts these rows', async () => {
  const header = { tablewright: 'export', version: 1, system: 'x', exportedAt: '2025-01-01', tables: ['Users'] };
  const written = (table: string) => {
    const lines = `${[header, { table, entity: { PartitionKey: 'a', RowKey: 'b' } }].map(json).join('\n')}\n`;
    const sha256 = createHash('sha256').update(lines).digest('hex');
    return write('export.jsonl', `${lines}${json({ entities: { Users: 0, [table]: 1 }, sha256 })}\n`);
  };
  await expect(verified(written('Users'))).resolves.toMatchObject({ header });
  await expect(verified(written('Secrets'))).rejects.toThrow('is damaged: its contents do not match its checksum');
});

test('accepts a lock that is exactly as it was recorded, and reports a damaged lock', async () => {
  const lock = lockOf(systems.booking as NonNullable<typeof systems.booking>, { environment: 'prod' });
  expect(await outcomeOf(() => readLock(readJson(write('lock.json', json(lock)))))).toBe('read');
  await expectTold(
    'lock.json',
    (changes) => json(edited(lock, changes)),
    (path) => readLock(readJson(path)),
  );
});

test('refuses JSON that is nested more deeply than any valid file', async () => {
  const deep = `{"lock":1,"hash":"x","a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  expect(() => readJson(write('deep.json', deep))).toThrow("deep.json' is nested more deeply than any valid file");
  expect(
    readJson(write('flat.json', `["${'['.repeat(5_000)}\\"${'{'.repeat(5_000)}"${',[]'.repeat(5_000)}]`)),
  ).toHaveLength(5_001);
});
