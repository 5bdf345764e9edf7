import { z } from 'zod';
import { unusedIndex } from '../../../../lib/check/rules/unused-index';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const users = (patterns: Record<string, PatternDesign> | undefined) =>
  tableOf(
    { attributes: z.object({ id: z.string(), email: z.email(), name: z.string() }) },
    { key: { partition: 'id' }, indexes: { byEmail: { partition: 'email' }, byName: { partition: 'name' } }, patterns },
  );
const query = (index: string): PatternDesign => ({ op: 'query', index, where: {}, returns: ['Thing'] });
const unused = (name: string) => ({ path: `indexes.${name}`, cause: 'unread' });

test('reports an index that no pattern reads', () => {
  expect(findings(unusedIndex, users({ one: query('byEmail') }))).toEqual([unused('byName')]);
});

test.each([
  ['no patterns at all', undefined],
  [
    'patterns that read only the table itself',
    { one: { op: 'get', where: { id: '<id>' }, returns: ['Thing'] } } as const,
  ],
  ['patterns that read only an unknown index', { one: query('byNobody') }],
])('reports every index as unused if a design has %s', (_, patterns) => {
  expect(findings(unusedIndex, users(patterns))).toEqual([unused('byEmail'), unused('byName')]);
});

test('accepts an index that at least one pattern reads', () => {
  expect(findings(unusedIndex, users({ one: query('byEmail'), two: query('byName'), three: query('byName') }))).toEqual(
    [],
  );
});

test.each(Object.values(systems).flatMap(({ tables }) => Object.values(tables)) as TableDesign[])(
  'returns no findings for the indexes of $name',
  (design) => {
    expect(findings(unusedIndex, design)).toEqual([]);
  },
);

test('reports an unused index as a warning, because it costs money but breaks nothing', () => {
  expect(unusedIndex).toMatchObject({ id: 'unused-index', severity: 'warning' });
});
