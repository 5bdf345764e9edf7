// What the check of a design takes, and how that grows with its entities and patterns.
import { columns } from './columns.mjs';
import { run } from './run.mjs';

/** Milliseconds by size. */
export const measure = () => run('check.cjs');

/** A table, and no verdict: nothing else checks designs. */
export function report(measured) {
  const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
  const rows = measured.map(({ size, wall, cpu }, i) => {
    const before = measured[i - 1];
    const growth = before && `${(cpu / before.cpu).toFixed(1)} for ${size / before.size}`;
    return [size.toLocaleString('en'), ms(wall), ms(cpu), growth ?? ''];
  });
  return columns([['check of a design, entities and patterns', 'on the clock', 'cpu', 'times'], ...rows]);
}
