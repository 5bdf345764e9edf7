// Measures how long a new user's first commands take: from an empty folder to an app that is tested, synthesized and
// running. Installs a locally packed package instead of one from the registry.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { columns } from './columns.mjs';
import { ROOT } from './root.mjs';
import { verdict } from './verdict.mjs';

/** Wall-clock seconds. */
const BOUND = 120;

const HANDLER = `import { changes } from 'tablewright/dynamodb';
import { orders } from './design';

export const handler = changes(orders, { Order: { inserted: ({ orderId }) => console.log('handled ' + orderId) } });
`;

/** A typical app. The SDK finds the local tables through the environment variables that `dev` wrote. */
const APP = `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { client } from 'tablewright/dynamodb';
import { dynamo } from 'tablewright/dynamodb/sdk';
import { orders } from './design';

const db = client(orders, 'shop-dev-orders', dynamo(new DynamoDBClient()));
const order = { customerId: 'ana', orderId: 'first', shopId: 's1', placedAt: new Date().toISOString(), status: 'open', total: 1 } as const;
db.placeOrder(order);
`;

export async function measure() {
  const base = mkdtempSync(join(tmpdir(), 'tablewright-first-app-'));
  const folder = join(base, 'shop');
  mkdirSync(folder);
  try {
    const tarball = packedIn(base);
    const steps = {};
    const timed = (name, command) => {
      steps[name] = timesOf(folder, command);
    };
    timed('npx tablewright init', `npx --yes --package ${tarball} tablewright init --yes`);
    // The package is not in any registry yet, so the command installs the packed file.
    timed('npm install', `npm install --no-audit --no-fund ${tarball}`);
    timed('npm test', 'npm test');
    timed('npx cdk synth', 'npx cdk synth --quiet');
    writeFileSync(join(folder, 'on-change.ts'), HANDLER);
    writeFileSync(join(folder, 'place.ts'), APP);
    steps['npx tablewright dev, until the handler has run'] = await handled(folder);
    return { steps, load: loadavg()[0], cores: cpus().length };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

export function report({ steps, load, cores }) {
  const total = (unit) => Object.values(steps).reduce((sum, step) => sum + step[unit], 0);
  const s = (seconds) => `${seconds.toFixed(1)} s`;
  return [
    ...columns([
      ['from an empty folder', 'cpu', 'on the clock'],
      ...Object.entries(steps).map(([name, { cpu, wall }]) => [name, s(cpu), s(wall)]),
      ['all', s(total('cpu')), s(total('wall'))],
    ]),
    '',
    verdict(
      total('wall') < BOUND,
      `on the clock: ${s(total('wall'))} (under ${BOUND} s on two cores; here ${cores}, with a load of ${load.toFixed(1)})`,
    ),
    verdict(total('cpu') < BOUND, `cpu: ${s(total('cpu'))} (under ${BOUND} s, whatever else the machine does)`),
  ];
}

/** Packs a copy of the repository, because packing empties `dist`. */
function packedIn(base) {
  const copy = join(base, 'copy');
  const leftOut = new Set(['.git', 'node_modules', 'dist', 'cdk.out', 'cdktf.out']);
  cpSync(ROOT, copy, { recursive: true, filter: (source) => !leftOut.has(relative(ROOT, source)) });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  execFileSync('npm', ['pack', '--pack-destination', base], { cwd: copy, stdio: 'ignore' });
  return join(
    base,
    readdirSync(base).find((file) => file.endsWith('.tgz')),
  );
}

/** Runs a command, and returns its wall-clock seconds and the CPU seconds of the command and its children. */
function timesOf(folder, command) {
  const script = `TIMEFORMAT='%R %U %S'; time { ${command}; } >output.txt 2>&1`;
  const { status, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
  if (status !== 0)
    throw new Error(`${command}: exit code ${status}\n${readFileSync(join(folder, 'output.txt'), 'utf8')}`);
  const [wall, user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: user + system };
}

/** Starts `dev` and an app that writes an item. Waits until the change handler receives this item. */
async function handled(folder) {
  const start = performance.now();
  // The trap lets the shell survive Ctrl+C, so that it can report its child's times.
  const script = "trap : INT; TIMEFORMAT='%R %U %S'; time npx tablewright dev --port 0 --handler ./on-change.ts";
  const child = spawn('bash', ['-c', script], { cwd: folder, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const says = (text) =>
    until(
      () => output.includes(text),
      () => output,
    );
  await says('watching the design');
  const app = timesOf(folder, '. ./.tablewright/dev.env; npx jiti place.ts');
  await says('handled first');
  const wall = (performance.now() - start) / 1000;
  process.kill(-child.pid, 'SIGINT');
  await ended;
  const [, user = 0, system = 0] = output.trim().split('\n').at(-1).split(' ').map(Number);
  return { wall, cpu: app.cpu + user + system };
}

async function until(isSo, told) {
  for (let i = 0; !isSo(); i++) {
    if (i === 1200) throw new Error(`dev did not get there:\n${told()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
