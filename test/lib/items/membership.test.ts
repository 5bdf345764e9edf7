import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import { makeItem } from '../../../lib/items/item';
import { changeMaker } from '../../../lib/items/update';
import { trips } from '../../fixtures/trips';

const values = { userId: 'u', tripId: 't', name: 'North', day: '2026-01-02', called: 'on', data: { state: 'running' } };
const byState = { GPK: 'STATE#running', GSK: '2026-01-02#t' };
const byDay = { DPK: 'DAY#2026-01-02', DSK: 'TRIP#t' };

const itemOf = (more: object) => {
  const table = outline(trips());
  const {
    PK: _,
    SK: __,
    ...item
  } = makeItem(table, entityNamed(table, 'Trip') as EntityOutline, { ...values, ...more });
  return Object.fromEntries(Object.entries(item).filter(([name]) => /^[A-Z]+$/.test(name)));
};

test('a new item has the keys of an index only if it is in the index', () => {
  expect(itemOf({})).toEqual({ ...byState, ...byDay });
  expect(itemOf({ data: { state: 'done' } })).toEqual(byDay);
  expect(itemOf({ called: 'off' })).toEqual(byState);
  expect(itemOf({ called: 'off', data: { state: 'done' } })).toEqual({});
});

describe('an update', () => {
  const change = (step: Parameters<typeof trips>[0], more: object = {}) => {
    const design = trips(step);
    const table = outline(design);
    const made = changeMaker(
      table,
      entityNamed(table, 'Trip') as EntityOutline,
      'change',
      design.patterns?.change as never,
    )({ userId: 'u', tripId: 't', ...more });
    return { set: Object.fromEntries(made.set), removed: made.removed };
  };

  test('an update that removes an item from an index deletes all of its keys for that index', () => {
    const off = { set: { called: 'off' }, removed: ['DPK', 'DSK'] };
    expect(change({ set: { called: 'off' } })).toEqual(off);
    expect(change({ set: { called: '<called>' } }, { called: 'off' })).toEqual(off);
    expect(change({ set: { 'data.state': '<state>' } }, { state: 'done' }).removed).toEqual(['GPK', 'GSK']);
  });

  test('an update that moves an item into an index writes all keys of that index to the item', () => {
    const on = { set: { called: 'on', ...byDay }, removed: [] };
    expect(change({ set: { called: 'on' }, condition: { day: '<day>' } }, { day: '2026-01-02' })).toEqual(on);
    const parameter = change(
      { set: { called: '<called>', day: '<day>' }, condition: { 'data.state': { in: ['done'] } } },
      values,
    );
    expect(parameter).toEqual({ set: { ...on.set, day: '2026-01-02' }, removed: [] });
  });

  test('an update that changes part of a key rewrites the key only if the condition shows that the item is in the index', () => {
    const move = (
      called: 'on' | 'off' | { not: 'on' },
      state: 'late' | { in: ['done', 'late'] } | { not: 'late' } | 'done',
    ) => change({ set: { day: '<day>' }, condition: { called, 'data.state': state } }, values).set;
    expect(move('on', 'late')).toEqual({ day: '2026-01-02', DPK: 'DAY#2026-01-02', GSK: '2026-01-02#t' });
    expect(move({ not: 'on' }, 'done')).toEqual({ day: '2026-01-02' });
    expect(() => move('off', { in: ['done', 'late'] })).toThrow('data.state decides');
  });

  test('an update fails if it cannot tell whether the item is in the index, and the error names the missing values', () => {
    expect(() => change({ set: { day: '<day>' } }, values)).toThrow(
      "change: data.state decides if byState has the item; give it in 'set' or 'condition'",
    );
    expect(() => change({ set: { called: { attribute: 'name' } } })).toThrow(
      "called decides if byDay has the item; give it in 'set' or 'condition'",
    );
  });

  test('an update fails if it moves an item into an index without all parts of the key, and the error names the missing values', () => {
    expect(() => change({ set: { called: '<called>' } }, { called: 'on' })).toThrow('; give day too');
  });

  test('an update that changes neither keys nor index membership succeeds without knowing whether the item is in the index', () => {
    expect(change({ set: { name: 'South' } })).toEqual({ set: { name: 'South' }, removed: [] });
  });
});
