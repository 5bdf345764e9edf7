import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { client, type RequestError } from '../../../lib/dynamodb';
import { dynamo } from '../../../lib/dynamodb/sdk';
import { shopTable } from '../../fixtures/shop/design';
import { library } from './designs';

/** An SDK client that records requests instead of sending them. */
function sdk() {
  const sent: { readonly operation: string; readonly body: Record<string, never> }[] = [];
  const made = new DynamoDBClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    requestHandler: {
      handle: async (request: { headers: Record<string, string>; body: Uint8Array }) => {
        sent.push({
          operation: `${request.headers['x-amz-target']}`,
          body: JSON.parse(new TextDecoder().decode(request.body)),
        });
        return { response: { statusCode: 200, headers: {}, body: Readable.from(['{}']) } };
      },
    } as never,
  });
  return { made, sent };
}

test('wraps an SDK client as `send`, and removes undefined values', async () => {
  const { made, sent } = sdk();
  const send = dynamo(made);
  await client(shopTable, 'shop', send).product({ sku: 'cup' });
  await send('Put', {
    TableName: 'shop',
    Item: { PK: 'a', SK: 'b', note: undefined, deep: { note: undefined, n: 1 } },
  });
  expect(sent).toEqual([
    {
      operation: 'DynamoDB_20120810.GetItem',
      body: { TableName: 'shop', Key: { PK: { S: 'PRODUCT#cup' }, SK: { S: 'PRODUCT' } } },
    },
    {
      operation: 'DynamoDB_20120810.PutItem',
      body: { TableName: 'shop', Item: { PK: { S: 'a' }, SK: { S: 'b' }, deep: { M: { n: { N: '1' } } } } },
    },
  ]);
});

test("keeps the marshalling options of the caller's document client", async () => {
  const { made, sent } = sdk();
  const own = DynamoDBDocumentClient.from(made, { marshallOptions: { convertEmptyValues: true } });
  await dynamo(own)('Put', { TableName: 'shop', Item: { PK: 'a', note: '' } });
  expect(sent).toMatchObject([{ body: { Item: { note: { NULL: true } } } }]);
});

describe('puts that the SDK retries', () => {
  const book = {
    ...{ shelf: 's1', number: 7, title: 'Ficciones', author: 'Borges', status: 'LENT', since: '2026-01-31' },
    ...{ stock: { left: 1, place: 'north' }, tags: [] },
  };
  const refused = (name: string) => ({ statusCode: 400, name });
  const taken = refused('ConditionalCheckFailedException');
  const lost = Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });

  /** Sends a put of an item that is already stored, through an SDK client whose attempts end in the given ways. */
  async function put(...ends: readonly (ReturnType<typeof refused> | Error)[]): Promise<unknown> {
    let attempt = 0;
    const made = new DynamoDBClient({
      region: 'eu-west-1',
      maxAttempts: 3,
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
      requestHandler: {
        handle: async (request: { body: Uint8Array }) => {
          const end = ends[attempt++] as (typeof ends)[number];
          if (end instanceof Error) throw end;
          const { Item } = JSON.parse(new TextDecoder().decode(request.body)) as { Item: object };
          const body = Readable.from([JSON.stringify({ __type: `com.amazonaws#${end.name}`, Item })]);
          return { response: { statusCode: end.statusCode, headers: {}, body } };
        },
      } as never,
    });
    return client(library, 'library', dynamo(made))
      .addBook(book as never)
      .then(
        () => 'done',
        (error: RequestError) => error,
      );
  }

  test.each([
    ['the connection broke', lost],
    ['DynamoDB failed', { statusCode: 500, name: 'InternalServerError' }],
  ])('accepts a put that finds an equal item if %s during an earlier attempt', async (_, end) => {
    expect(await put(end, taken)).toBe('done');
  });

  test.each(['ProvisionedThroughputExceededException', 'ThrottlingException'])(
    'refuses a put that finds an equal item after a %s, because a throttled attempt writes nothing',
    async (name) => {
      expect(await put(refused(name), taken)).toMatchObject({ kind: 'exists', writes: [{ isEqual: true }] });
    },
  );

  test('accepts a put if one of several attempts got no response', async () => {
    expect(await put(refused('ThrottlingException'), lost, taken)).toBe('done');
  });
});

test.each([[undefined], [{}], ['eu-west-1']])(
  'refuses to wrap %j as a client, and shows the right argument',
  (given) => {
    expect(() => dynamo(given as never)).toThrow('dynamo(new DynamoDBClient())');
  },
);
