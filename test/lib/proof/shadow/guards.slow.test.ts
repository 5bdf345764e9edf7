import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { through } from '../../../../lib/dynamodb/engine/stored';
import type { Send } from '../../../../lib/dynamodb/sending';
import type { Item } from '../../../../lib/items/item';
import { customers, shop } from '../../../fixtures/booked/designs';
import { proofsOf } from './oracle';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

const unique = { email: { keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' } } };
const { Customer } = customers.entities as Required<TableDesign>['entities'];
const deployed = shop({ ...customers, entities: { Customer: { ...Customer, unique } } } as TableDesign);
const design = shop({
  ...customers,
  indexes: { GSI1: { partition: 'GSI1PK' } },
  entities: { Customer: { ...Customer, keys: { ...Customer?.keys, GSI1PK: 'CITY#<city>' }, unique } },
  patterns: {
    ...customers.patterns,
    customersIn: { op: 'query', index: 'GSI1', where: { GSI1PK: 'CITY#<city>' }, returns: ['Customer'] },
  },
} as TableDesign) as SystemDesign;
const customer = (id: string, email: string) => ['Customer', { id, email, street: 'Rua', city: 'Porto' }] as const;
const before = (...emails: readonly string[]) => ({
  tables: {
    customers: {
      items: Object.fromEntries(emails.map((email, i) => [`c${i}`, customer(`c${i}`, email)])),
      patterns: {},
    },
  },
});

/**
 * Returns an engine that applies `change` to every guard stored before the plan starts. It changes only batch writes,
 * because releases write their guards in transactions.
 */
const withGuards = (change: (guard: Item) => readonly Item[]): Database => {
  const send: Send = (command, input) => {
    if (command !== 'BatchWrite') return engine.send(command, input);
    const tables = Object.entries(input.RequestItems as Record<string, { PutRequest?: { Item: Item } }[]>);
    const changed = tables.map(([name, requests]) => [
      name,
      requests.flatMap((request) => {
        const { Item: item } = request.PutRequest ?? {};
        return item?.uniqueOwner === undefined ? [request] : change(item).map((Item) => ({ PutRequest: { Item } }));
      }),
    ]);
    return engine.send(command, { ...input, RequestItems: Object.fromEntries(changed) });
  };
  return through(engine, send);
};
const failureOf = async (database: Database, ...emails: readonly string[]) =>
  (await proofsOf(database, { deployed, design, before: before(...emails) })).last?.failure;

test('accepts a single guard for two items that had the same value before the plan', async () => {
  expect(await failureOf(engine, 'e', 'E')).toBeUndefined();
});

test('fails the proof if a stored item has no guard', async () => {
  const none = withGuards(() => []);
  expect(await failureOf(none, 'e')).toMatch(/Customer 'c0' has no guard .*: another item can take its unique value$/);
  expect(await failureOf(none, 'e', 'e')).toMatch(/Customer 'c0' has no guard/);
});

test("fails the proof if a guard's owner is not stored", async () => {
  const strange = withGuards((guard) => [{ ...guard, uniqueOwner: { id: 'nobody' } }]);
  expect(await failureOf(strange, 'e', 'e')).toMatch(
    /guard of Customer 'c0' .* belongs to another owner: \{"id":"nobody"\}/,
  );
});
