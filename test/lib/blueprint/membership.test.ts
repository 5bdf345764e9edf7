import { z } from 'zod';
import * as mini from 'zod/mini';
import { isConstant, isMember, lackingIn, membershipIn } from '../../../lib/blueprint/membership';
import { type EntityOutline, entityNamed, type KeySource as Outlined, outline } from '../../../lib/blueprint/outline';
import { blueprint, factsIn, type KeySource } from '../../../lib/blueprint/table';
import { tableOf } from '../../fixtures/designs';
import { trips } from '../../fixtures/trips';

const table = outline(trips());
const trip = entityNamed(table, 'Trip') as EntityOutline;
const byState = membershipIn(trip, { name: 'byState' });

test('an item is in an index while every tested attribute has one of the listed values', () => {
  expect(isMember(byState, { data: { state: 'late' } })).toBe(true);
  expect(isMember(byState, { data: { state: 'done' } })).toBe(false);
  expect(isMember(byState, { data: {} })).toBe(false);
  expect(isMember(membershipIn(trip, {}), {})).toBe(true);
});

test.each([
  ['zod', z.object({ id: z.string(), map: z.object({ a: z.string() }).optional() })],
  ['zod/mini', mini.object({ id: mini.string(), map: mini.optional(mini.object({ a: mini.string() })) })],
])('with %s schemas, lackingIn lists the optional attributes in a key', (_, attributes) => {
  const keys = { PK: 'THING#<id>', SK: 'THING', GSI1PK: '<id>#<map.a>' };
  const plan = outline(tableOf({ attributes, keys }, { indexes: { byA: { partition: 'GSI1PK' } } }));
  const thing = entityNamed(plan, 'Thing') as EntityOutline;
  const lacking = (name: string) => lackingIn(thing, thing.keys.get(name) as Outlined);
  expect([lacking('PK'), lacking('GSI1PK')]).toEqual([[], [['map', 'a']]]);
});

test('isConstant returns false for a parameter or a reference to another attribute', () => {
  expect(['a', 1, null, '<a>', { attribute: 'a' }].map(isConstant)).toEqual([true, true, true, false, false]);
});

describe('facts about a key part', () => {
  const facts = (design = trips()) => {
    const source = blueprint(design).entities[0]?.keys.get('GPK') as KeySource;
    return factsIn(source, source.template.parts[0] as never);
  };

  test('a key part that decides index membership has one of the values listed for the index', () => {
    expect(facts()).toMatchObject({ values: ['running', 'late'], optional: false });
  });

  test('a key part is not limited to the listed values if an index without a condition has the same key attribute', () => {
    const design = trips();
    const shared = { ...design, indexes: { ...design.indexes, all: { partition: 'GPK', sort: 'SK' } } };
    expect(facts(shared)?.values).toBeUndefined();
  });
});
