import { z } from 'zod';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import type { UpdatePattern } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { ItemError } from '../../../lib/items/item';
import { changeMaker } from '../../../lib/items/update';
import { tableOf } from '../../fixtures/designs';

/* `dynamodb/update.test.ts` tests the expressions that change index keys. */

const where = { PK: 'THING#<id>', SK: 'THING' };
const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };
const attributes = z.object({
  id: z.string(),
  city: z.string().trim(),
  day: z.iso.date(),
  n: z.int(),
  ratio: z.number().optional(),
  note: z.string().optional(),
  labels: z.record(z.string(), z.string()),
});

function changeOf(
  rest: Partial<UpdatePattern>,
  values: object,
  keys: EntityDesign['keys'] = {},
  table: Partial<TableDesign> = { indexes },
) {
  const plan = outline(tableOf({ attributes, keys: { ...where, ...keys } }, table));
  const step: UpdatePattern = { op: 'update', entity: 'Thing', where, ...rest };
  const change = changeMaker(plan, entityNamed(plan, 'Thing') as EntityOutline, 'move', step)({ id: 'x', ...values });
  return { ...change, set: Object.fromEntries(change.set) };
}

test('changeMaker lists new values, copies, additions and removals separately', () => {
  const step: Partial<UpdatePattern> = {
    set: { city: '<city>', note: { attribute: 'city' } },
    add: { n: '<by>' },
    remove: ['labels.x'],
  };
  const { note: _, ...optional } = attributes.shape;
  const own = z.object({ ...optional, note: z.string(), labels: z.record(z.string(), z.string().optional()) });
  const plan = outline(
    tableOf({ attributes: own, keys: { ...where, GSI1PK: 'CITY#<city>', GSI1SK: 'A' } }, { indexes }),
  );
  const make = changeMaker(plan, entityNamed(plan, 'Thing') as EntityOutline, 'move', {
    op: 'update',
    entity: 'Thing',
    where,
    ...step,
  });
  expect(make({ id: 'x', city: 'Lima', by: 2 })).toEqual({
    set: new Map([
      ['city', 'Lima'],
      ['GSI1PK', 'CITY#Lima'],
    ]),
    copied: new Map([['note', 'city']]),
    computed: new Map(),
    added: new Map([['n', 2]]),
    removed: ['labels.x'],
  });
});

describe('parts of an index key that an update does not set', () => {
  const keys = { GSI1PK: 'CITY#<city>#<day>#<n:4>', GSI1SK: '<id>' };
  const set = { city: '<city>' };

  test('an update takes a missing key part from an equality condition, and normalizes it like the attribute', () => {
    const condition = { day: '<was>', n: '<number>' };
    const { set: changed } = changeOf({ set, condition }, { city: ' Lima ', was: '2026-01-31', number: '007' }, keys);
    expect(changed).toEqual({ city: 'Lima', GSI1PK: 'CITY#Lima#2026-01-31#0007' });
  });

  test('an update takes a missing key part from a condition with a constant', () => {
    const condition = { day: '2026-01-31', n: 7 };
    expect(changeOf({ set, condition }, { city: 'Lima' }, keys).set).toMatchObject({
      GSI1PK: 'CITY#Lima#2026-01-31#0007',
    });
  });

  test('an update takes a key part from `set` rather than from its condition', () => {
    const step = { set: { ...set, day: '<day>' }, condition: { day: '<was>', n: 7 } };
    const values = { city: 'Lima', day: '2026-02-01', was: '2026-01-31' };
    expect(changeOf(step, values, keys).set).toMatchObject({ GSI1PK: 'CITY#Lima#2026-02-01#0007' });
  });

  test('an update fails if the call omits the optional condition that supplies a key part', () => {
    const step = { set, condition: { day: '<was?>', n: 7 } };
    expect(changeOf(step, { city: 'Lima', was: '2026-01-31' }, keys).set).toHaveProperty('GSI1PK');
    const attempt = () => changeOf(step, { city: 'Lima' }, keys);
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow(/^move: it changes part of GSI1PK .*; give day too/);
  });

  test('an update rejects a key part that no item can have', () => {
    expect(() => changeOf({ set, condition: { day: '<was>', n: 7 } }, { city: 'Lima', was: '2026-1-1' }, keys)).toThrow(
      ItemError,
    );
  });

  test("an update takes a missing key part from the table key, and converts it to the attribute's type", () => {
    const own = { SK: '<n>', GSI1PK: 'CITY#<city>#<n:4>', GSI1SK: '<id>' };
    const step = { where: { PK: 'THING#<id>', SK: '<number>' }, set };
    expect(changeOf(step, { city: 'Lima', number: '007' }, own).set).toEqual({
      city: 'Lima',
      GSI1PK: 'CITY#Lima#0007',
    });
  });
});

