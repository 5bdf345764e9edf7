import type { SystemDesign } from '../../../lib/design/system';
import { desk } from './desk';
import { mutantsOf } from './mutants';
import { tickets } from './tickets';

const systems: readonly SystemDesign[] = [tickets, desk];
const patterns = systems.flatMap(({ tables }) =>
  Object.values(tables).flatMap((table) => Object.values(table.patterns ?? {})),
);
const mutants = systems.flatMap((system) => [...mutantsOf(system)].map(({ name }) => name.replace(/: .*/, '')));

// `npm test` tries only the mutants of tickets and desk. The deep lane tries the mutants of the five bundled systems.
test('tickets and desk use every operation and every kind of step', () => {
  const steps = patterns.flatMap((pattern) => ('steps' in pattern ? Object.values<{ op: string }>(pattern.steps) : []));
  expect([...new Set(patterns.map(({ op }) => op))].sort()).toEqual(
    ['batchGet', 'batchWrite', 'delete', 'get', 'put', 'query', 'scan', 'transaction', 'update'].sort(),
  );
  expect([...new Set(steps.map(({ op }) => op))].sort()).toEqual(['delete', 'put', 'require', 'update']);
});

test.each<readonly [string, RegExp]>([
  ['keys', /entities\.\w+\.keys\.\w+$/],
  ['sparse indexes', /entities\.\w+\.indexes\.\w+\.while\.\w+$/],
  ['local indexes', /indexes\.\w+\.local$/],
  ['projections', /indexes\.\w+\.projection$/],
  ['ttl', /\.ttl$/],
  ...['where', 'order', 'index', 'select', 'filter', 'condition', 'remove', 'replace', 'upsert'].map(
    (field) => [field, new RegExp(`\\.${field}(\\.|$)`)] as const,
  ),
  ...['set', 'add', 'subtract', 'item'].map((field) => [field, new RegExp(`\\.${field}\\.\\w+`)] as const),
])('at least one mutant of tickets or desk breaks %s', (_, sign) => {
  expect(mutants).toContainEqual(expect.stringMatching(sign));
});
