import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../../lib/dynamodb/template/tables';
import type { Item } from '../../../../lib/items/item';
import { type CloudFormationStack, cloudFormation } from '../../../../lib/proof/shadow/cloudformation';
import { SECONDS, type StrictDatabase, strictDatabase } from '../../../../lib/proof/shadow/strict';

let engine: Database;
let database: StrictDatabase;
let stack: CloudFormationStack;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());
beforeEach(() => {
  database = strictDatabase(engine);
  stack = cloudFormation(database);
});
afterEach(() => stack.end());

type Index = readonly [name: string, partition: string, projection?: string];

interface Given {
  readonly name?: string | undefined;
  readonly key?: string;
  readonly type?: 'S' | 'N';
  readonly indexes?: readonly Index[];
  /** The types of the index key attributes. An attribute that is not listed is a string. */
  readonly types?: Readonly<Record<string, 'S' | 'N'>>;
  readonly ttl?: { readonly Enabled: boolean; readonly AttributeName: string };
  readonly replicas?: readonly string[];
  readonly stream?: string;
  readonly resource?: string;
  readonly policy?: string;
  readonly isProtected?: boolean;
}

function templateOf(given: Given = {}): TemplateJson {
  const { key = 'PK', type = 'S', indexes = [], types = {}, ttl, replicas, stream, policy } = given;
  const names = [...new Set(indexes.map(([, partition]) => partition))].filter((name) => name !== key);
  const TableName = 'name' in given ? given.name : 'articles';
  return {
    Resources: {
      Articles: {
        Type: given.resource ?? 'AWS::DynamoDB::GlobalTable',
        ...(policy === undefined ? {} : { DeletionPolicy: policy }),
        Properties: {
          ...(TableName === undefined ? {} : { TableName }),
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
          AttributeDefinitions: [
            { AttributeName: key, AttributeType: type },
            ...names.map((AttributeName) => ({ AttributeName, AttributeType: types[AttributeName] ?? ('S' as const) })),
          ],
          ...(indexes.length === 0
            ? {}
            : {
                GlobalSecondaryIndexes: indexes.map(([IndexName, partition, ProjectionType = 'ALL']) => ({
                  IndexName,
                  KeySchema: [{ AttributeName: partition, KeyType: 'HASH' as const }],
                  Projection: { ProjectionType },
                })),
              }),
          ...(ttl === undefined ? {} : { TimeToLiveSpecification: ttl }),
          ...(stream === undefined ? {} : { StreamSpecification: { StreamViewType: stream } }),
          ...(replicas === undefined ? {} : { Replicas: replicas.map((Region) => ({ Region })) }),
          ...(given.isProtected ? { DeletionProtectionEnabled: true } : {}),
        },
      },
    },
  };
}

const deploy = (given?: Given) => stack.deploy(templateOf(given));
const put = (Item: Item, TableName = 'articles') => database.send('Put', { TableName, Item });
const query = async (IndexName: string, name: string, value: unknown) => {
  const output = await database.send('Query', {
    TableName: 'articles',
    IndexName,
    KeyConditionExpression: '#k = :v',
    ExpressionAttributeNames: { '#k': name },
    ExpressionAttributeValues: { ':v': value },
  });
  return (output.Items as Item[]).map(({ PK }) => PK);
};
const stored = async (tableName = 'articles') => {
  const items: Item[] = [];
  for await (const item of database.scan(tableName)) items.push(item);
  return items;
};

const byDay: Index = ['ByDay', 'day'];
const byTag: Index = ['ByTag', 'tag'];

