import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AzureNamedKeyCredential, generateAccountSas } from '@azure/data-tables';
import { azureEngine } from '../../../../lib/azure-tables/engine/azure-tables';
import { azuriteEngine, findAzurite } from '../../../../lib/azure-tables/engine/azurite';
import { stackOf } from '../../../support/azurite';
import { expectGroupsGone, until } from '../../../support/processes';
import { scripts } from '../../../support/script';
import { silentService } from '../../../support/silent';
import { describeAzureDatabase } from './contract';

const run = scripts();

describeAzureDatabase('embedded', () => azuriteEngine());

// To test a different account as well: TABLEWRIGHT_AZURE_ENDPOINT='UseDevelopmentStorage=true' npx jest
// test/lib/azure-tables/engine
const endpoint = process.env.TABLEWRIGHT_AZURE_ENDPOINT;
if (endpoint !== undefined) describeAzureDatabase('at an endpoint', () => azureEngine({ endpoint }));

const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

describe('an endpoint', () => {
  test("accepts a connection string, and keeps its key out of the engine's name", async () => {
    const embedded = await azuriteEngine();
    const text = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${KEY};TableEndpoint=${embedded.endpoint};`;
    const engine = await azureEngine({ endpoint: text });
    expect(await engine.tables()).toEqual([]);
    expect(engine.name).toBe(embedded.endpoint);
    await embedded.stop();
  });

  test('names the endpoint in the error if it does not respond', async () => {
    await expect(azureEngine({ endpoint: 'http://127.0.0.1:1/devstoreaccount1' })).rejects.toThrow(
      /^no Azure Tables service responds at http:\/\/127\.0\.0\.1:1\/devstoreaccount1 \(/,
    );
  });

  test('accepts an endpoint that refuses to list tables, but not an endpoint that does not serve tables', async () => {
    let status = 403;
    const server = createServer((_, answer) => {
      answer.statusCode = status;
      answer.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/devstoreaccount1`;
    await expect(azureEngine({ endpoint: address })).resolves.toMatchObject({ name: address });
    status = 404;
    await expect(azureEngine({ endpoint: address })).rejects.toThrow(
      `no Azure Tables service responds at ${address} (HTTP 404)`,
    );
    server.close();
  });

  test('reads and writes with a SAS token in an address or a connection string, and reports a refused token', async () => {
    const embedded = await azuriteEngine();
    await embedded.provision(stackOf('Things'));
    const key = new AzureNamedKeyCredential('devstoreaccount1', KEY);
    const token = (list: boolean) =>
      generateAccountSas(key, {
        permissions: { query: true, add: true, update: true, delete: true, write: true, list },
        services: { table: true },
        resourceTypes: 'sco',
        expiresOn: new Date(Date.now() + 3_600_000),
      });
    for (const text of [
      `${embedded.endpoint}?${token(true)}`,
      `TableEndpoint=${embedded.endpoint};SharedAccessSignature=${token(true)}`,
    ]) {
      const engine = await azureEngine({ endpoint: text });
      expect(engine.name).toBe(embedded.endpoint);
      expect(await engine.tables()).toEqual(['Things']);
      const entity = (rowKey: string) => ({ partitionKey: 'p', rowKey }) as never;
      await engine.send('Things', { method: 'upsertEntity', args: [entity('a'), 'Replace'] });
      await engine.send('Things', {
        method: 'submitTransaction',
        args: [[['upsert', entity('b'), 'Replace']]],
      });
      const { entities } = await engine.send('Things', {
        method: 'listEntities',
        args: [{ queryOptions: {}, disableTypeConversion: true }],
        page: {},
      });
      expect(entities?.map(({ rowKey }) => rowKey)).toEqual(['a', 'b']);
    }
    const refused = await azureEngine({ endpoint: `${embedded.endpoint}?${token(false)}` });
    await expect(refused.tables()).rejects.toThrow(
      /^the account refuses access to the list of its tables \(.*\): the SAS token/,
    );
    await embedded.stop();
  });

  test('reports a wrong account key as a wrong key, not as a missing role', async () => {
    const embedded = await azuriteEngine();
    const key = Buffer.alloc(64, 7).toString('base64');
    const text = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${key};TableEndpoint=${embedded.endpoint}`;
    const engine = await azureEngine({ endpoint: text });
    const call = { method: 'getEntity', args: ['p', 'r', { disableTypeConversion: true }] } as const;
    for (const attempt of [
      () => engine.tables(),
      () => engine.send('Users', call),
      () => engine.provision(stackOf('Users')),
    ]) {
      await expect(attempt()).rejects.toThrow(
        /: the account key does not belong to this account; copy the connection string again$/,
      );
    }
    await embedded.stop();
  });
});

test('stopping the engine ends calls in flight without a retry', async () => {
  const { address, asked, close } = await silentService();
  const engine = await azureEngine({ endpoint: `${address}/devstoreaccount1` });
  const call = { method: 'getEntity', args: ['p', 'r', { disableTypeConversion: true }] } as const;
  const transaction = {
    method: 'submitTransaction',
    args: [[['delete', { partitionKey: 'p', rowKey: 'r' }]]],
  } as const;
  const sent = [engine.send('Things', call), engine.send('Things', transaction as never), engine.tables()];
  for (const one of sent) one.catch(() => undefined);
  await until(() => asked() === 4);
  await engine.stop();
  for (const one of sent) await expect(one).rejects.toMatchObject({ name: 'AbortError' });
  await expect(engine.send('Things', call)).rejects.toThrow();
  expect(asked()).toBe(4);
  close();
});

describe('Azurite', () => {
  test('says which package to install, and names the alternative, if Azurite is missing', () => {
    const missing = () => {
      throw new Error('Cannot find module');
    };
    expect(() => findAzurite(missing)).toThrow(
      'the embedded engine for Azure Tables is not installed; run npm install --save-dev azurite@3.35, or pass an account with --azure-endpoint',
    );
  });

  test('says why Azurite did not start', async () => {
    const binary = { command: process.execPath, args: ['-e', 'console.error("no room"); process.exit(1)', '--'] };
    await expect(azuriteEngine({ binary })).rejects.toThrow('the embedded engine did not start: no room');
  });

  test.each([
    ['finishes', '', 0],
    ['throws', `throw new Error('on purpose')`, 1],
    ['gets SIGINT', `process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)`, 130],
    ['gets SIGTERM', `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`, 143],
  ])('Azurite stops together with the process that started it if that process %s', async (_, code, exit) => {
    const { ended, pids } = run(`await azuriteEngine(); ${code}`);
    expect(await ended).toBe(exit);
    await expectGroupsGone(pids());
  });
});
