import { EntityChanged, EntityExists } from '../../../lib/azure-tables';
import { controlePgm } from '../../../lib/systems';
import { SEED, seedDocumentTypes } from '../../../lib/systems/controle-pgm/procedures/document-types';
import { latestLogs, logsOfPeriod } from '../../../lib/systems/controle-pgm/procedures/logs';
import {
  formattedNumber,
  inBrasilia,
  nextNumber,
  repairSequence,
} from '../../../lib/systems/controle-pgm/procedures/next-number';
import { changeEmail, createUser, type NewUser } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf } from '../../support/azurite';

const { send } = azurite(controlePgm);
const client = clientOf(controlePgm, send);
const [comunicacao, oficio] = SEED as [(typeof SEED)[0], (typeof SEED)[0]];
const maria: NewUser = {
  ...{ Id: '550e8400-e29b-41d4-a716-446655440000', Email: 'maria.silva@itajai.sc.gov.br', Name: 'Maria Silva' },
  ...{ Role: 'user', IsActive: true, MustChangePassword: true },
  ...{ CreatedAt: '2025-01-15T10:30:00Z', UpdatedAt: '2025-01-15T10:30:00Z' },
};
const jose = { ...maria, Id: '650e8400-e29b-41d4-a716-446655440000', Email: 'jose@itajai.sc.gov.br', Name: 'José' };
const request = { DocumentTypeId: comunicacao.Id, UserId: maria.Id };
const at = (moment: string) => ({ now: () => new Date(moment), pause: async () => undefined });
const year = new Date().getUTCFullYear();
const thisYear = { from: `${year}-01`, to: `${year}-12` };

beforeEach(async () => {
  await seedDocumentTypes(client);
  await createUser(client, maria);
  await createUser(client, jose);
});

test('nextNumber refuses a user who does not exist or is not active', async () => {
  const nobody = { ...request, UserId: '750e8400-e29b-41d4-a716-446655440000' };
  await expect(nextNumber(client, nobody)).rejects.toMatchObject({
    name: 'UserUnavailable',
    message: `${nobody.UserId}: this user does not exist; call activeUsers to list the active users`,
  });
  await client.changeUser({ Id: maria.Id, IsActive: false, UpdatedAt: maria.UpdatedAt });
  await expect(nextNumber(client, request)).rejects.toThrow("'Maria Silva' is not active");
  expect(await logsOfPeriod(client, thisYear)).toEqual([]);
  expect(await client.getSequence({ DocumentTypeId: comunicacao.Id, Year: year })).toBeUndefined();
});

test('the log takes the name and e-mail address from the stored user, not from the caller', async () => {
  await changeEmail(client, { Id: maria.Id, Email: 'maria@itajai.sc.gov.br' });
  const log = await nextNumber(client, { ...request, UserName: 'Outra' } as typeof request);
  expect(log).toMatchObject({ UserName: 'Maria Silva', UserEmail: 'maria@itajai.sc.gov.br' });
});

test('20 concurrent writers, each taking 10 numbers, get 200 consecutive numbers and 200 logs', async () => {
  let conflicts = 0;
  const counted = clientOf(controlePgm, send, {
    observe: ({ error }) => {
      if (error instanceof EntityExists || error instanceof EntityChanged) conflicts++;
    },
  });
  const take = async () => {
    const taken: number[] = [];
    for (let i = 0; i < 10; i++) taken.push((await nextNumber(counted, request)).Number);
    return taken;
  };
  const numbers = (await Promise.all(Array.from({ length: 20 }, take))).flat();
  const all = Array.from({ length: 200 }, (_, i) => i + 1);
  expect(numbers.toSorted((a, b) => a - b)).toEqual(all);
  const logs = await logsOfPeriod(client, thisYear);
  expect(logs.map((log) => log.Number).toSorted((a, b) => a - b)).toEqual(all);
  console.info(`200 numbers by 20 writers: ${conflicts} conflicts`);
  expect(conflicts).toBeLessThan(300);
  expect(await client.getSequence({ DocumentTypeId: comunicacao.Id, Year: year })).toMatchObject({ LastNumber: 200 });
}, 120_000);

test('each type has its own sequence, and each year starts at 1', async () => {
  const numbers = [
    await nextNumber(client, request, at('2025-06-15T14:30:00.123Z')),
    await nextNumber(client, { ...request, DocumentTypeId: oficio.Id }, at('2025-06-15T14:30:00.123Z')),
    await nextNumber(client, request, at('2025-12-31T23:59:59.999Z')),
    // In Brasília, it is still December, but a number's year is the UTC year of its GeneratedAt.
    await nextNumber(client, request, at('2026-01-01T00:00:00.000Z')),
  ];
  expect(numbers.map(({ FormattedNumber, DocumentTypeName }) => `${DocumentTypeName} ${FormattedNumber}`)).toEqual([
    'Comunicação Interna 1/2025',
    'Ofício 1/2025',
    'Comunicação Interna 2/2025',
    'Comunicação Interna 1/2026',
  ]);
  expect(numbers[3]?.GeneratedAtLocal).toBe('2025-12-31T21:00:00-03:00');
});

