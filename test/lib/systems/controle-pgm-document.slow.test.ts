import type { TypedProperty } from '../../../lib/azure-tables/edm';
import { propertiesIn } from '../../../lib/azure-tables/entity';
import { etagOf } from '../../../lib/azure-tables/etag';
import type { Item } from '../../../lib/items/item';
import { controlePgm } from '../../../lib/systems';
import {
  changeDocumentType,
  createDocumentType,
  documentTypes,
  SEED,
  seedDocumentTypes,
} from '../../../lib/systems/controle-pgm/procedures/document-types';
import { latestLogs, logsOfPeriod } from '../../../lib/systems/controle-pgm/procedures/logs';
import { nextNumber, repairSequence } from '../../../lib/systems/controle-pgm/procedures/next-number';
import { changeEmail, createUser, userByEmail } from '../../../lib/systems/controle-pgm/procedures/users';
import { azurite, clientOf, type PgmClient } from '../../support/azurite';
import { type Db, describeDocument, type Place } from '../../support/documented';

const { send } = azurite(controlePgm);
const MARIA = '550e8400-e29b-41d4-a716-446655440000';
const RUI = '350e8400-e29b-41d4-a716-446655440000';
const ZE = '150e8400-e29b-41d4-a716-446655440000';
const OFICIO = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890';
const DESPACHO = 'b1b2c3d4-e5f6-7890-abcd-ef1234567890';
const NEW = '850e8400-e29b-41d4-a716-446655440000';
const NOW = '2025-06-20T12:00:00Z';
const clock = { now: () => new Date(NOW), pause: () => Promise.resolve() };

const maria = {
  PartitionKey: 'USER',
  RowKey: MARIA,
  Email: 'maria.silva@itajai.sc.gov.br',
  Name: 'Maria Silva',
  PasswordHash: '$2b$12$...',
  Role: 'user',
  IsActive: true,
  MustChangePassword: false,
  CreatedAt: '2025-01-15T10:30:00Z',
  UpdatedAt: '2025-01-15T10:30:00Z',
};
const oficio = {
  PartitionKey: 'DOCTYPE',
  RowKey: OFICIO,
  Name: 'Ofício',
  Prefix: 'OF',
  IsActive: true,
  SortOrder: 1,
  CreatedAt: '2025-01-01T00:00:00Z',
  UpdatedAt: '2025-01-01T00:00:00Z',
};
const log = {
  PartitionKey: 'LOG_2025_06',
  RowKey: '2025-06-15T14:30:00.123Z_550e8400-e29b-41d4-a716-446655440001',
  DocumentTypeId: OFICIO,
  DocumentTypeName: 'Ofício',
  Number: 42,
  Year: 2025,
  FormattedNumber: '42/2025',
  UserId: MARIA,
  UserName: 'Maria Silva',
  UserEmail: 'maria.silva@itajai.sc.gov.br',
  GeneratedAt: '2025-06-15T14:30:00.123Z',
  GeneratedAtLocal: '2025-06-15T11:30:00-03:00',
};
const logAt = (number: number, GeneratedAt: string, more: object = {}) => ({
  ...log,
  PartitionKey: `LOG_${GeneratedAt.slice(0, 4)}_${GeneratedAt.slice(5, 7)}`,
  RowKey: `${GeneratedAt}_650e8400-e29b-41d4-a716-${String(number).padStart(12, '0')}`,
  ...{ Number: number, Year: Number(GeneratedAt.slice(0, 4)), GeneratedAt, ...more },
});
const { FormattedNumber: _, ...unformatted } = logAt(7, '2024-03-05T10:00:00.123456+00:00');

/**
 * Each table's example, and one item for each other format that the document describes. Only Maria has a row in
 * UsersByEmail.
 */
