import { execFileSync } from 'node:child_process';
import { type IncomingHttpHeaders, request } from 'node:http';
import * as core from '@aws-sdk/client-dynamodb';
import { findBinary } from '../../../../../lib/dynamodb/engine/embedded';
import { type StrictEngine, startStrict } from '../../../../../lib/dynamodb/engine/front/strict';
import { get, L, N, put, query, S, seed, TABLE, TableName, update } from '../../../../support/front/requests';
import { signedHeaders } from '../../../../support/front/signed';
import { until } from '../../../../support/processes';

let engine: StrictEngine;
let client: core.DynamoDBClient;
const clientOf = ({ endpoint, credentials }: Pick<StrictEngine, 'endpoint' | 'credentials'>) =>
  new core.DynamoDBClient({ endpoint, credentials, region: 'local', maxAttempts: 1 });

beforeAll(async () => {
  engine = await startStrict(findBinary());
  client = clientOf(engine);
  await client.send(new core.CreateTableCommand(TABLE as never));
});
afterAll(async () => {
  client.destroy();
  await engine.stop();
});

/** Sends a raw HTTP request, and returns the status, the headers and the error type of the response. */
function raw(headers: Record<string, string>, body = '{}', method = 'POST') {
  return new Promise<{ status: number; type: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = request(engine.endpoint, { method, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const { __type = '' } = JSON.parse(Buffer.concat(chunks).toString()) as { __type?: string };
      resolve({ status: response.statusCode ?? 0, type: __type.replace(/^.*#/, ''), headers: response.headers });
    });
    sent.once('error', reject).end(body);
  });
}

const TARGET = 'DynamoDB_20120810.ListTables';
const signed = (body = '{}', signer = engine.credentials) => signedHeaders(engine.endpoint, TARGET, body, signer);

describe('access to the engine', () => {
  test('responds to a signed request', async () => {
    expect(await raw(signed())).toMatchObject({ status: 200 });
  });

  test.each([
    ['without a signature', () => ({ 'x-amz-target': TARGET }), 'MissingAuthenticationTokenException'],
    [
      'with half a signature',
      () => ({ ...signed(), authorization: 'AWS4-HMAC-SHA256 x' }),
      'IncompleteSignatureException',
    ],
    [
      'with another key',
      () => signed('{}', { ...engine.credentials, accessKeyId: 'local' }),
      'UnrecognizedClientException',
    ],
    [
      'with another secret',
      () => signed('{}', { ...engine.credentials, secretAccessKey: 'x' }),
      'InvalidSignatureException',
    ],
    ['with a signature for a different body', () => signed('{"Limit":1}'), 'InvalidSignatureException'],
  ] as const)('refuses a request %s', async (_, headers, type) => {
    expect(await raw(headers() as Record<string, string>)).toMatchObject({ status: 400, type });
  });

  test.each([
    ['from a page on another site', { origin: 'http://localhost:3000' }],
    ['from any page', { 'sec-fetch-site': 'same-site' }],
    ['to a host name that resolves to this machine', { host: 'evil.example:80' }],
  ])('refuses a request %s', async (_, more) => {
    const { status, type, headers } = await raw({ ...signed(), ...more });
    expect({ status, type }).toEqual({ status: 403, type: 'AccessDeniedException' });
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('refuses a preflight request', async () => {
    const { status, headers } = await raw({ origin: 'http://localhost:3000' }, '', 'OPTIONS');
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});

const send = async ([operation, input]: readonly [string, object]) => {
  const commands: Readonly<Record<string, new (input: never) => unknown>> = {
    PutItem: core.PutItemCommand,
    GetItem: core.GetItemCommand,
    UpdateItem: core.UpdateItemCommand,
    Query: core.QueryCommand,
  };
  const Command = commands[operation] as new (input: never) => core.GetItemCommand;
  return (await client.send(new Command(input as never))) as unknown as Record<string, never>;
};

describe('the embedded engine, reached through its front', () => {
  test('compares a prefix case-sensitively', async () => {
    for (const sk of ['ORDER#1', 'order#1']) await send(put({ pk: S('case'), sk: S(sk) }));
    const KeyConditionExpression = 'pk = :pk AND begins_with(sk, :v)';
    const ExpressionAttributeValues = { ':pk': S('case'), ':v': S('order') };
    expect(await send(query('case', { KeyConditionExpression, ExpressionAttributeValues }))).toMatchObject({
      Items: [{ sk: S('order#1') }],
    });
  });

  test('keeps every element that concurrent updates append to a list', async () => {
    await send(seed('lists'));
    await Promise.all(Array.from({ length: 8 }, () => send(update('lists', 'SET l[99] = :two'))));
    const { Item } = await send(get('lists'));
    expect((Item as unknown as { l: unknown }).l).toEqual(
      L(N(0), N(1), N(2), N(3), ...Array.from({ length: 8 }, () => N(2))),
    );
  });

  test('reports the failed condition rather than the invalid path if an update has both', async () => {
    await send(seed('paths'));
    await expect(send(update('paths', 'SET gone.a = :s'))).rejects.toMatchObject({ name: 'ValidationException' });
    const failing = update('paths', 'SET gone.a = :s', { ConditionExpression: 'a = :t' });
    await expect(send(failing)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  test('returns no old values from an update that creates the item', async () => {
    expect(await send(update('none', 'SET a = :s', { ReturnValues: 'ALL_OLD' }))).not.toHaveProperty('Attributes');
  });

  test('fetches attributes that a local index does not project', async () => {
    await send(put({ pk: S('local'), sk: S('s'), lsk: S('l'), lost: S('x') }));
    const asked = query('local', { IndexName: 'local', ProjectionExpression: 'lost' });
    expect(await send(asked)).toMatchObject({ Items: [{ lost: S('x') }] });
  });

  test('returns exactly the projected attributes from a read transaction', async () => {
    for (const sk of ['s', 't']) await send(put({ pk: S('get'), sk: S(sk), [sk]: S('x') }));
    const TransactItems = ['s', 't'].map((sk) => ({
      Get: { TableName, Key: { pk: S('get'), sk: S(sk) }, ProjectionExpression: 's' },
    }));
    const { Responses } = await client.send(new core.TransactGetItemsCommand({ TransactItems } as never));
    expect(Responses).toEqual([{ Item: { s: S('x') } }, { Item: {} }]);
  });

  test("resumes a segment's scan even if the item at the start key has been deleted", async () => {
    const rows = Array.from({ length: 40 }, (_, i) => `row${i}`);
    for (const row of rows) await send(put({ pk: S(row), sk: S('segment') }));
    const seen: string[] = [];
    for (const Segment of [0, 1, 2]) {
      let ExclusiveStartKey: Record<string, core.AttributeValue> | undefined;
      do {
        const input = { TableName, Segment, TotalSegments: 3, Limit: 4, ExclusiveStartKey };
        const page: core.ScanCommandOutput = await client.send(new core.ScanCommand(input));
        seen.push(...(page.Items ?? []).filter(({ sk }) => sk?.S === 'segment').map(({ pk }) => pk?.S as string));
        ExclusiveStartKey = page.LastEvaluatedKey;
        if (ExclusiveStartKey !== undefined && ExclusiveStartKey.sk?.S === 'segment')
          await client.send(new core.DeleteItemCommand({ TableName, Key: ExclusiveStartKey }));
      } while (ExclusiveStartKey !== undefined);
    }
    expect(seen.sort()).toEqual([...rows].sort());
  });
});

describe('an engine whose process dies', () => {
  const children = () =>
    execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, parent, ...args]) => Number(parent) === process.pid && /--schema/.test(args.join(' ')))
      .map(([pid]) => Number(pid));

  test('restarts a killed engine only if it had no tables; otherwise, throws an error that lists the lost tables', async () => {
    const before = children();
    const own = await startStrict(findBinary());
    const [pid] = children().filter((child) => !before.includes(child));
    const other = clientOf(own);
    try {
      process.kill(pid as number, 'SIGKILL');
      await until(() => !children().includes(pid as number));
      await other.send(new core.CreateTableCommand(TABLE as never));
      const [next] = children().filter((child) => !before.includes(child));
      process.kill(next as number, 'SIGKILL');
      await until(() => !children().includes(next as number));
      await expect(other.send(new core.ListTablesCommand({}))).rejects.toMatchObject({
        name: 'EngineEnded',
        message: expect.stringMatching(
          /^the embedded engine stopped \(.+\); the engine's tables and items are lost \(front-main\)/,
        ),
      });
    } finally {
      other.destroy();
      await own.stop();
    }
  });
});
