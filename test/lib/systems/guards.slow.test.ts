import { client } from '../../../lib/dynamodb/client';
import type { Send } from '../../../lib/dynamodb/sending';
import { unique } from '../../../lib/dynamodb/unique';
import { blog, trimobe } from '../../../lib/systems';
import { blogTable } from '../../../lib/systems/blog';
import { type Message, postMessage, ruralCreditAITable, usersTable } from '../../../lib/systems/trimobe';
import { embedded } from '../../support/embedded';
import { atEveryCall, KINDS, outcomeOf, testedProcedures } from '../../support/faults';

// These tests take seconds when run alone, and longer in parallel with other tests.
jest.setTimeout(120_000);

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const at = (millisecond: number) => new Date(Date.UTC(2026, 2, 1) + millisecond).toISOString();

/** Makes `count` calls at once, waits for all of them, and returns the names of their errors. */
async function errorsOf(count: number, run: (i: number) => Promise<unknown>): Promise<readonly string[]> {
  const outcomes = await Promise.all(Array.from({ length: count }, (_, i) => outcomeOf(run(i))));
  return outcomes.filter((outcome) => outcome !== 'done');
}

/** Repeats a call, as an application would, until it succeeds or fails for a reason other than a conflict. */
async function insisting(run: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if ((error as { kind?: string }).kind !== 'conflict') throw error;
    }
  }
}

describe('a like', () => {
  const tables = embedded(blog);
  const app = client(blogTable, tables.nameOf('blog'), tables.send, { unique });
  const like = (i: number) => ({ userId: 'u1', postId: 'p1', createdAt: at(i) });
  const likes = async () => (await app.likesOfPost({ postId: 'p1' })).items;

  test('likePost stores a like only once, even if many requests arrive at the same time', async () => {
    const errors = await errorsOf(30, (i) => insisting(() => app.likePost(like(i))));
    expect(errors).toEqual(Array(29).fill('TransactionCanceledException'));
    expect(await likes()).toHaveLength(1);
  });

  test('without the guard, the same like could be stored many times', async () => {
    const { unique: _, ...Like } = blogTable.entities.Like;
    const unguarded = { ...blogTable, entities: { ...blogTable.entities, Like } } as unknown as typeof blogTable;
    const without = client(unguarded, tables.nameOf('blog'), tables.send);
    await errorsOf(5, (i) => without.likePost(like(i)));
    expect(await likes()).toHaveLength(5);
  });

  test('a user can remove a like and like again, and a late retry does not remove the new like', async () => {
    await app.likePost(like(1));
    for (let i = 0; i < 2; i++) await app.unlikePost(like(1));
    await app.likePost(like(2));
    await app.unlikePost(like(1));
    expect(await likes()).toMatchObject([like(2)]);
    await expect(app.likePost(like(3))).rejects.toMatchObject({ kind: 'exists' });
  });
});

