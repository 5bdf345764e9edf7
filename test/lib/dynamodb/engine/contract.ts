import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import type { TemplateJson } from '../../../../lib/dynamodb/template/tables';
import type { Item } from '../../../../lib/items/item';
import { describeItems } from '../../engine/contract';
import { describeTable, templateNamed } from './contract-table';

const schema = (partition: string, sort?: string) => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: 'RANGE' }]),
];

const attributes = (AttributeType: 'S' | 'N', ...names: readonly string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType }));

/** Repeats a read for up to five seconds until its output is as expected, because an index is eventually consistent. */
async function eventually(ask: () => Promise<Item>, isThere: (output: Item) => boolean): Promise<Item> {
  let output = await ask();
  for (let waited = 0; !isThere(output) && waited < 5_000; waited += 100) {
    await sleep(100);
    output = await ask();
  }
  return output;
}

/** Tests the behavior that every DynamoDB database must have, whichever engine serves the tables. */
export function describeDatabase(name: string, start: () => Promise<Database>): void {
  describe(`the database ${name}`, () => {
    const TableName = `contract-${process.pid}-${Date.now().toString(36)}`;
    const template = templateNamed(TableName);
    let database: Database;

    beforeAll(async () => {
      database = await start();
    }, 60_000);
    afterAll(() => database.stop());
    beforeEach(async () => {
      await database.provision(template);
    }, 300_000);
    afterEach(async () => {
      await database.drop(TableName);
    }, 300_000);

    const put = (Item: Item, more: Item = {}) => database.send('Put', { TableName, Item, ...more });
    const get = async (PK: string, SK: string) =>
      (await database.send('Get', { TableName, Key: { PK, SK }, ConsistentRead: true })).Item as Item | undefined;
    const query = (more: Item) => database.send('Query', { TableName, ...more });
    const inPartition = (condition: string, values: Item, more: Item = {}) =>
      query({
        KeyConditionExpression: `PK = :p${condition}`,
        ExpressionAttributeValues: { ':p': 'P', ...values },
        ConsistentRead: true,
        ...more,
      });
    const sortKeys = ({ Items }: Item) => (Items as Item[]).map(({ SK }) => SK);
    /** Puts items with the keys `P, A#1`, `P, A#2`, …, and sets `n` to the number in the sort key. */
    const fill = (...names: readonly string[]) =>
      Promise.all(names.map((SK) => put({ PK: 'P', SK, n: Number(SK.split('#')[1]) })));

    describeItems(
      TableName,
      () => database,
      (n, text) => ({ PK: 'P', SK: String(n), text }),
    );

    describe('the tables of a template', () => {
      test('provisions the tables of a template, and lists them', async () => {
        const other = `${TableName}-other`;
        expect(await database.provision(templateNamed(other))).toEqual([other]);
        await database.drop(other);
      }, 300_000);

      test('provisions tables with their keys, indexes, projections and TTL', async () => {
        const { description, ttl } = await describeTable(database, TableName);
        expect(description).toMatchObject({
          TableStatus: 'ACTIVE',
          KeySchema: schema('PK', 'SK'),
          BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
        });
        expect(new Set(description.AttributeDefinitions)).toEqual(
          new Set([...attributes('S', 'PK', 'SK', 'GSI1PK', 'GSI1SK', 'GSI2PK'), ...attributes('N', 'rank')]),
        );
        const indexes = (description.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => [
          IndexName,
          KeySchema,
          Projection,
        ]);
        expect(new Set(indexes)).toEqual(
          new Set([
            ['All', schema('GSI1PK', 'GSI1SK'), { ProjectionType: 'ALL' }],
            ['Some', schema('GSI2PK', 'rank'), { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] }],
            ['Keys', schema('GSI2PK'), { ProjectionType: 'KEYS_ONLY' }],
          ]),
        );
        expect(ttl).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: expect.stringMatching(/^ENABL/) });
      });

      test('keeps an existing table and its items', async () => {
        await put({ PK: 'P', SK: 'S' });
        await expect(database.provision(template)).rejects.toMatchObject({ name: 'ResourceInUseException' });
        expect(await get('P', 'S')).toBeDefined();
      });

      test('provisions no tables if one table of the template cannot be created', async () => {
        const fresh = templateNamed(`${TableName}-fresh`).Resources ?? {};
        const both = {
          Resources: { Fresh: Object.values(fresh)[0], Taken: Object.values(template.Resources ?? {})[0] },
        };
        await expect(database.provision(both as TemplateJson)).rejects.toMatchObject({
          name: 'ResourceInUseException',
        });
        await expect(database.drop(`${TableName}-fresh`)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
      }, 300_000);
    });

    describe('reads', () => {
      test('returns no item for a missing key', async () => {
        expect(await get('P', 'S')).toBeUndefined();
        expect(await inPartition('', {})).toMatchObject({ Items: [], Count: 0 });
      });

      test('returns numbers, nested maps and lists, null and Unicode text exactly as stored', async () => {
        const item = {
          PK: 'P',
          SK: 'São Paulo 🚚 日本',
          whole: 9007199254740991,
          small: -0.000001,
          map: { list: [1, 'two', { three: null }, [true, false]], 'a.b': 'dotted', empty: {} },
          none: null,
          text: '',
          bytes: Uint8Array.from([0, 255]),
        };
        await put(item);
        const { bytes, ...read } = (await get('P', 'São Paulo 🚚 日本')) ?? {};
        expect({ ...read, bytes: [...(bytes as Uint8Array)] }).toEqual({ ...item, bytes: [0, 255] });
      });

      test('queries a prefix of the sort key', async () => {
        await fill('A#1', 'AB#2', 'A#3', 'B#4');
        const read = await inPartition(' AND begins_with(SK, :s)', { ':s': 'A#' });
        expect(sortKeys(read)).toEqual(['A#1', 'A#3']);
      });

      test('queries a range of sort keys, including both ends', async () => {
        await fill('A#1', 'A#2', 'A#3', 'A#4');
        const read = await inPartition(' AND SK BETWEEN :a AND :b', { ':a': 'A#2', ':b': 'A#3' });
        expect(sortKeys(read)).toEqual(['A#2', 'A#3']);
      });

      test('returns items in byte order of the sort key, ascending or descending', async () => {
        await fill('a#1', 'B#2', 'é#3', 'A#10', 'A#9');
        const up = ['A#10', 'A#9', 'B#2', 'a#1', 'é#3'];
        expect(sortKeys(await inPartition('', {}))).toEqual(up);
        expect(sortKeys(await inPartition('', {}, { ScanIndexForward: false }))).toEqual(up.reverse());
      });

      test('continues each page of a query after the last item of the previous page', async () => {
        await fill('A#1', 'A#2', 'A#3');
        const first = await inPartition('', {}, { Limit: 2 });
        expect(sortKeys(first)).toEqual(['A#1', 'A#2']);
        expect(first.LastEvaluatedKey).toEqual({ PK: 'P', SK: 'A#2' });
        const second = await inPartition('', {}, { Limit: 2, ExclusiveStartKey: first.LastEvaluatedKey });
        expect(sortKeys(second)).toEqual(['A#3']);
        expect(second.LastEvaluatedKey).toBeUndefined();
      });

      test('pages through an index with a cursor that contains the keys of the index and the table', async () => {
        await put({ PK: 'P', SK: '1', GSI1PK: 'X', GSI1SK: 'same' });
        await put({ PK: 'P', SK: '2', GSI1PK: 'X', GSI1SK: 'same' });
        const all = {
          IndexName: 'All',
          KeyConditionExpression: 'GSI1PK = :x',
          ExpressionAttributeValues: { ':x': 'X' },
        };
        const first = await eventually(
          () => query({ ...all, Limit: 1 }),
          ({ Items }) => (Items as Item[]).length === 1,
        );
        expect(Object.keys(first.LastEvaluatedKey as Item).sort()).toEqual(['GSI1PK', 'GSI1SK', 'PK', 'SK']);
        const second = await query({ ...all, Limit: 1, ExclusiveStartKey: first.LastEvaluatedKey });
        expect([...sortKeys(first), ...sortKeys(second)].sort()).toEqual(['1', '2']);
      });

      test('returns only the items that pass the filter, but also counts the others in ScannedCount', async () => {
        await fill('A#1', 'A#2', 'A#3');
        const filtered = { FilterExpression: 'n > :n', ExpressionAttributeValues: { ':p': 'P', ':n': 2 } };
        expect(await inPartition('', {}, filtered)).toMatchObject({
          Count: 1,
          ScannedCount: 3,
          Items: [{ SK: 'A#3' }],
        });
      });

      test('reads several items in one batch, and skips missing items', async () => {
        await fill('A#1', 'A#2');
        const Keys = ['A#1', 'A#2', 'A#3'].map((SK) => ({ PK: 'P', SK }));
        const { Responses } = await database.send('BatchGet', { RequestItems: { [TableName]: { Keys } } });
        const found = (Responses as Record<string, Item[]>)[TableName] ?? [];
        expect(found.map(({ SK }) => SK).sort()).toEqual(['A#1', 'A#2']);
      });
    });

    describe('writes', () => {
      const fresh = { ConditionExpression: 'attribute_not_exists(PK)' };

      test('refuses to put an item that already exists if the condition requires a new item', async () => {
        await put({ PK: 'P', SK: 'S', n: 1 }, fresh);
        await expect(put({ PK: 'P', SK: 'S', n: 2 }, fresh)).rejects.toMatchObject({
          name: 'ConditionalCheckFailedException',
        });
        expect(await get('P', 'S')).toMatchObject({ n: 1 });
      });

      test('sets and removes attributes in one update', async () => {
        await put({ PK: 'P', SK: 'S', map: { a: 1, b: 2 }, old: true });
        await database.send('Update', {
          TableName,
          Key: { PK: 'P', SK: 'S' },
          UpdateExpression: 'SET #map.a = :a, #new = :new REMOVE #map.b, #old',
          ExpressionAttributeNames: { '#map': 'map', '#new': 'new', '#old': 'old' },
          ExpressionAttributeValues: { ':a': 3, ':new': ['x'] },
        });
        expect(await get('P', 'S')).toEqual({ PK: 'P', SK: 'S', map: { a: 3 }, new: ['x'] });
      });

      test('adds to a number inside a map, starting from zero if the number is missing', async () => {
        await put({ PK: 'P', SK: 'S', credits: {} });
        const add = () =>
          database.send('Update', {
            TableName,
            Key: { PK: 'P', SK: 'S' },
            UpdateExpression: 'SET credits.used = if_not_exists(credits.used, :zero) + :amount',
            ExpressionAttributeValues: { ':zero': 0, ':amount': 2 },
          });
        await add();
        await add();
        expect(await get('P', 'S')).toMatchObject({ credits: { used: 4 } });
      });

      test('leaves the item unchanged if a condition fails', async () => {
        await put({ PK: 'P', SK: 'S', used: 5, limits: { most: 5 } });
        const update = database.send('Update', {
          TableName,
          Key: { PK: 'P', SK: 'S' },
          UpdateExpression: 'SET used = used + :one',
          ConditionExpression: 'used < limits.most',
          ExpressionAttributeValues: { ':one': 1 },
        });
        await expect(update).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
        expect(await get('P', 'S')).toMatchObject({ used: 5 });
      });

      test('deletes an item', async () => {
        await put({ PK: 'P', SK: 'S' });
        await database.send('Delete', { TableName, Key: { PK: 'P', SK: 'S' } });
        expect(await get('P', 'S')).toBeUndefined();
      });

      test('applies all steps of a transaction', async () => {
        await put({ PK: 'P', SK: 'old', n: 1 });
        await database.send('TransactWrite', {
          TransactItems: [
            { Put: { TableName, Item: { PK: 'P', SK: 'new' }, ...fresh } },
            {
              Update: {
                TableName,
                Key: { PK: 'P', SK: 'old' },
                UpdateExpression: 'SET n = n + :one',
                ExpressionAttributeValues: { ':one': 1 },
              },
            },
          ],
        });
        expect([await get('P', 'new'), await get('P', 'old')]).toMatchObject([{ SK: 'new' }, { n: 2 }]);
      });

      test('applies no step of a transaction if one is refused, and reports the refused step', async () => {
        await put({ PK: 'P', SK: 'taken' });
        const transaction = database.send('TransactWrite', {
          TransactItems: ['new', 'taken'].map((SK) => ({ Put: { TableName, Item: { PK: 'P', SK }, ...fresh } })),
        });
        await expect(transaction).rejects.toMatchObject({
          name: 'TransactionCanceledException',
          CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
        });
        expect(await get('P', 'new')).toBeUndefined();
      });
    });

    describe('an index', () => {
      const read = (IndexName: string, attribute: string, value: string) =>
        query({
          IndexName,
          KeyConditionExpression: '#p = :p',
          ExpressionAttributeNames: { '#p': attribute },
          ExpressionAttributeValues: { ':p': value },
        });

      test('indexes only items with both index keys, and removes an item from the index when an update removes the keys', async () => {
        await put({ PK: 'P', SK: 'in', GSI1PK: 'X', GSI1SK: '1' });
        await put({ PK: 'P', SK: 'half', GSI1PK: 'X' });
        await put({ PK: 'P', SK: 'out' });
        const all = () => read('All', 'GSI1PK', 'X');
        expect(await eventually(all, ({ Count }) => Count === 1)).toMatchObject({ Items: [{ SK: 'in' }], Count: 1 });
        await database.send('Update', {
          TableName,
          Key: { PK: 'P', SK: 'in' },
          UpdateExpression: 'REMOVE GSI1PK, GSI1SK',
        });
        expect(await eventually(all, ({ Count }) => Count === 0)).toMatchObject({ Count: 0 });
        expect(await get('P', 'in')).toEqual({ PK: 'P', SK: 'in' });
      });

      test('returns only the attributes that the index projects', async () => {
        const item = { PK: 'P', SK: 'S', GSI2PK: 'Y', rank: 7, kept: 'yes', lost: 'no' };
        await put(item);
        const isThere = ({ Count }: Item) => Count === 1;
        const { lost: _, ...some } = item;
        expect((await eventually(() => read('Some', 'GSI2PK', 'Y'), isThere)).Items).toEqual([some]);
        const { rank: __, kept: ___, ...keys } = some;
        expect((await eventually(() => read('Keys', 'GSI2PK', 'Y'), isThere)).Items).toEqual([keys]);
      });

      test('sorts the numeric keys of an index as numbers', async () => {
        for (const rank of [10, 9, -1]) await put({ PK: 'P', SK: String(rank), GSI2PK: 'Y', rank });
        const { Items } = await eventually(
          () => read('Some', 'GSI2PK', 'Y'),
          ({ Count }) => Count === 3,
        );
        expect((Items as Item[]).map(({ rank }) => rank)).toEqual([-1, 9, 10]);
      });
    });

    test('reports the capacity that a request consumed in the table and in each index', async () => {
      const written = await put({ PK: 'P', SK: 'S', GSI1PK: 'X', GSI1SK: '1' });
      expect(written.ConsumedCapacity).toMatchObject({
        TableName,
        CapacityUnits: 2,
        Table: { CapacityUnits: 1 },
        GlobalSecondaryIndexes: { All: { CapacityUnits: 1 } },
      });
      const { ConsumedCapacity } = await inPartition('', {});
      expect(ConsumedCapacity).toMatchObject({ CapacityUnits: 1, Table: { CapacityUnits: 1 } });
    });

    test("keeps every digit of a number sent in DynamoDB's own format", async () => {
      const Item = { PK: { S: 'P' }, SK: { S: 'S' }, n: { N: '1.2345678901234567890123456789' } };
      await database.sendExact('Put', { TableName, Item });
      const { PK, SK } = Item;
      expect((await database.sendExact('Get', { TableName, Key: { PK, SK } })).Item).toEqual(Item);
    });

    test("describes a table's key and its approximate number of items", async () => {
      expect(await database.describe(TableName)).toEqual({ key: ['PK', 'SK'], items: expect.any(Number) });
    });

    test('adds an index to an existing table', async () => {
      const KeySchema = [{ AttributeName: 'kept', KeyType: 'HASH' }];
      const Create = { IndexName: 'Kept', KeySchema, Projection: { ProjectionType: 'ALL' } };
      const { description } = await describeTable(database, TableName);
      const AttributeDefinitions = [...(description.AttributeDefinitions ?? []), ...attributes('S', 'kept')];
      await database.alter({ table: { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] } });
      const { description: after } = await describeTable(database, TableName);
      expect(after.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toContain('Kept');
    });

    describe('errors', () => {
      const missing = `${TableName}-missing`;

      test('refuses a request to a missing table with ResourceNotFoundException', async () => {
        const error = { name: 'ResourceNotFoundException' };
        const key = { TableName: missing, Key: { PK: 'P', SK: 'S' } };
        await expect(database.send('Get', key)).rejects.toMatchObject(error);
        await expect(database.send('Put', { TableName: missing, Item: key.Key })).rejects.toMatchObject(error);
        await expect(database.drop(missing)).rejects.toMatchObject(error);
      });

      test('refuses an invalid request with ValidationException', async () => {
        const error = { name: 'ValidationException' };
        await expect(database.send('Get', { TableName, Key: { PK: 'P' } })).rejects.toMatchObject(error);
        await expect(put({ PK: 'P' })).rejects.toMatchObject(error);
        await expect(put({ PK: 'P', SK: '' })).rejects.toMatchObject(error);
        await expect(read('Nowhere')).rejects.toMatchObject(error);
      });

      const read = (IndexName: string) =>
        query({ IndexName, KeyConditionExpression: 'PK = :p', ExpressionAttributeValues: { ':p': 'P' } });
    });
  });
}
