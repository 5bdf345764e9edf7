import { etagOf } from '../../../lib/azure-tables/etag';
import { KeyError } from '../../../lib/design/template';
import { controlePgm } from '../../../lib/systems';
import {
  changeDocumentType,
  createDocumentType,
  documentTypes,
  type NewDocumentType,
  SEED,
  seedDocumentTypes,
} from '../../../lib/systems/controle-pgm/procedures/document-types';
import { changeEmail, createUser, type NewUser, userByEmail } from '../../../lib/systems/controle-pgm/procedures/users';
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
const names = async () => (await client.activeUsers({})).items.map(({ Name }) => Name);

test('only one of 20 concurrent createUser calls gets the e-mail address, and the other calls leave no user behind', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => createUser(client, userOf(i))));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.name);
  expect(failures).toEqual(Array(19).fill('EmailTaken'));
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
  expect(await names()).toEqual([`Servidor ${winner}`]);
  expect(await userByEmail(client, { Email: "D'Avila@itajai.sc.gov.br" })).toMatchObject({
    Name: `Servidor ${winner}`,
  });
});

test('userByEmail returns undefined for an unused e-mail address, and refuses an invalid address', async () => {
  expect(await userByEmail(client, { Email: "x'or'y@itajai.sc.gov.br" })).toBeUndefined();
  await expect(userByEmail(client, { Email: "x' or RowKey ne '@itajai.sc.gov.br" })).rejects.toThrow(KeyError);
});

test('a failed createUser frees the e-mail address again', async () => {
  await createUser(client, userOf(1));
  await expect(createUser(client, { ...userOf(1), Email: 'novo@itajai.sc.gov.br' })).rejects.toThrow(
    'already exists; give another id',
  );
  expect(await client.emailOwner({ Email: 'novo@itajai.sc.gov.br' })).toBeUndefined();
  await createUser(client, userOf(2, 'novo@itajai.sc.gov.br'));
});

/**
 * Returns a client whose process dies once the service has executed call number `last`, before the response arrives.
 */
const dyingAt = (last: number) => {
  let calls = 0;
  return clientOf(controlePgm, async (table, call) => {
    if (++calls > last) throw new Error('the process died');
    const output = await send(table, call);
    if (calls === last) throw new Error('the process died');
    return output;
  });
};

/** Returns a client that gets no response to call number `lost`, which the service executes only if `isDone`. */
const losing = (lost: number, isDone: boolean) => {
  let calls = 0;
  return clientOf(controlePgm, async (table, call) => {
    const isLost = ++calls === lost;
    if (isLost && !isDone) throw new Error('the connection was reset');
    const output = await send(table, call);
    if (isLost) throw new Error('the connection was reset');
    return output;
  });
};

const quick = { pause: async () => undefined };
const Email = "d'avila@itajai.sc.gov.br";
const OTHER = 'novo@itajai.sc.gov.br';
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Error) => error.name,
  );

/** Expects that no two users share an e-mail address, and that userByEmail finds the owner of each address. */
async function expectOwners(): Promise<readonly string[]> {
  const { items } = await client.allUsers({});
  const emails = items.map((user) => user.Email.toLowerCase());
  expect(new Set(emails).size).toBe(emails.length);
  for (const user of items) expect(await userByEmail(client, user)).toEqual(user);
  return items.map((user) => `${user.Name} ${user.Email}`);
}

/** The calls at which a procedure can die. The procedures end before the last few of these calls. */
const calls = Array.from({ length: 9 }, (_, i) => i + 1);
const points = calls.flatMap((call) => (['before', 'after'] as const).map((when) => [call, when] as const));