describe('indexes', () => {
  test('a new index cannot be read while it is CREATING, and contains the existing items afterwards', async () => {
    await deploy();
    await put({ PK: '1', day: 'mon' });
    await deploy({ indexes: [byDay] });
    expect(database.pending()).toEqual(['index ByDay of articles is CREATING']);
    await expect(query('ByDay', 'day', 'mon')).rejects.toMatchObject({
      name: 'ValidationException',
      message: 'Cannot read from backfilling global secondary index: ByDay',
    });
    database.pass(SECONDS.backfill - 1);
    await expect(query('ByDay', 'day', 'mon')).rejects.toThrow(/backfilling/);
    database.pass(1);
    expect(database.pending()).toEqual([]);
    expect(await query('ByDay', 'day', 'mon')).toEqual(['1']);
  });

  test('the indexes of a new table are readable at once', async () => {
    await deploy({ indexes: [byDay, byTag] });
    await put({ PK: '1', day: 'mon' });
    expect(await query('ByDay', 'day', 'mon')).toEqual(['1']);
  });

  test.each<[string, Given, Given, RegExp]>([
    ['two created', {}, { indexes: [byDay, byTag] }, /more than one index is created or deleted .*\(ByDay, ByTag\)/],
    ['two deleted', { indexes: [byDay, byTag] }, {}, /more than one index is created or deleted/],
    ['one created, one deleted', { indexes: [byDay] }, { indexes: [byTag] }, /more than one index .*\(ByTag, ByDay\)/],
    ['another key', { indexes: [byDay] }, { indexes: [['ByDay', 'tag']] }, /index ByDay: .*cannot update its key or/],
    [
      'a different projection',
      { indexes: [byDay] },
      { indexes: [['ByDay', 'day', 'KEYS_ONLY']] },
      /cannot update its key or projection/,
    ],
    [
      'a different key type',
      { indexes: [byDay] },
      { indexes: [byDay], types: { day: 'N' } },
      /index ByDay: .*cannot update/,
    ],
  ])('a deployment is refused and changes nothing: %s', async (_, before, after, reason) => {
    await deploy(before);
    await expect(deploy(after)).rejects.toMatchObject({
      name: 'DeploymentRefused',
      message: expect.stringMatching(reason),
    });
    expect(stack.tables().get('Articles')?.resource).toEqual(templateOf(before).Resources?.Articles);
    await expect(deploy(before)).resolves.toBeUndefined();
  });

  test('a second index is refused while another index is CREATING', async () => {
    await deploy();
    await deploy({ indexes: [byDay] });
    await expect(deploy({ indexes: [byDay, byTag] })).rejects.toThrow(
      /ByTag cannot be created or deleted while ByDay is CREATING/,
    );
    await expect(deploy()).rejects.toThrow(/ByDay cannot be created or deleted while ByDay is CREATING/);
    database.pass(SECONDS.backfill);
    await deploy({ indexes: [byDay, byTag] });
  });
});

describe('items that do not fit an index', () => {
  const bad: readonly [string, unknown, RegExp][] = [
    ['of a different type', 7, /day must be a string, but is a number/],
    ['null', null, /day must be a string, but is null/],
    ['empty', '', /day is empty/],
    ['too long', 'x'.repeat(2049), /day has 2049 bytes, but a key is limited to 2048/],
  ];

  test('an index backfill skips items that do not fit the index', async () => {
    await deploy();
    for (const [i, [, day]] of bad.entries()) await put({ PK: `bad-${i}`, day });
    await put({ PK: 'without' });
    await put({ PK: 'good', day: 'mon' });
    await deploy({ indexes: [byDay] });
    database.pass(SECONDS.backfill);
    expect(await query('ByDay', 'day', 'mon')).toEqual(['good']);
    expect(await query('ByDay', 'day', 'x'.repeat(2049)).catch(() => [])).toEqual([]);
  });

  test.each(bad)(
    'a put, an update, a transaction and a batch refuse items whose index key is %s',
    async (_, day, why) => {
      await deploy({ indexes: [byDay] });
      await put({ PK: '1', day: 'mon' });
      const update = {
        TableName: 'articles',
        Key: { PK: '1' },
        UpdateExpression: 'SET #d = :d',
        ExpressionAttributeNames: { '#d': 'day' },
        ExpressionAttributeValues: { ':d': day },
      };
      const refused = { name: 'ValidationException' };
      await expect(put({ PK: '2', day })).rejects.toMatchObject({ ...refused, message: expect.stringMatching(why) });
      await expect(database.send('Update', update)).rejects.toMatchObject(refused);
      await expect(database.send('Update', { ...update, Key: { PK: '3' } })).rejects.toMatchObject(refused);
      await expect(database.send('TransactWrite', { TransactItems: [{ Update: update }] })).rejects.toThrow();
      await expect(
        database.send('BatchWrite', { RequestItems: { articles: [{ PutRequest: { Item: { PK: '4', day } } }] } }),
      ).rejects.toMatchObject(refused);
      expect(await stored()).toEqual([{ PK: '1', day: 'mon' }]);
    },
  );
});

