import type { SystemDesign } from '../../../lib/design/system';
import { touchedBy } from '../../../lib/permissions/azure-tables';
import { systems } from '../../../lib/systems';

const touched = (system: string, ...names: string[]) =>
  touchedBy(systems[system] as SystemDesign, names).map(
    ({ table, writes }) => `${table} ${writes ? 'written' : 'read'}`,
  );

test('a read of the table touches that table and the transaction records; a read of an index touches only its table', () => {
  expect(touched('blog', 'getPost')).toEqual(['blog read', 'Transactions read']);
  expect(touched('blog', 'postsByCategory')).toEqual(['blogGSI1Descending read']);
  expect(touched('transporte', 'tripResources')).toEqual(['TransporteApp read', 'Transactions read']);
});

test('a write touches the table, every index that contains the entity, and the transaction records', () => {
  expect(touched('blog', 'likePost')).toEqual([
    'blog written',
    'blogGSI1 written',
    'blogGSI2 written',
    'blogGSI1Descending written',
    'blogGSI2Descending written',
    'Transactions written',
  ]);
  expect(touched('trimobe', 'createUser')).toEqual(['Users written', 'UsersGSI1 written', 'Transactions written']);
});

test('a procedure touches the tables of the patterns that it uses', () => {
  expect(touched('booking', 'createBooking')).toEqual([
    'Bookings written',
    'BookingsGSI1 written',
    'Transactions written',
  ]);
});

test('lists each table once, and as written if at least one pattern writes to it', () => {
  expect(touched('trimobe', 'getUser', 'createUser', 'getTenant', 'tenantsOfUser')).toEqual([
    'Tenants read',
    'Users written',
    'UsersGSI1 written',
    'Transactions written',
  ]);
});

test('rejects all unknown names at once, and lists the known names', () => {
  expect(() => touched('booking', 'getTenant', 'nope', 'toString')).toThrow(
    /^system 'booking' has no pattern or procedure 'nope', 'toString'; it has getTenant, .*createBooking, cancelBooking/,
  );
});

test('refuses to grant a procedure-only pattern by name, and suggests its procedures', () => {
  expect(() => touched('controle-pgm', 'userById', 'setEmail')).toThrow(
    "setEmail: a pattern with 'procedureOnly' can be granted only through its procedures; " +
      'grant the procedure: createUser, changeEmail',
  );
  expect(touched('controle-pgm', 'changeUser')).toEqual(['Users written']);
});