const items = {
  Users: {
    maria,
    // Rui and Zé as Python would store them, with microseconds. Rui has a mixed-case address, and Zé has no password.
    rui: {
      ...{ ...maria, RowKey: RUI, Email: 'Rui@itajai.sc.gov.br', Name: 'Rui', Role: 'admin', IsActive: false },
      ...{ CreatedAt: '2025-02-01T08:00:00.123456Z', UpdatedAt: '2025-02-01T08:00:00Z' },
    },
    ze: {
      ...{ PartitionKey: 'USER', RowKey: ZE, Email: 'ze@itajai.sc.gov.br', Name: 'Zé', Role: 'user', IsActive: true },
      ...{
        MustChangePassword: true,
        CreatedAt: '2025-01-15T10:30Z',
        UpdatedAt: '2025-01-15T10:30:00.123456+00:00',
      },
    },
  },
  DocumentTypes: {
    oficio,
    // "Prefixo opcional"
    despacho: { ...without(oficio, 'Prefix'), RowKey: DESPACHO, Name: 'Despacho', SortOrder: 3, IsActive: false },
  },
  Sequences: {
    sequence: { PartitionKey: `SEQ_${OFICIO}`, RowKey: '2025', LastNumber: 42, UpdatedAt: '2025-06-15T14:30:00Z' },
  },
  NumberLogs: {
    log,
    // "v1: FormattedNumber não existia"
    unformatted,
    july: logAt(43, '2025-07-01T00:00:00Z', { UserId: RUI, DocumentTypeId: DESPACHO }),
  },
  UsersByEmail: {
    lookup: { PartitionKey: 'USEREMAIL', RowKey: 'maria.silva@itajai.sc.gov.br', UserId: MARIA },
  },
};

function without<T extends object, K extends keyof T>(item: T, name: K): Omit<T, K> {
  const { [name]: __, ...rest } = item;
  return rest;
}

const place: Place = {
  db: clientOf(controlePgm, send, { onUnknown: 'throw' }) as unknown as Db,
  store: async (table, stored) => {
    for (const { PartitionKey: partitionKey, RowKey: rowKey, ...rest } of stored) {
      const entity = { partitionKey, rowKey, ...(rowKey === RUI ? typed(rest) : rest) };
      await send(table, { method: 'createEntity', args: [entity as never] });
    }
  },
  scan: (table) => asked(table, ''),
  ask: (table, { filter }: { filter?: string }) => asked(table, filter ?? ''),
};

async function asked(table: string, filter: string): Promise<readonly Item[]> {
  const { entities = [] } = await send(table, {
    method: 'listEntities',
    args: [{ queryOptions: filter === '' ? {} : { filter }, disableTypeConversion: true }],
    page: {},
  } as never);
  return entities.map((entity) => ({
    ...{ PartitionKey: entity.partitionKey, RowKey: entity.rowKey },
    ...Object.fromEntries(propertiesIn(entity).map(([name, value]) => [name, plain(value)])),
  }));
}

/**
 * Converts the times to DateTime values. They are strings in the document's JSON, but the Azure SDKs store DateTime
 * values.
 */
function typed({ CreatedAt, UpdatedAt, ...rest }: Item): Item {
  const times = {
    CreatedAt: { type: 'DateTime', value: CreatedAt },
    UpdatedAt: { type: 'DateTime', value: UpdatedAt },
  };
  return { ...rest, ...times };
}

/** Returns a property's value without its type. */
function plain(value: unknown): unknown {
  const { type, value: text } = (value ?? {}) as Partial<TypedProperty>;
  if (type === undefined) return value;
  return type === 'Int32' ? Number(text) : type === 'Boolean' ? String(text) === 'true' : text;
}

const newUser = {
  ...{ Id: NEW, Email: 'Novo@itajai.sc.gov.br', Name: 'Novo', PasswordHash: '$2b$12$x', Role: 'user' as const },
  ...{ IsActive: true, MustChangePassword: false, CreatedAt: NOW, UpdatedAt: NOW },
};
const newType = { Id: NEW, Name: 'Portaria', IsActive: true, SortOrder: 4, CreatedAt: NOW, UpdatedAt: NOW };
const stored = ({ Id, CreatedAt, UpdatedAt, ...rest }: typeof newUser | typeof newType, partition: string) => ({
  ...{ PartitionKey: partition, RowKey: Id, ...rest },
  ...{ CreatedAt, UpdatedAt },
});
const given = {
  ...{
    Id: NEW,
    DocumentTypeId: OFICIO,
    DocumentTypeName: 'Ofício',
    Number: 43,
    Year: 2025,
    FormattedNumber: '43/2025',
  },
  ...{ UserId: MARIA, UserName: 'Maria Silva', UserEmail: maria.Email },
  ...{ GeneratedAt: '2025-06-20T12:00:00.000Z', GeneratedAtLocal: '2025-06-20T09:00:00-03:00' },
};
const into = {
  ...{ user: 'Users', claim: 'UsersByEmail', type: 'DocumentTypes', ci: 'DocumentTypes', desp: 'DocumentTypes' },
  given: 'NumberLogs',
};
const byId = (partition: string, id: string) => `PartitionKey eq '${partition}' and RowKey eq '${id}'`;
const ask = (table: string, filter: string) => ({ table, request: { filter } });
const june = { year: 2025, month: 6 };
type Run = (db: PgmClient) => Promise<unknown>;
const changed = async (db: PgmClient, Id: string, pattern: 'deleteUser') =>
  db[pattern]({ Id }, { etag: etagOf(await db.userById({ Id })) as string });

