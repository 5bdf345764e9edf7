import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isMember, membershipIn } from '../../../lib/blueprint/membership';
import { type EntityOutline, entityNamed, keyOf, outline } from '../../../lib/blueprint/outline';
import { indexMembership } from '../../../lib/check/rules/index-membership';
import type { Condition, Operand, UpdatePattern } from '../../../lib/design/pattern';
import type { EntityDesign, IndexDesign, TableDesign } from '../../../lib/design/table';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { requests } from '../../../lib/dynamodb/requests';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { type Item, ItemError, makeItem } from '../../../lib/items/item';
import { findings } from '../../fixtures/designs';
import fc from '../../support/fuzz';

/*
 * This test makes random designs and updates, and checks that an item is in exactly the indexes that its
 * attributes imply, and that its keys in these indexes are complete.
 */

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

const STATES = ['open', 'held', 'done'] as const;
const attributes = z.object({
  id: z.string(),
  city: z.string(),
  state: z.enum(STATES),
  agent: z.string().optional(),
  data: z.object({ paid: z.boolean(), day: z.string().optional() }),
});
const PATHS = ['city', 'state', 'agent', 'data.paid', 'data.day'] as const;

const city = fc.constantFrom('Lima', 'Quito');
const day = fc.constantFrom('Monday', 'Tuesday');
const state = fc.constantFrom(...STATES);
const agent = fc.constantFrom('Ann', 'Bob');

/**
 * Generates a key of one or two parts, and an index. The key attributes of an index are two of the keys K0, K1 and K2
 * and the natural keys `city` and `agent`; two indexes may share a key attribute.
 */
const key = fc.subarray(['id', ...PATHS.filter((path) => path !== 'data.paid')], { minLength: 1, maxLength: 2 });
const index = fc
  .subarray(['K0', 'K1', 'K2', 'city', 'agent'], { minLength: 2, maxLength: 2 })
  .filter((names) => names.some((name) => name.startsWith('K')));
