import { z } from 'zod';
import { diff, lockOf, planFor } from '../../../../lib/evolve';
import type { EntityDesign } from '../../../../lib/index';
import { edited, withOrder } from '../../../fixtures/booked/designs';

const environment = 'prod';
const storing = (stored: EntityDesign['stored'], attributes: object = {}) =>
  edited({ entities: withOrder({ note: z.string().optional(), ...attributes }, {}, stored && { stored }) });
const lock = lockOf(storing({ note: 'n' }), { environment });

test('a lock keeps the stored names', () => {
  expect(lock.tables.orders?.design?.entities.Order).toMatchObject({ stored: { note: 'n' } });
  expect(diff(lock, lockOf(storing({ note: 'n' }), { environment }))).toEqual([]);
});

test.each([
  ['another name', { note: 'm' }, "note is stored as 'm', and was stored as 'n'", 'stored: { note:'],
  ['no stored name', undefined, "note is stored as 'note', and was stored as 'n'", 'stored: { note:'],
])('%s is a change that no plan carries out', (_, stored, message, fix) => {
  const after = storing(stored);
  expect(diff(lock, lockOf(after, { environment }))).toEqual([
    expect.objectContaining({ rule: 'attribute-stored', path: 'tables.orders.entities.Order.stored.note', message }),
  ]);
  expect(() => planFor(lock, after)).toThrow(fix);
});

test('a stored name for an attribute that had none is a change that no plan carries out', () => {
  const before = lockOf(storing(undefined), { environment });
  expect(() => planFor(before, storing({ note: 'n' }))).toThrow(
    "note is stored as 'n', and was stored as 'note'\n    fix: keep note out of stored",
  );
});

test('no plan changes stored items of an entity with stored names', () => {
  expect(() => planFor(lock, storing({ note: 'n' }, { label: z.string() }))).toThrow(
    'orders.Order has stored names, and a plan cannot change its items',
  );
});