describeDocument(controlePgm, place, {
  items,
  reads: {
    userById: [
      { values: { Id: MARIA }, returns: ['maria'], asks: ask('Users', byId('USER', MARIA)) },
      { values: { Id: ZE }, returns: ['ze'] },
    ],
    userByEmail: [
      {
        run: ((db) => userByEmail(db, maria)) as Run,
        returns: ['maria'],
        asks: ask('Users', `Email eq '${maria.Email}'`),
      },
      { run: ((db) => userByEmail(db, { Email: 'ze@itajai.sc.gov.br' })) as Run, returns: ['ze'] },
    ],
    usersWithEmail: {
      values: { Email: maria.Email },
      returns: ['maria'],
      asks: ask('Users', `Email eq '${maria.Email}'`),
    },
    allUsers: { values: {}, returns: ['ze', 'rui', 'maria'], asks: ask('Users', "PartitionKey eq 'USER'") },
    activeUsers: {
      values: {},
      returns: ['ze', 'maria'],
      asks: ask('Users', "PartitionKey eq 'USER' and IsActive eq true"),
    },
    documentTypeById: {
      values: { Id: OFICIO },
      returns: ['oficio'],
      asks: ask('DocumentTypes', byId('DOCTYPE', OFICIO)),
    },
    activeDocumentTypes: { values: {}, returns: ['oficio'] },
    allDocumentTypes: {
      values: {},
      returns: ['oficio', 'despacho'],
      asks: ask('DocumentTypes', "PartitionKey eq 'DOCTYPE'"),
    },
    documentTypes: { run: documentTypes as Run, returns: ['oficio'] },
    getSequence: {
      values: { DocumentTypeId: OFICIO, Year: 2025 },
      returns: ['sequence'],
      asks: ask('Sequences', byId(`SEQ_${OFICIO}`, '2025')),
    },
    emailOwner: {
      values: { Email: maria.Email },
      returns: ['lookup'],
      asks: ask('UsersByEmail', byId('USEREMAIL', maria.Email)),
    },
    logsOfMonth: [
      { values: june, returns: ['log'], asks: ask('NumberLogs', "PartitionKey eq 'LOG_2025_06'") },
      { values: { year: 2024, month: 3 }, returns: ['unformatted'] },
    ],
    logsOfPeriod: {
      run: ((db) => logsOfPeriod(db, { from: '2025-06', to: '2025-07' })) as Run,
      returns: ['log', 'july'],
      asks: ask('NumberLogs', "PartitionKey eq 'LOG_2025_06' or PartitionKey eq 'LOG_2025_07'"),
    },
    latestLogs: {
      run: ((db) => latestLogs(db, { count: 3, before: '2025-07-20T00:00:00Z' })) as Run,
      returns: ['july', 'log', 'unformatted'],
    },
    logsByType: {
      values: { year: 2025, month: 7, DocumentTypeId: DESPACHO },
      returns: ['july'],
      asks: ask('NumberLogs', `DocumentTypeId eq '${DESPACHO}'`),
    },
    logsByUser: {
      values: { year: 2025, month: 7, UserId: RUI },
      returns: ['july'],
      asks: ask('NumberLogs', `UserId eq '${RUI}'`),
    },
    getLog: { values: { GeneratedAt: log.GeneratedAt, Id: log.RowKey.slice(25) }, returns: ['log'] },
  },
  writes: {
    createUser: {
      run: ((db) => createUser(db, newUser, clock)) as Run,
      into,
      changes: { user: stored(newUser, 'USER'), claim: claimOf('novo@itajai.sc.gov.br', NEW) },
    },
    changeUser: {
      values: { Id: RUI, Name: 'Rui Sá', IsActive: true, UpdatedAt: NOW },
      changes: { rui: { Name: 'Rui Sá', IsActive: true, UpdatedAt: NOW } },
    },
    changePassword: {
      values: { Id: ZE, PasswordHash: '$2b$12$y', MustChangePassword: false, UpdatedAt: NOW },
      changes: { ze: { PasswordHash: '$2b$12$y', MustChangePassword: false, UpdatedAt: NOW } },
    },
    changeEmail: [
      {
        run: ((db) => changeEmail(db, { Id: MARIA, Email: 'm@itajai.sc.gov.br' }, clock)) as Run,
        into,
        changes: {
          maria: { Email: 'm@itajai.sc.gov.br', UpdatedAt: NOW },
          claim: claimOf('m@itajai.sc.gov.br', MARIA),
        },
      },
      {
        run: ((db) => changeEmail(db, { Id: ZE, Email: 'z@itajai.sc.gov.br' }, clock)) as Run,
        into,
        changes: {
          ze: { Email: 'z@itajai.sc.gov.br', UpdatedAt: NOW },
          claim: claimOf('z@itajai.sc.gov.br', ZE),
        },
      },
    ],
    releaseEmail: { values: { Email: maria.Email }, changes: { lookup: null } },
    deleteUser: { run: ((db) => changed(db, ZE, 'deleteUser')) as Run, changes: { ze: null } },
    createDocumentType: {
      run: ((db) => createDocumentType(db, newType)) as Run,
      into,
      changes: { type: stored(newType, 'DOCTYPE') },
    },
    changeDocumentType: {
      run: ((db) => changeDocumentType(db, { Id: DESPACHO, Prefix: 'DESP', IsActive: true }, clock)) as Run,
      changes: { despacho: { Prefix: 'DESP', IsActive: true, UpdatedAt: NOW } },
    },
    deleteDocumentType: {
      run: (async (db) =>
        db.deleteDocumentType(
          { Id: OFICIO },
          { etag: etagOf(await db.documentTypeById({ Id: OFICIO })) as string },
        )) as Run,
      changes: { oficio: null },
    },
    // Ofício already exists, under a different id. The existing Despacho is not active, so a new one is added.
    seedDocumentTypes: {
      run: ((db) => seedDocumentTypes(db, {}, clock)) as Run,
      into,
      changes: { ci: seeded(0), desp: seeded(2) },
    },
    nextNumber: {
      run: ((db) => nextNumber(db, { DocumentTypeId: OFICIO, UserId: MARIA }, { ...clock, newId: () => NEW })) as Run,
      into,
      changes: {
        sequence: { LastNumber: 43, UpdatedAt: NOW },
        given: {
          PartitionKey: 'LOG_2025_06',
          RowKey: `${given.GeneratedAt}_${NEW}`,
          ...without(given, 'Id'),
          GeneratedAt: given.GeneratedAt,
        },
      },
    },
    repairSequence: {
      run: ((db) => repairSequence(db, { DocumentTypeId: OFICIO, Year: 2025 })) as Run,
      changes: {},
    },
  },
});

