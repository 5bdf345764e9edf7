import { client } from '../../../lib/dynamodb/client';
import type { Send as DynamoDbSend } from '../../../lib/dynamodb/sending';
import { booking, cancelBooking, createBooking, payBooking, trimobe } from '../../../lib/systems';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { ruralCreditAITable } from '../../../lib/systems/trimobe/design';
import * as trimobeUsers from '../../../lib/systems/trimobe/procedures';
import { fillTenant } from '../../../lib/systems/trimobe/procedures/fill-tenant';
import { usersTable } from '../../../lib/systems/trimobe/users';
import { embedded } from '../../support/embedded';
import { atEveryCall, faulty, KINDS, outcomeOf, testedProcedures } from '../../support/faults';

jest.setTimeout(120_000);

describe('of booking', () => {
  const tables = embedded(booking);
  const { of, expectAll } = testedProcedures(booking);
  test('every procedure that writes is among these', expectAll);

  describe.each(KINDS)('at every call (%s),', (kind) => {
    const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
    const clientWith = (way: DynamoDbSend) => client(bookingsTable, tables.nameOf('Bookings'), way);
    const provider = { tenantId: 'andina', providerId: 'pro_55' };
    const pause = async () => undefined;
    test.each([
      ['within a day', '17:30', 0, '18:30'],
      ['over midnight', '23:30', 1, '00:30'],
    ] as const)(
      `${of('createBooking')} %s makes one, and says so when it is asked again`,
      async (_, from, more, to) => {
        const faults = await atEveryCall(tables.send, kind, async (way, round) => {
          // A provider a round: the days are few.
          const wanted = bookingOf('book_1', `2025-12-10T${from}`, `2025-12-${10 + more}T${to}`, {
            providerId: `pro_${round}`,
          });
          await outcomeOf(createBooking(clientWith(way), wanted, { pause }));
          expect(await outcomeOf(createBooking(bookings, wanted, { pause }))).toBe('done');
          expect(await outcomeOf(createBooking(bookings, { ...wanted, bookingId: 'book_2' }, { pause }))).toBe(
            'BookingConflict',
          );
          expect(
            await bookings.providerDay({ ...provider, providerId: `pro_${round}`, date: '2025-12-10' }),
          ).toMatchObject({
            version: 1,
          });
        });
        expect(faults).toBeGreaterThanOrEqual(4);
      },
    );

    test(`${of('cancelBooking')} frees the slot, and takes nothing from whoever has it next`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const providerId = `pro_${round}`;
        const wanted = bookingOf('book_1', '2025-12-10T10:00', '2025-12-10T11:00', { providerId });
        await createBooking(bookings, wanted, { pause });
        await outcomeOf(cancelBooking(clientWith(way), wanted, { pause, now: () => new Date(0) }));
        const cancelled = await cancelBooking(bookings, wanted, { pause });
        const next = { ...wanted, bookingId: 'book_2' };
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
        expect(await cancelBooking(bookings, wanted, { pause })).toEqual(cancelled);
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
      });
      expect(faults).toBeGreaterThanOrEqual(2);
    });

    test(`${of('payBooking')} notes a payment where the booking is by now, and says so when it is asked again`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const providerId = `pro_${round}`;
        const wanted = bookingOf('book_1', '2025-12-10T10:00', '2025-12-10T11:00', { providerId, status: 'CONFIRMED' });
        await createBooking(bookings, wanted, { pause });
        await outcomeOf(payBooking(clientWith(way), wanted));
        expect(await payBooking(bookings, wanted)).toBe('CONFIRMED');
        const late = {
          ...wanted,
          startTime: '2025-12-10T12:00:00Z',
          endTime: '2025-12-10T13:00:00Z',
          bookingId: 'book_2',
        };
        await createBooking(bookings, late, { pause });
        await cancelBooking(bookings, late, { pause });
        await outcomeOf(payBooking(clientWith(faulty(tables.send, round, kind).send), late));
        expect(await payBooking(bookings, late)).toBe('CANCELLED');
        const { items } = await bookings.bookingsOfProvider({
          ...provider,
          providerId,
          from: '2025-12-10',
          to: '2025-12-11',
        });
        expect(items.map(({ bookingId, paymentStatus }) => [bookingId, paymentStatus])).toEqual([['book_1', 'PAID']]);
        expect(
          await bookings.cancelledBooking({ ...provider, providerId, startTime: late.startTime, bookingId: 'book_2' }),
        ).toMatchObject({ paymentStatus: 'PAID' });
      });
      expect(faults).toBeGreaterThanOrEqual(1);
    });
  });
});

