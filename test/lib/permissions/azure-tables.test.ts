import type { SystemDesign } from '../../../lib/design/system';
import { touchedBy } from '../../../lib/permissions/azure-tables';
import { systems } from '../../../lib/systems';

const touched = (system: string, ...names: string[]) =>
  touchedBy(systems[system] as SystemDesign, names).map(
    ({ table, writes }) => `${table} ${writes ? 'written' : 'read'}`,
  );

test('a read touches the table or the index that it asks, and nothing else', () => {
  expect(touched('blog', 'getPost')).toEqual(['blog read', 'Transactions read']);
  expect(touched('blog', 'postsByCategory')).toEqual(['blogGSI1Descending read']);
  expect(touched('transporte', 'tripResources')).toEqual(['TransporteApp read', 'Transactions read']);
});

test('a write touches the table and every index that the entity is in', () => {
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

test('a procedure touches what the patterns it uses touch', () => {
  expect(touched('booking', 'createBooking')).toEqual([
    'Bookings written',
    'BookingsGSI1 written',
    'Transactions written',
  ]);
});

test('several together touch each table once, and write where any of them does', () => {
  expect(touched('trimobe', 'getUser', 'createUser', 'getTenant', 'tenantsOfUser')).toEqual([
    'Tenants read',
    'Users written',
    'UsersGSI1 written',
    'Transactions written',
  ]);
});

test('names that the system does not have are refused together, with those it has', () => {
  expect(() => touched('booking', 'getTenant', 'nope', 'toString')).toThrow(
    /^system 'booking' has no pattern or procedure 'nope', 'toString'; it has getTenant, .*createBooking, cancelBooking/,
  );
});

test('what procedures alone send is granted with them, and not by its own name', () => {
  expect(() => touched('controle-pgm', 'userById', 'setEmail')).toThrow(
    'setEmail: only procedures send it, so it is granted with them; ' + 'grant the procedure: createUser, changeEmail',
  );
  expect(touched('controle-pgm', 'changeUser')).toEqual(['Users written']);
});