describe('an address', () => {
  const tables = embedded(trimobe);
  const users = client(usersTable, tables.nameOf('Users'), tables.send, { unique });
  const user = (cognitoId: string, email: string, tenantId = uuid(1)) => ({
    ...{ tenantId, cognitoId, email, name: cognitoId, role: 'USER' as const, status: 'ACTIVE' },
    ...{ createdAt: at(0), updatedAt: at(0) },
  });
  const inTenant = async (tenantId = uuid(1)) => (await users.usersOfTenant({ tenantId })).items;

  test('only one of 30 people who claim an address at the same time gets it, whatever its letter case', async () => {
    const errors = await errorsOf(30, (i) =>
      insisting(() => users.createUser(user(`c-${i}`, i % 2 ? 'ana@x.example' : 'Ana@X.example'))),
    );
    expect(errors).toEqual(Array(29).fill('TransactionCanceledException'));
    expect(await inTenant()).toHaveLength(1);
  });

  test('without the guard, several people could get the same address', async () => {
    const { unique: _, ...User } = usersTable.entities.User;
    const unguarded = { ...usersTable, entities: { User } } as unknown as typeof usersTable;
    const { createUser } = client(
      { ...unguarded, patterns: { createUser: usersTable.patterns.createUser } } as unknown as typeof usersTable,
      tables.nameOf('Users'),
      tables.send,
    );
    await errorsOf(5, (i) => createUser(user(`c-${i}`, 'ana@x.example')));
    expect(await inTenant()).toHaveLength(5);
  });

  test('a person who joins 20 tenants at once claims one address for all of them, and the address stays reserved until releaseEmail is called', async () => {
    const own = Array.from({ length: 20 }, (_, i) => user('ana', 'ana@x.example', uuid(i)));
    expect(await errorsOf(20, (i) => insisting(() => users.createUser(own[i] as never)))).toEqual([]);
    for (const { tenantId, cognitoId } of own) await users.removeUser({ tenantId, cognitoId });
    await expect(users.createUser(user('bia', 'ana@x.example'))).rejects.toMatchObject({ kind: 'exists' });
    await users.releaseEmail({ email: 'ana@x.example', cognitoId: 'bia' });
    await expect(users.createUser(user('bia', 'ana@x.example'))).rejects.toMatchObject({ kind: 'exists' });
    for (let i = 0; i < 2; i++) await users.releaseEmail({ email: 'Ana@x.example', cognitoId: 'ana' });
    await users.createUser(user('bia', 'ana@x.example'));
  });

  test('only one of 10 users who change to the same address at once gets it, and the others keep their addresses', async () => {
    const people = Array.from({ length: 10 }, (_, i) => user(`p-${i}`, `p-${i}@x.example`));
    for (const one of people) await users.createUser(one);
    const changeOf = ({ tenantId, cognitoId, email }: (typeof people)[0]) => ({
      ...{ tenantId, cognitoId, formerEmail: email, email: 'New@x.example', updatedAt: at(1) },
    });
    const errors = await errorsOf(10, (i) => insisting(() => users.changeEmail(changeOf(people[i] as never))));
    expect(errors).toEqual(Array(9).fill('TransactionCanceledException'));
    const moved = (await inTenant()).filter(({ email }) => email === 'New@x.example');
    expect(moved).toHaveLength(1);
    const cognitoId = moved[0]?.cognitoId as string;
    expect((await inTenant()).filter((one) => one.email === `${one.cognitoId}@x.example`)).toHaveLength(9);
    await users.releaseEmail({ email: `${cognitoId}@x.example`, cognitoId });
    await users.createUser(user('new', `${cognitoId}@x.example`));
  });

  test.each(KINDS)(
    'an address belongs to only one user even if a request sent by createUser or changeEmail has a fault (%s)',
    async (kind) => {
      await atEveryCall(tables.send, kind, async (way: Send, round) => {
        const lossy = client(usersTable, tables.nameOf('Users'), way, { unique });
        const ana = user(`ana-${round}`, `ana-${round}@x.example`);
        await outcomeOf(lossy.createUser(ana));
        expect(['done', 'TransactionCanceledException']).toContain(await outcomeOf(users.createUser(ana)));
        const change = { ...ana, formerEmail: ana.email, email: `bia-${round}@x.example`, updatedAt: at(1) };
        await outcomeOf(lossy.changeEmail(change));
        await outcomeOf(users.changeEmail(change));
        expect(await users.getUser(ana)).toMatchObject({ email: change.email });
        for (const email of [ana.email, change.email])
          await expect(users.createUser(user('other', email))).rejects.toMatchObject({ kind: 'exists' });
      });
    },
  );
});

