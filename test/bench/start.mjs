// Measures the time from the start of a Lambda to the response to its first query. A stub replaces the AWS SDK. Every
// measurement runs in its own process, the sides take turns, and each result is the median.
import { deepStrictEqual } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOf, OURS, PEERS, SIDES } from './bundle.mjs';
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { run } from './run.mjs';
import { verdict } from './verdict.mjs';

const ROUNDS = 31;
const STUB = fileURLToPath(new URL('lambda/sdk.cjs', import.meta.url));
const POST = { postId: '1', category: 'news', publishedAt: '2026-01-31T12:00:00.000Z' };

/** Measures the wall-clock and the CPU time of each side, in milliseconds. */
export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-start-'));
  try {
    const sides = [];
    for (const [name, side] of Object.entries(SIDES)) {
      const bundle = join(folder, `${name.replace(/\W/g, '-')}.cjs`);
      const { code, sdk } = await bundleOf(side);
      writeFileSync(bundle, code);
      for (const path of [...sdk, '@aws-sdk/client-dynamodb']) stub(join(folder, 'node_modules', path));
      const once = () => run('first-query.cjs', bundle, side.file);
      assertSame(name, once());
      sides.push({ name, once, times: [] });
    }
    for (let round = 0; round < ROUNDS; round++) {
      // A different side goes first in each round.
      for (let i = 0; i < sides.length; i++) {
        const { once, times } = sides[(i + round) % sides.length];
        times.push(once());
      }
    }
    const middle = (times, unit) => median(times.map((time) => time[unit]));
    return Object.fromEntries(
      sides.map(({ name, times }) => [name, { cpu: middle(times, 'cpu'), wall: middle(times, 'wall') }]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function report(measured) {
  const ms = (time) => `${time.toFixed(1)} ms`;
  const ours = measured[OURS];
  const [fastest] = PEERS.toSorted((a, b) => measured[a].cpu - measured[b].cpu);
  return [
    ...columns([
      ['to the first answer', 'cpu', 'on the clock', 'times ours'],
      ...Object.entries(measured).map(([name, { cpu, wall }]) => [
        name,
        ms(cpu),
        ms(wall),
        (cpu / ours.cpu).toFixed(1),
      ]),
    ]),
    '',
    verdict(
      ours.cpu <= measured[fastest].cpu,
      `cpu with zod/mini: ${ms(ours.cpu)} (at most that of the fastest peer, ${fastest}: ${ms(measured[fastest].cpu)})`,
    ),
  ];
}

/** Throws unless a side sends exactly one query, for the expected partition, and returns the expected post. */
function assertSame(name, { items, sent }) {
  deepStrictEqual(
    items.map(({ postId, category, publishedAt }) => ({ postId, category, publishedAt })),
    [POST],
    name,
  );
  deepStrictEqual(sent.length, 1, name);
  const { TableName, IndexName, ScanIndexForward, ExpressionAttributeValues } = sent[0];
  deepStrictEqual([TableName, IndexName, ScanIndexForward], ['my-table', 'GSI1', false], name);
  if (!Object.values(ExpressionAttributeValues).includes('CATEGORY#news')) throw new Error(`${name} asks for another`);
}

function stub(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), `module.exports = require(${JSON.stringify(STUB)});\n`);
}
