import { z } from 'zod';
import { review } from '../../../../lib/check/check';
import { azurePortability } from '../../../../lib/check/rules/azure-portability';
import { tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, type Told, tableOf, told } from '../../../fixtures/designs';

const acme: SystemDesign = { name: 'acme', cloud: 'azure', tables: {} };

/** For a table of Azure. */
const onAzure = (design: TableDesign) => findings(azurePortability, design, acme);
/** For a table of DynamoDB that is to be portable. */
const ported = (design: TableDesign) =>
  Array.from(
    azurePortability.check({ ...tableUnderCheck(design, { ...acme, cloud: 'aws' }), portability: 'azure' }),
    (found): Told => told(found),
  );

const attributes = z.object({ id: z.string(), userId: z.string(), number: z.int() });
const key = { partition: 'PartitionKey', sort: 'RowKey' };
const rows = (rest: Partial<TableDesign> = {}, keys: EntityDesign['keys'] = {}) =>
  tableOf({ attributes, keys: { PartitionKey: 'user_<userId>', RowKey: '<id>', ...keys } }, { key, ...rest });
const things = (rest: Partial<TableDesign> = {}, keys: EntityDesign['keys'] = {}) =>
  tableOf({ attributes, keys: { PK: 'USER#<userId>', SK: 'THING#<id>', ...keys } }, rest);

/** Of both clouds: an error where the table is Azure's, else a warning. */
function expectBoth(rest: Partial<TableDesign>, ...expected: readonly Told[]): void {
  expect(onAzure(rows(rest))).toEqual(expected.map((finding) => ({ severity: 'error', ...finding })));
  expect(ported(things(rest))).toEqual(expected.map((finding) => ({ severity: 'warning', ...finding })));
}

test('reports nothing about Azure unless asked for portability', () => {
  const design = things({ name: 'a-b', ttl: 'number' }, { SK: 'a/b' });
  expect(findings(azurePortability, design)).toEqual([]);
  expect(findings(azurePortability, design, { ...acme, cloud: 'aws' })).toEqual([]);
});

test('reports nothing for a table that suits both clouds', () => {
  expectBoth({ typeAttribute: 'kind' });
});

test('the check itself passes the wish on, and an Azure system needs none', () => {
  const design = things({ ttl: 'number' });
  const severities = (...args: Parameters<typeof review>) =>
    review(...args)
      .findings.filter(({ rule }) => rule === 'azure-portability')
      .map(({ severity }) => severity);
  expect(severities(design)).toEqual([]);
  expect(severities(design, { portability: 'azure' })).toEqual(['warning']);
  expect(severities({ ...acme, cloud: 'aws', tables: { things: design } }, { portability: 'azure' })).toEqual([
    'warning',
  ]);
  expect(severities({ ...acme, tables: { things: rows({ ttl: 'number' }) } })).toEqual(['error']);
  expect(severities({ ...acme, tables: { things: rows({ ttl: 'number' }) } }, { portability: 'azure' })).toEqual([
    'error',
  ]);
});

describe('the name of a table', () => {
  test.each(['controle-pgm', 'my_table', 'a.b', '1things', 'ab', 'a'.repeat(64), 'tables', 'Tables', 'ação'])(
    'is not %s',
    (name) => {
      expectBoth({ name }, { path: 'name', cause: 'table-name' });
    },
  );

  test.each(['abc', 'A1b2', 'a'.repeat(63), 'tables1', 'NumberLogs'])('may be %s', (name) => {
    expectBoth({ name });
  });
});

describe('the keys of a table', () => {
  const named = { severity: 'error', path: 'key', cause: 'key-names' };

  test.each([
    { partition: 'PK', sort: 'SK' },
    { partition: 'PartitionKey' },
    { partition: 'PartitionKey', sort: 'SK' },
    { partition: 'RowKey', sort: 'PartitionKey' },
  ])('are called PartitionKey and RowKey on Azure, not %j', (key) => {
    expect(onAzure({ ...rows(), key })).toEqual([named]);
  });

  test('are renamed where a table of DynamoDB is ported', () => {
    expect(ported(things())).toEqual([]);
  });
});