function claimOf(email: string, UserId: string): Item {
  return { PartitionKey: 'USEREMAIL', RowKey: email, UserId };
}

function seeded(index: number): Item {
  const { Id, ...type } = SEED[index] as (typeof SEED)[0];
  return stored({ ...newType, ...type, Id }, 'DOCTYPE');
}

const client = clientOf(controlePgm, send);

test("createUser and changeEmail refuse another user's e-mail address, even if UsersByEmail has no row for it", async () => {
  const taken = { name: 'EmailTaken' };
  await expect(createUser(client, { ...newUser, Email: 'rui@itajai.sc.gov.br' }, clock)).rejects.toMatchObject(taken);
  await expect(createUser(client, { ...newUser, Email: maria.Email }, clock)).rejects.toMatchObject(taken);
  await expect(changeEmail(client, { Id: MARIA, Email: 'ZE@itajai.sc.gov.br' }, clock)).rejects.toMatchObject(taken);
  expect(await userByEmail(client, { Email: 'rui@itajai.sc.gov.br' })).toMatchObject({ Id: RUI });
});

test.each([
  ['createUser', 4, (db: PgmClient) => createUser(db, newUser)],
  ['changeEmail', 3, (db: PgmClient) => changeEmail(db, { Id: MARIA, Email: 'm@itajai.sc.gov.br' })],
  ['createDocumentType', 2, (db: PgmClient) => createDocumentType(db, newType)],
  ['changeDocumentType', 2, (db: PgmClient) => changeDocumentType(db, { Id: DESPACHO, Name: 'Laudo' })],
])('%s sends %i requests if every request succeeds', async (_, most, run) => {
  let requests = 0;
  const counted = clientOf(controlePgm, (table, call) => {
    requests++;
    return send(table, call);
  });
  await run(counted);
  expect(requests).toBe(most);
});
