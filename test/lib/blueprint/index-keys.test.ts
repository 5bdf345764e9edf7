import { z } from 'zod';
import { type Change, type IndexKeys, settle, toldBy } from '../../../lib/blueprint/index-keys';
import { type EntityOutline, entityNamed, type KeySource, outline } from '../../../lib/blueprint/outline';
import { overlaps, template } from '../../../lib/design/template';
import { tableOf } from '../../fixtures/designs';

const key = (attribute: string, text: string, rest: Partial<KeySource> = {}): KeySource => ({
  entity: 'Thing',
  attribute,
  template: template(text),
  natural: false,
  holds: attribute,
  ...rest,
});
const index = (...keys: readonly KeySource[]): IndexKeys => ({ name: 'GSI1', keys, membership: [] });
const GPK = key('GPK', '<state>#<team>');
const GSK = key('GSK', '<at>');
const names = (keys: readonly KeySource[]) => keys.map(({ attribute }) => attribute);

/**
 * Attributes with their values. If a value is unknown, `true` or `false` tells whether the attribute exists; undefined
 * means that its existence is unknown too.
 */
type Values = Readonly<Record<string, string | boolean | undefined>>;

const change = (before: Values, after: Values): Change => {
  const at = (name: string, isAfter: boolean) => (isAfter && Object.hasOwn(after, name) ? after[name] : before[name]);
  return {
    touched: Object.keys(after),
    isKnown: ({ name }) => typeof at(name, true) === 'string',
    has: ({ name }, when) => {
      const value = at(name, when);
      return typeof value === 'string' || value;
    },
    holds: ({ name, values }, when) => {
      const value = at(name, when);
      return typeof value === 'string' ? values.includes(value) : undefined;
    },
  };
};
const settled = (indexes: readonly IndexKeys[], before: Values, after: Values, upsert = false) => {
  const { rewritten, removed, half, undecided } = settle(indexes, change(before, after), upsert);
  return {
    ...(rewritten.length > 0 && { rewritten: names(rewritten) }),
    ...(removed.length > 0 && { removed }),
    ...(half && { half: [half.key.attribute, ...half.missing.map(({ name }) => name)] }),
    ...(undecided && { undecided: undecided.missing.map(({ name }) => name) }),
  };
};

