import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import type { Operand, Test, UpdatePattern } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { type Item, ItemError, makeItem } from '../../../lib/items/item';
import { changeMaker } from '../../../lib/items/update';
import fc from '../../support/fuzz';

/* An update either fails or produces the same item as a put, including the index keys. */

const STATES = ['open', 'held', 'done'] as const;

// GSI1 and GSI2 share a partition key attribute, and the partition key of GSI3 is a natural key. The condition of GSI1
// depends on one attribute, and that of GSI3 on two. GSI2 has no condition.
const design: TableDesign = {
  name: 'trips',
  key: { partition: 'PK' },
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' },
    GSI2: { partition: 'GSI1PK', sort: 'GSI2SK' },
    GSI3: { partition: 'city', sort: 'GSI3SK' },
  },
  entities: {
    Trip: {
      attributes: z.object({
        id: z.string(),
        city: z.string(),
        state: z.enum(STATES).optional(),
        data: z.object({ paid: z.boolean(), day: z.string().optional() }),
      }),
      keys: {
        PK: 'TRIP#<id>',
        GSI1PK: 'CITY#<city>',
        GSI1SK: '<state>#<data.day>',
        GSI2SK: 'TRIP#<id>',
        GSI3SK: '<data.day>#<id>',
      },
      indexes: {
        GSI1: { while: { state: ['open', 'held'] } },
        GSI3: { while: { state: ['open'], 'data.paid': [false] } },
      },
    },
  },
};
const plan = outline(design);
const trip = entityNamed(plan, 'Trip') as EntityOutline;

const city = fc.constantFrom('Lima', 'Quito');
const day = fc.constantFrom('Monday', 'Tuesday');
const state = fc.constantFrom(...STATES);
const stored = fc.record(
  {
    id: fc.constant('t1'),
    city,
    state,
    data: fc.record({ paid: fc.boolean(), day }, { requiredKeys: ['paid'] }),
  },
  { requiredKeys: ['id', 'city', 'data'] },
);

/** Generates updates that a design may contain. Each attribute is set to a constant or a parameter. */
const update = fc.record({
  set: fc.record(
    { city, state, 'data.paid': fc.boolean(), 'data.day': day },
    { requiredKeys: [], noNullPrototype: true },
  ),
  given: fc.subarray(['city', 'state', 'data.paid', 'data.day']),
  remove: fc.subarray(['state', 'data.day']),
  held: fc.subarray(['city', 'state', 'data.paid', 'data.day']),
  listed: fc.boolean(),
});

function at(item: Item, path: string): unknown {
  return path.split('.').reduce((value: unknown, step) => (value as Item | undefined)?.[step], item);
}

/** Applies a change to an item as DynamoDB does. */
function changed(item: Item, set: ReadonlyMap<string, unknown>, removed: readonly string[]): Item {
  const next = structuredClone(item);
  const holder = (path: string) => (path.startsWith('data.') ? (next.data as Item) : next);
  for (const [path, value] of set) holder(path)[path.replace('data.', '')] = value;
  for (const path of removed) delete holder(path)[path.replace('data.', '')];
  return next;
}

test('an update either fails or gives an item the same keys as a put of the resulting item', () => {
  let [done, refused] = [0, 0];
  fc.assert(
    fc.property(stored, update, (attributes, { set, given, remove, held, listed }) => {
      const before = makeItem(plan, trip, attributes);
      const name = (path: string) => path.replace('.', '');
      const values = Object.fromEntries(Object.entries(set).map(([path, value]) => [name(path), value]));
      const operands = Object.entries(set).map(([path, value]): [string, Operand] => [
        path,
        given.includes(path) ? `<${name(path)}>` : value,
      ]);
      // The condition holds for the stored item; otherwise, the update would fail.
      const condition: Record<string, Test> = {};
      for (const path of held) {
        const is = at(before, path) as string | boolean | undefined;
        condition[path] = is === undefined ? { exists: false } : listed ? { in: [is] } : is;
      }
      const step: UpdatePattern = {
        ...{ op: 'update', entity: 'Trip', where: { PK: 'TRIP#<id>' }, condition },
        set: Object.fromEntries(operands),
        remove: remove.filter((path) => !Object.hasOwn(set, path)),
      };
      try {
        const change = changeMaker(plan, trip, 'change', step)({ id: 't1', ...values });
        const after = changed(before, change.set, change.removed);
        const { PK: _, GSI1PK, GSI1SK, GSI2SK, GSI3SK, ...rest } = after;
        const anew = makeItem(plan, trip, rest);
        if (!isDeepStrictEqual(after, anew)) expect(after).toEqual(anew);
        done++;
      } catch (error) {
        if (!(error instanceof ItemError)) throw error;
        refused++;
      }
    }),
    { numRuns: 800 },
  );
  expect(Math.min(done, refused)).toBeGreaterThan(50);
});
