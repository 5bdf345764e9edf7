import { z } from 'zod';
import { lockOf, migrationFor, planFor, stageOf, withEdits } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/dynamodb';
import type { PatternDesign, SystemDesign, TableDesign } from '../../../../lib/index';
import { booked } from '../../../fixtures/book-of-changes';

const environment = 'prod';
const narrowed = booked.find(({ name }) => name === 'a narrower while');
if (narrowed === undefined) throw new Error();
const { before, after } = narrowed;
const lock = lockOf(before, { environment });
const plan = planFor(lock, after);

/** Returns the planned design with additions to its table or to the entity Order. */
function extended(
  attributes: object,
  patterns: Readonly<Record<string, PatternDesign>> = {},
  edit: object = {},
): SystemDesign {
  const table = after.tables.orders as TableDesign;
  const { Order } = table.entities;
  const shape = (Order as { attributes: z.ZodObject }).attributes.shape;
  const entities = { ...table.entities, Order: { ...Order, attributes: z.object({ ...shape, ...attributes }) } };
  return {
    ...after,
    tables: { orders: { ...table, entities, patterns: { ...table.patterns, ...patterns }, ...edit } as TableDesign },
  };
}

const everywhere = (design: SystemDesign, begun = lock, way = plan) => {
  const edited = withEdits(design, way.edits);
  stageOf(edited, environment, { lock: begun, plan: way, step: 'expand-1' });
  evolving({ lock: begun, plan: way, step: 'expand-1', design: edited });
  migrationFor(way, begun, edited);
};

test('an optional attribute or a pattern on existing keys can be added while a plan is under way', () => {
  const anyOrder: PatternDesign = { op: 'query', where: { PK: 'SHOP#<shop>' }, returns: ['Order', 'Refund'] };
  expect(() => everywhere(extended({ coupon: z.string().optional() }))).not.toThrow();
  expect(() => everywhere(extended({}, { allOf: anyOrder }))).not.toThrow();
});

test.each<[string, SystemDesign, RegExp]>([
  ['a required attribute', extended({ coupon: z.string() }), /attributes\.coupon is new, and may be required/],
  ['a different type', extended({ total: z.string() }), /attributes\.total has changed/],
  [
    'a changed pattern',
    extended({}, { putOrder: { op: 'put', entity: 'Order', replace: true } }),
    /patterns\.putOrder has changed/,
  ],
  ['TTL', extended({}, {}, { ttl: 'expires' }), /its key, its indexes or its TTL has changed/],
  [
    'another entity',
    extended(
      {},
      {},
      {
        entities: {
          ...after.tables.orders?.entities,
          More: { attributes: z.object({ id: z.string() }), keys: { PK: 'M#<id>', SK: 'M' } },
        },
      },
    ),
    /entities\.More is new/,
  ],
])('%s must wait until the plan is finished', (_, design, why) => {
  expect(() => everywhere(design)).toThrow(why);
  expect(() => everywhere(design)).toThrow(/revert these changes until the plan is finished/);
});

test('a new attribute must wait until the plan is finished if the running release would erase it', () => {
  const table = before.tables.orders as TableDesign;
  const replacing = {
    ...before,
    tables: {
      orders: {
        ...table,
        patterns: { ...table.patterns, putOrder: { op: 'put', entity: 'Order', replace: true } as const },
      },
    },
  };
  const target = {
    ...after,
    tables: { orders: { ...(after.tables.orders as TableDesign), patterns: replacing.tables.orders.patterns } },
  };
  const begun = lockOf(replacing, { environment });
  const design = extended(
    { coupon: z.string().optional() },
    { putOrder: { op: 'put', entity: 'Order', replace: true } },
  );
  expect(() => everywhere(design, begun, planFor(begun, target))).toThrow(
    /putOrder of the running release replaces whole items/,
  );
});