describe.each(calls)('killed at call %i', (call) => {
  test('a killed createUser can be repeated', async () => {
    await createUser(dyingAt(call), userOf(1), quick).catch(() => undefined);
    await expectOwners();
    const other = await outcomeOf(createUser(client, userOf(2), quick));
    const again = await outcomeOf(createUser(client, userOf(1), quick));
    expect([other, again].toSorted()).toEqual(['EmailTaken', 'done']);
    expect(await expectOwners()).toEqual([`Servidor ${other === 'done' ? 2 : 1} ${Email}`]);
  });

  test('a killed changeEmail leaves the user with one of the two e-mail addresses, and the other is free', async () => {
    await createUser(client, userOf(1), quick);
    await changeEmail(dyingAt(call), { Id: userOf(1).Id, Email: OTHER }, quick).catch(() => undefined);
    await expectOwners();
    const old = await outcomeOf(createUser(client, userOf(2, Email), quick));
    const other = await outcomeOf(createUser(client, userOf(3, OTHER), quick));
    const again = await outcomeOf(changeEmail(client, { Id: userOf(1).Id, Email: OTHER }, quick));
    expect(['done EmailTaken done', 'EmailTaken done EmailTaken']).toContain([old, other, again].join(' '));
    const left = await expectOwners();
    expect(left.filter((one) => one.startsWith('Servidor 1 '))).toHaveLength(1);
    expect(left).toHaveLength(2);
  });
});

describe.each(points)('a connection that breaks in call %i, %s the call is executed', (call, when) => {
  const isDone = when === 'after';
  test('createUser creates the user exactly once', async () => {
    await createUser(losing(call, isDone), userOf(1), quick);
    await expect(createUser(client, userOf(2), quick)).rejects.toThrow("is another user's e-mail");
    expect(await expectOwners()).toEqual([`Servidor 1 ${Email}`]);
  });

  test('changeEmail changes the e-mail address, and frees the old one', async () => {
    await createUser(client, userOf(1), quick);
    await changeEmail(losing(call, isDone), { Id: userOf(1).Id, Email: OTHER }, quick);
    await expect(createUser(client, userOf(2, OTHER), quick)).rejects.toThrow("is another user's e-mail");
    await createUser(client, userOf(2), quick);
    expect(await expectOwners()).toEqual([`Servidor 1 ${OTHER}`, `Servidor 2 ${Email}`]);
  });
});

describe('a slow process that another process overtakes', () => {
  /** Returns a client that pauses before its first matching write until `meanwhile` has run. */
  const asleep = (isWrite: (table: string, method: string) => boolean, meanwhile: () => Promise<unknown>) => {
    let isOver = false;
    return clientOf(controlePgm, async (table, call) => {
      if (!isOver && isWrite(table, call.method)) {
        isOver = true;
        await meanwhile();
      }
      return send(table, call);
    });
  };
  test.each([
    [
      'just before createUser claims it',
      (table: string, method: string) => table === 'UsersByEmail' && method === 'createEntity',
    ],
    [
      'just before createUser writes the user',
      (table: string, method: string) => table === 'Users' && method === 'createEntity',
    ],
  ])('createUser does not take an e-mail address that another user claims %s', async (_, isWrite) => {
    const slow = asleep(isWrite, () => createUser(client, userOf(2), quick));
    await expect(createUser(slow, userOf(1), quick)).rejects.toThrow("is another user's e-mail");
    expect(await expectOwners()).toEqual([`Servidor 2 ${Email}`]);
  });

  test('a slow changeEmail keeps the old e-mail address if another user claims the new one in the meantime', async () => {
    await createUser(client, userOf(1), quick);
    const slow = asleep(
      (table, method) => table === 'Users' && method === 'updateEntity',
      () => createUser(client, userOf(2, OTHER), quick),
    );
    const changed = changeEmail(slow, { Id: userOf(1).Id, Email: OTHER }, quick);
    await expect(changed).rejects.toThrow("is another user's e-mail");
    expect(await expectOwners()).toEqual([`Servidor 1 ${Email}`, `Servidor 2 ${OTHER}`]);
  });
});

test('an e-mail address in use stays taken, even if its row in UsersByEmail is released', async () => {
  await createUser(client, userOf(1), quick);
  await client.releaseEmail({ Email });
  await expect(createUser(client, userOf(2), quick)).rejects.toThrow("is another user's e-mail");
  expect(await expectOwners()).toEqual([`Servidor 1 ${Email}`]);
});

