import { z } from 'zod';
import { diff, lockOf, planFor } from '../../../../lib/evolve';
import type { EntityDesign } from '../../../../lib/index';
import { booked } from '../../../fixtures/book-of-changes';
import { type BookedChange, edited, orders, withOrder } from '../../../fixtures/booked/designs';

const environment = 'prod';
const storing = (stored: EntityDesign['stored'], attributes: object = {}) =>
  edited({ entities: withOrder({ note: z.string().optional(), ...attributes }, {}, stored && { stored }) });
const lock = lockOf(storing({ note: 'n' }), { environment });

test('a lock records the stored names', () => {
  expect(lock.tables.orders?.design?.entities.Order).toMatchObject({ stored: { note: 'n' } });
  expect(diff(lock, lockOf(storing({ note: 'n' }), { environment }))).toEqual([]);
});

test.each([
  ['another name', { note: 'm' }, "'note' is now stored as 'm' instead of 'n'", 'stored: { note:'],
  ['no stored name', undefined, "'note' is now stored as 'note' instead of 'n'", 'stored: { note:'],
])('a plan renames the attribute in stored items if the stored name changes: %s', (_, stored, message, fix) => {
  const after = storing(stored);
  expect(diff(lock, lockOf(after, { environment }))).toEqual([
    expect.objectContaining({
      rule: 'attribute-stored',
      path: 'tables.orders.entities.Order.stored.note',
      message,
      fix: expect.stringContaining(fix),
    }),
  ]);
  expect(planFor(lock, after).items).toEqual([
    expect.objectContaining({ renamed: {}, stored: { n: stored?.note ?? 'note' }, removed: ['n'] }),
  ]);
});

test('an attribute can be renamed without a plan if its stored name stays the same', () => {
  const named = 'a renamed attribute that keeps its stored name';
  const { before, after, answers } = booked.find(({ name }) => name === named) as BookedChange;
  const [change] = diff(lockOf(before, { environment }), lockOf(after, { environment }), answers);
  expect(change).toMatchObject({
    verdict: 'safe',
    message: "'note' is renamed 'remark', and is still stored as 'n'",
    fix: 'deploy it',
  });
});

test('no plan can give an attribute a stored name that stored items already use for a different attribute', () => {
  const after = storing({ note: 'm', label: 'n' }, { label: z.string().optional() });
  expect(() => planFor(lock, after)).toThrow(
    "orders.Order.label: it is stored as 'n', but stored items have 'note' under that name\n    fix: store 'label' under a name that no attribute has used before",
  );
});

test('no plan can use a key attribute as a stored name, because no plan copies values into keys', () => {
  const sortedBy = (sort: string, stored?: EntityDesign['stored']) =>
    edited({
      indexes: { ...orders.indexes, byNote: { partition: 'shop', sort } },
      entities: withOrder({}, {}, stored && { stored }),
    });
  expect(() => planFor(lockOf(sortedBy('note'), { environment }), sortedBy('n', { note: 'n' }))).toThrow(
    'orders.Order.note: it is a key, and no plan copies values into or out of keys',
  );
});

test('changing both the stored name of an attribute and its values needs two plans', () => {
  const after = storing({ note: 'm' }, { note: z.number().optional() });
  expect(() => planFor(lock, after)).toThrow('its stored name and the form of its values both change');
});
