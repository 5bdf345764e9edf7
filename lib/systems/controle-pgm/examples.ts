/** The document's exact example entities. */
export const documented = {
  user: {
    PartitionKey: 'USER',
    RowKey: '550e8400-e29b-41d4-a716-446655440000',
    Email: 'maria.silva@itajai.sc.gov.br',
    Name: 'Maria Silva',
    PasswordHash: '$2b$12$...',
    Role: 'user',
    IsActive: true,
    MustChangePassword: false,
    CreatedAt: '2025-01-15T10:30:00Z',
    UpdatedAt: '2025-01-15T10:30:00Z',
  },
  documentType: {
    PartitionKey: 'DOCTYPE',
    RowKey: 'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
    Name: 'Ofício',
    Prefix: 'OF',
    IsActive: true,
    SortOrder: 1,
    CreatedAt: '2025-01-01T00:00:00Z',
    UpdatedAt: '2025-01-01T00:00:00Z',
  },
  sequence: {
    PartitionKey: 'SEQ_a1b2c3d4-e5f6-7890-abcd-ef1234567890',
    RowKey: '2025',
    LastNumber: 42,
    UpdatedAt: '2025-06-15T14:30:00Z',
  },
  numberLog: {
    PartitionKey: 'LOG_2025_06',
    RowKey: '2025-06-15T14:30:00.123Z_550e8400-e29b-41d4-a716-446655440001',
    DocumentTypeId: 'a1b2c3d4-e5f6-7890-abcd-ef1234567890',
    DocumentTypeName: 'Ofício',
    Number: 42,
    Year: 2025,
    FormattedNumber: '42/2025',
    UserId: '550e8400-e29b-41d4-a716-446655440000',
    UserName: 'Maria Silva',
    UserEmail: 'maria.silva@itajai.sc.gov.br',
    GeneratedAt: '2025-06-15T14:30:00.123Z',
    GeneratedAtLocal: '2025-06-15T11:30:00-03:00',
  },
  userEmail: {
    PartitionKey: 'USEREMAIL',
    RowKey: 'maria.silva@itajai.sc.gov.br',
    UserId: '550e8400-e29b-41d4-a716-446655440000',
  },
};

// If a pattern used the wrong key, filter or month, it would also return the neighbors below, or return items in the
// wrong order.

export const OFICIO = documented.documentType.RowKey;
export const DESPACHO = 'a1b2c3d4-e5f6-7890-abcd-ef1234567891';
export const MARIA = documented.user.RowKey;
export const ANA = '550e8400-e29b-41d4-a716-446655440009';

const times = { CreatedAt: '2025-02-01T08:00:00Z', UpdatedAt: '2025-02-02T09:00:00Z' };

export const userOf = (Id: string, Name: string, Email: string, more: object = {}) => ({
  ...{ Id, Name, Email, PasswordHash: '$2b$12$abc', Role: 'user', IsActive: true, MustChangePassword: false },
  ...{ ...times, ...more },
});

export const users = {
  ana: ['User', userOf(ANA, "Ana d'Ávila", "ana.d'avila@itajai.sc.gov.br", { Role: 'admin' })],
  retired: [
    'User',
    userOf('550e8400-e29b-41d4-a716-446655440005', 'José', 'jose@itajai.sc.gov.br', { IsActive: false }),
  ],
  // Python writes microseconds, and this user's e-mail is in mixed case.
  python: [
    'User',
    userOf('350e8400-e29b-41d4-a716-446655440000', 'Rui', 'Rui@itajai.sc.gov.br', {
      CreatedAt: '2025-02-01T08:00:00.123456Z',
      UpdatedAt: '2025-02-02T09:00:00.500000Z',
      IsActive: false,
    }),
  ],
  invited: [
    'User',
    {
      ...{ Id: '150e8400-e29b-41d4-a716-446655440000', Name: 'Zé', Email: 'ze_novo@itajai.sc.gov.br', Role: 'user' },
      ...{ IsActive: true, MustChangePassword: true, ...times },
    },
  ],
} as const;

export const typeOf = (Id: string, Name: string, SortOrder: number, more: object = {}) => ({
  ...{ Id, Name, SortOrder, IsActive: true },
  ...{ ...times, ...more },
});

