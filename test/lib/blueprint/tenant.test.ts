import { blueprint } from '../../../lib/blueprint/table';
import { tenantOf, tenantsIn } from '../../../lib/blueprint/tenant';
import { template } from '../../../lib/design/template';
import { booking, trimobe } from '../../../lib/systems';
import { accessesOf } from '../../support/accesses';

const tenantNames = (text: string) => {
  const read = template(text);
  return read.holes.filter((hole) => tenantsIn(trimobe)(read, hole)).map(({ name }) => name);
};

test('a part is the tenant by its name, also at the end of a path', () => {
  expect(tenantNames('X#<tenantId>#<id>')).toEqual(['tenantId']);
  expect(tenantNames('X#<message.tenantId>')).toEqual(['message.tenantId']);
});

test('a part is the tenant where the same text leads up to it as to the tenant elsewhere', () => {
  expect(tenantNames('TENANT#<id>')).toEqual(['id']);
  expect(tenantNames('CONVERSATION#<id>')).toEqual([]);
});

test('of an access, it is the part of its partition, whatever that is called', () => {
  const { bookingsOfProvider, bookSlot } = booking.tables.Bookings.patterns;
  const plan = blueprint(booking.tables.Bookings);
  const found = [bookingsOfProvider, bookSlot].flatMap((pattern) =>
    accessesOf(booking.tables.Bookings, pattern).map((access) => tenantOf(plan, access, tenantsIn(booking))?.name),
  );
  expect(found).toEqual(['tenantId', 'tenantId', 'booking.tenantId']);
});