describe('a path with the name of a built-in property', () => {
  test.each(['__proto__', 'constructor', 'toString'])(
    'an update of labels.%s changes only the item, and not Object.prototype',
    (name) => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      const { set } = changeOf({ set: { [`labels.${name}`]: '<x>' } }, { x: 'mine' });
      expect(set).toEqual({ [`labels.${name}`]: 'mine' });
      expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
      expect(({} as Record<string, unknown>)[name]).not.toBe('mine');
    },
  );

  test('a path with the name of a built-in property is safe at any depth, even in a condition', () => {
    const condition = { 'labels.__proto__.polluted': 'x', 'labels.constructor.prototype.polluted': 'y' };
    const open = z.object({ ...attributes.shape, labels: z.any() });
    const plan = outline(tableOf({ attributes: open, keys: where }));
    const step: UpdatePattern = {
      op: 'update',
      entity: 'Thing',
      where,
      set: { 'labels.__proto__.polluted': '<x>' },
      condition,
    };
    const change = changeMaker(plan, entityNamed(plan, 'Thing') as EntityOutline, 'move', step)({ id: 'x', x: 'z' });
    expect([...change.set]).toEqual([['labels.__proto__.polluted', 'z']]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(Object).not.toHaveProperty('polluted');
  });

  test.each(['__proto__', 'constructor'])(
    'a key that uses an attribute named %s takes its value only from the call',
    (name) => {
      const keys = { GSI1PK: `<labels.${name}>`, GSI1SK: '<id>' };
      const changed = changeOf({ set: { [`labels.${name}`]: '<x>' } }, { x: 'mine' }, keys).set;
      expect(changed).toMatchObject({ GSI1PK: 'mine', GSI1SK: 'x' });
      expect(changeOf({ set: { 'labels.other': '<x>' } }, { x: 'mine' }, keys).set).toEqual({ 'labels.other': 'mine' });
    },
  );
});

describe('an amount', () => {
  test.each([2, -1, 2n ** 60n])('an amount may be a number or a bigint: %p', (by) => {
    expect(changeOf({ add: { n: '<by>' } }, { by }).added).toEqual(new Map([['n', by]]));
  });

  test('an amount may be a fraction only if the attribute allows fractions', () => {
    expect(changeOf({ add: { ratio: '<by>' } }, { by: 0.5 }).added).toEqual(new Map([['ratio', 0.5]]));
    for (const field of ['add', 'subtract']) {
      expect(() => changeOf({ [field]: { n: '<by>' } }, { by: -1.5 })).toThrow(
        `Thing: n: expected a whole number to ${field}, got: -1.5`,
      );
    }
  });

  test.each(['1', null, true, {}, Number.NaN, Infinity])('an update rejects the amount %p', (by) => {
    expect(() => changeOf({ add: { n: '<by>' } }, { by })).toThrow('Thing: n: expected a number to add, got: ');
  });
});

test("an upsert writes the item's type", () => {
  const step = { upsert: true, set: { city: 'Lima', day: '2026-01-31', n: 1, labels: '<labels>' } };
  expect(changeOf(step, { labels: {} }, {}, { typeAttribute: 'kind' }).set).toMatchObject({ kind: 'Thing' });
  expect(changeOf({ ...step, upsert: false }, { labels: {} }, {}, { typeAttribute: 'kind' }).set).not.toHaveProperty(
    'kind',
  );
});

test('rejects an update without changes, and the error names the values that could be passed', () => {
  const step = { set: { city: '<city?>' }, add: { n: '<by?>' } };
  expect(() => changeOf(step, {})).toThrow('move: nothing to change; give at least one of city, n');
});

test('rejects an update that can never succeed', () => {
  expect(() => changeOf({ set: { id: 'y' } }, {})).toThrow('move.set.id can never work (primary-key id)');
  expect(() => changeOf({ add: { city: 1 } }, {})).toThrow('move.add.city can never work (not-a-number city)');
});
