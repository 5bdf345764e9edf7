import { reporting } from '../../../../lib/dynamodb/engine/sent';
import type { CommandName } from '../../../../lib/dynamodb/requests';
import type { Sent } from '../../../../lib/engine/sent';
import type { Item } from '../../../../lib/items/item';

/** Sends a request that gets the given response, and returns what is reported about the request. */
async function report(command: CommandName, input: Item, output: Item | Error): Promise<Sent> {
  const seen: Sent[] = [];
  const send = reporting(
    async () => {
      if (output instanceof Error) throw output;
      return output;
    },
    (sent) => seen.push(sent),
  );
  await send(command, input).catch(() => undefined);
  expect(seen).toHaveLength(1);
  return seen[0] as Sent;
}

const item = { id: 'a' };

test.each<[CommandName, Item, Item, Sent['read']]>([
  ['Get', { TableName: 't' }, { Item: item }, [{ tableName: 't', items: [item] }]],
  ['Get', { TableName: 't' }, {}, [{ tableName: 't', items: [] }]],
  ['Query', { TableName: 't', IndexName: 'i' }, { Items: [item] }, [{ tableName: 't', index: 'i', items: [item] }]],
  ['BatchGet', { RequestItems: {} }, { Responses: { t: [item] } }, [{ tableName: 't', items: [item] }]],
  [
    'TransactGet',
    { TransactItems: [{ Get: { TableName: 't' } }, { Get: { TableName: 'u' } }] },
    { Responses: [{}, { Item: item }] },
    [{ tableName: 'u', items: [item] }],
  ],
])('reports the items read by a %s', async (command, input, output, read) => {
  expect(await report(command, input, output)).toMatchObject({ command, isRead: true, read, touched: [] });
});

test.each<[CommandName, Item, readonly [string, Item][]]>([
  ['Put', { TableName: 't', Item: item }, [['t', item]]],
  ['Update', { TableName: 't', Key: item }, [['t', item]]],
  [
    'BatchWrite',
    { RequestItems: { t: [{ PutRequest: { Item: item } }], u: [{ DeleteRequest: { Key: item } }] } },
    [
      ['t', item],
      ['u', item],
    ],
  ],
  [
    'TransactWrite',
    { TransactItems: [{ Delete: { TableName: 't', Key: item } }, { ConditionCheck: { TableName: 't', Key: item } }] },
    [['t', item]],
  ],
])(
  'reports the items that a %s may have written, even if DynamoDB refused the request',
  async (command, input, touched) => {
    const expected = { isRead: false, read: [], touched: touched.map(([tableName, key]) => ({ tableName, key })) };
    expect(await report(command, input, {})).toMatchObject(expected);
    expect(await report(command, input, new Error('refused'))).toMatchObject(expected);
  },
);

test('reports the limit and the capacity of a request if they are known', async () => {
  const input = { TableName: 't', Limit: 5 };
  expect(await report('Query', input, { ConsumedCapacity: { CapacityUnits: 2 } })).toMatchObject({
    limit: 5,
    units: 2,
  });
  const sent = await report('Get', { TableName: 't' }, {});
  expect([sent.limit, sent.units]).toEqual([undefined, undefined]);
});
