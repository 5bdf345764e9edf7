import { client } from '../../../lib/dynamodb/client';
import type { Send as DynamoDbSend } from '../../../lib/dynamodb/sending';
import { booking, cancelBooking, controlePgm, createBooking, payBooking, trimobe } from '../../../lib/systems';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { bookingOf } from '../../../lib/systems/booking/examples';
import {
  createDocumentType,
  documentTypes,
  removeDocumentType,
  SEED,
  seedDocumentTypes,
} from '../../../lib/systems/controle-pgm/procedures/document-types';
import { logsOfPeriod } from '../../../lib/systems/controle-pgm/procedures/logs';
import { nextNumber, settleSequence } from '../../../lib/systems/controle-pgm/procedures/next-number';
import { createUser, type NewUser } from '../../../lib/systems/controle-pgm/procedures/users';
import * as trimobeUsers from '../../../lib/systems/trimobe/procedures';
import { usersTable } from '../../../lib/systems/trimobe/users';
import { azurite, clientOf } from '../../support/azurite';
import { embedded } from '../../support/embedded';

jest.setTimeout(120_000);

/** What may become of a call: it is done and its answer lost, lost itself, or sent twice, as the SDK does. */
const KINDS = ['done', 'lost', 'twice'] as const;
type Kind = (typeof KINDS)[number];
type AnySend = (...args: never[]) => Promise<unknown>;

/** A way to send on which something becomes of one call, by its number. */
function faulty<S extends AnySend>(send: S, at: number, kind: Kind) {
  let calls = 0;
  const through = async (...args: never[]) => {
    if (++calls !== at) return send(...args);
    if (kind === 'lost') throw new Error('the connection was reset');
    await send(...args);
    if (kind === 'twice') return send(...args);
    throw new Error('the connection was reset');
  };
  return { send: through as S, calls: () => calls };
}

/** Runs something once for each of its calls, with that call at fault; every round has a number of its own. */
async function atEveryCall<S extends AnySend>(
  send: S,
  kind: Kind,
  run: (send: S, round: number) => Promise<void>,
): Promise<number> {
  for (let at = 1; ; at++) {
    const fault = faulty(send, at, kind);
    await run(fault.send, at);
    if (fault.calls() < at) return at - 1;
  }
}

/** What came of something: 'done', or the name of its error. */
const outcomeOf = (doing: Promise<unknown>) =>
  doing.then(
    () => 'done',
    ({ name, message }: Error) => (name === 'Error' ? message : name),
  );