describe('the text of a key', () => {
  const illegal = (attribute: string, value: string) => ({
    severity: 'error',
    path: `entities.Thing.keys.${attribute}`,
    cause: 'key-literal',
    value,
  });

  test.each(['/', '\\', '#', '?', '\t', '\n', '\u007f', '\u0085'])('does not hold %j', (character) => {
    const text = `a${character}<id>`;
    expect(onAzure(rows({}, { RowKey: text }))).toEqual([illegal('RowKey', character)]);
  });

  test.each(['_', '|', '-', ' ', '.', ':', '=', 'é'])('may hold %j', (character) => {
    expect(onAzure(rows({}, { RowKey: `a${character}<id>` }))).toEqual([]);
    expect(ported(things({}, { SK: `a${character}<id>` }))).toEqual([]);
  });

  test('may hold anything in a table of DynamoDB, whose keys are written in another way when it is ported', () => {
    expect(ported(things({}, { SK: 'A#<id>/B' }))).toEqual([]);
    expect(ported(things({ separator: '|' }, { PK: '<userId>', SK: 'A#<id>' }))).toEqual([]);
    const indexes = { GSI1: { partition: 'GSI1PK', sort: 'id' } };
    expect(ported(things({ indexes }, { GSI1PK: 'a/b' }))).toEqual([]);
  });

  test('is the text of the separator too, where the table is one of Azure', () => {
    expect(onAzure(rows({}, { RowKey: '<userId>#<id>' }))).toEqual([illegal('RowKey', '#')]);
  });

  test('is not checked where an attribute is the key itself', () => {
    expect(ported(tableOf({ attributes }, { key: { partition: 'userId', sort: 'id' } }))).toEqual([]);
  });
});

describe('an entity', () => {
  const wide = (count: number, rest: Partial<TableDesign> = {}) =>
    tableOf(
      {
        attributes: z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, z.string()]))),
        keys: { PK: '<a0>', SK: '<a1>' },
      },
      rest,
    );
  const tooWide = { severity: 'warning', path: 'entities.Thing.attributes', cause: 'too-many-properties', count: 253 };

  test('has at most 252 properties', () => {
    expect(ported(wide(252))).toEqual([]);
    expect(ported(wide(253))).toEqual([tooWide]);
    expect(onAzure({ ...wide(253, { key }) })).toEqual([{ ...tooWide, severity: 'error' }]);
  });

  test('has properties of legal names', () => {
    const named = (name: string) =>
      tableOf({ attributes: z.object({ id: z.string(), [name]: z.string() }), keys: { PK: '<id>', SK: 'X' } });
    expect(ported(named('full_name2'))).toEqual([]);
    expect(ported(named('descrição'))).toEqual([]);
    for (const name of ['full-name', '2nd', 'Timestamp', 'PartitionKey', 'a'.repeat(256)]) {
      expect(ported(named(name))).toEqual([
        { severity: 'warning', path: `entities.Thing.attributes.${name}`, cause: 'property-name' },
      ]);
    }
  });

  test('counts its type among them', () => {
    expect(ported(wide(252, { typeAttribute: 'kind' }))).toEqual([tooWide]);
    expect(ported(wide(251, { typeAttribute: 'kind' }))).toEqual([]);
  });
});

describe('what Azure Tables do not have', () => {
  test('is a time to live', () => {
    const finding = { path: 'ttl', cause: 'ttl' };
    expectBoth({ ttl: 'number' }, finding);
  });

  test('is a descending order', () => {
    const where = { PK: 'x', PartitionKey: 'x' };
    const query = { op: 'query', where, returns: ['Thing'] } as const;
    const patterns: Record<string, PatternDesign> = {
      latest: { ...query, order: 'descending' },
      first: { ...query, order: 'ascending' },
      any: query,
    };
    expectBoth({ patterns }, { path: 'patterns.latest.order', cause: 'descending' });
  });

  test('is an index; that of a table of DynamoDB becomes a table of its own', () => {
    const indexes = { byNumber: { partition: 'number' }, byUser: { partition: 'userId' } };
    const finding = { severity: 'error', cause: 'index' };
    expect(onAzure(rows({ indexes }))).toEqual([
      { ...finding, path: 'indexes.byNumber' },
      { ...finding, path: 'indexes.byUser' },
    ]);
    expect(ported(things({ indexes }))).toEqual([]);
  });
});

