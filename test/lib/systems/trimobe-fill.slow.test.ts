import { client } from '../../../lib/dynamodb/client';
import type { Send } from '../../../lib/dynamodb/sending';
import { trimobe } from '../../../lib/systems';
import { ruralCreditAITable, usersTable } from '../../../lib/systems/trimobe/design';
import { addUser, changeEmail, type NewUser, removeUser } from '../../../lib/systems/trimobe/procedures';
import { fillTenant } from '../../../lib/systems/trimobe/procedures/fill-tenant';
import { embedded } from '../../support/embedded';

jest.setTimeout(120_000);

const tables = embedded(trimobe);
const clientWith = (send: Send) => ({
  ...client(usersTable, tables.nameOf('Users'), send, { onUnknown: () => undefined }),
  ...client(ruralCreditAITable, tables.nameOf('RuralCreditAI'), send, { onUnknown: () => undefined }),
});
const app = clientWith(tables.send);
const quick = { pause: async () => undefined };
const put = (table: string, Item: object) => tables.send('Put', { TableName: tables.nameOf(table), Item: { ...Item } });

const tenantId = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';
const at = '2025-01-15T10:30:00.000Z';
const later = '2025-01-16T10:30:00.000Z';

const userOf = (cognitoId: string, email: string, of = tenantId): NewUser => ({
  ...{ tenantId: of, cognitoId, email, name: cognitoId, role: 'USER', status: 'ACTIVE' },
  ...{ createdAt: at, updatedAt: at },
});
/** A user of the time before there were guards. */
const writeUser = (cognitoId: string, email: string, of = tenantId) =>
  put('Users', {
    ...{ PK: `TENANT#${of}`, SK: `USER#${cognitoId}`, GSI1PK: `USER#${cognitoId}`, GSI1SK: `TENANT#${of}` },
    ...userOf(cognitoId, email, of),
  });
/** A guard of the time before they counted: it may say whose it is, or not. */
const writeGuard = (email: string, more: object = {}) =>
  put('Users', { PK: `EMAIL#${email}`, SK: `EMAIL#${email}`, email, tenantId, ...more });

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const conversationOf = (n: number) => ({
  ...{ id: idOf(n), tenantId, userId: 'ana', title: `Conversa ${n}`, summary: 'Soja', status: 'ACTIVE' },
  ...{ lastMessageAt: later, createdAt: at, updatedAt: later },
});
const writeConversation = (n: number) =>
  put('RuralCreditAI', {
    ...{ PK: `TENANT#${tenantId}`, SK: `CONVERSATION#${idOf(n)}` },
    ...{ GSI1PK: 'USER#ana', GSI1SK: `CONVERSATION#${later}` },
    ...{ GSI2PK: `TENANT#${tenantId}#CONVERSATION`, GSI2SK: later, ...conversationOf(n) },
  });
/** A header of the time before it had summary, status and the rest. */
const writeHeader = (n: number, more: object = {}) =>
  put('RuralCreditAI', {
    ...{ PK: `CONVERSATION#${idOf(n)}`, SK: 'HEADER' },
    ...{ id: idOf(n), tenantId, userId: 'ana', title: 'Outra', createdAt: at, ...more },
  });

const guardOf = (email: string) => app.emailOwner({ email });
const olderOf = (address: string) => app.olderEmail({ address });
const nothing = { guards: 0, moved: 0, headers: 0, duplicates: [], unread: 0 };

/** Ana in two tenants, Bia with an older guard in capitals, Caio with one in small letters, Davi with one that says little. */
const writeOlder = async () => {
  await writeUser('ana', 'Ana@Fazenda.br');
  await writeUser('ana', 'ana@fazenda.br', second);
  await writeUser('bia', 'Bia@Fazenda.br');
  await writeGuard('Bia@Fazenda.br', { cognitoId: 'bia' });
  await writeUser('caio', 'caio@fazenda.br');
  await writeGuard('caio@fazenda.br', { cognitoId: 'caio' });
  await writeUser('davi', 'davi@fazenda.br');
  await writeGuard('davi@fazenda.br');
  for (const n of [1, 2, 3, 4]) await writeConversation(n);
  await writeHeader(2);
  // Whole, and not as the conversation is.
  await writeHeader(4, { ...conversationOf(4), status: 'ARCHIVED' });
  await app.headConversation({ header: conversationOf(3) as never });
};