describe('a log that its writer could not store', () => {
  /** Takes a number, and dies before writing the log. */
  const dies = (moment: string) => {
    const broken = clientOf(controlePgm, (table, call) => {
      if (table === 'NumberLogs' && call.method === 'createEntity') throw new Error('the process died');
      return send(table, call);
    });
    return expect(nextNumber(broken, request, at(moment))).rejects.toThrow('the process died');
  };
  const logsOf = async (month: string) =>
    (await logsOfPeriod(client, { from: month, to: month })).map((log) => log.Number);

  test('an unwritten log stays in its sequence until the next caller to take a number writes it', async () => {
    await dies('2025-06-15T14:30:00.123Z');
    const key = { DocumentTypeId: comunicacao.Id, Year: 2025 };
    expect(await client.getSequence(key)).toMatchObject({
      LastNumber: 1,
      PendingLog: { Number: 1, UserId: maria.Id, UserName: maria.Name, UserEmail: maria.Email },
    });
    expect(await logsOf('2025-06')).toEqual([]);
    await nextNumber(client, request, at('2025-07-01T00:00:00.000Z'));
    expect(await logsOf('2025-06')).toEqual([1]);
    expect(await logsOf('2025-07')).toEqual([2]);
    expect(await client.getSequence(key)).not.toHaveProperty('PendingLog');
  });

  test('taking the first number of a year also writes an unwritten log of the previous year', async () => {
    await dies('2025-12-31T12:00:00.000Z');
    await nextNumber(client, request, at('2026-01-02T08:00:00.000Z'));
    expect(await logsOf('2025-12')).toEqual([1]);
    expect(await logsOf('2026-01')).toEqual([1]);
  });

  test('repairSequence writes an unwritten log, and does nothing if there is none', async () => {
    await dies('2025-06-15T14:30:00.123Z');
    for (let i = 0; i < 2; i++) await repairSequence(client, { DocumentTypeId: comunicacao.Id, Year: 2025 });
    await repairSequence(client, { DocumentTypeId: oficio.Id, Year: 2025 });
    expect(await logsOf('2025-06')).toEqual([1]);
  });
});

describe('a write that is sent again after its response was lost', () => {
  const moment = '2025-06-15T14:30:00.123Z';

  /** Sends the first write to a sequence twice, as an SDK retry does, and calls `between` before the second time. */
  const stuttering = (between: () => Promise<unknown>) => {
    let isFirst = true;
    return clientOf(controlePgm, async (table, call) => {
      const isWrite = table === 'Sequences' && call.method !== 'getEntity';
      if (!isWrite || !isFirst) return send(table, call);
      isFirst = false;
      await send(table, call);
      await between();
      return send(table, call);
    });
  };

  test.each([0, 1])('a write that is sent twice takes only one number (earlier numbers: %i)', async (before) => {
    for (let i = 0; i < before; i++) await nextNumber(client, request, at(moment));
    const { Number: number } = await nextNumber(
      stuttering(async () => undefined),
      request,
      at(moment),
    );
    expect(number).toBe(before + 1);
    const logs = await logsOfPeriod(client, { from: '2025-06', to: '2025-06' });
    expect(logs.map((log) => log.Number).toSorted()).toEqual(Array.from({ length: before + 1 }, (_, i) => i + 1));
  });

  test('a write that is sent twice takes only one number, even if another caller takes the next number in between', async () => {
    const { Number: number } = await nextNumber(
      stuttering(() => nextNumber(client, request, at(moment))),
      request,
      at(moment),
    );
    expect(number).toBe(1);
    const logs = await logsOfPeriod(client, { from: '2025-06', to: '2025-06' });
    expect(logs.map((log) => log.Number).toSorted()).toEqual([1, 2]);
  });
});

test('nextNumber gives up if every attempt conflicts, and takes no number', async () => {
  const { DocumentTypeId } = request;
  const busy = clientOf(controlePgm, async (table, call) => {
    if (table === 'Sequences' && call.method !== 'getEntity')
      await nextNumber(client, request, at('2025-06-01T00:00:00.000Z'));
    return send(table, call);
  });
  await expect(nextNumber(busy, request, at('2025-06-15T14:30:00.123Z'))).rejects.toThrow(
    'all 100 attempts conflicted with other callers; try again',
  );
  expect(await client.getSequence({ DocumentTypeId, Year: 2025 })).toMatchObject({ LastNumber: 100 });
  expect(await logsOfPeriod(client, { from: '2025-06', to: '2025-06' })).toHaveLength(100);
});