/** These types sort differently by id and by `SortOrder`. */
export const types = {
  despacho: ['DocumentType', typeOf(DESPACHO, 'Despacho', 10, { Prefix: 'DESP' })],
  parecer: ['DocumentType', typeOf('c1b2c3d4-e5f6-7890-abcd-ef1234567890', 'Parecer', 2)],
  edital: ['DocumentType', typeOf('e1b2c3d4-e5f6-7890-abcd-ef1234567890', 'Edital', 7, { IsActive: false })],
  telegrama: ['DocumentType', typeOf('b1b2c3d4-e5f6-7890-abcd-ef1234567890', 'Telegrama', 1, { IsActive: false })],
} as const;

interface LogOptions {
  readonly type?: string;
  readonly user?: string;
}

/**
 * Makes the log of a number.
 * @param id the last digits of the log's id
 */
export const logOf = (
  id: string,
  number: number,
  GeneratedAt: string,
  { type = OFICIO, user = MARIA }: LogOptions = {},
) => ({
  Id: `650e8400-e29b-41d4-a716-${id.padStart(12, '0')}`,
  DocumentTypeId: type,
  DocumentTypeName: type === OFICIO ? 'Ofício' : 'Despacho',
  Number: number,
  Year: Number(GeneratedAt.slice(0, 4)),
  FormattedNumber: `${number}/${GeneratedAt.slice(0, 4)}`,
  UserId: user,
  UserName: user === MARIA ? 'Maria Silva' : "Ana d'Ávila",
  UserEmail: user === MARIA ? 'maria.silva@itajai.sc.gov.br' : "ana.d'avila@itajai.sc.gov.br",
  GeneratedAt,
  GeneratedAtLocal: '2025-06-15T11:30:00-03:00',
});

/** These logs sort differently by id and by time. */
export const logs = {
  firstOfJune: ['NumberLog', logOf('9', 40, '2025-06-01T00:00:00.000Z')],
  lastOfMay: ['NumberLog', logOf('8', 39, '2025-05-31T23:59:59.999Z')],
  lastOfJune: ['NumberLog', logOf('2', 44, '2025-06-30T23:59:59.999Z', { user: ANA })],
  firstOfJuly: ['NumberLog', logOf('1', 45, '2025-07-01T00:00:00.000Z', { user: ANA })],
  despachoInJune: ['NumberLog', logOf('7', 7, '2025-06-10T10:00:00.000Z', { type: DESPACHO })],
  juneBefore: ['NumberLog', logOf('3', 12, '2024-06-15T14:30:00.123Z')],
  sameMoment: ['NumberLog', logOf('5', 43, '2025-06-15T14:30:00.123Z')],
} as const;

const { FormattedNumber: _, ...unformatted } = logOf('11', 3, '2024-03-05T10:00:00.123456Z');

/** Logs that Python wrote before FormattedNumber existed, both with and without microseconds. */
export const oldLogs = {
  microseconds: ['NumberLog', unformatted],
  wholeSecond: [
    'NumberLog',
    { ...unformatted, Id: logOf('10', 4, '').Id, Number: 4, GeneratedAt: '2024-03-05T10:00:00Z' },
  ],
} as const;

/** A log that is still pending. The caller that took its number crashed before it could write the log. */
export const left = logOf('4', 13, '2024-12-31T20:00:00.000Z');

export const sequences = {
  leftBehind: [
    'Sequence',
    { DocumentTypeId: OFICIO, Year: 2024, LastNumber: 13, UpdatedAt: '2024-12-31T20:00:00Z', PendingLog: left },
  ],
  ofDespacho: ['Sequence', { DocumentTypeId: DESPACHO, Year: 2025, LastNumber: 7, UpdatedAt: '2025-06-10T10:00:00Z' }],
} as const;

export const emails = {
  ofAna: ['UserEmail', { Email: "ana.d'avila@itajai.sc.gov.br", UserId: ANA }],
  // This e-mail is claimed for a user who was never created.
  leftClaim: ['UserEmail', { Email: 'novo@itajai.sc.gov.br', UserId: '750e8400-e29b-41d4-a716-446655440000' }],
  // This e-mail is claimed for a user who has a different e-mail.
  ofJose: ['UserEmail', { Email: 'livre@itajai.sc.gov.br', UserId: '550e8400-e29b-41d4-a716-446655440005' }],
} as const;
