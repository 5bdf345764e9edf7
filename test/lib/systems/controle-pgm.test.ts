import { requests } from '../../../lib/azure-tables';
import { isRead } from '../../../lib/blueprint/accesses';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import { review } from '../../../lib/check';
import type { PatternDesign, WritePattern } from '../../../lib/design/pattern';
import { makeItem, readItem } from '../../../lib/items/item';
import { controlePgm } from '../../../lib/systems';
import { documented } from '../../../lib/systems/controle-pgm/examples';

const { tables } = controlePgm;
const made = (table: keyof typeof tables, entity: string, values: object) => {
  const plan = outline(tables[table]);
  return makeItem(plan, entityNamed(plan, entity) as EntityOutline, values);
};
const read = (table: keyof typeof tables, entity: string, item: object) => {
  const plan = outline(tables[table]);
  return readItem(plan, entityNamed(plan, entity) as EntityOutline, { ...item });
};

test("controle-pgm's design has only the five findings that it acknowledges", () => {
  const { findings, acknowledged } = review(controlePgm);
  expect(findings).toEqual([]);
  expect(acknowledged.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    'unacceptable-item tables.Users.entities.User.attributes',
    'hot-partition tables.Users.entities.User.keys.PartitionKey',
    'hot-partition tables.DocumentTypes.entities.DocumentType.keys.PartitionKey',
    'imprecise-time tables.NumberLogs.entities.NumberLog.keys.RowKey',
    'hot-partition tables.UsersByEmail.entities.UserEmail.keys.PartitionKey',
  ]);
});

test.each([
  ['Users', 'User', documented.user],
  ['DocumentTypes', 'DocumentType', documented.documentType],
  ['Sequences', 'Sequence', documented.sequence],
  ['NumberLogs', 'NumberLog', documented.numberLog],
  ['UsersByEmail', 'UserEmail', documented.userEmail],
] as const)('reading and rebuilding the %s example returns the same item', (table, entity, item) => {
  expect(made(table, entity, read(table, entity, item))).toEqual(item);
});

describe('a user', () => {
  const user = read('Users', 'User', documented.user);
  const saved = (change: object) => made('Users', 'User', { ...user, ...change });

  test.each([
    ['a name of 2 characters', { Name: 'Jó' }],
    ['a name of 100 characters', { Name: 'x'.repeat(100) }],
    ['an e-mail with a quote', { Email: "d'avila@itajai.sc.gov.br" }],
    ['no password if the password must be changed', { PasswordHash: undefined, MustChangePassword: true }],
    ['the role admin', { Role: 'admin' }],
  ])('a user may have %s', (_, change) => {
    expect(saved(change)).toMatchObject(JSON.parse(JSON.stringify(change)));
  });

  test.each([
    ['a name of 1 character', { Name: 'J' }, 'Name'],
    ['a name of 101 characters', { Name: 'x'.repeat(101) }, 'Name'],
    ['an invalid e-mail address', { Email: 'maria.silva' }, 'Email'],
    ['no password', { PasswordHash: undefined }, 'PasswordHash: is required unless MustChangePassword is true'],
    ['an unknown role', { Role: 'root' }, 'Role'],
    ['an id that is not a UUID', { Id: '7' }, 'Id'],
    ['a time in another zone', { CreatedAt: '2025-01-15T10:30:00-03:00' }, 'CreatedAt'],
    ['an undeclared attribute', { Password: 'x' }, "'Password' is not an attribute of User"],
  ])('a user cannot have %s', (_, change, message) => {
    expect(() => saved(change)).toThrow(message);
  });
});

describe('a document type', () => {
  const type = read('DocumentTypes', 'DocumentType', documented.documentType);
  const saved = (change: object) => made('DocumentTypes', 'DocumentType', { ...type, ...change });

  test('a document type has either no prefix or a prefix of 1 to 10 letters and digits', () => {
    expect(saved({ Prefix: undefined })).not.toHaveProperty('Prefix');
    for (const Prefix of ['A', 'OF2', 'ABCDEFGHIJ']) expect(saved({ Prefix })).toMatchObject({ Prefix });
  });

  test.each([
    ['a name of 1 character', { Name: 'O' }, 'Name'],
    ['a name of 51 characters', { Name: 'x'.repeat(51) }, 'Name'],
    ['an empty prefix', { Prefix: '' }, 'Prefix: must be 1 to 10 letters and digits'],
    ['a prefix of 11', { Prefix: 'ABCDEFGHIJK' }, 'Prefix'],
    ['a prefix with a dash', { Prefix: 'O-F' }, 'Prefix'],
    ['the order 0', { SortOrder: 0 }, 'SortOrder'],
    ['an order that is not a whole number', { SortOrder: 1.5 }, 'SortOrder'],
  ])('a document type cannot have %s', (_, change, message) => {
    expect(() => saved(change)).toThrow(message);
  });
});