test("a deleted user's e-mail address is free, even if its row in UsersByEmail was not released", async () => {
  for (const [digit, isReleased] of [[1, false] as const, [2, true] as const]) {
    await createUser(client, userOf(digit), quick);
    const { Id } = userOf(digit);
    await client.deleteUser({ Id }, { etag: etagOf(await client.userById({ Id })) as string });
    if (isReleased) await client.releaseEmail({ Email });
    expect(await userByEmail(client, { Email })).toBeUndefined();
  }
  await createUser(client, userOf(3), quick);
  expect(await expectOwners()).toEqual([`Servidor 3 ${Email}`]);
});

test('only one of 10 users who change to the same e-mail address at once gets it, and the others keep their old addresses', async () => {
  const ids = Array.from({ length: 10 }, (_, i) => i);
  for (const i of ids) await createUser(client, userOf(i, `s${i}@itajai.sc.gov.br`));
  const outcomes = await Promise.all(
    ids.map((i) => outcomeOf(changeEmail(client, { Id: userOf(i).Id, Email: OTHER }))),
  );
  expect(outcomes.toSorted()).toEqual([...Array(9).fill('EmailTaken'), 'done']);
  expect(await expectOwners()).toEqual(
    ids.map((i) => `Servidor ${i} ${outcomes[i] === 'done' ? OTHER : `s${i}@itajai.sc.gov.br`}`),
  );
});

test('createUser refuses an existing id with a different name, and the existing user keeps the e-mail address', async () => {
  await createUser(client, userOf(1));
  await expect(createUser(client, { ...userOf(1), Name: 'Outro' })).rejects.toThrow('already exists; give another id');
  expect(await expectOwners()).toEqual([`Servidor 1 ${Email}`]);
});