describe('a transaction', () => {
  const remove = (PK: string): TransactionStep => ({ op: 'delete', entity: 'Thing', where: { PK, SK: 'X' } });
  const put: TransactionStep = { op: 'put', entity: 'Thing' };
  const written = (steps: Record<string, TransactionStep>, keys: EntityDesign['keys'] = {}, more = {}) => {
    const design = tableOf(
      {
        attributes: z.object({ id: z.string(), userId: z.string(), a: attributes, b: attributes }),
        keys: { PK: 'USER#<userId>', SK: 'THING#<id>', ...keys },
      },
      { patterns: { mine: { op: 'transaction', steps } } },
    );
    return ported({ ...design, entities: { ...design.entities, ...more } });
  };
  const across = (count: number) => ({
    severity: 'warning',
    path: 'patterns.mine.steps',
    cause: 'two-partitions',
    count,
  });

  test('writes to one partition', () => {
    expect(written({ one: remove('USER#<a>'), two: remove('USER#<a>') })).toEqual([]);
    expect(
      written({ one: remove('USER#<a>'), two: remove('USER#<b>'), three: remove('X'), four: remove('X') }),
    ).toEqual([across(3)]);
  });

  test('refers to the partition of what a step puts', () => {
    expect(written({ made: put, gone: remove('USER#<made.userId>') })).toEqual([]);
    expect(written({ made: put, gone: remove('USER#<made.id>') })).toEqual([across(2)]);
    expect(written({ made: put, gone: remove('THING#<made.userId>') })).toEqual([across(2)]);
  });

  test('refers to it also within a map, where a map is not taken for a step', () => {
    const keys = { PK: 'USER#<a.id>' };
    expect(written({ made: put, gone: remove('USER#<made.a.id>') }, keys)).toEqual([]);
    expect(written({ made: put, gone: remove('USER#<made.b.id>') }, keys)).toEqual([across(2)]);
    expect(written({ one: remove('USER#<a.id>'), two: remove('USER#<b.id>') })).toEqual([across(2)]);
    const Other = { attributes: z.object({ b: attributes }), keys: { PK: 'USER#<b.id>', SK: 'OTHER' } };
    expect(written({ made: put, other: { op: 'put', entity: 'Other' } }, keys, { Other })).toEqual([across(2)]);
  });

  test('takes at most 100 entities', () => {
    const steps = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, put]));
    expect(written(steps(100))).toEqual([]);
    expect(written(steps(101))).toEqual([
      { severity: 'warning', path: 'patterns.mine.steps', cause: 'too-many-items', count: 101 },
    ]);
  });

  test('is an error across partitions, where the table is one of Azure', () => {
    const where = (PartitionKey: string) => ({ PartitionKey, RowKey: 'x' });
    const steps: Record<string, TransactionStep> = {
      one: { op: 'delete', entity: 'Thing', where: where('<a>') },
      two: { op: 'delete', entity: 'Thing', where: where('<b>') },
    };
    expect(onAzure(rows({ patterns: { mine: { op: 'transaction', steps } } }))).toEqual([
      { ...across(2), severity: 'error' },
    ]);
  });
});

test('what does not carry over of the four DynamoDB systems is known, and the Azure system has nothing of the kind', () => {
  const report = Object.values(systems).flatMap((system) =>
    review(system, { portability: 'azure' }).findings.map(({ path, severity }) => `${severity} ${system.name} ${path}`),
  );
  expect(report.toSorted()).toEqual(
    [
      ...['createUser', 'changeEmail'].map((pattern) => `warning trimobe tables.Users.patterns.${pattern}`),
      ...['conversationsOfUser.order', 'latestConversationsOfTenant.order']
        .concat('createConversation.steps', 'updateConversation.steps', 'deleteConversation.steps')
        .concat('addMessage.steps', 'addLateMessage.steps')
        .map((place) => `warning trimobe tables.RuralCreditAI.patterns.${place}`),
      ...['bookmarksByDate', 'notificationsByDate', 'postsByCategory', 'postsByAuthor', 'latestPosts']
        .concat('commentsByAuthor', 'likesOfAuthor')
        .map((pattern) => `warning blog tables.blog.patterns.${pattern}.order`),
      ...['createSubcategory', 'moveSubcategory', 'deleteSubcategory'].map(
        (pattern) => `warning blog tables.blog.patterns.${pattern}.steps`,
      ),
      ...['likePost', 'unlikePost'].map((pattern) => `warning blog tables.blog.patterns.${pattern}`),
      'warning booking tables.ConversationState.ttl',
      'warning transporte tables.TransporteApp.ttl',
      'warning transporte tables.TransporteApp.patterns.tripsOfUser.order',
    ].toSorted(),
  );
});

test('it is a warning unless the table is one of Azure', () => {
  expect(azurePortability).toMatchObject({ id: 'azure-portability', severity: 'warning' });
});