describe('a sequence', () => {
  const sequence = read('Sequences', 'Sequence', documented.sequence);
  const saved = (change: object) => made('Sequences', 'Sequence', { ...sequence, ...change });

  test('a sequence stores its type and its year only in its keys', () => {
    expect(sequence).toMatchObject({ DocumentTypeId: 'a1b2c3d4-e5f6-7890-abcd-ef1234567890', Year: 2025 });
    expect(Object.keys(saved({})).sort()).toEqual(['LastNumber', 'PartitionKey', 'RowKey', 'UpdatedAt']);
  });

  test.each([2020, 2100])('a sequence may belong to the year %i', (Year) => {
    expect(saved({ Year })).toMatchObject({ RowKey: String(Year) });
  });

  test.each([
    ['the year 2019', { Year: 2019 }, 'Year'],
    ['the year 2101', { Year: 2101 }, 'Year'],
    ['the number 0', { LastNumber: 0 }, 'LastNumber'],
    ['a number beyond 32 bits', { LastNumber: 2 ** 31 }, 'LastNumber'],
  ])('a sequence cannot have %s', (_, change, message) => {
    expect(() => saved(change)).toThrow(message);
  });
});

describe('a log', () => {
  const log = read('NumberLogs', 'NumberLog', documented.numberLog);
  const saved = (change: object) => made('NumberLogs', 'NumberLog', { ...log, ...change });

  test('a log is in the partition of its month', () => {
    expect(saved({ GeneratedAt: '2025-01-31T23:59:59.999Z' })).toMatchObject({ PartitionKey: 'LOG_2025_01' });
  });

  test('a read accepts an old log without FormattedNumber', () => {
    const { FormattedNumber: _, ...old } = documented.numberLog;
    expect(read('NumberLogs', 'NumberLog', old)).toMatchObject({ Number: 42, Year: 2025 });
  });

  test.each<readonly [string, object, string]>([
    ['a year that differs from the year of GeneratedAt', { Year: 2024 }, 'Year: must equal the year of GeneratedAt'],
    ['the number 0', { Number: 0 }, 'Number'],
    ['a moment in another zone', { GeneratedAt: '2025-06-15T11:30:00-03:00' }, 'GeneratedAt'],
    ...Object.keys(log)
      .filter((field) => field !== 'FormattedNumber')
      .map((field) => [`no ${field}`, { [field]: undefined }, field] as const),
  ])('a log cannot have %s', (_, change, message) => {
    expect(() => saved(change)).toThrow(message);
  });
});

test('an e-mail address must be in lower case, so that it has only one key', () => {
  const owner = { Email: 'maria_silva@itajai.sc.gov.br', UserId: '550e8400-e29b-41d4-a716-446655440000' };
  expect(made('UsersByEmail', 'UserEmail', owner)).toMatchObject({ RowKey: 'maria_silva@itajai.sc.gov.br' });
  expect(() => made('UsersByEmail', 'UserEmail', { ...owner, Email: 'Maria@itajai.sc.gov.br' })).toThrow('Email');
});

describe('patterns without procedureOnly', () => {
  const writes = Object.values(tables).flatMap((table) =>
    Object.entries(table.patterns as Readonly<Record<string, PatternDesign>>).flatMap(([name, pattern]) =>
      isRead(pattern) || (pattern as WritePattern).procedureOnly ? [] : [[name, pattern as WritePattern] as const],
    ),
  );
  const values = (name: string) => {
    const pattern = Object.fromEntries(writes)[name] as { item?: object; set?: object };
    return { ...pattern.item, ...pattern.set } as Readonly<Record<string, unknown>>;
  };

  test('only five write patterns can be granted on their own', () => {
    expect(writes.map(([name]) => name)).toEqual([
      ...['changeUser', 'changePassword', 'deleteUser'],
      ...['deleteDocumentType', 'releaseEmail'],
    ]);
  });

  test('patterns that can be granted on their own never write a whole row', () => {
    expect(writes.filter(([, pattern]) => pattern.op === 'put' && pattern.item === undefined)).toEqual([]);
  });

  test("patterns that can be granted on their own cannot write a user's e-mail address", () => {
    for (const name of ['changeUser', 'changePassword']) expect(values(name)).not.toHaveProperty('Email');
  });
});

test.each(['', '.1', '.123', '.123456', '.1234567'])('reads a time whose fractional seconds are %p', (digits) => {
  const user = { ...documented.user, CreatedAt: `2025-01-15T10:30:00${digits}Z` };
  expect(read('Users', 'User', user)).toMatchObject({ CreatedAt: user.CreatedAt });
});

test("usersWithEmail uses the document's filter, and escapes the e-mail address", () => {
  const { usersWithEmail } = requests(tables.Users, 'Users');
  expect(usersWithEmail({ Email: "ana.d'avila@itajai.sc.gov.br" }).args[0].queryOptions.filter).toBe(
    "PartitionKey eq 'USER' and Email eq 'ana.d''avila@itajai.sc.gov.br'",
  );
});