/** That every address has the guard that it should, and every conversation the header. */
const expectFilled = async () => {
  expect(await fillTenant(app, { tenantId }, quick)).toEqual(nothing);
  expect(await olderOf('Bia@Fazenda.br')).toBeUndefined();
  const guards = await Promise.all(['ana', 'bia', 'caio', 'davi'].map((name) => guardOf(`${name}@fazenda.br`)));
  expect(guards.map((guard) => [guard?.cognitoId, guard?.memberships])).toEqual([
    ['ana', 2],
    ['bia', 1],
    ['caio', 1],
    ['davi', 1],
  ]);
  for (const n of [1, 2, 3, 4])
    expect(await app.conversationHeader({ conversationId: idOf(n) })).toEqual(conversationOf(n));
};

test('guards and headers are filled in, each once, and what is as it should be stays', async () => {
  await writeOlder();
  expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, guards: 4, moved: 1, headers: 3 });
  await expectFilled();
  expect(await fillTenant(app, { tenantId: second }, quick)).toEqual(nothing);
});

test.each(Array.from({ length: 48 }, (_, i) => i + 1))(
  'killed with call %i, it does the rest when it is run again',
  async (last) => {
    await writeOlder();
    let calls = 0;
    const dying = clientWith(async (command, input) => {
      if (++calls > last) throw new Error('the process died');
      const output = await tables.send(command, input);
      if (calls === last) throw new Error('the process died');
      return output;
    });
    await fillTenant(dying, { tenantId }, quick).catch(() => undefined);
    await fillTenant(app, { tenantId }, quick);
    await expectFilled();
  },
);

test('an address that two users have is told, and stays as it is', async () => {
  await writeUser('ana', 'ana@fazenda.br');
  await writeGuard('ana@fazenda.br', { cognitoId: 'ana' });
  await writeUser('aaa', 'ANA@fazenda.br');
  // Whose it is, is known once its guard counts.
  const duplicate = { cognitoId: 'aaa', email: 'ANA@fazenda.br', hasOlderGuard: false };
  expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, guards: 1, duplicates: [duplicate] });
  const duplicates = [{ ...duplicate, owner: 'ana' }];
  expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, duplicates });
  expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 1 });
});

describe('a guard under a key with capitals', () => {
  test('goes when the one in lower case is there, also where it does not say whose it is', async () => {
    await addUser(app, userOf('ana', 'Ana@Fazenda.br'), quick);
    await writeGuard('Ana@Fazenda.br');
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, moved: 1 });
    expect(await olderOf('Ana@Fazenda.br')).toBeUndefined();
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 1 });
  });

  test('of two users, in different letters, is moved for one: the other is told with whose it is now, and keeps its own', async () => {
    for (const [name, email] of [
      ['ana', 'Ana@Fazenda.br'],
      ['bia', 'ANA@fazenda.br'],
    ] as const) {
      await writeUser(name, email);
      await writeGuard(email, { cognitoId: name });
    }
    const duplicates = [{ cognitoId: 'bia', email: 'ANA@fazenda.br', owner: 'ana', hasOlderGuard: true }];
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, guards: 1, moved: 1, duplicates });
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, duplicates });
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 1 });
    expect([await olderOf('Ana@Fazenda.br'), (await olderOf('ANA@fazenda.br'))?.cognitoId]).toEqual([undefined, 'bia']);
  });

  test('that says that it is of another keeps the address from the user who has it, and stays', async () => {
    await writeUser('ana', 'Ana@Fazenda.br');
    await writeGuard('Ana@Fazenda.br', { cognitoId: 'zoe' });
    const duplicates = [{ cognitoId: 'ana', email: 'Ana@Fazenda.br', owner: 'zoe', hasOlderGuard: false }];
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, duplicates });
    expect([await guardOf('ana@fazenda.br'), (await olderOf('Ana@Fazenda.br'))?.cognitoId]).toEqual([undefined, 'zoe']);
  });

  test('that cannot be read is counted, and nothing is decided beside it', async () => {
    await writeUser('ana', 'Ana@Fazenda.br');
    await writeGuard('Ana@Fazenda.br', { cognitoId: 7 });
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, unread: 1 });
    expect(await guardOf('ana@fazenda.br')).toBeUndefined();
    await addUser(app, userOf('bia', 'Bia@Fazenda.br'), quick);
    await writeGuard('Bia@Fazenda.br', { cognitoId: 7 });
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, unread: 2 });
  });

  test('stays as long as its user does not have the one in lower case, whatever happens meanwhile', async () => {
    await writeUser('ana', 'Ana@Fazenda.br');
    await writeGuard('Ana@Fazenda.br', { cognitoId: 'ana' });
    // The user leaves just before the older guard goes, and the address with it.
    let isGone = false;
    const slow = clientWith(async (command, input) => {
      if (command === 'TransactWrite' && !isGone) {
        isGone = true;
        await removeUser(app, { tenantId, cognitoId: 'ana' }, quick);
        await addUser(app, userOf('bia', 'ana@fazenda.br'), quick);
      }
      return tables.send(command, input);
    });
    expect(await fillTenant(slow, { tenantId }, quick)).toMatchObject({ guards: 1, moved: 0 });
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'bia', memberships: 1 });
    expect(await olderOf('Ana@Fazenda.br')).toMatchObject({ cognitoId: 'ana' });
  });
});