const tests = fc.record(
  {
    state: fc.subarray([...STATES], { minLength: 1, maxLength: 2 }),
    'data.paid': fc.constantFrom([true], [false]),
    agent: fc.constant(['Ann']),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const anyDesign = fc
  .record({
    keys: fc.tuple(key, key, key),
    indexes: fc.uniqueArray(index, { minLength: 1, maxLength: 3, selector: (names) => names.join() }),
    members: fc.array(fc.option(tests, { nil: undefined }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ keys, indexes, members }): TableDesign => {
    const named = indexes.map(([partition, sort], i): [string, IndexDesign] => [
      `GSI${i}`,
      { partition: partition as string, sort: sort as string },
    ]);
    const tested = named.flatMap(([name], i) => {
      const test = members[i];
      return test === undefined || Object.keys(test).length === 0 ? [] : [[name, { while: test }] as const];
    });
    const entity: EntityDesign = {
      attributes,
      keys: {
        PK: '<id>',
        ...Object.fromEntries(keys.map((parts, i) => [`K${i}`, parts.map((part) => `<${part}>`).join('#')])),
      },
      indexes: Object.fromEntries(tested),
    };
    return {
      name: 'sparse',
      key: { partition: 'PK' },
      indexes: Object.fromEntries(named),
      entities: { Thing: entity },
    };
  })
  .filter((design) => findings(indexMembership, design).length === 0);

const stored = fc.record(
  {
    id: fc.constant('t1'),
    city,
    state,
    agent,
    data: fc.record({ paid: fc.boolean(), day }, { requiredKeys: ['paid'] }),
  },
  { requiredKeys: ['id', 'city', 'state', 'data'] },
);

/** Generates updates that set constants or parameters, with a condition on any number of values. */
const anyUpdate = fc.record({
  set: fc.record(
    { city, state, agent, 'data.paid': fc.boolean(), 'data.day': day },
    { requiredKeys: [], noNullPrototype: true },
  ),
  given: fc.subarray([...PATHS]),
  remove: fc.subarray(['agent', 'data.day']),
  held: fc.dictionary(fc.constantFrom(...PATHS), fc.constantFrom('is', 'in', 'exists', 'given', 'not', 'any'), {
    noNullPrototype: true,
  }),
});

function at(item: Item, path: string): string | boolean | undefined {
  return path.split('.').reduce((value: unknown, step) => (value as Item | undefined)?.[step], item) as never;
}

const parameter = (path: string) => path.replace('.', '');

/** Returns a condition that the stored item meets, so that the update succeeds. */
function conditionOn(item: Item, held: Readonly<Record<string, string>>): Condition {
  const tests = Object.entries(held).map(([path, how]): Condition => {
    const is = at(item, path);
    if (is === undefined) return { [path]: { exists: false } };
    if (how === 'in') return { [path]: { in: [is, typeof is === 'string' ? 'other' : is] } };
    if (how === 'exists') return { [path]: { exists: true } };
    if (how === 'given') return { [path]: `<${parameter(path)}Before>` };
    if (how === 'not') return { [path]: { not: path === 'state' ? (is === 'done' ? 'open' : 'done') : !is } };
    return how === 'any' ? { any: [{ [path]: is }] } : { [path]: is };
  });
  return Object.assign({}, ...tests);
}

test('a successful update leaves the item with complete keys in exactly the indexes that its attributes require', async () => {
  let [done, refused] = [0, 0];
  const one = fc.tuple(stored, anyUpdate);
  await fc.assert(
    fc.asyncProperty(anyDesign, fc.array(one, { minLength: 12, maxLength: 12 }), async (design, updates) => {
      const table = outline(design);
      const thing = entityNamed(table, 'Thing') as EntityOutline;
      await engine.provision(templateOf(design) as TemplateJson);
      try {
        for (const [values, { set, given, remove, held }] of updates) {
          const before = makeItem(table, thing, values);
          await engine.put('sparse', [before]);
          const change: UpdatePattern = {
            ...{ op: 'update', entity: 'Thing', where: { PK: '<id>' }, condition: conditionOn(before, held) },
            set: Object.fromEntries(
              Object.entries(set).map(([path, value]): [string, Operand] => [
                path,
                given.includes(path as never) ? `<${parameter(path)}>` : value,
              ]),
            ),
            remove: remove.filter((path) => !Object.hasOwn(set, path)),
          };
          try {
            const patterns = requests({ ...design, patterns: { change } } as TableDesign, 'sparse');
            const input = (patterns as unknown as Record<string, (values: object) => Item>).change?.({
              id: 't1',
              ...Object.fromEntries(Object.entries(set).map(([path, value]) => [parameter(path), value])),
              ...Object.fromEntries(PATHS.map((path) => [`${parameter(path)}Before`, at(before, path)])),
            });
            await engine.send('Update', input as Item);
            done++;
          } catch (error) {
            if (!(error instanceof ItemError)) throw error;
            refused++;
            continue;
          }
          await expectWhole(design, thing);
        }
      } finally {
        await engine.drop('sparse');
      }
    }),
    { numRuns: 40 },
  );
  expect(Math.min(done, refused)).toBeGreaterThan(40);
}, 180_000);

async function expectWhole(design: TableDesign, thing: EntityOutline): Promise<void> {
  const table = outline(design);
  const after = structuredClone(await engine.get('sparse', { PK: 't1' }));
  const { PK: _, K0, K1, K2, ...own } = after as Item;
  const anew = makeItem(table, thing, own);
  if (!isDeepStrictEqual(after, anew)) expect(after).toEqual(anew);
  for (const index of table.indexes) {
    const { Items } = await engine.send('Scan', { TableName: 'sparse', IndexName: index.name });
    const isIn = keyOf(index).every(({ name }) => name in anew) && isMember(membershipIn(thing, index), own);
    expect({ index: index.name, items: (Items as readonly Item[]).length }).toEqual({
      index: index.name,
      items: isIn ? 1 : 0,
    });
  }
}

function templateOf({ name, indexes = {} }: TableDesign) {
  const schema = (partition: string, sort?: string) => [
    { AttributeName: partition, KeyType: 'HASH' },
    ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' }]),
  ];
  const used = Object.values(indexes).flatMap(({ partition, sort }) => [partition as string, sort as string]);
  return {
    Resources: {
      Table: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: schema('PK'),
          AttributeDefinitions: [...new Set(['PK', ...used])].map((AttributeName) => ({
            AttributeName,
            AttributeType: 'S',
          })),
          GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, { partition, sort }]) => ({
            IndexName,
            KeySchema: schema(partition as string, sort as string),
            Projection: { ProjectionType: 'ALL' },
          })),
          Replicas: [{ Region: 'eu-west-1' }],
        },
      },
    },
  };
}
