import { z } from 'zod';
import { diff, lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import type { EntityDesign } from '../../../../lib/index';
import { edited, FILL, withOrder } from '../../../fixtures/booked/designs';

const environment = 'prod';
const computing = (computed: EntityDesign['computed'], keys: object = {}) =>
  edited({ entities: withOrder({ label: z.string() }, keys, computed && { computed }) });
const after = computing({ label: '<orderId:lower>' });
const stored = {
  ...{ PK: 'SHOP#s', SK: 'ORDER#A1', GSI1PK: 'STATE#s#open', GSI1SK: 'A1', type: 'Order' },
  ...{ orderId: 'A1', shop: 's', state: 'open', total: 5, label: 's-A1' },
};

describe.each([
  ['a different template', computing({ label: '<shop>-<orderId>' }), "computed as '<shop>-<orderId>'"],
  [
    'sorted values',
    computing({ label: { sorted: ['<shop>', '<orderId>'] } }),
    "computed from <orderId>, <shop>, sorted and joined by '#'",
  ],
  ['values from callers', computing(undefined), 'given by callers'],
])('a computed attribute that had %s', (_, before, was) => {
  const lock = lockOf(before, { environment });

  test('a computed attribute with a new template needs a plan', () => {
    expect(diff(lock, lockOf(after, { environment }))).toEqual([
      expect.objectContaining({
        rule: 'attribute-computed',
        verdict: 'plan',
        path: 'tables.orders.entities.Order.computed.label',
        message: `label is now computed as '<orderId:lower>'; it was ${was}`,
      }),
    ]);
  });

  test('the plan recomputes a changed computed attribute in the stored items', () => {
    const plan = planFor(lock, after);
    expect(plan.phases.map(({ kind }) => kind)).toEqual(FILL);
    expect(migrationFor(plan, lock, after).outcome('fill', 'orders', stored)).toMatchObject({
      kind: 'update',
      set: { label: 'a1' },
    });
  });
});

test('an attribute that is no longer computed needs an answer', () => {
  const lock = lockOf(after, { environment });
  expect(diff(lock, lockOf(computing(undefined), { environment }))).toMatchObject([
    {
      rule: 'attribute-computed',
      verdict: 'ask',
      message: "label is now given by callers instead of computed as '<orderId:lower>'",
      breaks: [{ who: 'old-readers' }, { who: 'callers' }],
    },
  ]);
});

test('no plan can change the unit of a timestamp, because stored seconds cannot be told from stored milliseconds', () => {
  const timed = (unit: 'seconds' | 'milliseconds') =>
    edited({ entities: withOrder({ made: z.int() }, {}, { timestamps: { created: 'made', unit } }) });
  expect(() => planFor(lockOf(timed('milliseconds'), { environment }), timed('seconds'))).toThrow(
    'made is now in seconds instead of milliseconds\n    fix: keep the unit, or store the time in seconds in a separate attribute',
  );
  expect(diff(lockOf(timed('milliseconds'), { environment }), lockOf(ordersTimed(), { environment }))).toEqual([]);
});

const ordersTimed = () => edited({ entities: withOrder({ made: z.int() }, {}, { timestamps: { created: 'made' } }) });

test('opening an entity needs an answer if values stored under an earlier design may violate the new schema', () => {
  const former = lockOf(edited({ entities: withOrder({ memo: z.string().optional() }) }), { environment });
  const lock = lockOf(edited({ entities: withOrder({}) }), { environment, after: former });
  const opened = (catchall: z.ZodType) => {
    const { Order, ...others } = withOrder({});
    const attributes = (Order as { attributes: z.ZodObject }).attributes.catchall(catchall);
    return lockOf(edited({ entities: { Order: { ...Order, attributes } as EntityDesign, ...others } }), {
      environment,
    });
  };
  const rules = (catchall: z.ZodType) => diff(lock, opened(catchall)).map(({ rule, verdict }) => `${rule} ${verdict}`);
  expect(rules(z.number())).toContain('entity-opened ask');
  expect(rules(z.unknown())).toContain('entity-opened safe');
});

test('no plan can change the template of a computed attribute that is part of a key', () => {
  const keys = { GSI1SK: '<label>' };
  const lock = lockOf(computing({ label: '<shop>-<orderId>' }, keys), { environment });
  expect(() => planFor(lock, computing({ label: '<orderId:lower>' }, keys))).toThrow(
    'fix: store the new value in a separate attribute, and use that attribute in GSI1SK',
  );
});

test('the fix for a new attribute never suggests a default if the library writes the attribute', () => {
  const lock = lockOf(edited({ entities: withOrder({}) }), { environment });
  const attributes = { label: z.string(), rev: z.int(), createdAt: z.iso.datetime(), extra: z.string() };
  const more = { computed: { label: '<orderId:lower>' }, version: 'rev', timestamps: { created: 'createdAt' } };
  const changes = diff(lock, lockOf(edited({ entities: withOrder(attributes, {}, more) }), { environment }));
  const byUp =
    "give stored items a value with the 'up' of a migration: 'npx tablewright plan'; or make the attribute optional";
  expect(Object.fromEntries(changes.map(({ subject, fix }) => [subject.attribute, fix]))).toEqual({
    label: "write the attribute, and compute it in stored items: 'npx tablewright plan'",
    rev: byUp,
    createdAt: byUp,
    extra: expect.stringContaining('or declare a default'),
  });
});