describe('document types', () => {
  const activeNames = async () => (await documentTypes(client)).map(({ Name }) => Name);
  const typeOf = (digit: number, Name: string, SortOrder = 1) => ({
    Id: `a1b2c3d4-e5f6-7890-abcd-ef12345678${String(digit).padStart(2, '0')}`,
    ...{ Name, SortOrder, IsActive: true, ...times },
  });

  test('document types are sorted by SortOrder, then by name', async () => {
    const added = [typeOf(1, 'B', 10), typeOf(2, 'C', 9), typeOf(3, 'A', 10)].map(({ Name, ...rest }) => ({
      ...rest,
      Name: `${Name}x`,
    }));
    for (const type of added) await createDocumentType(client, type);
    expect((await documentTypes(client)).map(({ Name }) => Name)).toEqual(['Cx', 'Ax', 'Bx']);
  });

  test('concurrent createDocumentType calls with the same name create only one type', async () => {
    const attempts = Array.from({ length: 10 }, (_, i) => createDocumentType(client, typeOf(i, 'Portaria')));
    const outcomes = await Promise.allSettled(attempts);
    expect((await documentTypes(client)).map(({ Name }) => Name)).toEqual(['Portaria']);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('changeDocumentType refuses to rename or activate a document type if another active type has that name', async () => {
    await createDocumentType(client, typeOf(1, 'Portaria'));
    await createDocumentType(client, typeOf(2, 'Edital'));
    await createDocumentType(client, { ...typeOf(3, 'PORTARIA'), IsActive: false });
    const renamed = changeDocumentType(client, { Id: typeOf(2, '').Id, Name: 'portaria' });
    await expect(renamed).rejects.toThrow("'portaria' is the name of another active document type");
    await expect(changeDocumentType(client, { Id: typeOf(3, '').Id, IsActive: true })).rejects.toThrow('PORTARIA');
    await changeDocumentType(client, { Id: typeOf(1, '').Id, IsActive: false });
    await changeDocumentType(client, { Id: typeOf(3, '').Id, IsActive: true });
    expect((await activeNames()).toSorted()).toEqual(['Edital', 'PORTARIA']);
  });

  test('only one of 10 concurrent renames to the same name succeeds', async () => {
    for (let i = 0; i < 10; i++) await createDocumentType(client, typeOf(i, `Tipo ${i}`));
    const attempts = Array.from({ length: 10 }, (_, i) =>
      outcomeOf(changeDocumentType(client, { Id: typeOf(i, '').Id, Name: 'Portaria' })),
    );
    expect((await Promise.all(attempts)).toSorted()).toEqual([...Array(9).fill('NameTaken'), 'done']);
    expect((await activeNames()).filter((name) => name === 'Portaria')).toHaveLength(1);
  });

  describe.each(calls.slice(0, 7))('killed at call %i', (call) => {
    test('active document types never share a name', async () => {
      await createDocumentType(dyingAt(call), typeOf(1, 'Portaria'), quick).catch(() => undefined);
      const other = await outcomeOf(createDocumentType(client, typeOf(2, 'Portaria'), quick));
      const again = await outcomeOf(createDocumentType(client, typeOf(1, 'Portaria'), quick));
      expect([other, again].toSorted()).toEqual(['NameTaken', 'done']);
      expect(await activeNames()).toEqual(['Portaria']);
    });

    test('a killed changeDocumentType leaves either the old or the new name', async () => {
      await createDocumentType(client, typeOf(1, 'Edital'), quick);
      const changes = { Id: typeOf(1, '').Id, Name: 'Portaria' };
      await changeDocumentType(dyingAt(call), changes, quick).catch(() => undefined);
      const other = await outcomeOf(createDocumentType(client, typeOf(2, 'portaria'), quick));
      const again = await outcomeOf(changeDocumentType(client, changes, quick));
      expect([other, again].toSorted()).toEqual(['NameTaken', 'done']);
      expect((await activeNames()).toSorted()).toEqual(other === 'done' ? ['Edital', 'portaria'] : ['Portaria']);
    });
  });

  test.each(points.slice(0, 14))(
    'document types are created and renamed even if the connection breaks in call %i, %s the call is executed',
    async (call, when) => {
      const lost = () => losing(call, when === 'after');
      await createDocumentType(lost(), typeOf(1, 'Edital'), quick);
      await changeDocumentType(lost(), { Id: typeOf(1, '').Id, Name: 'Portaria' }, quick);
      expect(await activeNames()).toEqual(['Portaria']);
    },
  );

  test("an inactive document type may have another type's name", async () => {
    await createDocumentType(client, { ...typeOf(1, 'Portaria'), IsActive: false });
    await createDocumentType(client, typeOf(2, 'Portaria'));
    await createDocumentType(client, { ...typeOf(3, 'Portaria'), IsActive: false });
    expect(await documentTypes(client)).toHaveLength(1);
  });

  test('createDocumentType fails if an existing document type is unreadable, because it may have the same name', async () => {
    await send('DocumentTypes', {
      ...{ method: 'createEntity', args: [{ partitionKey: 'DOCTYPE', rowKey: 'strange', Name: 'Portaria' }] },
    } as never);
    const attempt = createDocumentType(client, typeOf(1, 'Portaria'));
    await expect(attempt).rejects.toMatchObject({ name: 'ItemError' });
    expect(await documentTypes(client)).toEqual([]);
    expect(await client.documentTypeById({ Id: typeOf(1, 'Portaria').Id })).toBeUndefined();
  });

  test('seedDocumentTypes adds each type once, and a second run changes nothing', async () => {
    expect((await seedDocumentTypes(client)).map(({ added }) => added)).toEqual([true, true, true]);
    const first = (await client.activeDocumentTypes({})).items[0] as NewDocumentType;
    await changeDocumentType(client, { Id: first.Id, IsActive: false, SortOrder: 7 });
    expect((await seedDocumentTypes(client)).map(({ added }) => added)).toEqual([false, false, false]);
    expect(await client.documentTypeById({ Id: first.Id })).toMatchObject({ IsActive: false, SortOrder: 7 });
    expect((await documentTypes(client)).map(({ Prefix }) => Prefix)).toEqual(['OF', 'DESP']);
    expect(SEED.map(({ Name, Prefix, SortOrder }) => ({ Name, Prefix, SortOrder }))).toEqual([
      { Name: 'Comunicação Interna', Prefix: 'CI', SortOrder: 1 },
      { Name: 'Ofício', Prefix: 'OF', SortOrder: 2 },
      { Name: 'Despacho', Prefix: 'DESP', SortOrder: 3 },
    ]);
  });
});
