import { overlaps } from '../../../../lib/blueprint/languages/relation';
import { keyOf } from '../../../../lib/blueprint/table';
import { fitOf } from '../../../../lib/check/reach/entities-reached';
import { entityLanguage } from '../../../../lib/check/reach/key-languages';
import { neighbours, strangersIn } from '../../../../lib/check/reach/strangers';
import { type TableUnderCheck, tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { anyDesign } from '../../../fixtures/any-design';
import { library, libraryWith } from '../../../fixtures/library';
import { soundDesigns } from '../../../fixtures/sound-designs';
import fc from '../../../support/fuzz';

function namesAt(mine: PatternDesign): readonly string[] {
  const table = tableUnderCheck(libraryWith(mine));
  return table.accesses.flatMap((access) => strangersIn(table, access).map(({ name }) => name)).sort();
}

describe('foreign entities', () => {
  test('finds all entities that a partition can contain but the pattern does not return', () => {
    expect(namesAt({ op: 'query', where: { PK: 'BOOK#<id>' }, returns: [] })).toEqual(['Book', 'Copy']);
    expect(namesAt({ op: 'query', where: { PK: 'BOOK#<id>' }, returns: ['Loan'] })).toEqual(['Book', 'Copy']);
    expect(namesAt({ op: 'query', where: { PK: 'BOOK#<id>' }, returns: ['Book'] })).toEqual(['Copy']);
  });

  test('finds foreign entities in an index only if they have both index keys', () => {
    const where = { GSI1PK: 'AUTHOR#<id>' };
    expect(namesAt({ op: 'query', index: 'byAuthor', where, returns: [] })).toEqual(['Book', 'Talk']);
  });

  test('finds foreign entities in a range only if their keys can be in the range', () => {
    const where = { PK: 'MEMBER#<id>', SK: { between: ['LOAN#<from>', 'LOAN#<to>'] } } as const;
    expect(namesAt({ op: 'query', where, returns: [] })).toEqual(['Loan']);
    expect(namesAt({ op: 'get', where: { PK: 'BOOK#<id>', SK: '<x>' }, returns: [] })).toEqual(['Book']);
  });

  test('finds all foreign entities whose sort keys match a query without a partition key', () => {
    expect(namesAt({ op: 'query', where: { SK: { beginsWith: 'T' } }, returns: [] })).toEqual(['Member', 'Talk']);
  });
});

/**
 * Expects `strangersIn`, which searches only entities whose keys share a prefix, to find the same entities as an
 * exhaustive search.
 */
function expectTheSameAsNaively(table: TableUnderCheck): void {
  for (const access of table.accesses) {
    const naive = table.entities.filter(
      (entity) => !access.entities.includes(entity.name) && fitOf(table, access, entity).kind === 'fits',
    );
    const found = strangersIn(table, access);
    expect(found).toHaveLength(naive.length);
    expect(new Set(found)).toEqual(new Set(naive));
  }
}

test.each<TableDesign>([
  library,
  ...[...soundDesigns, ...Object.values(systems)].flatMap((design) =>
    'tables' in design ? Object.values<TableDesign>(design.tables) : [design],
  ),
])('finds the same foreign entities as an exhaustive search: $name', (design) => {
  expectTheSameAsNaively(tableUnderCheck(design));
});

test('finds the same foreign entities as an exhaustive search, in any design', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      expectTheSameAsNaively(tableUnderCheck(design));
    }),
    { numRuns: 500 },
  );
});

test('finds all neighbors that can have the same primary key, in any design', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      const table = tableUnderCheck(design);
      const { key } = table;
      const whole = table.entities.filter(({ keys }) => keyOf(key).every(({ name }) => keys.has(name)));
      for (const a of whole) {
        const [partition = '', sort = ''] = keyOf(key).map(({ name }) => {
          const [head] = a.keys.get(name)?.template.pieces ?? [];
          return typeof head === 'string' ? head : '';
        });
        const near = new Set(neighbours(table, key, partition, sort));
        for (const b of whole) {
          const collide = keyOf(key).every(({ name }) => {
            const [ofA, ofB] = [a.keys.get(name), b.keys.get(name)];
            return ofA && ofB && overlaps(entityLanguage(table, ofA), entityLanguage(table, ofB));
          });
          if (collide) expect(near).toContain(b);
        }
      }
    }),
  );
});
