import { etagOf } from '../../../lib/azure-tables/etag';
import { controlePgm } from '../../../lib/systems';
import {
  changeDocumentType,
  createDocumentType,
  documentTypes,
  SEED,
  seedDocumentTypes,
} from '../../../lib/systems/controle-pgm/procedures/document-types';
import { logsOfPeriod } from '../../../lib/systems/controle-pgm/procedures/logs';
import { nextNumber, repairSequence } from '../../../lib/systems/controle-pgm/procedures/next-number';
import { changeEmail, createUser, type NewUser, userByEmail } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf } from '../../support/azurite';
import { atEveryCall, faulty, KINDS, outcomeOf, testedProcedures } from '../../support/faults';

jest.setTimeout(120_000);

describe('controle-pgm', () => {
  const { send } = azurite(controlePgm);
  const { of, expectAll } = testedProcedures(controlePgm);
  test('this file tests every controle-pgm procedure that writes', expectAll);

  describe.each(KINDS)('with a fault at each call in turn (%s)', (kind) => {
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

    const typeOf = (round: number, who: number) => ({
      ...{ Id: idOf(round, who), Name: `Portaria ${round}`, SortOrder: 1, IsActive: true, ...times },
    });

    /**
     * Expects that exactly one user has the e-mail address, and that the address's row in UsersByEmail refers to that
     * user.
     */
    const expectOneOwner = async (round: number, isOwner: boolean) => {
      const { Email } = userOf(round, 1);
      const users = (await pgm.activeUsers({})).items.filter((user) => user.Email === Email).map(({ Id }) => Id);
      const owner = (await pgm.emailOwner({ Email }))?.UserId;
      expect({ round, users }).toEqual({ round, users: [owner] });
      if (isOwner) expect(owner).toBe(userOf(round, 1).Id);
    };

    test(`${of('createUser')} creates one user per e-mail, and succeeds if repeated`, async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        await outcomeOf(createUser(clientWith(way), userOf(round, 1), at(0)));
        expect(await outcomeOf(createUser(pgm, userOf(round, 1), at(1)))).toBe('done');
        await expectOneOwner(round, true);
        expect(await outcomeOf(createUser(pgm, userOf(round, 2), at(3600)))).toBe('EmailTaken');
        await expectOneOwner(round, true);
      });
      expect(faults).toBeGreaterThanOrEqual(3);
    });

    test('createUser takes over an abandoned e-mail address, on its second call at the latest', async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        await pgm.claimEmail({ Email: userOf(round, 1).Email, UserId: idOf(round, 9) });
        await outcomeOf(createUser(clientWith(way), userOf(round, 1), at(90)));
        expect(await outcomeOf(createUser(pgm, userOf(round, 1), at(91)))).toBe('done');
        await expectOneOwner(round, true);
      });
      expect(faults).toBeGreaterThanOrEqual(6);
    });

    test('repeated calls leave an e-mail address with only one owner, even if a slow createUser lost its claim to another call', async () => {
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

    test(`${of('createDocumentType')} leaves only one type per name after a repeated call`, async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        // Creates another type with the same name immediately before this type is written.
        const slow: typeof send = async (table, call) => {
          if (call.method === 'createEntity' || call.method === 'submitTransaction')
            await outcomeOf(createDocumentType(pgm, typeOf(round, 2), { pause }));
          return way(table, call);
        };
        await outcomeOf(createDocumentType(clientWith(slow), typeOf(round, 1), { pause }));
        const again = await outcomeOf(createDocumentType(pgm, typeOf(round, 1), { pause }));
        const named = (await documentTypes(pgm)).filter(({ Name }) => Name === `Portaria ${round}`);
        expect(named).toHaveLength(1);
        expect(again).toBe(named[0]?.Id === idOf(round, 1) ? 'done' : 'NameTaken');
      });
      expect(faults).toBeGreaterThanOrEqual(3);
    });

    const OTHER = (round: number) => `outro${round}@itajai.sc.gov.br`;

    test(`${of('changeEmail')} changes an e-mail, and frees the old e-mail for another user`, async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        await createUser(pgm, userOf(round, 1), at(0));
        const change = { Id: idOf(round, 1), Email: OTHER(round) };
        await outcomeOf(changeEmail(clientWith(way), change, at(1)));
        expect(await changeEmail(pgm, change, at(2))).toMatchObject(change);
        expect(await outcomeOf(createUser(pgm, userOf(round, 2), at(3)))).toBe('done');
        expect(await outcomeOf(createUser(pgm, { ...userOf(round, 3), Email: OTHER(round) }, at(3600)))).toBe(
          'EmailTaken',
        );
        expect((await userByEmail(pgm, { Email: OTHER(round) }))?.Id).toBe(idOf(round, 1));
        expect((await userByEmail(pgm, userOf(round, 1)))?.Id).toBe(idOf(round, 2));
      });
      expect(faults).toBeGreaterThanOrEqual(3);
    });

    test(`${of('changeDocumentType')} renames a type once, and frees the old name for another type`, async () => {
      const faults = await atEveryCall(send, kind, async (way, round) => {
        const first = typeOf(round, 1);
        await createDocumentType(pgm, first, { pause });
        const change = { Id: first.Id, Name: `Edital ${round}`, SortOrder: 2 };
        await outcomeOf(changeDocumentType(clientWith(way), change, { pause }));
        expect(await changeDocumentType(pgm, change, { pause })).toMatchObject({ ...change, IsActive: true });
        const again = { ...typeOf(round, 2), Name: change.Name };
        expect(await outcomeOf(createDocumentType(pgm, again, { pause }))).toBe('NameTaken');
        expect(await outcomeOf(createDocumentType(pgm, typeOf(round, 3), { pause }))).toBe('done');
        const names = (await documentTypes(pgm)).map(({ Name }) => Name).filter((name) => name.endsWith(` ${round}`));
        expect(names.toSorted()).toEqual([change.Name, first.Name]);
      });
      expect(faults).toBeGreaterThanOrEqual(2);
    });

    test(`${of('seedDocumentTypes')} adds each type once`, async () => {
      const faults = await atEveryCall(send, kind, async (way) => {
        await outcomeOf(seedDocumentTypes(clientWith(way), {}, { pause }));
        expect(await outcomeOf(seedDocumentTypes(pgm))).toBe('done');
        expect((await documentTypes(pgm)).map(({ Prefix }) => Prefix)).toEqual(['CI', 'OF', 'DESP']);
        for (const { Id } of SEED)
          await pgm.deleteDocumentType({ Id }, { etag: etagOf(await pgm.documentTypeById({ Id })) as string });
      });
      expect(faults).toBeGreaterThanOrEqual(4);
    });

    test(`${of('nextNumber', 'repairSequence')} give each number only once, and log each number`, async () => {
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
        // The first three calls are reads. From the fourth call on, the caller gets its number, whichever response is
        // lost.
        if (kind === 'done' && round > 3) expect(given).toHaveLength(before + 1);
        // Leaves an unwritten log in the sequence, like a caller that dies.
        const dying: typeof send = (table, call) =>
          table === 'NumberLogs' ? Promise.reject(new Error('the process died')) : send(table, call);
        await take(dying, at(round));
        await take(faulty(send, round, kind).send, at(round));
        await outcomeOf(
          repairSequence(clientWith(faulty(send, round, kind).send), {
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
