import { z } from 'zod';
import { client, transact, transactGet } from '../../../../lib/dynamodb';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { defineMigration, lockOf, planFor } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/dynamodb';
import { defineSystem, defineTable } from '../../../../lib/index';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

const key = { partition: 'PK' } as const;
const tableOf = <N extends string, S extends z.ZodRawShape>(name: N, shape: S, prefix = 'ID') =>
  defineTable({
    name,
    key,
    typeAttribute: 'kind',
    entities: { Thing: { attributes: z.object({ id: z.string(), ...shape }), keys: { PK: `${prefix}#<id>` } } },
    patterns: {
      [`get${name}`]: { op: 'get', where: { PK: `${prefix}#<id>` }, returns: ['Thing'] },
      [`put${name}`]: { op: 'put', entity: 'Thing' },
    },
  } as never);

const systemOf = (...tables: readonly ReturnType<typeof tableOf>[]) =>
  defineSystem({
    name: 'pair',
    cloud: 'aws',
    tables: Object.fromEntries(tables.map((table) => [(table as { name: string }).name, table])),
  });

interface Stepped {
  (values: object): Promise<object>;
  step(values: object): never;
}

const before = systemOf(tableOf('a', { nome: z.string() }), tableOf('b', {}));
const lock = lockOf(before, { environment: 'prod' });
/** Returns the calls of both tables' clients, for a step of the system's plan or for the deployed design. */
function callsAt(after: typeof before, step?: string, answers = {}, ups?: object): Record<string, Stepped> {
  const plan = step === undefined ? undefined : planFor(lock, after, answers);
  const migration = ups && defineMigration(lock, after, ups as never, answers);
  const value = plan && evolving({ lock, plan, step: step as string, design: after, ...(migration && { migration }) });
  const clients = Object.entries(after.tables).map(([name, table]) =>
    client(table, `pair-prod-${name}`, engine.send, { evolving: value }),
  );
  return Object.assign({}, ...clients);
}

beforeEach(async () => {
  const AttributeDefinitions = [{ AttributeName: 'PK', AttributeType: 'S' as const }];
  const KeySchema = [{ AttributeName: 'PK', KeyType: 'HASH' as const }];
  const table = (TableName: string) => ({
    Type: 'AWS::DynamoDB::Table',
    Properties: { TableName, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema },
  });
  await engine.provision({ Resources: { A: table('pair-prod-a'), B: table('pair-prod-b') } });
  const old = callsAt(before);
  await old.puta?.({ id: '1', nome: 'Ana' });
  await old.putb?.({ id: '1' });
});
afterEach(async () => {
  for (const table of ['pair-prod-a', 'pair-prod-b']) await engine.drop(table);
});

describe('a migration of both tables', () => {
  const after = systemOf(tableOf('a', { name: z.string() }), tableOf('b', { rank: z.int() }));
  const renamed = { renamed: { 'a.Thing.nome': 'name' } };
  const ups = { b: { Thing: { up: (thing: object) => ({ ...thing, rank: 7 }) } } };
  const both = (step = 'expand-1') => callsAt(after, step, renamed, ups);

  test('a single transaction reads old items from two tables in their new form', async () => {
    const { geta, getb } = both();
    const read = await transactGet([
      geta?.step({ id: '1' }),
      getb?.step({ id: '1' }),
      geta?.step({ id: '2' }),
    ] as never);
    expect(read).toEqual([{ id: '1', name: 'Ana', kind: 'Thing' }, { id: '1', rank: 7, kind: 'Thing' }, undefined]);
  });

  test('a single transaction writes to two tables in the form that the previous release understands', async () => {
    const { puta, putb } = both();
    await transact([puta?.step({ id: '2', name: 'Eva' }), putb?.step({ id: '2', rank: 1 })] as never);
    expect(await callsAt(before).geta?.({ id: '2' })).toMatchObject({ id: '2', nome: 'Eva' });
    expect(await both().geta?.({ id: '2' })).toMatchObject({ id: '2', name: 'Eva' });
  });
});

describe('a key change', () => {
  const after = systemOf(tableOf('a', { nome: z.string() }, 'KEY'), tableOf('b', {}));

  test('a transaction reads items under their old keys until the items move', async () => {
    const { geta, getb } = callsAt(after, 'expand-1');
    const read = await transactGet([geta?.step({ id: '1' }), getb?.step({ id: '1' })] as never);
    expect(read).toMatchObject([{ nome: 'Ana' }, { id: '1' }]);
  });

  test('rejects a transaction once items may be under either the old or the new key', () => {
    const { geta, puta } = callsAt(after, 'backfill');
    const refusal =
      /^geta: its items are moving.*until the switch, call geta\(values\) by itself, not as a step of a transaction$/;
    expect(() => geta?.step({ id: '1' })).toThrow(refusal);
    expect(() => puta?.step({ id: '2', nome: 'Eva' })).toThrow(/^puta: its items are moving/);
  });
});

test('while other items of the table move, an item whose key does not change keeps its old form', async () => {
  const thing = z.object({ id: z.string(), text: z.string() });
  const [where, moved] = [{ PK: 'LABEL#<id>' }, { PK: 'KEY#<id>' }] as const;
  const labels = (entity: string, keys: { readonly PK: string }) =>
    ({
      name: 'a',
      key,
      typeAttribute: 'kind',
      entities: { [entity]: { attributes: thing, keys: where }, Thing: { attributes: thing, keys } },
      patterns: {
        getLabel: { op: 'get', where, returns: [entity] },
        putLabel: { op: 'put', entity },
        relabel: { op: 'update', entity, where, set: { text: '<text>' } },
        putThing: { op: 'put', entity: 'Thing' },
      },
    }) as never;
  const [was, is] = [systemOf(labels('Label', { PK: 'ID#<id>' })), systemOf(labels('Tag', moved))];
  const own = lockOf(was, { environment: 'prod' });
  const plan = planFor(own, is, { renamed: { 'a.Label': 'Tag' } });
  const callsOf = (design: typeof was, options = {}) =>
    client(design.tables.a as never, 'pair-prod-a', engine.send, options) as Record<string, Stepped>;
  const old = callsOf(was);
  const expanding = callsOf(is, { evolving: evolving({ lock: own, plan, step: 'expand-1', design: is }) });
  await old.putLabel?.({ id: '1', text: 'red' });
  await expanding.relabel?.({ id: '1', text: 'blue' });
  expect(await old.getLabel?.({ id: '1' })).toEqual({ id: '1', text: 'blue', kind: 'Label' });
  expect(await expanding.getLabel?.({ id: '1' })).toEqual({ id: '1', text: 'blue', kind: 'Tag' });
});