test('nextNumber gives up after two consecutive server errors', async () => {
  let sent = 0;
  const broken = clientOf(controlePgm, (table, call) => {
    if (table !== 'Sequences' || call.method === 'getEntity') return send(table, call);
    sent++;
    throw Object.assign(new Error('on fire'), { statusCode: 500 });
  });
  await expect(nextNumber(broken, request, at('2025-06-15T14:30:00.123Z'))).rejects.toThrow('on fire');
  expect(sent).toBe(2);
});

describe('logs', () => {
  const moments = [
    '2024-11-30T10:00:00.000Z',
    '2025-01-05T10:00:00.000Z',
    '2025-01-31T10:00:00.000Z',
    '2025-03-01T10:00:00.000Z',
  ];
  beforeEach(async () => {
    for (const moment of moments) await nextNumber(client, request, at(moment));
  });
  const shown = (logs: readonly { readonly GeneratedAt: string }[]) =>
    logs.map(({ GeneratedAt }) => moments.indexOf(GeneratedAt));

  test('logsOfPeriod returns logs in order across months and years', async () => {
    expect(shown(await logsOfPeriod(client, { from: '2024-11', to: '2025-03' }))).toEqual([0, 1, 2, 3]);
    expect(shown(await logsOfPeriod(client, { from: '2025-01', to: '2025-01' }))).toEqual([1, 2]);
    expect(shown(await logsOfPeriod(client, { ...thisYear, from: '2025-02', to: '2025-02' }))).toEqual([]);
  });

  test('logsOfPeriod filters logs by type, by user, or by both', async () => {
    const other = { ...request, DocumentTypeId: oficio.Id, UserId: '650e8400-e29b-41d4-a716-446655440000' };
    await nextNumber(client, other, at('2025-01-10T10:00:00.000Z'));
    const period = { from: '2024-11', to: '2025-03' };
    expect(await logsOfPeriod(client, { ...period, DocumentTypeId: oficio.Id })).toHaveLength(1);
    expect(await logsOfPeriod(client, { ...period, UserId: maria.Id })).toHaveLength(4);
    expect(await logsOfPeriod(client, { ...period, DocumentTypeId: oficio.Id, UserId: maria.Id })).toEqual([]);
  });

  test('latestLogs reads logs backwards across empty months, but no further back than requested', async () => {
    const before = '2025-03-20T00:00:00.000Z';
    expect(shown(await latestLogs(client, { count: 2, before }))).toEqual([3, 2]);
    expect(shown(await latestLogs(client, { count: 10, before }))).toEqual([3, 2, 1, 0]);
    expect(shown(await latestLogs(client, { count: 10, before, months: 3 }))).toEqual([3, 2, 1]);
    expect(shown(await latestLogs(client, { count: 10, before: '2025-01-20T00:00:00.000Z' }))).toEqual([1, 0]);
    expect(await latestLogs(client, { count: 3, before: '2023-01-01T00:00:00.000Z' })).toEqual([]);
  });

  test.each([
    [{ from: '2025-6', to: '2025-07' }, "a month must have the form 2025-06, got: '2025-6'"],
    [{ from: '2025-00', to: '2025-07' }, "a month must have the form 2025-06, got: '2025-00'"],
  ])('logsOfPeriod refuses the invalid period %p', async (period, message) => {
    await expect(logsOfPeriod(client, period)).rejects.toThrow(message);
  });

  test('latestLogs refuses an invalid time in `before`', async () => {
    const attempt = latestLogs(client, { count: 1, before: 'yesterday' });
    await expect(attempt).rejects.toThrow("a month must have the form 2025-06, got: 'yesterd'");
  });
});

test('inBrasilia returns the local time with its UTC offset, and accounts for past daylight saving time', () => {
  expect(inBrasilia(new Date('2025-06-15T14:30:00.123Z'))).toBe('2025-06-15T11:30:00-03:00');
  expect(inBrasilia(new Date('2018-12-01T12:00:00.000Z'))).toBe('2018-12-01T10:00:00-02:00');
  expect(inBrasilia(new Date('2025-01-01T02:00:00.000Z'))).toBe('2024-12-31T23:00:00-03:00');
});

test('formattedNumber returns the stored string, or formats the number if there is none', () => {
  expect(formattedNumber({ Number: 42, Year: 2025 })).toBe('42/2025');
  expect(formattedNumber({ Number: 42, Year: 2025, FormattedNumber: 'OF 42/2025' })).toBe('OF 42/2025');
});
