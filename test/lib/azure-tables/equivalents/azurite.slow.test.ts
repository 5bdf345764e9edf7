import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AzureNamedKeyCredential, odata, TableClient } from '@azure/data-tables';
import { encodeKey } from '../../../../lib/azure-tables/equivalents/key-text';
import { mirroredPrefix } from '../../../../lib/azure-tables/equivalents/mirror';
import {
  type AzureKeys,
  type AzureTable,
  azureKeysOf,
  azureTables,
  itemKeysOf,
} from '../../../../lib/azure-tables/equivalents/tables';
import { outline } from '../../../../lib/blueprint/outline';
import type { SystemDesign } from '../../../../lib/design/system';
import type { Item } from '../../../../lib/items/item';
import type { SystemCases, TableCases } from '../../../../lib/proof/cases';
import { itemOf } from '../../../../lib/proof/stored';
import { systems } from '../../../../lib/systems';
import { cases } from '../../../../lib/systems/cases';

// Starts Azurite without Tablewright's engine, with an account that only this test uses.
const account = { name: 'equivalents', key: Buffer.from('a key of this test').toString('base64') };
let service: ChildProcess;
let endpoint: string;

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}/${account.name}`;
  const main = join(__dirname, '../../../../node_modules/azurite/dist/src/table/main.js');
  const options = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  service = spawn(process.execPath, [main, ...options, '--tableHost', '127.0.0.1', '--tablePort', String(port)], {
    stdio: 'ignore',
    env: { ...process.env, AZURITE_ACCOUNTS: `${account.name}:${account.key}` },
  });
  while (!(await isListening(port))) await setTimeout(50);
}, 120_000);

afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill('SIGKILL');
  await ended;
});

const clientOf = ({ name }: AzureTable) =>
  new TableClient(endpoint, name, new AzureNamedKeyCredential(account.name, account.key), {
    allowInsecureConnection: true,
  });

/** Returns a table's example items as DynamoDB stores them. */
function itemsOf(system: SystemDesign, table: string): readonly Item[] {
  const { items } = (cases[system.name] as SystemCases).tables[table] as TableCases;
  const plan = outline(system.tables[table] as SystemDesign['tables'][string]);
  return Object.values(items ?? {}).map((sample) => itemOf(plan, sample));
}

async function read(client: TableClient, filter?: string): Promise<readonly AzureKeys[]> {
  const found: AzureKeys[] = [];
  const query = client.listEntities(filter === undefined ? {} : { queryOptions: { filter } });
  for await (const { partitionKey, rowKey } of query) {
    found.push({ PartitionKey: partitionKey as string, RowKey: rowKey as string });
  }
  return found;
}

const stacks = Object.values(systems)
  .filter(({ cloud }) => cloud === 'aws')
  .flatMap((system) => azureTables(system).map((table) => ({ system, table, name: `${system.name}: ${table.name}` })));

test.each(stacks)(
  'stores every item of $name, and returns the keys in the same order as DynamoDB',
  async ({ system, table }) => {
    const client = clientOf({ ...table, name: `${system.name}${table.name}` });
    await client.createTable();
    const items = itemsOf(system, table.table).filter((item) => azureKeysOf(table, item) !== undefined);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      const { PartitionKey, RowKey } = azureKeysOf(table, item) as AzureKeys;
      await client.createEntity({ partitionKey: PartitionKey, rowKey: RowKey });
    }
    const attributes = [...table.partition, ...table.row].map(({ name }) => name);
    const keysOf = (item: Readonly<Record<string, unknown>>) => attributes.map((name) => String(item[name]));
    // Within a partition, the rows of a mirror sort in descending order.
    const width = table.partition.length;
    const inOrder = (a: readonly string[], b: readonly string[]) =>
      compareLists(a.slice(0, width), b.slice(0, width)) ||
      (table.isMirror ? -1 : 1) * compareLists(a.slice(width), b.slice(width));
    const stored = (await read(client)).map((keys) => keysOf(itemKeysOf(table, keys)));
    expect(stored).toEqual(items.map(keysOf).sort(inOrder));

    // In every partition, a range of row keys finds the same items as begins_with on DynamoDB.
    const [sort] = table.row;
    for (const partition of new Set(items.map((item) => item[table.partition[0]?.name as string] as string))) {
      const inPartition = items.filter((item) => item[table.partition[0]?.name as string] === partition);
      for (const prefix of sort === undefined
        ? []
        : new Set(inPartition.map((item) => `${String(item[sort.name]).split('#')[0]}#`))) {
        const from = table.isMirror ? mirroredPrefix(encodeKey([prefix])) : encodeKey([prefix]);
        const to = `${from.slice(0, -1)}${String.fromCharCode(from.charCodeAt(from.length - 1) + 1)}`;
        const found = await read(
          client,
          odata`PartitionKey eq ${encodeKey([partition])} and RowKey ge ${from} and RowKey lt ${to}`,
        );
        const expected = inPartition.filter((item) => String(item[sort?.name as string]).startsWith(prefix));
        expect(found.map((keys) => keysOf(itemKeysOf(table, keys)))).toEqual(expected.map(keysOf).sort(inOrder));
      }
    }
  },
);

test('stores every character that Azure rejects in a key, and keeps the sort order', async () => {
  const client = clientOf({ name: 'characters' } as AzureTable);
  await client.createTable();
  const texts = Array.from({ length: 0x100 }, (_, unit) => `a${String.fromCharCode(unit)}b`);
  for (const text of texts)
    await client.createEntity({ partitionKey: encodeKey([text]), rowKey: encodeKey([text, text]) });
  expect((await read(client)).map(({ PartitionKey }) => PartitionKey)).toEqual(texts.map((text) => encodeKey([text])));
});

function compareLists(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((value, at) => value !== b[at]);
  return i === -1 ? 0 : Buffer.compare(Buffer.from(a[i] as string), Buffer.from(b[i] as string));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() !== undefined));
    socket.once('error', () => resolve(false));
  });
}
