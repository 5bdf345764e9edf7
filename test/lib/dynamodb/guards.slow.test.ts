import { client, RequestError, transact, unique } from '../../../lib/dynamodb';
import type { Item } from '../../../lib/items/item';
import { members, membersTable } from '../../fixtures/members';
import { embedded } from '../../support/embedded';

const tables = embedded(members);
const table = tables.nameOf('members');
const db = client(membersTable, table, tables.send, { unique });
const ana = { team: 'red', id: 'ana', email: 'Ana@x.org', badge: 1, name: 'Ana' };
const bob = { team: 'red', id: 'bob', email: 'bob@x.org', badge: 2, name: 'Bob' };

async function stored(): Promise<readonly Item[]> {
  const { Items } = await tables.send('Scan', { TableName: table });
  return Items as Item[];
}

async function refusal(work: Promise<unknown>): Promise<RequestError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RequestError);
  return error as RequestError;
}

/** Stores an item without guards, like a release without the `unique` declaration. */
async function storeAlone(item: typeof ana): Promise<void> {
  const Item = { ...item, kind: 'Member', PK: `TEAM#${item.team}`, SK: `MEMBER#${item.id}` };
  await tables.send('Put', { TableName: table, Item });
}

test('a put stores a guard for each unique value, and the guard identifies the owner', async () => {
  await db.join(ana);
  expect((await stored()).filter(({ kind }) => kind !== 'Member')).toEqual(
    expect.arrayContaining([
      {
        ...{ PK: 'EMAIL#ana@x.org', SK: 'EMAIL', kind: 'Member.unique.email', email: 'Ana@x.org' },
        uniqueOwner: { team: 'red', id: 'ana' },
      },
      {
        ...{ PK: 'BADGE#red#0001', SK: 'BADGE', kind: 'Member.unique.badge', team: 'red', badge: 1 },
        uniqueOwner: { team: 'red', id: 'ana' },
      },
    ]),
  );
});

test('the error for a refused put names the `unique` declaration, but reveals nothing about the other owner', async () => {
  await db.join(ana);
  const { kind, message, writes } = await refusal(db.join({ ...bob, email: 'ANA@X.ORG' }));
  expect(kind).toBe('exists');
  expect(message).toContain('join.email: another Member has the same email');
  expect(writes).toEqual([
    {
      ...{ name: 'join.email', entity: 'Member', kind: 'exists', unique: 'email', tests: [], isEqual: false },
      key: { PK: 'EMAIL#ana@x.org', SK: 'EMAIL' },
    },
  ]);
  expect(JSON.stringify(writes)).not.toContain('"ana"');
  expect(await db.member(bob)).toBeUndefined();
});

test('an update frees the former value and claims the new value', async () => {
  await db.join(ana);
  await db.moveEmail({ team: 'red', id: 'ana', email: 'new@x.org', formerEmail: 'Ana@x.org' });
  await db.join({ ...bob, email: 'ana@x.org' });
  expect((await refusal(db.join({ ...bob, id: 'cy', email: 'new@x.org', badge: 3 }))).writes[0]?.unique).toBe('email');
});

test('an update that changes only the case of the value keeps the guard', async () => {
  await db.join(ana);
  await db.moveEmail({ team: 'red', id: 'ana', email: 'ANA@x.org', formerEmail: 'Ana@x.org' });
  expect(await db.memberByEmail({ email: 'ana@x.org' })).toMatchObject({ email: 'ANA@x.org' });
});

test('a delete frees all unique values', async () => {
  await db.join(ana);
  await db.leave(ana);
  expect(await stored()).toEqual([]);
  await db.join({ ...bob, email: ana.email, badge: ana.badge });
});

test('refuses a delete if the caller passes the unique value of a different item', async () => {
  await db.join(ana);
  await db.join(bob);
  const { kind } = await refusal(db.leave({ ...ana, email: 'bob@x.org' }));
  expect(kind).toBe('condition');
  expect(await db.memberByEmail({ email: 'bob@x.org' })).toMatchObject({ id: 'bob' });
});

