import { namesIn } from '../../../lib/blueprint/system';
import type { SystemDesign } from '../../../lib/design/system';
// The tests import from the public entry point, as a user does.
import {
  type AzureDatabase,
  azuriteEngine,
  embeddedEngine,
  type Proof,
  prove,
  type SystemCases,
} from '../../../lib/proof';
import { systemTables } from '../../../lib/proof/tables';
import { controlePgm } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { stackOf } from '../../support/azurite';
import { changed } from '../../support/changed';

const pgmCases = cases['controle-pgm'] as SystemCases;
let engine: AzureDatabase;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());

/** Runs a proof and returns its failures, each prefixed with the name of what failed. */
async function failures(system: SystemDesign, of: SystemCases, tables = Object.keys(system.tables)) {
  const found: Proof[] = [];
  for await (const proof of prove(engine, { system, cases: of, template: stackOf(...tables), environment: 'dev' })) {
    found.push(proof);
  }
  return found.flatMap(({ name, failure }) => (failure === undefined ? [] : [`${name}: ${failure}`]));
}

test('proves every pattern, procedure, entity and example of controle-pgm, and drops its tables', async () => {
  expect(await failures(controlePgm, pgmCases)).toEqual([]);
  expect(await engine.tables()).toEqual([]);
});

test('Azurite stores the documented example entities, and returns them unchanged', async () => {
  await engine.provision(stackOf(...Object.keys(controlePgm.tables)));
  const { entityOfItem } = await import('../../../lib/azure-tables/entity');
  const { entityNamed, outline } = await import('../../../lib/blueprint/outline');
  for (const [table, design] of Object.entries(controlePgm.tables)) {
    const plan = outline(design);
    for (const { entity, item } of Object.values(pgmCases.tables[table]?.documented ?? {})) {
      const made = entityOfItem(entityNamed(plan, String(entity)) as never, item);
      await engine.send(table, { method: 'createEntity', args: [made] });
      const read = await engine.send(table, {
        method: 'getEntity',
        args: [made.partitionKey, made.rowKey, { disableTypeConversion: true }],
      });
      const { partitionKey, rowKey, etag: _, timestamp: __, ...properties } = read.entity ?? {};
      const values = Object.entries(properties).flatMap(([name, property]) => {
        if (name.startsWith('odata.')) return [];
        const { type, value } = property as { type: string; value: string };
        return [[name, type === 'Int32' ? Number(value) : type === 'Boolean' ? value === 'true' : value]];
      });
      expect({ PartitionKey: partitionKey, RowKey: rowKey, ...Object.fromEntries(values) }).toEqual(item);
    }
  }
  for (const table of Object.keys(controlePgm.tables)) await engine.drop(table);
});

test("compares a procedure's result with the expected result", async () => {
  const wrong = changed(pgmCases, ['procedures', 'userByEmail', 'gives'], 'João');
  expect(await failures(controlePgm, wrong)).toEqual(['userByEmail: its result: expected "João", got "Maria Silva"']);
});

test('fails the proof of a write that must require an ETag but does not', async () => {
  const careless = changed<SystemDesign>(
    controlePgm,
    ['tables', 'Users', 'patterns', 'setEmail', 'unchanged'],
    undefined,
  );
  expect(await failures(careless, pgmCases)).toEqual([
    'setEmail: expected the call to fail without an ETag, got: no error',
  ]);
});

test('fails every proof if a table is missing from the synthesized output', async () => {
  const failed = await failures(controlePgm, pgmCases, ['Users', 'DocumentTypes', 'NumberLogs', 'UsersByEmail']);
  expect(failed).toHaveLength(namesIn(controlePgm).length);
  expect(failed[0]).toContain('the tables cannot be created and filled');
});

test('refuses to prove an Azure system on DynamoDB', async () => {
  const dynamo = await embeddedEngine();
  expect(() => systemTables(controlePgm, dynamo, String, () => undefined)).toThrow(
    "system 'controle-pgm' is designed for Azure, so it cannot run on embedded (dynoxide)",
  );
  await dynamo.stop();
});