test('what cannot be read is counted, and nothing is decided beside it', async () => {
  await writeUser('ana', 'ana@fazenda.br');
  const strange = { GSI1PK: 'USER#ana', GSI1SK: `TENANT#${second}` };
  await put('Users', { PK: `TENANT#${second}`, SK: 'USER#ana', ...strange });
  await put('RuralCreditAI', { PK: `TENANT#${tenantId}`, SK: `CONVERSATION#${idOf(9)}` });
  expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, unread: 2 });
  expect(await guardOf('ana@fazenda.br')).toBeUndefined();
  expect(await fillTenant(app, { tenantId: second }, quick)).toEqual({ ...nothing, unread: 1 });
});

test('a header is as the conversation is, also where the conversation is changed meanwhile', async () => {
  await writeConversation(1);
  await writeHeader(1);
  let isChanged = false;
  const slow = clientWith(async (command, input) => {
    if (command === 'TransactWrite' && !isChanged) {
      isChanged = true;
      const Key = { PK: `TENANT#${tenantId}`, SK: `CONVERSATION#${idOf(1)}` };
      await tables.send('Update', {
        ...{ TableName: tables.nameOf('RuralCreditAI'), Key, UpdateExpression: 'SET title = :title' },
        ExpressionAttributeValues: { ':title': 'Nova' },
      });
    }
    return tables.send(command, input);
  });
  expect(await fillTenant(slow, { tenantId }, quick)).toEqual({ ...nothing, headers: 1 });
  expect(await app.conversationHeader({ conversationId: idOf(1) })).toEqual({ ...conversationOf(1), title: 'Nova' });
});

describe('before it has been run, a user from before there were guards', () => {
  beforeEach(() => writeUser('ana', 'Ana@fazenda.br'));

  test('is counted when the same user joins another tenant: the address is free with the last of both', async () => {
    await addUser(app, userOf('ana', 'ana@fazenda.br', second), quick);
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 2 });
    await removeUser(app, { tenantId, cognitoId: 'ana' }, quick);
    await expect(addUser(app, userOf('bia', 'ana@fazenda.br'), quick)).rejects.toThrow('the address of another user');
    await removeUser(app, { tenantId: second, cognitoId: 'ana' }, quick);
    await addUser(app, userOf('bia', 'ana@fazenda.br'), quick);
  });

  test('is counted when the same user changes to the address in another tenant', async () => {
    await addUser(app, userOf('ana', 'outra@fazenda.br', second), quick);
    await changeEmail(app, { tenantId: second, cognitoId: 'ana', email: 'ana@fazenda.br', updatedAt: later }, quick);
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 2 });
    expect(await guardOf('outra@fazenda.br')).toBeUndefined();
  });
});