describe('of trimobe', () => {
  const tables = embedded(trimobe);
  const { of, expectAll } = testedProcedures(trimobe);
  test('every procedure that writes is among these', expectAll);

  describe.each(KINDS)('at every call (%s),', (kind) => {
    const users = client(usersTable, tables.nameOf('Users'), tables.send);
    const clientWith = (way: DynamoDbSend) => client(usersTable, tables.nameOf('Users'), way);
    const pause = async () => undefined;
    const tenants = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;
    const moment = '2025-01-15T10:30:00.000Z';
    const userOf = (round: number, who: number, tenantId: string = tenants[0]): trimobeUsers.NewUser => ({
      ...{ tenantId, cognitoId: `cog-${round}-${who}`, email: `Ana${round}@fazenda.br`, name: 'Ana', role: 'USER' },
      ...{ status: 'ACTIVE', createdAt: moment, updatedAt: moment },
    });
    const membershipsOf = async (email: string) => (await users.emailOwner({ email }))?.memberships;

    test(`${of('addUser')} makes one user of an address, and counts a tenant once`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        for (const tenantId of tenants) {
          const user = userOf(round, 1, tenantId);
          await outcomeOf(trimobeUsers.addUser(clientWith(faulty(way, round, 'twice').send), user, { pause }));
          await outcomeOf(trimobeUsers.addUser(clientWith(faulty(tables.send, round, kind).send), user, { pause }));
          expect(await outcomeOf(trimobeUsers.addUser(users, user, { pause }))).toBe('done');
        }
        expect(await membershipsOf(userOf(round, 1).email)).toBe(2);
        expect(await outcomeOf(trimobeUsers.addUser(users, userOf(round, 2), { pause }))).toBe('EmailTaken');
      });
      expect(faults).toBeGreaterThanOrEqual(3);
    });

    test(`${of('changeEmail', 'removeUser')} move one use of an address, and free it with the last`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const [first, second] = tenants.map((tenantId) => userOf(round, 1, tenantId)) as [
          trimobeUsers.NewUser,
          trimobeUsers.NewUser,
        ];
        for (const user of [first, second]) await trimobeUsers.addUser(users, user, { pause });
        const change = { ...first, email: `bia${round}@fazenda.br` };
        await outcomeOf(trimobeUsers.changeEmail(clientWith(way), change, { pause }));
        expect(await outcomeOf(trimobeUsers.changeEmail(users, change, { pause }))).toBe('done');
        expect([await membershipsOf(first.email), await membershipsOf(change.email)]).toEqual([1, 1]);
        for (const user of [first, second]) {
          await outcomeOf(trimobeUsers.removeUser(clientWith(faulty(tables.send, round, kind).send), user, { pause }));
          await outcomeOf(trimobeUsers.removeUser(users, user, { pause }));
          expect(await trimobeUsers.removeUser(users, user, { pause })).toBeUndefined();
        }
        expect([await membershipsOf(first.email), await membershipsOf(change.email)]).toEqual([undefined, undefined]);
      });
      expect(faults).toBeGreaterThanOrEqual(4);
    });

    test(`${of('fillTenant')} gives every address its guard, and every conversation its header, once`, async () => {
      const ai = (way: DynamoDbSend) => client(ruralCreditAITable, tables.nameOf('RuralCreditAI'), way);
      const both = (way: DynamoDbSend) => ({ ...clientWith(way), ...ai(way) });
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        // A tenant a round: it goes over all that a tenant has.
        const tenantId = `33333333-3333-4333-8333-${String(round).padStart(12, '0')}`;
        const user = userOf(round, 1, tenantId);
        const { cognitoId } = user;
        const keys = {
          PK: `TENANT#${tenantId}`,
          SK: `USER#${cognitoId}`,
          GSI1PK: `USER#${cognitoId}`,
          GSI1SK: `TENANT#${tenantId}`,
        };
        const older = { PK: `EMAIL#${user.email}`, SK: `EMAIL#${user.email}`, email: user.email, cognitoId };
        for (const Item of [{ ...keys, ...user }, older])
          await tables.send('Put', { TableName: tables.nameOf('Users'), Item });
        const id = `00000000-0000-4000-8000-${String(round).padStart(12, '0')}`;
        const conversation = {
          ...{ id, tenantId, userId: cognitoId, title: 'Custeio', summary: 'Soja', status: 'ACTIVE' as const },
          ...{ lastMessageAt: moment, createdAt: moment, updatedAt: moment },
        };
        await ai(tables.send).createConversation({ conversation });
        const Key = { PK: `CONVERSATION#${id}`, SK: 'HEADER' };
        await tables.send('Delete', { TableName: tables.nameOf('RuralCreditAI'), Key });
        await outcomeOf(fillTenant(both(way), { tenantId }, { pause }));
        expect(await outcomeOf(fillTenant(both(tables.send), { tenantId }, { pause }))).toBe('done');
        expect(await users.emailOwner(user)).toMatchObject({ cognitoId, memberships: 1 });
        expect(await users.olderEmail({ address: user.email })).toBeUndefined();
        expect(await ai(tables.send).conversationHeader({ conversationId: id })).toEqual(conversation);
      });
      expect(faults).toBeGreaterThanOrEqual(8);
    });
  });

  test('an address is not freed beside a user who cannot be read, and may have it', async () => {
    const users = client(usersTable, tables.nameOf('Users'), tables.send, { onUnknown: () => undefined });
    const tenantId = '11111111-1111-4111-8111-111111111111';
    const user = { tenantId, cognitoId: 'cog', email: 'ana@fazenda.br', name: 'Ana', role: 'USER', status: 'ACTIVE' };
    const keys = { PK: `TENANT#${tenantId}`, SK: 'USER#cog', GSI1PK: 'USER#cog', GSI1SK: `TENANT#${tenantId}` };
    // As it was before there were guards, and beside it one of which nobody knows more than that it is there.
    const stored = { ...keys, ...user, createdAt: '2025-01-15T10:30:00.000Z', updatedAt: '2025-01-15T10:30:00.000Z' };
    const strange = { ...keys, PK: 'TENANT#x', GSI1SK: 'TENANT#x' };
    for (const Item of [stored, strange]) await tables.send('Put', { TableName: tables.nameOf('Users'), Item });
    await expect(trimobeUsers.removeUser(users, { tenantId, cognitoId: 'cog' })).rejects.toThrow(
      "'cog': 1 item is not as designed, and may have 'ana@fazenda.br' in another tenant; mend them first",
    );
    expect(await users.getUser({ tenantId, cognitoId: 'cog' })).toMatchObject({ email: 'ana@fazenda.br' });
  });
});