describe('of controle-pgm', () => {
  const { send } = azurite(controlePgm);
  describe.each(KINDS)('at every call (%s),', (kind) => {
    const pgm = clientOf(controlePgm, send);
    const clientWith = (way: typeof send) => clientOf(controlePgm, way);
    const pause = async () => undefined;
    const at = (seconds: number) => ({ now: () => new Date(Date.UTC(2025, 5, 15, 12, 0, seconds)), pause });
    const times = { CreatedAt: '2025-01-15T10:30:00Z', UpdatedAt: '2025-01-15T10:30:00Z' };
    const idOf = (round: number, who: number) =>
      `550e8400-e29b-41d4-a716-${String(round).padStart(10, '0')}${String(who).padStart(2, '0')}`;
    const userOf = (round: number, who: number): NewUser => ({
      ...{ Id: idOf(round, who), Email: `user${round}@itajai.sc.gov.br`, Name: `Servidor ${who}` },
      ...{ Role: 'user', IsActive: true, MustChangePassword: true, ...times },
    });

    /** Who has an e-mail: those whose record says so, and the one who is found by it. */
    const expectOneOwner = async (round: number, isOwner: boolean) => {
      const { Email } = userOf(round, 1);
      const users = (await pgm.activeUsers({})).items.filter((user) => user.Email === Email).map(({ Id }) => Id);
      const owner = (await pgm.emailOwner({ Email }))?.UserId;
      expect({ round, users }).toEqual({ round, users: [owner] });
      if (isOwner) expect(owner).toBe(userOf(round, 1).Id);
    };

    test('createUser makes one user of an e-mail, and says so when it is asked again', async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        await outcomeOf(createUser(clientWith(way), userOf(round, 1), at(0)));
        expect(await outcomeOf(createUser(pgm, userOf(round, 1), at(1)))).toBe('done');
        await expectOneOwner(round, true);
        expect(await outcomeOf(createUser(pgm, userOf(round, 2), at(3600)))).toBe('EmailTaken');
        await expectOneOwner(round, true);
      });
      expect(faults).toBeGreaterThanOrEqual(3);
    });

    test('createUser takes over what was left behind, or does not, but never by half', async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        await pgm.claimEmail({
          Email: userOf(round, 1).Email,
          UserId: idOf(round, 9),
          ClaimedAt: '2025-06-15T12:00:00Z',
        });
        await outcomeOf(createUser(clientWith(way), userOf(round, 1), at(90)));
        expect(await outcomeOf(createUser(pgm, userOf(round, 1), at(91)))).toBe('done');
        await expectOneOwner(round, true);
      });
      expect(faults).toBeGreaterThanOrEqual(6);
    });

    test('createUser that was thought dead takes its user back, if not at once then when it is asked again', async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        const asleep: typeof send = async (table, call) => {
          if (table === 'Users' && call.method === 'createEntity')
            await outcomeOf(createUser(pgm, userOf(round, 2), at(120)));
          return way(table, call);
        };
        await outcomeOf(createUser(clientWith(asleep), userOf(round, 1), at(0)));
        await outcomeOf(createUser(pgm, userOf(round, 1), at(121)));
        await outcomeOf(createUser(pgm, userOf(round, 2), at(240)));
        await expectOneOwner(round, false);
      });
      expect(faults).toBeGreaterThanOrEqual(6);
    });

    test('createDocumentType leaves one of a name, if not at once then when it is asked again', async () => {
      const typeOf = (round: number, who: number) => ({
        ...{ Id: idOf(round, who), Name: `Portaria ${round}`, SortOrder: 1, IsActive: true, ...times },
      });
      const faults = await atEveryCall(send, kind, async (way, round) => {
        // Another is made, and looked at, just before this one is written.
        const slow: typeof send = async (table, call) => {
          if (call.method === 'createEntity') await outcomeOf(createDocumentType(pgm, typeOf(round, 2), { pause }));
          return way(table, call);
        };
        await outcomeOf(createDocumentType(clientWith(slow), typeOf(round, 1), { pause }));
        const again = await outcomeOf(createDocumentType(pgm, typeOf(round, 1), { pause }));
        const named = (await documentTypes(pgm)).filter(({ Name }) => Name === `Portaria ${round}`);
        expect(named).toHaveLength(1);
        expect(again).toBe(named[0]?.Id === idOf(round, 1) ? 'done' : 'NameTaken');
      });
      expect(faults).toBeGreaterThanOrEqual(4);
    });

    test('seedDocumentTypes adds each once', async () => {
      const faults = await atEveryCall(send, kind, async (way) => {
        await outcomeOf(seedDocumentTypes(clientWith(way)));
        expect(await outcomeOf(seedDocumentTypes(pgm))).toBe('done');
        expect((await documentTypes(pgm)).map(({ Prefix }) => Prefix)).toEqual(['CI', 'OF', 'DESP']);
        for (const { Id } of SEED) await removeDocumentType(pgm, { Id });
      });
      expect(faults).toBeGreaterThanOrEqual(4);
    });

    test('nextNumber and settleSequence give each number once, with its log', async () => {
      await seedDocumentTypes(pgm);
      await createUser(pgm, userOf(0, 1), at(0));
      const request = { DocumentTypeId: SEED[0]?.Id as string, UserId: idOf(0, 1) };
      const given: number[] = [];
      const take = async (way: typeof send, moment: object) => {
        const number = await nextNumber(clientWith(way), request, moment).catch(() => undefined);
        if (number !== undefined) given.push(number.Number);
      };
      const faults = await atEveryCall(send, kind, async (way, round) => {
        const before = given.length;
        await take(way, at(round));
        // Whatever of its writes had no answer, the number is given: the first three calls read, the last but one is the log.
        if (kind === 'done' && round > 3) expect(given).toHaveLength(before + 1);
        // Also where somebody else left a log behind.
        const dying: typeof send = (table, call) =>
          table === 'NumberLogs' ? Promise.reject(new Error('the process died')) : send(table, call);
        await take(dying, at(round));
        await take(faulty(send, round, kind).send, at(round));
        await outcomeOf(
          settleSequence(clientWith(faulty(send, round, kind).send), {
            DocumentTypeId: request.DocumentTypeId,
            Year: 2025,
          }),
        );
      });
      await take(send, at(100));
      const logged = (await logsOfPeriod(pgm, { from: '2025-06', to: '2025-06' })).map((log) => log.Number);
      const { LastNumber } = (await pgm.getSequence({ DocumentTypeId: request.DocumentTypeId, Year: 2025 })) ?? {};
      expect(logged.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LastNumber ?? 0 }, (_, i) => i + 1));
      expect(new Set(given).size).toBe(given.length);
      expect(faults).toBeGreaterThanOrEqual(5);
    });
  });
});

describe('of booking', () => {
  const tables = embedded(booking);
  describe.each(KINDS)('at every call (%s),', (kind) => {
    const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
    const clientWith = (way: DynamoDbSend) => client(bookingsTable, tables.nameOf('Bookings'), way);
    const provider = { tenantId: 'andina', providerId: 'pro_55' };
    const pause = async () => undefined;
    test.each([
      ['within a day', '17:30', 0, '18:30'],
      ['over midnight', '23:30', 1, '00:30'],
    ] as const)('createBooking %s makes one, and says so when it is asked again', async (_, from, more, to) => {
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
    });

    test('cancelBooking frees the slot, and takes nothing from whoever has it next', async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const providerId = `pro_${round}`;
        const wanted = bookingOf('book_1', '2025-12-10T10:00', '2025-12-10T11:00', { providerId });
        await createBooking(bookings, wanted, { pause });
        await outcomeOf(cancelBooking(clientWith(way), wanted, { pause }));
        await outcomeOf(cancelBooking(bookings, wanted, { pause }));
        const next = { ...wanted, bookingId: 'book_2' };
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
        expect(await outcomeOf(cancelBooking(bookings, wanted, { pause }))).toBe('BookingNotFound');
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
      });
      expect(faults).toBeGreaterThanOrEqual(2);
    });

    test('payBooking notes a payment where the booking is by now, and says so when it is asked again', async () => {
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

    test('addUser makes one user of an address, and counts a tenant once', async () => {
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

    test('changeEmail moves one use of an address, and removeUser frees it with the last', async () => {
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
          expect(await outcomeOf(trimobeUsers.removeUser(users, user, { pause }))).toBe('UserNotFound');
        }
        expect([await membershipsOf(first.email), await membershipsOf(change.email)]).toEqual([undefined, undefined]);
      });
      expect(faults).toBeGreaterThanOrEqual(4);
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
