import { controlePgm } from '../../../lib/systems';
import { fillIn } from '../../../lib/systems/controle-pgm/procedures/fill-in';
import { latestLogs } from '../../../lib/systems/controle-pgm/procedures/logs';
import { changeEmail, userByEmail } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf } from '../../support/azurite';

const { send } = azurite(controlePgm);
const client = clientOf(controlePgm, send);
const quick = { pause: async () => undefined };
const period = { from: '2024-01', to: '2024-12' };
const idOf = (n: number) => `550e8400-e29b-41d4-a716-4466554400${String(n).padStart(2, '0')}`;
const dateTime = (value: string) => ({ type: 'DateTime', value }) as const;

/** A user as the program of the time before wrote it: with microseconds, in capitals, and with no row for the e-mail. */
const writeUser = (n: number, Email = `Servidor${n}@Itajai.sc.gov.br`, at = `2024-01-15T10:30:00.${123450 + n}Z`) =>
  send('Users', {
    method: 'createEntity',
    args: [
      {
        ...{ partitionKey: 'USER', rowKey: idOf(n), Email, Name: `Servidor ${n}`, PasswordHash: '$2b$12$abc' },
        ...{ Role: 'user', IsActive: true, MustChangePassword: false },
        ...{ CreatedAt: dateTime(at), UpdatedAt: dateTime('2024-01-15T10:30:00Z') },
      },
    ],
  });

/** A log of the time before FormattedNumber, with its time as Python writes it. */
const writeLog = (n: number, at: string) =>
  send('NumberLogs', {
    method: 'createEntity',
    args: [
      {
        ...{ partitionKey: `LOG_${at.slice(0, 4)}_${at.slice(5, 7)}`, rowKey: `${at}_${idOf(n)}` },
        ...{ DocumentTypeId: idOf(90), DocumentTypeName: 'Ofício', Number: n, Year: Number(at.slice(0, 4)) },
        ...{ UserId: idOf(1), UserName: 'Servidor 1', UserEmail: 'servidor1@itajai.sc.gov.br' },
        ...{ GeneratedAt: dateTime(at), GeneratedAtLocal: '2024-03-05T07:00:00-03:00' },
      },
    ],
  });

const moments = [
  '2024-03-05T10:00:00.123456Z',
  '2024-03-05T10:00:00Z',
  '2024-03-05T10:00:00.500000Z',
  '2024-12-31T23:59:59.999Z',
];
beforeEach(async () => {
  for (const n of [1, 2, 3]) await writeUser(n);
  for (const [i, at] of moments.entries()) await writeLog(i + 1, at);
});

test('times with microseconds and without any are read, as they were written', async () => {
  expect(await client.userById({ Id: idOf(1) })).toMatchObject({
    CreatedAt: '2024-01-15T10:30:00.123451Z',
    UpdatedAt: '2024-01-15T10:30:00Z',
  });
  const { items } = await client.logsOfMonth({ year: 2024, month: 3 });
  expect(items.map(({ GeneratedAt }) => GeneratedAt).toSorted()).toEqual(moments.slice(0, 3).toSorted());
  const log = await client.getLog({ GeneratedAt: '2024-03-05T10:00:00Z', Id: idOf(2) });
  expect(log).toMatchObject({ Number: 2, GeneratedAt: '2024-03-05T10:00:00Z' });
});

test('the latest logs are in the order of their times, within a second as well', async () => {
  const latest = await latestLogs(client, { count: 4, before: '2025-01-01T00:00:00.000Z' });
  expect(latest.map(({ Number: number }) => number)).toEqual([4, 3, 1, 2]);
});

test('a user keeps the microseconds of its making when it is changed', async () => {
  await changeEmail(client, { Id: idOf(1), Email: 'novo@itajai.sc.gov.br' }, quick);
  expect(await client.userById({ Id: idOf(1) })).toMatchObject({
    Email: 'novo@itajai.sc.gov.br',
    CreatedAt: '2024-01-15T10:30:00.123451Z',
  });
});

test('guards and numbers as text are filled in, each once, and nothing else is changed', async () => {
  expect(await fillIn(client, period, quick)).toEqual({ guards: 3, duplicates: [], logs: 4, unread: 0 });
  for (const n of [1, 2, 3]) {
    expect(await userByEmail(client, { Email: `servidor${n}@itajai.sc.gov.br` })).toMatchObject({ Id: idOf(n) });
  }
  const { items } = await client.logsOfMonth({ year: 2024, month: 3 });
  expect(items.map(({ FormattedNumber }) => FormattedNumber).toSorted()).toEqual(['1/2024', '2/2024', '3/2024']);
  expect(await fillIn(client, period, quick)).toEqual({ guards: 0, duplicates: [], logs: 0, unread: 0 });
});

test('rows that are not as designed are counted and left as they are, and fail nothing else', async () => {
  const quiet = clientOf(controlePgm, send, { onUnknown: () => undefined });
  for (const [table, partitionKey] of [
    ['Users', 'USER'],
    ['NumberLogs', 'LOG_2024_03'],
  ] as const)
    await send(table, { method: 'createEntity', args: [{ partitionKey, rowKey: `2024_${idOf(8)}`, Name: 'X' }] });
  expect(await fillIn(quiet, period, quick)).toEqual({ guards: 3, duplicates: [], logs: 4, unread: 2 });
  expect(await fillIn(quiet, period, quick)).toEqual({ guards: 0, duplicates: [], logs: 0, unread: 2 });
});

test('every month that is done is told, so that a later run can begin there', async () => {
  const done: string[] = [];
  await fillIn(client, { from: '2023-12', to: '2024-03' }, { ...quick, done: (month) => done.push(month) });
  expect(done).toEqual(['2023-12', '2024-01', '2024-02', '2024-03']);
  expect((await client.logsOfMonth({ year: 2024, month: 12 })).items[0]?.FormattedNumber).toBeUndefined();
});

test('an e-mail that two users have is told, and stays as it is', async () => {
  await writeUser(4, 'SERVIDOR1@itajai.sc.gov.br');
  const filled = await fillIn(client, period, quick);
  expect(filled).toMatchObject({ guards: 3, duplicates: [{ Id: idOf(4), Email: 'SERVIDOR1@itajai.sc.gov.br' }] });
  expect(await userByEmail(client, { Email: 'servidor1@itajai.sc.gov.br' })).toMatchObject({ Id: idOf(1) });
});

test.each(Array.from({ length: 24 }, (_, i) => i + 1).filter((call) => call % 3 !== 0))(
  'killed with call %i, it does the rest when it is run again',
  async (last) => {
    let calls = 0;
    const dying = clientOf(controlePgm, async (table, call) => {
      if (++calls > last) throw new Error('the process died');
      return send(table, call);
    });
    const first = await fillIn(dying, period, quick).catch(() => undefined);
    expect(first).toBeUndefined();
    const { guards, logs } = await fillIn(client, period, quick);
    expect([guards <= 3, logs <= 4]).toEqual([true, true]);
    expect(await fillIn(client, period, quick)).toEqual({ guards: 0, duplicates: [], logs: 0, unread: 0 });
    for (const n of [1, 2, 3])
      expect(await client.emailOwner({ Email: `servidor${n}@itajai.sc.gov.br` })).toBeDefined();
  },
);
