import { etagOf } from '../../../lib/azure-tables';
import { KeyError } from '../../../lib/design/template';
import { controlePgm } from '../../../lib/systems';
import {
  createDocumentType,
  documentTypes,
  type NewDocumentType,
  SEED,
  seedDocumentTypes,
} from '../../../lib/systems/controle-pgm/procedures/document-types';
import { createUser, type NewUser, userByEmail } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf } from '../../support/azurite';

const { send } = azurite(controlePgm);
const client = clientOf(controlePgm, send);
const times = { CreatedAt: '2025-01-15T10:30:00Z', UpdatedAt: '2025-01-15T10:30:00Z' };
const userOf = (digit: number, Email = "d'avila@itajai.sc.gov.br"): NewUser => ({
  Id: `550e8400-e29b-41d4-a716-4466554400${String(digit).padStart(2, '0')}`,
  Email,
  Name: `Servidor ${digit}`,
  Role: 'user',
  IsActive: true,
  MustChangePassword: true,
  ...times,
});
const noon = { now: () => new Date('2025-06-15T12:00:00.000Z') };
const later = (seconds: number) => ({ now: () => new Date(Date.parse('2025-06-15T12:00:00.000Z') + seconds * 1000) });
const names = async () => (await client.activeUsers({})).items.map(({ Name }) => Name);

/** A client whose process dies before a call, and sends nothing any more. */
const dying = (isLast: (table: string, method: string) => boolean) => {
  let isDead = false;
  return clientOf(controlePgm, (table, call) => {
    isDead ||= isLast(table, call.method);
    if (isDead) throw new Error('the process died');
    return send(table, call);
  });
};

test('of 20 who want an e-mail at the same moment one gets it, and no other is left behind', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => createUser(client, userOf(i))));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.name);
  expect(failures).toEqual(Array(19).fill('EmailTaken'));
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
  expect(await names()).toEqual([`Servidor ${winner}`]);
  expect(await userByEmail(client, { Email: "D'Avila@itajai.sc.gov.br" })).toMatchObject({
    Name: `Servidor ${winner}`,
  });
});

test('nobody has an e-mail that nobody has, and what is none is not asked for', async () => {
  expect(await userByEmail(client, { Email: "x'or'y@itajai.sc.gov.br" })).toBeUndefined();
  await expect(userByEmail(client, { Email: "x' or RowKey ne '@itajai.sc.gov.br" })).rejects.toThrow(KeyError);
});

test('the e-mail of a user that could not be made is free', async () => {
  await createUser(client, userOf(1));
  await expect(createUser(client, { ...userOf(1), Email: 'novo@itajai.sc.gov.br' })).rejects.toThrow('exists already');
  expect(await client.emailOwner({ Email: 'novo@itajai.sc.gov.br' })).toBeUndefined();
  await createUser(client, userOf(2, 'novo@itajai.sc.gov.br'));
});

describe('whose maker died', () => {
  const Email = "d'avila@itajai.sc.gov.br";

  test('before the user was there, an e-mail is kept for a minute, and then to be had', async () => {
    await expect(
      createUser(
        dying((table) => table === 'Users'),
        userOf(1),
        noon,
      ),
    ).rejects.toThrow('died');
    await expect(createUser(client, userOf(2), later(59))).rejects.toThrow(`'${Email}' is the e-mail of another user`);
    await createUser(client, userOf(2), later(60));
    expect(await names()).toEqual(['Servidor 2']);
    expect(await client.emailOwner({ Email })).toEqual({ Email, UserId: userOf(2).Id });
  });

  test('after the user was there, an e-mail stays taken, and is confirmed by who comes next', async () => {
    const confirms = (table: string, method: string) => table === 'UsersByEmail' && method === 'updateEntity';
    await expect(createUser(dying(confirms), userOf(1), noon)).rejects.toThrow('died');
    expect(await client.emailOwner({ Email })).toHaveProperty('ClaimedAt');
    await expect(createUser(client, userOf(2), later(3600))).rejects.toThrow('is the e-mail of another user');
    expect(await client.emailOwner({ Email })).toEqual({ Email, UserId: userOf(1).Id });
    expect(await names()).toEqual(['Servidor 1']);
  });

  test('only seemingly: who comes back after another took the e-mail over takes the user back', async () => {
    // Asleep between claiming the e-mail and writing the user.
    const slow = clientOf(controlePgm, async (table, call) => {
      if (table === 'Users' && call.method === 'createEntity') await createUser(client, userOf(2), later(120));
      return send(table, call);
    });
    await expect(createUser(slow, userOf(1), noon)).rejects.toThrow('is the e-mail of another user');
    expect(await names()).toEqual(['Servidor 2']);
    expect(await userByEmail(client, { Email })).toMatchObject({ Name: 'Servidor 2' });
  });

  test('only seemingly: of two that meet between the user and its confirmation, one has the e-mail', async () => {
    const slow = clientOf(controlePgm, async (table, call) => {
      if (table === 'UsersByEmail' && call.method === 'updateEntity') {
        await expect(createUser(client, userOf(2), later(120))).rejects.toThrow('is the e-mail of another user');
      }
      return send(table, call);
    });
    await createUser(slow, userOf(1), noon);
    expect(await names()).toEqual(['Servidor 1']);
    expect(await client.emailOwner({ Email })).toEqual({ Email, UserId: userOf(1).Id });
  });
});

