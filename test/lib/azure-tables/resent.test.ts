import { AzureNamedKeyCredential, TableClient } from '@azure/data-tables';
import { client, EntityExists, sender, TableMissing } from '../../../lib/azure-tables';
import { storage } from '../../../lib/azure-tables/sdk';
import { things } from './designs';

const thing = { shelf: 'a', id: '1', text: 'x' };

type End = { readonly status: number; readonly code?: string } | Error;

/** Returns a client that uses the real SDK. Each given end is the outcome of one write attempt, in order. */
function ending(...ends: readonly End[]) {
  let attempt = 0;
  let stored = '';
  const httpClient = {
    async sendRequest(request: { readonly method: string; readonly body?: unknown }) {
      const end = request.method === 'GET' ? { status: 200 } : (ends[attempt++] as End);
      if (end instanceof Error) throw end;
      if (request.method !== 'GET') stored = String(request.body);
      const { status, code } = end as Exclude<End, Error>;
      const bodyAsText = status === 200 ? stored : JSON.stringify({ 'odata.error': { code, message: { value: '' } } });
      return { status, request, headers: headersOf(code), bodyAsText };
    },
  };
  const send = sender(
    (table) =>
      new TableClient('https://x.table.core.windows.net', table, new AzureNamedKeyCredential('x', 'eA=='), {
        httpClient: httpClient as never,
        retryOptions: { retryDelayInMs: 1, maxRetryDelayInMs: 1 },
      }),
  );
  return client(things, 'Things', send);
}

function headersOf(code: string | undefined) {
  const values = new Map<string, string>([
    ['content-type', 'application/json'],
    ['retry-after-ms', '1'],
  ]);
  if (code !== undefined) values.set('x-ms-error-code', code);
  return {
    get: (name: string) => values.get(name.toLowerCase()),
    has: (name: string) => values.has(name.toLowerCase()),
    toJSON: () => Object.fromEntries(values),
    [Symbol.iterator]: () => values.entries(),
  };
}

const taken = { status: 409, code: 'EntityAlreadyExists' };
const lost = Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });

describe('writes that the SDK retries', () => {
  test.each<[string, End]>([
    ['the connection broke', lost],
    ['the service failed', { status: 500, code: 'InternalError' }],
  ])('accepts a retry that finds the entity from an earlier attempt (%s)', async (_, end) => {
    await expect(ending(end, taken).addThing(thing)).resolves.toEqual({});
  });

  test.each<[string, End]>([
    ['503', { status: 503, code: 'ServerBusy' }],
    ['429', { status: 429, code: 'TooManyRequests' }],
  ])(
    'rejects a retry that finds an equal entity after a throttled attempt (%s), because that attempt wrote nothing',
    async (_, end) => {
      await expect(ending(end, taken).addThing(thing)).rejects.toThrow(EntityExists);
    },
  );
});

test('the error for a missing table names the table and the pattern, and shows the fix', async () => {
  const failure = ending({ status: 404, code: 'TableNotFound' }).addThing(thing);
  await expect(failure).rejects.toThrow(TableMissing);
  await expect(ending({ status: 404, code: 'TableNotFound' }).addThing(thing)).rejects.toThrow(
    'Things: addThing: the account has no such table; use the deployed account and table name, or deploy the table',
  );
});

test.each([
  ['an SDK client passed as `send`', () => client(things, 'Things', {} as never), 'storage(account, credential)'],
  ['an SDK client passed to `sender`', () => sender({} as never), '(table) => new TableClient('],
  ['no account', () => storage(undefined as never), 'https://<account>.table.core.windows.net'],
])('rejects %s, and shows the right argument', (_, make, message) => {
  expect(make).toThrow(message);
});
