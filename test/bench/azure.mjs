// Compares two ways to run a DynamoDB design on Azurite: the Azure equivalents, and handwritten code that writes the
// same rows. The handwritten code keeps no outbox and no record, so a crash between two of its requests leaves an index
// or a transfer incomplete.
import { deepStrictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { TableServiceClient } from '@azure/data-tables';
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { byEquivalents, byHand, TABLES } from './sides/azure.mjs';
import { verdict } from './verdict.mjs';

const ROUNDS = 15;
const CALLS = 10;
/**
 * The maximum number of requests per operation. An order has two index rows, and a transaction spans two partitions.
 */
const MOST = { get: 1, query: 1, put: 4, 'put of two': 6, transfer: 8 };
const OPERATIONS = ['get', 'query', 'put', 'update', 'put of two', 'transfer'];

/** Measures how many requests and milliseconds each operation takes on each side. */
export async function measure(most) {
  const { connection, stop } = await azurite();
  try {
    const service = TableServiceClient.fromConnectionString(connection, { allowInsecureConnection: true });
    for (const table of TABLES) await service.createTable(table);
    const sides = { hand: byHand(connection), tablewright: byEquivalents(connection) };
    for (const side of Object.values(sides)) for (const account of ['a', 'b']) await side.open(account, 1e6);
    const measured = {};
    for (const operation of OPERATIONS) measured[operation] = await timed(operation, sides, Math.min(ROUNDS, most));
    await assertSame(sides);
    return measured;
  } finally {
    await stop();
  }
}

/** The well-known account of every Azure emulator; its key is public. */
const NAME = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

let made = 0;

/**
 * Returns the values for the calls of one round. Each side gets different keys, so that neither side sees the other's
 * writes.
 */
function callsOf(operation, side) {
  const first = made;
  made += CALLS;
  return Array.from({ length: CALLS }, (_, i) => {
    const id = String(first + i).padStart(8, '0');
    const order = { account: `${side}${first}`, id, status: `open${first}`, total: i };
    if (operation === 'put of two') return [`x${id}`, `y${id}`];
    if (operation === 'transfer') return ['a', 'b', 1];
    return operation === 'update' ? [{ ...order, total: i + 1 }, order] : [order];
  });
}

async function timed(operation, sides, rounds) {
  const found = Object.fromEntries(Object.keys(sides).map((name) => [name, { requests: 0, times: [] }]));
  for (let round = -2; round < rounds; round++) {
    // The sides take turns going first; the first rounds are only a warm-up.
    const turns = Object.entries(sides);
    for (const [name, side] of round % 2 === 0 ? turns : turns.reverse()) {
      const calls = callsOf(operation, name);
      if (/get|query|update/.test(operation)) for (const call of calls) await side.put(call.at(-1));
      const before = side.sent();
      const start = performance.now();
      for (const call of calls) await side[operation](...call);
      if (round >= 0) found[name].times.push((performance.now() - start) / CALLS);
      found[name].requests = (side.sent() - before) / CALLS;
    }
  }
  return Object.fromEntries(
    Object.entries(found).map(([name, { requests, times }]) => [name, { requests, time: median(times) }]),
  );
}

/** Asserts that both sides return the same order, the same list and the same balances. */
async function assertSame({ hand, tablewright }) {
  const order = { account: 'same', id: '1', status: 'same', total: 1 };
  const answers = [];
  for (const side of [hand, tablewright]) {
    await side.put(order);
    await side.update({ ...order, total: 2 });
    answers.push([await side.get(order), await side.query(order), await side.balance('a'), await side.balance('b')]);
  }
  deepStrictEqual(answers[1], answers[0]);
  deepStrictEqual(answers[0][0], { ...order, total: 2 });
}

export function report(measured) {
  const ratio = ({ hand, tablewright }, field) => (tablewright[field] / hand[field]).toFixed(1);
  const rows = Object.entries(measured).map(([operation, sides]) => {
    const { hand, tablewright } = sides;
    const times = [hand, tablewright].map(({ time }) => `${time.toFixed(1)} ms`);
    return [operation, hand.requests, tablewright.requests, ratio(sides, 'requests'), ...times, ratio(sides, 'time')];
  });
  return [
    ...columns([
      ['requests and time on Azurite', 'by hand', 'tablewright', 'ratio', 'by hand', 'tablewright', 'ratio'],
      ...rows,
    ]),
    '',
    ...Object.entries(MOST).map(([operation, most]) => {
      const { requests } = measured[operation].tablewright;
      return verdict(requests <= most, `${operation}: ${requests} requests (at most ${most})`);
    }),
  ];
}

/** Starts Azurite's table service, in memory and in a separate process. */
async function azurite() {
  const found = createRequire(import.meta.url).resolve('azurite/package.json');
  const port = await freePort();
  const options = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  const address = ['--tableHost', '127.0.0.1', '--tablePort', String(port)];
  const script = join(dirname(found), 'dist', 'src', 'table', 'main.js');
  const child = spawn(process.execPath, [script, ...options, ...address], { stdio: 'ignore' });
  const stop = async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.kill()) await ended;
  };
  const connection = `DefaultEndpointsProtocol=http;AccountName=${NAME};AccountKey=${KEY};TableEndpoint=http://127.0.0.1:${port}/${NAME};`;
  for (let left = 600; ; left--) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (isUp) return { connection, stop };
    if (left === 0 || child.exitCode !== null) {
      await stop();
      throw new Error('Azurite does not start');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