describe('where an answer is lost', () => {
  /** Calls by number whose answer never comes: the service did them, or did them only later. */
  const losing = (lost: ReadonlySet<number>, isDone: boolean) => {
    let calls = 0;
    return clientOf(controlePgm, async (table, call) => {
      const isLost = lost.has(++calls);
      if (isLost && !isDone) throw new Error('the connection was reset');
      const output = await send(table, call);
      if (isLost) throw new Error('the connection was reset');
      return output;
    });
  };
  /** Those who have the e-mail, by what is stored; and whether the guard says the same. */
  const owners = async (Email: string) => {
    const users = (await client.activeUsers({})).items.filter((user) => user.Email === Email).map(({ Id }) => Id);
    return { users, guard: (await client.emailOwner({ Email }))?.UserId };
  };
  const Email = "d'avila@itajai.sc.gov.br";
  const calls = [1, 2, 3, 4, 5, 6];

  test.each(calls.flatMap((call) => [true, false].map((isDone) => [call, isDone] as const)))(
    'of call %i (done: %p), no two users have one e-mail, and who tries again has it or is told whose it is',
    async (call, isDone) => {
      await createUser(losing(new Set([call]), isDone), userOf(1), noon).catch(() => undefined);
      await createUser(client, userOf(2), later(120)).catch(() => undefined);
      const again = await createUser(client, userOf(1), later(240)).then(
        () => 'made',
        (error: Error) => error.name,
      );
      const { users, guard } = await owners(Email);
      expect(users).toEqual([guard]);
      expect(again).toBe(guard === userOf(1).Id ? 'made' : 'EmailTaken');
    },
  );

  test('a user that was made is not unmade, and its e-mail is not given away', async () => {
    const client1 = losing(new Set([2]), true);
    await createUser(client1, userOf(1), noon);
    await expect(createUser(client, userOf(2), later(3600))).rejects.toThrow('is the e-mail of another user');
    expect(await owners(Email)).toEqual({ users: [userOf(1).Id], guard: userOf(1).Id });
  });

  test('a user of the same id and e-mail, but another name, does not free the e-mail of the one that is there', async () => {
    await createUser(client, userOf(1), noon);
    await expect(createUser(client, { ...userOf(1), Name: 'Outro' }, noon)).rejects.toThrow('exists already');
    expect(await owners(Email)).toEqual({ users: [userOf(1).Id], guard: userOf(1).Id });
  });
});

describe('document types', () => {
  const typeOf = (digit: number, Name: string, SortOrder = 1) => ({
    Id: `a1b2c3d4-e5f6-7890-abcd-ef12345678${String(digit).padStart(2, '0')}`,
    ...{ Name, SortOrder, IsActive: true, ...times },
  });

  test('are in the order of SortOrder, and then of the name', async () => {
    const added = [typeOf(1, 'B', 10), typeOf(2, 'C', 9), typeOf(3, 'A', 10)].map(({ Name, ...rest }) => ({
      ...rest,
      Name: `${Name}x`,
    }));
    for (const type of added) await createDocumentType(client, type);
    expect((await documentTypes(client)).map(({ Name }) => Name)).toEqual(['Cx', 'Ax', 'Bx']);
  });

  test('of one name that come at the same moment are one', async () => {
    const attempts = Array.from({ length: 10 }, (_, i) => createDocumentType(client, typeOf(i, 'Portaria')));
    const outcomes = await Promise.allSettled(attempts);
    expect((await documentTypes(client)).map(({ Name }) => Name)).toEqual(['Portaria']);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('that are not active may share a name', async () => {
    await createDocumentType(client, { ...typeOf(1, 'Portaria'), IsActive: false });
    await createDocumentType(client, typeOf(2, 'Portaria'));
    await createDocumentType(client, { ...typeOf(3, 'Portaria'), IsActive: false });
    expect(await documentTypes(client)).toHaveLength(1);
  });

  test('of the seed are added once, and a second time nothing is reset', async () => {
    expect((await seedDocumentTypes(client)).map(({ added }) => added)).toEqual([true, true, true]);
    const first = (await client.activeDocumentTypes({})).items[0] as NewDocumentType;
    const changed = { ...first, IsActive: false, SortOrder: 7 };
    await client.saveDocumentType(changed, { etag: etagOf(first) as string });
    expect((await seedDocumentTypes(client)).map(({ added }) => added)).toEqual([false, false, false]);
    expect(await client.documentTypeById({ Id: changed.Id })).toEqual(changed);
    expect((await documentTypes(client)).map(({ Prefix }) => Prefix)).toEqual(['OF', 'DESP']);
    expect(SEED.map(({ Name, Prefix, SortOrder }) => ({ Name, Prefix, SortOrder }))).toEqual([
      { Name: 'Comunicação Interna', Prefix: 'CI', SortOrder: 1 },
      { Name: 'Ofício', Prefix: 'OF', SortOrder: 2 },
      { Name: 'Despacho', Prefix: 'DESP', SortOrder: 3 },
    ]);
  });
});