describe('an item that was stored without a guard', () => {
  test('updates and deletes an item that was stored without a guard', async () => {
    await storeAlone(ana);
    await db.moveEmail({ team: 'red', id: 'ana', email: 'new@x.org', formerEmail: 'Ana@x.org' });
    await db.leave({ ...ana, email: 'new@x.org' });
    expect(await stored()).toEqual([]);
  });

  test('updates and deletes an item without a guard even after another item has claimed the value', async () => {
    await storeAlone(ana);
    await db.join({ ...bob, email: ana.email, badge: ana.badge });
    await db.moveEmail({ team: 'red', id: 'ana', email: 'new@x.org', formerEmail: 'Ana@x.org' });
    await db.leave({ ...ana, email: 'new@x.org' });
    expect(await db.memberByEmail({ email: ana.email })).toMatchObject({ id: 'bob' });
    expect(await db.memberByBadge({ team: 'red', badge: 1 })).toMatchObject({ id: 'bob' });
  });
});

test('finds no item through a stale guard', async () => {
  await db.join(ana);
  await storeAlone({ ...ana, email: 'other@x.org' });
  expect(await db.memberByEmail({ email: ana.email })).toBeUndefined();
});

test('lets several items of one owner share a value, and keeps the value claimed when one of the items is deleted', async () => {
  await db.addLogin({ loginId: 'l1', person: 'ana', phone: '+1' });
  await db.addLogin({ loginId: 'l2', person: 'ana', phone: '+1' });
  await db.dropLogin({ loginId: 'l1' });
  expect((await refusal(db.addLogin({ loginId: 'l3', person: 'bob', phone: '+1' }))).kind).toBe('exists');
  await db.addLogin({ loginId: 'l1', person: 'ana', phone: '+1' });
});

test('only the owner of a shared value can release it', async () => {
  await db.addLogin({ loginId: 'l1', person: 'ana', phone: '+1' });
  await db.freePhone({ phone: '+1', owner: 'bob' });
  expect((await refusal(db.addLogin({ loginId: 'l2', person: 'bob', phone: '+1' }))).kind).toBe('exists');
  await db.freePhone({ phone: '+1', owner: 'ana' });
  await db.freePhone({ phone: '+1', owner: 'ana' });
  await db.addLogin({ loginId: 'l2', person: 'bob', phone: '+1' });
});

test('a transaction that deletes an item and releases its value succeeds even if another owner has since claimed the value', async () => {
  await db.addLogin({ loginId: 'l1', person: 'ana', phone: '+1' });
  await db.freePhone({ phone: '+1', owner: 'ana' });
  await db.addLogin({ loginId: 'l2', person: 'bob', phone: '+1' });
  await db.dropLastLogin({ loginId: 'l1', phone: '+1', person: 'ana' });
  expect(await db.login({ loginId: 'l1' })).toBeUndefined();
  expect((await refusal(db.addLogin({ loginId: 'l3', person: 'ana', phone: '+1' }))).kind).toBe('exists');
});

test('a transaction can delete the last item with a shared value and free the value', async () => {
  await db.addLogin({ loginId: 'l1', person: 'ana', phone: '+1' });
  await db.dropLastLogin({ loginId: 'l1', phone: '+1', person: 'ana' });
  expect(await stored()).toEqual([]);
});

test('refuses one of two concurrent puts with the same unique value', async () => {
  const both = await Promise.allSettled([db.join(ana), db.join({ ...bob, email: ana.email })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('writes the guards of all steps of a composed transaction', async () => {
  await transact([db.join.step(ana), db.join.step(bob)]);
  expect(await stored()).toHaveLength(6);
  await transact([db.leave.step(ana), db.leave.step(bob)]);
  expect(await stored()).toEqual([]);
});
