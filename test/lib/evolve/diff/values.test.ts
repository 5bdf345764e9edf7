import { z } from 'zod';
import { diff, lockOf } from '../../../../lib/evolve';
import { edited, open, withOrder } from '../../../fixtures/booked/designs';

const environment = 'prod';
const changesOf = (was: object, is: object) =>
  diff(
    ...([was, is].map((attributes) => lockOf(edited({ entities: withOrder(attributes) }), { environment })) as [
      never,
      never,
    ]),
  );
const one = (was: z.ZodType, is: z.ZodType, name = 'extra') => {
  const [change, ...others] = changesOf({ [name]: was }, { [name]: is });
  expect(others).toEqual([]);
  return change;
};

describe('a changed default', () => {
  const listed = (value: number) => z.array(z.object({ n: z.number().default(value) })).optional();
  const inMap = (value: string) => z.object({ unit: z.string().default(value) }).optional();

  test.each([
    ['in a map', inMap('kg'), inMap('g'), `a missing 'extra.unit' now means "g" instead of "kg"`],
    ['in a list', listed(1), listed(2), "a missing 'extra[].n' now means 2 instead of 1"],
    ['from catch()', z.string().catch('a'), z.string().catch('b'), `a missing 'extra' now means "b" instead of "a"`],
  ])('a changed default %s needs an answer', (_, was, is, message) => {
    expect(one(was, is)).toMatchObject({ rule: 'attribute-default', verdict: 'ask', message });
  });

  test('a new default for a required attribute is reported only as a widened schema', () => {
    const is = z.object({ unit: z.string().default('kg') }).optional();
    expect(one(z.object({ unit: z.string() }).optional(), is)).toMatchObject({ rule: 'attribute-widened' });
  });
});

describe('a value that the schema rewrites', () => {
  test('a schema that starts to transform values needs an answer', () => {
    expect(one(z.string().optional(), z.string().trim().optional())).toMatchObject({
      rule: 'attribute-code',
      verdict: 'ask',
    });
    expect(changesOf({ extra: z.string().trim().optional() }, { extra: z.string().optional() })).toEqual([]);
  });

  test.each([
    [z.string(), z.string().toLowerCase()],
    [z.string().toLowerCase(), z.string()],
  ])('a schema that starts or stops rewriting part of a key needs an answer (%#)', (was, is) => {
    expect(one(was, is, 'orderId')).toMatchObject({
      rule: 'key-format',
      verdict: 'ask',
      asks: 'formatted',
      message: 'orderId, which is in SK, GSI1SK of Order, is rewritten differently before it is stored',
    });
  });
});

describe('two formats with the same name', () => {
  const [whole, exact] = [z.iso.datetime(), z.iso.datetime({ precision: 3 })];

  test('formats with the same name are compared by their options, and are not reported as changed code', () => {
    expect(one(exact, whole)).toMatchObject({
      rule: 'attribute-widened',
      message: 'extra accepts more than before (a datetime with 3 decimals becomes a datetime)',
    });
    expect(one(whole, z.iso.datetime({ offset: true }))).toMatchObject({ rule: 'attribute-widened' });
    expect(one(z.uuidv4(), z.uuidv7())).toMatchObject({ rule: 'attribute-type' });
  });

  test('a new format for part of a key needs an answer if stored strings may stay valid, and a plan if they cannot', () => {
    const inKey = (was: z.ZodType, is: z.ZodType) => one(was, is, 'orderId');
    expect(inKey(z.uuid(), z.uuidv7())).toMatchObject({ rule: 'key-format', verdict: 'ask' });
    expect(inKey(z.uuidv4(), z.uuidv7())).toMatchObject({ rule: 'key-format', verdict: 'plan' });
  });
});

test('closing an open entity needs an answer, because reads then drop undeclared attributes', () => {
  const [opened, closed] = [open({}), withOrder({})].map((entities) => lockOf(edited({ entities }), { environment }));
  expect(diff(opened as never, closed as never)).toMatchObject([
    { rule: 'entity-closed', verdict: 'ask', path: 'tables.orders.entities.Order.attributes' },
  ]);
  expect(diff(closed as never, opened as never)).toMatchObject([
    { rule: 'entity-opened', verdict: 'safe', breaks: [] },
  ]);
});