test('a user whom the index does not know yet is counted all the same', async () => {
  const behind = clientWith(async (command, input) =>
    command === 'Query' && input.IndexName === 'GSI1' ? { Items: [], Count: 0 } : tables.send(command, input),
  );
  await writeUser('ana', 'ana@fazenda.br');
  expect(await fillTenant(behind, { tenantId }, quick)).toEqual({ ...nothing, guards: 1 });
  expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 1 });
  await writeUser('bia', 'bia@fazenda.br');
  expect((await removeUser(behind, { tenantId, cognitoId: 'bia' }, quick))?.cognitoId).toBe('bia');
  expect(await guardOf('bia@fazenda.br')).toBeUndefined();
});

describe('a guard from before they counted', () => {
  test('keeps the address from others, and is of its user', async () => {
    await writeUser('ana', 'ana@fazenda.br');
    await writeGuard('ana@fazenda.br', { cognitoId: 'ana' });
    await expect(addUser(app, userOf('bia', 'Ana@fazenda.br'), quick)).rejects.toThrow('the address of another user');
    await addUser(app, userOf('ana', 'ana@fazenda.br', second), quick);
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 2 });
  });

  test('that does not say whose it is keeps the address from others too', async () => {
    await writeUser('ana', 'ana@fazenda.br');
    await writeGuard('ana@fazenda.br');
    await expect(addUser(app, userOf('bia', 'ana@fazenda.br'), quick)).rejects.toThrow('the address of another user');
    expect((await removeUser(app, { tenantId, cognitoId: 'ana' }, quick))?.email).toBe('ana@fazenda.br');
    await addUser(app, userOf('bia', 'ana@fazenda.br'), quick);
  });

  test('of another is not taken by a user who has the address in capitals, and stays when that user goes', async () => {
    await writeUser('ana', 'ANA@fazenda.br');
    await writeGuard('ana@fazenda.br', { cognitoId: 'bia' });
    await expect(addUser(app, userOf('ana', 'ana@fazenda.br', second), quick)).rejects.toThrow(
      'the address of another user',
    );
    expect((await removeUser(app, { tenantId, cognitoId: 'ana' }, quick))?.email).toBe('ANA@fazenda.br');
    await expect(addUser(app, userOf('caio', 'ana@fazenda.br'), quick)).rejects.toThrow('the address of another user');
  });
});

describe('of two users with one address, as fillTenant tells them,', () => {
  const bia = { tenantId, cognitoId: 'bia' };
  beforeEach(async () => {
    await writeUser('ana', 'ana@fazenda.br');
    await writeUser('bia', 'ANA@fazenda.br');
    const { duplicates } = await fillTenant(app, { tenantId }, quick);
    expect(duplicates.map(({ cognitoId }) => cognitoId)).toEqual(['bia']);
  });
  afterEach(async () => {
    expect((await fillTenant(app, { tenantId }, quick)).duplicates).toEqual([]);
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'ana', memberships: 1 });
  });

  test('the one whose it is not gets another', async () => {
    await changeEmail(app, { ...bia, email: 'bia@fazenda.br', updatedAt: later }, quick);
    expect(await guardOf('bia@fazenda.br')).toMatchObject({ cognitoId: 'bia', memberships: 1 });
  });

  test('or one that it has in another tenant', async () => {
    await addUser(app, userOf('bia', 'bia@fazenda.br', second), quick);
    await changeEmail(app, { ...bia, email: 'Bia@fazenda.br', updatedAt: later }, quick);
    expect(await guardOf('bia@fazenda.br')).toMatchObject({ cognitoId: 'bia', memberships: 2 });
  });

  test('or goes', async () => {
    await removeUser(app, bia, quick);
    expect(await app.getUser(bia)).toBeUndefined();
  });

  test('or, once the other has another, has it', async () => {
    await changeEmail(app, { tenantId, cognitoId: 'ana', email: 'outra@fazenda.br', updatedAt: later }, quick);
    expect(await fillTenant(app, { tenantId }, quick)).toEqual({ ...nothing, guards: 1 });
    expect(await guardOf('ana@fazenda.br')).toMatchObject({ cognitoId: 'bia', memberships: 1 });
    await changeEmail(app, { ...bia, email: 'bia@fazenda.br', updatedAt: later }, quick);
    await changeEmail(app, { tenantId, cognitoId: 'ana', email: 'ana@fazenda.br', updatedAt: later }, quick);
  });
});
