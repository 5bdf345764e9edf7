// Measures how long the check of a design takes, and how the time grows with the number of entities and patterns.
import { columns } from './columns.mjs';
import { run } from './run.mjs';
import { verdict } from './verdict.mjs';

/**
 * The maximum factor by which the check may slow down if a design has ten times as many entities. A check that sorts
 * the entities stays below this factor; a check that compares all pairs does not.
 */
const GROWTH = 15;
/** The maximum CPU time for the largest size, including the notes, in milliseconds. */
const LONGEST = 5_000;

/** Measures, in milliseconds, how long the check takes for each size. */
export const measure = () => run('check.cjs');

export function report(measured) {
  const ms = (time) => `${time.toFixed(time < 10 ? 1 : 0)} ms`;
  const rows = measured.map(({ size, wall, cpu, withoutNotes }, i) => {
    const before = measured[i - 1];
    const growth = before && `${(cpu / before.cpu).toFixed(1)} for ${size / before.size}`;
    return [size.toLocaleString('en'), ms(wall), ms(cpu), growth ?? '', ms(withoutNotes)];
  });
  const [before, last] = measured.slice(-2);
  const grown = last.cpu / before.cpu;
  const sizes = `${before.size.toLocaleString('en')} to ${last.size.toLocaleString('en')} entities`;
  return [
    ...columns([['entities and patterns in the design', 'on the clock', 'cpu', 'times', 'cpu without notes'], ...rows]),
    '',
    verdict(
      last.cpu <= LONGEST,
      `${last.size.toLocaleString('en')} entities: ${ms(last.cpu)} (at most ${ms(LONGEST)})`,
    ),
    verdict(grown <= GROWTH, `from ${sizes}: ${grown.toFixed(1)} times the time (at most ${GROWTH})`),
  ];
}
