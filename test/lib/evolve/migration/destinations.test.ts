import { z } from 'zod';
import { outline } from '../../../../lib/blueprint/outline';
import { defineMigration, itemAfter, lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import { defineTable, type SystemDesign, type TableDesign } from '../../../../lib/index';
import { type Item, makeItem } from '../../../../lib/items/item';
import { booked } from '../../../fixtures/book-of-changes';
import type { BookedChange } from '../../../fixtures/booked/designs';

const environment = 'prod';

function changeNamed(name: string): BookedChange {
  const found = booked.find((change) => change.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

function stored(system: SystemDesign, table: string, entity: string, values: object): Item {
  const own = outline(system.tables[table] as TableDesign);
  const found = own.entities.find(({ name }) => name === entity);
  if (found === undefined) throw new Error(entity);
  return makeItem(own, found, values);
}

/** Builds the migration for a change in the same way as `migrate`. */
function migrationOf(name: string, ups: object = {}) {
  const { before, after, answers } = changeNamed(name);
  const lock = lockOf(before, { environment });
  const plan = planFor(lock, after, answers);
  const defined = defineMigration(lock, after, ups, answers);
  return { before, after, plan, migration: migrationFor(plan, lock, after, defined) };
}

const refund = { shop: 's', refundId: 'r', orderId: 'o', total: 5 };

test('moves all items of an entity to its new table', () => {
  const { before, after, plan, migration } = migrationOf('an entity moved to a second table');
  const item = stored(before, 'orders', 'Refund', refund);
  const outcome = migration.outcome('fill', 'orders', item);
  expect(outcome).toEqual({
    kind: 'move',
    entity: 'Refund',
    table: 'refunds',
    item: stored(after, 'refunds', 'Refund', refund),
  });
  expect(migration.outcome('fill', 'refunds', itemAfter(item, outcome) as Item)).toMatchObject({ kind: 'unchanged' });
  expect(migration.verified).toEqual(['orders', 'refunds']);
  expect(plan.phases.map(({ items }) => items)).not.toContain('clean');
});

test("converts the items of a merged entity to items of the target entity, and keeps the target's existing items", () => {
  const { before, after, migration } = migrationOf('an entity merged into another');
  const item = stored(before, 'orders', 'Refund', refund);
  const credit = stored(after, 'orders', 'Credit', refund);
  expect(migration.outcome('fill', 'orders', item)).toEqual({
    kind: 'move',
    entity: 'Credit',
    table: 'orders',
    item: credit,
  });
  expect(migration.outcome('clean', 'orders', credit)).toEqual({ kind: 'unchanged', entity: 'Credit' });
});

test('copies attributes into a map, and removes the original attributes in the clean phase', () => {
  const { before, migration } = migrationOf('attributes moved into a map');
  const customer = { id: 'c', email: 'e', city: 'Porto', street: 'Rua' };
  const item = stored(before, 'customers', 'Customer', customer);
  const filled = migration.outcome('fill', 'customers', item);
  expect(filled).toEqual({
    kind: 'update',
    entity: 'Customer',
    set: { address: { city: 'Porto', street: 'Rua' } },
    removed: [],
  });
  const both = itemAfter(item, filled) as Item;
  expect(migration.outcome('fill', 'customers', both)).toMatchObject({ kind: 'unchanged' });
  const { city: _, street: __, ...rest } = both;
  expect(itemAfter(both, migration.outcome('clean', 'customers', both))).toEqual(rest);
  // Only the previous release sets `city` without `address.city`, so the differing value in `city` is newer.
  const edited = { ...both, city: 'Faro' };
  expect(itemAfter(edited, migration.outcome('fill', 'customers', edited))).toMatchObject({
    city: 'Faro',
    address: { city: 'Faro', street: 'Rua' },
  });
});

test('builds keys from the values that `up` returns', () => {
  const event = { device: 'd', at: '2026-01-01T00:00:00Z', id: '0b0c0d0e-0000-4000-8000-000000000000', text: 't' };
  const at = '2026-01-01T00:00:00.000Z';
  const formatted = {
    at: { up: (old: string) => old.replace('Z', '.000Z'), down: (now: string) => now.replace('.000Z', 'Z') },
  };
  const { before, plan, migration } = migrationOf('seconds that become milliseconds in a key', {
    events: { Event: { formatted } },
  });
  const item = stored(before, 'events', 'Event', event);
  const outcome = migration.outcome('fill', 'events', item);
  expect(outcome).toMatchObject({ kind: 'update', set: { at, GSI1SKv2: `AT#${at}` }, removed: [] });
  expect(migration.outcome('fill', 'events', itemAfter(item, outcome) as Item)).toMatchObject({ kind: 'unchanged' });
  expect(plan.items).toMatchObject([{ moves: false, needsUp: ['at'] }]);
});

test("moves an item if converting an attribute changes the item's primary key", () => {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  const event = { device: 'd', at: '2026-01-01T00:00:00Z', id: '0b0c0d0e-0000-4000-8000-000000000000', text: 't' };
  const name = 'a UUID that becomes a ULID in the primary key';
  const { before, after, plan, migration } = migrationOf(name, {
    events: { Event: { formatted: { id: { up: () => id, down: () => event.id } } } },
  });
  const item = stored(before, 'events', 'Event', event);
  expect(plan.items).toMatchObject([{ moves: true, keys: { SK: { before: 'EVENT#<id>', after: 'EVENT#<id>' } } }]);
  expect(migration.outcome('fill', 'events', item)).toMatchObject({
    kind: 'move',
    item: stored(after, 'events', 'Event', { ...event, id }),
  });
});

test('converts a timestamp only once, although the new schema accepts both seconds and milliseconds', () => {
  const { before, migration } = migrationOf('a ten-digit timestamp that becomes a thirteen-digit one', {
    events: { Event: { formatted: { at: { up: (at: number) => at * 1000, down: (at: number) => at / 1000 } } } },
  });
  const event = { device: 'd', at: 1_767_225_600, id: '0b0c0d0e-0000-4000-8000-000000000000', text: 't' };
  const item = stored(before, 'events', 'Event', event);
  const outcome = migration.outcome('fill', 'events', item);
  expect(outcome).toMatchObject({ set: { at: 1_767_225_600_000, GSI1SKv2: 'AT#1767225600000' } });
  const filled = itemAfter(item, outcome) as Item;
  expect(migration.outcome('fill', 'events', filled)).toMatchObject({ kind: 'unchanged' });
  // The previous release sets the time again, in seconds.
  const again = { ...filled, at: 1_767_225_700 };
  expect(migration.outcome('fill', 'events', again)).toMatchObject({ set: { at: 1_767_225_700_000 } });
});

test('requires a `down` function if the running release rejects the new values', () => {
  const up = { orders: { Order: { formatted: { note: Number } } } };
  expect(() => migrationOf('a string that becomes a number', up)).toThrow(
    /^orders\.Order\.note: the running release refuses its new values, .* Order: \{ formatted: \{ note: \{ up: .*, down: /,
  );
});

test('rejects a conversion function if the new schema also accepts the old values', () => {
  const table = defineTable({
    name: 'events',
    key: { partition: 'PK' },
    entities: { Event: { attributes: z.object({ at: z.number() }), keys: { PK: 'AT#<at>' } } },
  });
  const answers = { formatted: { 'events.Event.at': 'is milliseconds' } };
  const ups = { Event: { formatted: { at: (seconds: number) => seconds * 1000 } } };
  expect(() => defineMigration(table, table, ups, answers)).toThrow(/the new schema accepts every old item as it is/);
});

test('rejects an answer with an invalid destination', () => {
  const { before, after } = changeNamed('an entity moved to a second table');
  const lock = lockOf(before, { environment });
  const refused = (answers: object) => () => planFor(lock, after, answers);
  expect(refused({ moved: { 'orders.Refund': 'refund' } })).toThrow(
    /^answers\.moved: 'refund' is not another table of the design; .*refunds/,
  );
  expect(refused({ moved: { 'orders.Refund': 'orders' } })).toThrow(
    /^answers\.moved: 'orders' is not another table of the design; .*refunds/,
  );
  expect(refused({ merged: { 'orders.Refund': 'Ordr' } })).toThrow(
    /^answers\.merged: 'Ordr' is not an entity of the design; .*Order/,
  );
  expect(refused({ nested: { 'orders.Refund.total': 'sum' } })).toThrow(/^answers\.nested: 'sum' is not an attribute/);
  expect(refused({ moves: {} })).toThrow(/^answers\.moves is not a known kind of answer .*moved/);
});
