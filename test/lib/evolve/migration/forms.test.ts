import { z } from 'zod';
import { defineMigration, lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import type { EntityDesign, TableDesign } from '../../../../lib/index';
import { knownByEmail, shop } from '../../../fixtures/booked/designs';

const { customers } = knownByEmail(true).tables as { readonly customers: TableDesign };
const { Customer } = customers.entities as { readonly Customer: EntityDesign };
const attributes = z.object({ ...(Customer.attributes as z.ZodObject).shape, level: z.int() });
const after = shop({ ...customers, entities: { Customer: { ...Customer, attributes } } });
const lock = lockOf(knownByEmail(true), { environment: 'prod' });
const plan = planFor(lock, after);
const stored = { PK: 'CUSTOMER#1', SK: 'CUSTOMER', type: 'Customer', id: '1', email: 'Ada@x.org', city: 'Porto' };
const outcomeOf = (up: (item: object) => object) => {
  const migration = defineMigration(lock, after, { customers: { Customer: { up } } } as never);
  return migrationFor(plan, lock, after, migration).outcome('fill', 'customers', stored);
};

test('an `up` that changes a unique value fails, because the guard would keep the old value', () => {
  expect(outcomeOf((item) => ({ ...item, level: 1, email: 'ada@y.org' }))).toEqual({
    kind: 'failed',
    entity: 'Customer',
    why: "'up' of Customer changes email or the key, but the guard would keep the old value; return these values unchanged, and change them with the application",
  });
});

test('an `up` may change a unique value if the guard stays the same', () => {
  expect(outcomeOf((item) => ({ ...item, level: 1, email: 'ada@x.org' }))).toMatchObject({
    kind: 'update',
    set: { level: 1, email: 'ada@x.org' },
  });
});