describe('a change', () => {
  const stored = { state: true, team: true, at: true };

  test('a change rewrites only the keys that contain a changed part', () => {
    expect(settled([index(GPK, GSK)], { ...stored, team: 'a' }, { state: 'new' })).toEqual({ rewritten: ['GPK'] });
  });

  test('a change reports a key as half-written if only some parts of the key are known', () => {
    expect(settled([index(GPK, GSK)], stored, { state: 'new' })).toEqual({ half: ['GPK', 'team'] });
  });

  test('removing a part of an index key removes the item from the index', () => {
    expect(settled([index(GPK, GSK)], stored, { team: false })).toEqual({ removed: ['GPK', 'GSK'] });
  });

  test('a change writes both keys of an index if the item may enter the index', () => {
    const sparse = [index(GPK, GSK)];
    const maybe = { state: undefined, team: 'a', at: 'x' };
    expect(settled(sparse, maybe, { state: 'new' })).toEqual({ rewritten: ['GPK', 'GSK'] });
    expect(settled(sparse, { ...maybe, at: true }, { state: 'new' })).toEqual({ half: ['GSK', 'at'] });
    expect(settled(sparse, { ...maybe, state: true, at: true }, { state: 'new' })).toEqual({ rewritten: ['GPK'] });
  });

  test('a change to one key is undecided if the item may lack the parts of the other key', () => {
    const sparse = [index(GPK, GSK)];
    expect(settled(sparse, { state: undefined, team: undefined, at: true }, { at: 'x' })).toEqual({
      undecided: ['state', 'team'],
    });
    expect(settled(sparse, { state: true, team: true, at: true }, { at: 'x' })).toEqual({ rewritten: ['GSK'] });
    expect(settled(sparse, { state: false, team: true, at: true }, { at: 'x' })).toEqual({});
  });

  test('a change does not rewrite natural keys, because the update itself sets them', () => {
    const team = key('team', '<team>', { natural: true });
    expect(settled([index(team, GSK)], stored, { team: 'a' })).toEqual({});
  });

  test('a change rewrites no keys if the item stays in the index and all parts of the keys stay the same', () => {
    const open: IndexKeys = {
      ...index(GPK, GSK),
      membership: [{ name: 'status', path: ['status'], values: ['open', 'pending'] }],
    };
    const before = { ...stored, status: 'open' };
    expect(settled([open], before, { status: 'pending' })).toEqual({});
    expect(settled([open], before, { status: 'done' })).toEqual({ removed: ['GPK', 'GSK'] });
    expect(settled([open], { ...before, status: 'done' }, { status: 'pending' })).toEqual({
      half: ['GPK', 'state', 'team'],
    });
    expect(settled([open], { ...before, status: 'done' }, { status: 'gone' })).toEqual({});
    // The result does not depend on whether the item has the other parts.
    expect(settled([open], { ...before, team: undefined }, { status: 'pending' })).toEqual({});
  });

  test('a key shared by two indexes is removed only if a change leaves the item in neither index', () => {
    const members = (name: string, values: string[]) => [{ name, path: [name], values }];
    const OTHER = key('OTHER', '<id>');
    const first: IndexKeys = { name: 'GSI1', keys: [GPK, GSK], membership: members('a', ['in']) };
    const second: IndexKeys = { name: 'GSI2', keys: [GPK, OTHER], membership: members('b', ['in']) };
    const before = { ...stored, id: 'i', a: 'in', b: 'in' };
    const both = [first, second];
    expect(settled(both, before, { a: 'out', b: 'out' })).toEqual({ removed: ['GPK', 'GSK', 'OTHER'] });
    expect(settled(both, before, { a: 'out' })).toEqual({ removed: ['GSK'] });
    expect(settled(both, { ...before, b: 'out' }, { a: 'out' })).toEqual({ removed: ['GPK', 'GSK'] });
    // The shared key may be removed only if the item is not in the second index, but the update cannot know whether it
    // is.
    expect(settled(both, { ...before, b: undefined, state: 's', team: 't' }, { a: 'out' })).toEqual({
      undecided: ['b'],
    });
  });
});

describe('key parts whose values follow from an update', () => {
  const table = outline(
    tableOf({
      attributes: z.object({ tenantId: z.string(), at: z.iso.datetime(), number: z.int(), status: z.string() }),
      keys: { PK: 'T#<tenantId>#<at:date>', SK: '<number:4>' },
    }),
  );
  const thing = entityNamed(table, 'Thing') as EntityOutline;

  test("an update's `where` determines every key part that contains a whole value, even if the value is formatted", () => {
    const where = { PK: 'T#<tenant>#<at:date>', SK: '<n>' };
    const told = Array.from(toldBy(table, thing, { where }), ([name, one]) => [name, 'part' in one && one.part.name]);
    expect(told).toEqual([
      ['tenantId', 'tenant'],
      ['number', 'n'],
    ]);
    expect(toldBy(table, thing, { where: { PK: 'X#<tenant>', SK: '#<n>' } }).size).toBe(0);
  });

  test("an update's condition determines an attribute only if the condition requires it to equal a given value", () => {
    const where = { PK: 'X', SK: '#' };
    const condition = { status: '<status>', at: { atLeast: '<at>' }, tenantId: { attribute: 'status' }, number: null };
    expect([...toldBy(table, thing, { where, condition })]).toEqual([['status', { operand: '<status>' }]]);
  });
});

test('a path overlaps with its nested paths, but not with a path that merely begins with the same letters', () => {
  expect([overlaps('place', 'place.city'), overlaps('place.city', 'place'), overlaps('place', 'places')]).toEqual([
    true,
    true,
    false,
  ]);
});
