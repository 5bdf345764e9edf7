import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { controlePgm } from '../../../lib/systems';
import { SEED, seedDocumentTypes } from '../../../lib/systems/controle-pgm/procedures/document-types';
import { logsOfPeriod } from '../../../lib/systems/controle-pgm/procedures/logs';
import { nextNumber } from '../../../lib/systems/controle-pgm/procedures/next-number';
import { createUser } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf } from '../../support/azurite';

const { engine, send } = azurite(controlePgm);
const root = join(__dirname, '../../..');
const request = {
  DocumentTypeId: (SEED[0] as (typeof SEED)[0]).Id,
  UserId: '550e8400-e29b-41d4-a716-446655440000',
};

/** A script that takes numbers and prints each one, until it kills itself before, during or after its n-th call. */
const WRITER = `
  const { azureEngine } = require('./dist/lib/azure-tables/engine/azure-tables.js');
  const { client } = require('./dist/lib/azure-tables/index.js');
  const { controlePgm } = require('./dist/lib/systems/index.js');
  const { nextNumber } = require('./dist/lib/systems/controle-pgm/procedures/next-number.js');
  const { writeSync } = require('node:fs');
  const [endpoint, request, last, when] = process.argv.slice(1);
  const die = () => process.kill(process.pid, 'SIGKILL');
  (async () => {
    const engine = await azureEngine({ endpoint });
    let calls = 0;
    const send = async (table, call) => {
      const isLast = ++calls === Number(last);
      if (isLast && when === 'before') die();
      if (isLast && when === 'within') setTimeout(die, Math.random() * 8);
      try {
        return await engine.send(table, call);
      } finally {
        // Also dies if the call fails, for example with a conflict; otherwise, the process would run forever.
        if (isLast) die();
      }
    };
    const clients = Object.entries(controlePgm.tables).map(([name, table]) => client(table, name, send));
    const patterns = Object.assign({}, ...clients);
    for (;;) writeSync(1, (await nextNumber(patterns, JSON.parse(request))).Number + '\\n');
  })();`;

/** Runs a writer until it dies, and returns the numbers that it printed. */
function killed(
  last: number,
  when: string,
): Promise<{ signal: string | null; numbers: readonly number[]; errors: string }> {
  const args = ['-e', WRITER, engine().endpoint, JSON.stringify(request), String(last), when];
  const writer = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  let errors = '';
  writer.stdout.on('data', (text) => {
    said += text;
  });
  writer.stderr.on('data', (text) => {
    errors += text;
  });
  return new Promise((resolve) =>
    writer.once('close', (_, signal) =>
      resolve({ signal, errors, numbers: said.split('\n').filter(Boolean).map(Number) }),
    ),
  );
}

test('killing 50 writers before, during or after a call loses no log and repeats no number', async () => {
  const client = clientOf(controlePgm, send);
  await seedDocumentTypes(client);
  await createUser(client, {
    ...{ Id: request.UserId, Name: 'Maria Silva', Email: 'maria.silva@itajai.sc.gov.br', Role: 'user', IsActive: true },
    ...{ MustChangePassword: true, CreatedAt: '2025-01-15T10:30:00Z', UpdatedAt: '2025-01-15T10:30:00Z' },
  });
  const given: number[] = [];
  const deaths: string[] = [];
  // Two writers run at a time, so that one is working while the other dies. Taking one number needs six calls.
  for (let i = 0; i < 50; i += 2) {
    const writers = [i, i + 1].map((n) => {
      const when = ['before', 'within', 'after'][n % 3] as string;
      return killed(2 + (Math.floor(n / 3) % 12), when);
    });
    for (const { signal, numbers, errors } of await Promise.all(writers)) {
      deaths.push(errors === '' ? String(signal) : errors);
      given.push(...numbers);
    }
  }
  expect(deaths).toEqual(Array(50).fill('SIGKILL'));
  // The next caller writes the log that the last writer left in the sequence.
  given.push((await nextNumber(client, request)).Number);

  const year = new Date().getUTCFullYear();
  const logs = await logsOfPeriod(client, { from: `${year}-01`, to: `${year}-12` });
  const logged = logs.map((log) => log.Number).toSorted((a, b) => a - b);
  expect(logged).toEqual(Array.from({ length: Math.max(...given) }, (_, i) => i + 1));
  expect(new Set(given).size).toBe(given.length);
  // A writer may have logged a number and died before printing it.
  expect(logged.length).toBeGreaterThan(given.length);
  console.info(`50 writers killed: ${given.length} numbers said, ${logged.length} logged`);
}, 300_000);
