import { misshapes } from '../../../../lib/check/language/misshapes';
import type { Misshape } from '../../../../lib/check/language/wording';
import { tableSchema } from '../../../../lib/design/schema/design';
import { isObject } from '../../../../lib/design/show';
import { carts, orders } from '../../../fixtures/designs';

const REPLACEMENTS = [
  null,
  7,
  -1.5,
  '',
  'x',
  true,
  [],
  {},
  [null],
  ['x', 7, 'y'],
  { x: 1 },
  { between: ['a'] },
  { any: [{}] },
];

/**
 * Yields copies of a design, each with one change. The change replaces, removes or adds a value or field at any depth.
 */
function* broken(value: unknown, name = ''): Iterable<unknown> {
  yield* REPLACEMENTS;
  if (name === 'attributes') return;
  if (Array.isArray(value)) {
    for (const [i, member] of value.entries()) for (const other of broken(member)) yield value.with(i, other);
  } else if (isObject(value)) {
    yield { ...value, unheard: 1 };
    for (const [field, member] of Object.entries(value)) {
      const { [field]: _, ...rest } = value;
      yield rest;
      for (const other of broken(member, field)) yield { ...value, [field]: other };
    }
  }
}

const found = (design: unknown): readonly Misshape[] => {
  const all: Misshape[] = [];
  misshapes(tableSchema, design, '', all);
  return all;
};

const everyOperation = {
  ...carts,
  patterns: {
    read: { op: 'get', where: { PK: 'x', SK: 'y' }, returns: ['Cart'], consistent: true },
    some: { op: 'batchGet', keys: { a: { PK: 'x', SK: 'y' } }, returns: ['Cart'] },
    all: {
      op: 'scan',
      filter: { any: [{ total: { size: { between: [1, 2] } } }], id: { in: ['a'] } },
      returns: ['Cart'],
    },
    page: { op: 'query', where: { PK: 'x', SK: { between: ['a', 'b'] } }, order: 'descending', returns: ['Cart'] },
    set: {
      op: 'update',
      entity: 'Cart',
      where: { PK: 'x', SK: 'y' },
      set: { total: { ifMissing: 0 } },
      add: { total: 1 },
    },
    both: {
      op: 'transaction',
      steps: {
        a: { op: 'put', entity: 'Cart', item: { total: { attribute: 'id' } } },
        b: { op: 'require', entity: 'Cart', where: { PK: 'x', SK: 'y' }, condition: { total: { exists: true } } },
      },
    },
    many: { op: 'batchWrite', steps: { a: { op: 'put', entity: 'Cart', each: 'lines', replace: true } } },
  },
};

test.each([
  ['a table that uses every field', orders],
  ['a table with every operation', everyOperation],
])('reports exactly the changes to %s that the schema refuses', (_, design) => {
  expect(found(design)).toEqual([]);
  expect(tableSchema.safeParse(design).success).toBe(true);
  const wrong: unknown[] = [];
  let refused = 0;
  for (const other of broken(design)) {
    const { success } = tableSchema.safeParse(other);
    const explained = found(other);
    if (!success) refused++;
    const isWorded = explained.every(({ message, fix }) => !/undefined/.test(`${message} ${fix}`));
    if (success !== (explained.length === 0) || !isWorded) wrong.push([other, explained]);
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(500);
});
