// What it takes to build the put, query and get of the blog's post, on every side, as ratios measured in one run.

import { columns } from './columns.mjs';
import { run } from './run.mjs';
import { verdict } from './verdict.mjs';

/** How many times what is written by hand may take: a put is validated besides. */
const OF_HAND_WRITTEN = { get: 2, query: 2, put: 6 };
const OF_PEERS = 20;

/** Nanoseconds of processor time by operation and side. */
export const measure = () => run('request-speed.mjs');

export function report(measured) {
  const operations = Object.keys(measured);
  const times = (ratio) => (ratio < 10 ? ratio.toFixed(1) : ratio.toFixed(0));
  const ratios = (operation, side) => measured[operation][side] / measured[operation]['hand-written'];
  const rows = Object.keys(measured.get).map((side) => [
    side,
    ...operations.map((operation) => `${Math.round(measured[operation][side]).toLocaleString('en')} ns`),
    ...operations.map((operation) => times(ratios(operation, side))),
  ]);
  const heads = operations.map((operation) => `${operation} / by hand`);
  return [
    ...columns([["requests of the blog's post", ...operations, ...heads], ...rows]),
    '',
    ...operations.map((operation) => {
      const bound = OF_HAND_WRITTEN[operation];
      const ratio = ratios(operation, 'tablewright');
      return verdict(ratio <= bound, `${operation}: ${times(ratio)} times what is written by hand (at most ${bound})`);
    }),
    ...operations.map((operation) => {
      const { 'hand-written': _, tablewright, ...peers } = measured[operation];
      const [name, fastest] = Object.entries(peers).sort(([, a], [, b]) => a - b)[0];
      const ratio = fastest / tablewright;
      return verdict(
        ratio >= OF_PEERS,
        `${operation}: ${times(ratio)} times as fast as ${name} (at least ${OF_PEERS})`,
      );
    }),
  ];
}
