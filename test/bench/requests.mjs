// Compares how long each side takes to build the requests for a blog post, as ratios within one run.
import { columns } from './columns.mjs';
import { run } from './run.mjs';
import { verdict } from './verdict.mjs';

/** Every operation, with its title in the report. */
const SINGLE = { get: 'get', query: 'query', put: 'put' };
const SEVERAL = {
  batchGet: 'batch of 25 keys',
  batchWrite: 'batch of 10 puts',
  transaction: 'put and delete',
};
/**
 * The maximum ratio of each operation's time to the time of the handwritten code. The ratio for a put is higher,
 * because a put also validates.
 */
const OF_HAND_WRITTEN = { get: 2, query: 2, put: 6 };
const OF_PEERS = 20;

/** Measures the CPU time, in nanoseconds, of each operation on each side. */
export const measure = () => run('request-speed.mjs');

export function report(measured) {
  const named = { ...SINGLE, ...SEVERAL };
  return [
    ...table(measured, 'requests for a blog post', SINGLE),
    '',
    ...table(measured, 'batches and transactions of posts', SEVERAL),
    '',
    ...Object.entries(OF_HAND_WRITTEN).map(([operation, bound]) => {
      const ratio = ratioOf(measured[operation], 'tablewright');
      const what = `${named[operation]}: ${times(ratio)} times what is written by hand`;
      return verdict(ratio <= bound, `${what} (at most ${bound})`);
    }),
    ...Object.keys(named).map((operation) => {
      const { 'hand-written': _, tablewright, ...peers } = measured[operation];
      const [name, fastest] = Object.entries(peers).sort(([, a], [, b]) => a - b)[0];
      const ratio = fastest / tablewright;
      const what = `${named[operation]}: ${times(ratio)} times as fast as ${name}`;
      return verdict(ratio >= OF_PEERS, `${what} (at least ${OF_PEERS})`);
    }),
  ];
}

function table(measured, title, named) {
  const operations = Object.keys(named);
  const rows = Object.keys(measured.get).map((side) => [
    side,
    ...operations.map((operation) => `${Math.round(measured[operation][side]).toLocaleString('en')} ns`),
    ...operations.map((operation) => times(ratioOf(measured[operation], side))),
  ]);
  const heads = Object.values(named);
  return columns([[title, ...heads, ...heads.map((name) => `${name} / by hand`)], ...rows]);
}

const ratioOf = (times, side) => times[side] / times['hand-written'];
const times = (ratio) => (ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0));
