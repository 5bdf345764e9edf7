import { z } from 'zod';
import type { SortRange } from '../../../../lib/blueprint/accesses';
import { fitOf } from '../../../../lib/check/reach/entities-reached';
import { type PatternAccess, type TableUnderCheck, tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { TableDesign } from '../../../../lib/design/table';
import type { Template } from '../../../../lib/design/template';
import { systems } from '../../../../lib/systems';
import { anyDesign } from '../../../fixtures/any-design';
import { soundDesigns } from '../../../fixtures/sound-designs';
import fc from '../../../support/fuzz';

/** Renames the parts of a template, so that its text differs from the text of the key. */
function renamed({ text, pieces, faults }: Template): Template {
  const others = pieces.map((part) => (typeof part === 'string' ? part : { ...part, name: `other ${part.name}` }));
  return {
    text: text.replaceAll('<', '<other '),
    pieces: others,
    parts: others.filter((part) => typeof part !== 'string'),
    faults,
  };
}

function renamedRange(range: SortRange): SortRange {
  if (range.kind === 'all') return range;
  if (range.kind === 'between') return { kind: 'between', from: renamed(range.from), to: renamed(range.to) };
  return { ...range, at: renamed(range.at) };
}

/** Renamed parameters bypass the shortcut that compares only the text of templates. The verdict must stay the same. */
function expectTheSameUnderOtherNames(table: TableUnderCheck): void {
  for (const access of table.accesses) {
    const [first, ...more] = access.partition?.map((held) => ({ ...held, at: renamed(held.at) })) ?? [];
    const partition = first && ([first, ...more] as const);
    const other: PatternAccess = { ...access, partition, range: renamedRange(access.range) };
    for (const entity of table.entities) {
      expect(fitOf(table, access, entity)).toEqual(fitOf(table, other, entity));
    }
  }
}

test.each<TableDesign>(
  [...soundDesigns, ...Object.values(systems)].flatMap((design) =>
    'tables' in design ? Object.values<TableDesign>(design.tables) : [design],
  ),
)('gives the same verdict for renamed parameters: $name', (design) => {
  expectTheSameUnderOtherNames(tableUnderCheck(design));
});

test('gives the same verdict for renamed parameters in any design', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      expectTheSameUnderOtherNames(tableUnderCheck(design));
    }),
    { numRuns: 1_000 },
  );
});

test("allows the separator in a natural key and in a pattern's parameter for that key", () => {
  const design: TableDesign = {
    name: 'mixed',
    key: { partition: 'PK' },
    entities: {
      Own: { attributes: z.object({ PK: z.string() }) },
      Other: { attributes: z.object({ id: z.string() }), keys: { PK: 'OTHER#<id>' } },
    },
    patterns: { own: { op: 'get', where: { PK: '<PK>' }, returns: ['Own'] } },
  };
  const table = tableUnderCheck(design);
  const [access] = table.accesses as [PatternAccess];
  expect(table.entities.map((entity) => fitOf(table, access, entity).kind)).toEqual(['fits', 'fits']);
});

test('judges a query with an optional suffix both with and without the suffix', () => {
  const query = (beginsWith: string): TableDesign => ({
    name: 'orders',
    key: { partition: 'PK', sort: 'SK' },
    entities: {
      Order: { attributes: z.object({ a: z.string(), b: z.string() }), keys: { PK: 'A#<a>', SK: 'B#<b>' } },
      Other: { attributes: z.object({ a: z.string() }), keys: { PK: 'A#<a>', SK: 'B#' } },
    },
    patterns: { mine: { op: 'query', where: { PK: 'A#<a>', SK: { beginsWith } }, returns: ['Order'] } },
  });
  const asked = (beginsWith: string) =>
    tableUnderCheck(query(beginsWith)).accesses.map(({ range }) => range as { at?: Template });
  expect(asked('B#<b?>').map(({ at }) => at?.text)).toEqual(['B#<b?>', 'B#']);
  expect(asked('B#<b>').map(({ at }) => at?.text)).toEqual(['B#<b>']);
  const table = tableUnderCheck(query('B#<b?>'));
  const other = table.entities.find(({ name }) => name === 'Other') as (typeof table.entities)[number];
  expect(table.accesses.map((access) => fitOf(table, access, other).kind)).toEqual(['never', 'fits']);
});
