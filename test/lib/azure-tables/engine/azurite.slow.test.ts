import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { azureEngine } from '../../../../lib/azure-tables/engine/azure-tables';
import { azuriteEngine, findAzurite } from '../../../../lib/azure-tables/engine/azurite';
import { expectGone, until } from '../../../support/processes';
import { describeAzureEngine } from './contract';

describeAzureEngine('embedded', () => azuriteEngine());

// An account, or whatever else claims to be one: TABLEWRIGHT_AZURE_ENDPOINT='UseDevelopmentStorage=true' npx jest test/lib/azure-tables/engine
const endpoint = process.env.TABLEWRIGHT_AZURE_ENDPOINT;
if (endpoint !== undefined) describeAzureEngine('at an endpoint', () => azureEngine({ endpoint }));

const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

describe('an endpoint', () => {
  test('may be a connection string, whose key is shown to nobody', async () => {
    const embedded = await azuriteEngine();
    const text = `DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=${KEY};TableEndpoint=${embedded.endpoint};`;
    const engine = await azureEngine({ endpoint: text });
    expect(await engine.tables()).toEqual([]);
    expect(engine.name).toBe(embedded.endpoint);
    await embedded.stop();
  });

  test('where nobody answers is an error that names it', async () => {
    await expect(azureEngine({ endpoint: 'http://127.0.0.1:1/devstoreaccount1' })).rejects.toThrow(
      /^no Azure Tables answer at http:\/\/127\.0\.0\.1:1\/devstoreaccount1 \(/,
    );
  });

  test('that refuses to list tables is there all the same, and one that knows nothing of them is not', async () => {
    let status = 403;
    const server = createServer((_, answer) => {
      answer.statusCode = status;
      answer.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/devstoreaccount1`;
    await expect(azureEngine({ endpoint: address })).resolves.toMatchObject({ name: address });
    status = 404;
    await expect(azureEngine({ endpoint: address })).rejects.toThrow(`no Azure Tables answer at ${address} (HTTP 404)`);
    server.close();
  });

  test.each(['nowhere', '', 'devstoreaccount1', 'AccountKey=secret'])('%p is none', async (text) => {
    await expect(azureEngine({ endpoint: text })).rejects.toThrow(
      `an endpoint must be a connection string (DefaultEndpointsProtocol=https;AccountName=…) or an address such as https://<account>.table.core.windows.net, got: '${text}'`,
    );
  });
});

describe('Azurite', () => {
  test('that is not installed is an error that says what to install or to do instead', () => {
    const missing = () => {
      throw new Error('Cannot find module');
    };
    expect(() => findAzurite(missing)).toThrow(
      'there is no embedded engine for Azure Tables; npm install --save-dev azurite@3.35, or name an account with --azure-endpoint',
    );
  });

  test('that does not start says why', async () => {
    const binary = { command: process.execPath, args: ['-e', 'console.error("no room"); process.exit(1)', '--'] };
    await expect(azuriteEngine(binary)).rejects.toThrow('the embedded engine did not start: no room');
  });

  test.each([
    ['comes to its end', '', 0],
    ['throws', `throw new Error('on purpose')`, 1],
    ['gets SIGINT', `process.kill(process.pid, 'SIGINT'); setInterval(() => {}, 1000)`, 130],
    ['gets SIGTERM', `process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)`, 143],
  ])('ends with a process that %s', async (_, code, exit) => {
    const script = `
      const processes = require('node:child_process');
      const { spawn } = processes;
      processes.spawn = (...args) => { const child = spawn(...args); console.log(child.pid); return child; };
      require('./dist/lib/azure-tables/engine/azurite.js').azuriteEngine().then(() => { ${code} });`;
    const child = spawn(process.execPath, ['-e', script], {
      cwd: join(__dirname, '../../../..'),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await until(() => child.exitCode !== null);
    expect(await ended).toBe(exit);
    await expectGone(said.trim().split('\n').map(Number));
  });
});
