import type { AzureCall } from '../../../../../lib/azure-tables';
import { equivalents } from '../../../../../lib/azure-tables/equivalents';
import { client } from '../../../../../lib/dynamodb';
import { bazaar } from './bazaar';
import { account, FEATURES, NAME, order, type Runs } from './sides';

const sent: AzureCall[] = [];
const runs = client(
  bazaar.tables.shop,
  NAME,
  equivalents(bazaar, async (_, call) => {
    sent.push(call);
    return {};
  }),
  FEATURES,
) as unknown as Runs;
afterEach(() => expect(sent).toEqual([]));

const long = 'x'.repeat(500);
const LONG = 'an Azure key is limited to 512; shorten the key';
const LARGE = 'Azure Tables stores only doubles and 64-bit whole numbers; store it as a string';

test.each<[string, string, object, string]>([
  ['a put with a key of more than 512 characters', 'createOrder', order('a', long.repeat(2)), LONG],
  ['a put whose key is too long only in an index', 'createOrder', order('a', long), LONG],
  [
    'a batch in which the key of one item is too long',
    'saveOrders',
    { orders: [order('a', '1'), order('a', long)] },
    LONG,
  ],
  ['a get with a key that is too long', 'getAccount', { accountId: long.repeat(2) }, LONG],
  ['a query with a partition key that is too long', 'openOrders', { accountId: long.repeat(2) }, LONG],
  ['a put with a whole number beyond 64 bits', 'createOrder', order('a', '1', { total: 1e300 }), LARGE],
  [
    'a batch with a number that is too large',
    'saveOrders',
    { orders: [order('a', '1'), order('a', '2', { total: 1e300 })] },
    LARGE,
  ],
  ['a transaction with a number that is too large', 'openAccount', account('a', { rate: 1e300 }), LARGE],
])('refuses %s before sending a request', async (_, name, values, message) => {
  await expect((runs[name] as Runs[string])(values)).rejects.toThrow(message);
});

test('refuses descending order if there is no mirrored table, instead of reading the whole range', async () => {
  await expect(runs.ordersIn?.({ status: 'open' }, { order: 'descending' })).rejects.toThrow(
    "ordersIn: Azure Tables reads in ascending order, and no mirrored table exists for GSI2; write order: 'descending' in the pattern",
  );
});