describe('a conversation', () => {
  const tables = embedded(trimobe);
  const { of, expectAll } = testedProcedures(trimobe);
  const clientWith = (send: Send) => client(ruralCreditAITable, tables.nameOf('RuralCreditAI'), send);
  const app = clientWith(tables.send);
  const [tenantId, conversationId] = [uuid(1), uuid(2)];
  const quick = { pause: () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20)) };
  const message = (n: number, id = conversationId): Message => ({
    ...{ id: uuid(n), tenantId, conversationId: id, role: 'USER', content: 'Oi', attachments: [], createdAt: at(n) },
  });
  const create = (id = conversationId) =>
    app.createConversation({
      conversation: {
        ...{ id, tenantId, userId: 'ana', title: 'Custeio', summary: '', status: 'ACTIVE' },
        ...{ lastMessageAt: at(0), createdAt: at(0), updatedAt: at(0) },
      },
    });
  const lastOf = async (id = conversationId) =>
    (await app.getConversation({ tenantId, conversationId: id }))?.lastMessageAt;
  const messagesOf = async (id = conversationId) => (await app.messagesOfConversation({ conversationId: id })).items;

  test('this file tests every trimobe procedure that writes', expectAll);

  test("an older message that arrives late is stored, but does not change its conversation's lastMessageAt", async () => {
    await create();
    const seen: (string | undefined)[] = [];
    for (const n of [5, 3, 9, 1, 7]) {
      await postMessage(app, message(n), quick);
      seen.push(await lastOf());
    }
    expect(seen).toEqual([5, 5, 9, 9, 9].map(at));
    expect((await messagesOf()).map(({ createdAt }) => createdAt)).toEqual([1, 3, 5, 7, 9].map(at));
  });

  test(`if ${of('postMessage')} stores 30 messages at once, in any order, lastMessageAt is the time of the latest message`, async () => {
    await create();
    const order = Array.from({ length: 30 }, (_, i) => ((i * 7) % 30) + 1);
    expect(await errorsOf(30, (i) => postMessage(app, message(order[i] as number), quick))).toEqual([]);
    expect(await lastOf()).toBe(at(30));
    expect(await messagesOf()).toHaveLength(30);
  });

  test('without the condition on lastMessageAt, an older message would move lastMessageAt back', async () => {
    await create();
    const { addMessage } = ruralCreditAITable.patterns;
    const { condition: _, ...conversation } = addMessage.steps.conversation;
    const patterns = { addMessage: { ...addMessage, steps: { ...addMessage.steps, conversation } } };
    const without = client({ ...ruralCreditAITable, patterns }, tables.nameOf('RuralCreditAI'), tables.send);
    for (const n of [5, 3]) await without.addMessage({ message: message(n) });
    expect(await lastOf()).toBe(at(3));
  });

  test("postMessage stores a message in a transaction of two writes, even if the conversation's header is missing", async () => {
    await create();
    const Key = { PK: `CONVERSATION#${conversationId}`, SK: 'HEADER' };
    await tables.send('Delete', { TableName: tables.nameOf('RuralCreditAI'), Key });
    const written: number[] = [];
    const counting: Send = (command, input) => {
      written.push((input.TransactItems as readonly object[] | undefined)?.length ?? 1);
      return tables.send(command, input);
    };
    await postMessage(clientWith(counting), message(1), quick);
    expect(written).toEqual([2]);
  });

  test('postMessage compares times of any precision, and writes them in a single format', async () => {
    await create();
    await postMessage(app, { ...message(1), createdAt: '2026-03-01T00:00:01.500Z' }, quick);
    await postMessage(app, { ...message(2), createdAt: '2026-03-01T00:00:01Z' }, quick);
    expect(await lastOf()).toBe('2026-03-01T00:00:01.500Z');
    expect((await messagesOf()).map(({ createdAt }) => createdAt)).toEqual([at(1000), at(1500)]);
  });

  test.each(KINDS)('postMessage stores a message only once even if a request has a fault (%s)', async (kind) => {
    await atEveryCall(tables.send, kind, async (way: Send, round) => {
      const id = uuid(100 + round);
      await create(id);
      for (const n of [5, 3]) {
        await outcomeOf(postMessage(clientWith(way), message(n, id), quick));
        await postMessage(app, message(n, id), quick);
      }
      expect([await lastOf(id), (await messagesOf(id)).length]).toEqual([at(5), 2]);
    });
  });

  test('postMessage refuses a second message in the same millisecond, and a message without a conversation', async () => {
    await create();
    await postMessage(app, message(1), quick);
    expect(await outcomeOf(postMessage(app, { ...message(1), id: uuid(9) }, quick))).toBe('MessageExists');
    expect(await outcomeOf(postMessage(app, message(1, uuid(8)), quick))).toBe('ConversationNotFound');
    expect(await outcomeOf(postMessage(app, { ...message(1), createdAt: 'soon' }, quick))).toBe('ItemError');
  });
});