describe('TTL', () => {
  const on = (AttributeName: string) => ({ ttl: { Enabled: true, AttributeName } });
  const off = (AttributeName: string) => ({ ttl: { Enabled: false, AttributeName } });

  test('TTL must be off for an hour before it can move to another attribute', async () => {
    await deploy(on('expires'));
    await expect(deploy(on('until'))).rejects.toThrow(
      /TTL is enabled on expires; disable it before enabling it on until/,
    );
    database.pass(SECONDS.ttl);
    await deploy(off('expires'));
    expect(database.ttlOf('articles')).toBeUndefined();
    expect(database.pending()).toEqual(['TTL on articles is DISABLING']);
    await expect(deploy(on('until'))).rejects.toThrow(/TTL was changed less than an hour ago/);
    database.pass(SECONDS.ttl);
    await deploy(on('until'));
    expect(database.ttlOf('articles')).toBe('until');
    expect(database.pending()).toEqual(['TTL on articles is ENABLING']);
  });

  test('TTL stays on if a template no longer mentions it', async () => {
    await deploy(on('expires'));
    database.pass(SECONDS.ttl);
    await deploy();
    expect(database.ttlOf('articles')).toBe('expires');
  });
});

describe('a table', () => {
  test.each<[string, Given, RegExp]>([
    [
      'another key',
      { key: 'ID' },
      /its key changes: CloudFormation cannot replace a table that keeps its name \(articles\)/,
    ],
    ['a different key type', { type: 'N' }, /the type of its key attribute 'PK' changes: /],
    ['a different type of resource', { resource: 'AWS::DynamoDB::Table' }, /cannot change the type of a resource/],
  ])(
    'a table that keeps its custom name is never replaced: a template with %s is refused, and the items stay',
    async (_, given, reason) => {
      await deploy();
      await put({ PK: '1' });
      await expect(deploy(given)).rejects.toThrow(reason);
      expect(await stored()).toEqual([{ PK: '1' }]);
    },
  );

  test('a renamed table is replaced by an empty table, and the old table is deleted', async () => {
    await deploy({ name: 'articles' });
    await put({ PK: '1' });
    await deploy({ name: 'posts' });
    expect(await stored('posts')).toEqual([]);
    await expect(stored('articles')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test("removing a table's resource does not delete a table that is retained or protected", async () => {
    await deploy();
    await put({ PK: '1' });
    await deploy({ isProtected: true });
    await expect(stack.deploy({ Resources: {} })).rejects.toThrow(
      /deletion protection is enabled, so the table cannot be deleted/,
    );
    await deploy({ policy: 'Retain' });
    await stack.deploy({ Resources: {} });
    expect(await stored()).toEqual([{ PK: '1' }]);
  });

  test.each<[string, Given, Given, RegExp]>([
    ['two replicas', { replicas: ['a'] }, { replicas: ['a', 'b', 'c'] }, /more than one replica is changed/],
    [
      'a replica and an index',
      { replicas: ['a'] },
      { replicas: ['a', 'b'], indexes: [byDay] },
      /a replica \(b\) and an index \(ByDay\)/,
    ],
    [
      'the view type of a stream',
      { stream: 'KEYS_ONLY' },
      { stream: 'NEW_IMAGE' },
      /stream view type is KEYS_ONLY, and cannot become NEW_IMAGE until/,
    ],
  ])('a single deployment cannot change %s', async (_, before, after, reason) => {
    await deploy(before);
    await expect(deploy(after)).rejects.toThrow(reason);
  });

  test('a deployment can add a replica, or switch a stream off or on', async () => {
    await deploy({ replicas: ['a'], stream: 'KEYS_ONLY' });
    await deploy({ replicas: ['a', 'b'], stream: 'KEYS_ONLY' });
    await deploy({ replicas: ['a', 'b'] });
    await deploy({ replicas: ['a', 'b'], stream: 'NEW_IMAGE' });
    expect(database.pending()).toEqual([]);
  });
});
