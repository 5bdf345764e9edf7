import { z } from 'zod';
import { outline } from '../../../lib/blueprint/outline';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { type AccessStatement, isWrite, statementsOf as statementsFor } from '../../../lib/permissions/statements';
import { systems } from '../../../lib/systems';
import { orders, tableOf } from '../../fixtures/designs';
import { library, libraryWith } from '../../fixtures/library';
import { accessesOf } from '../../support/accesses';
import fc from '../../support/fuzz';

/** What patterns of a table come to. */
function statementsOf(design: TableDesign, patterns: readonly PatternDesign[]): readonly AccessStatement[] {
  return statementsFor(
    outline(design),
    patterns.map((pattern) => accessesOf(design, pattern)),
  );
}

const { getCustomer, customerByEmail, ordersByStatus, ordersOfDay, placeOrder } = orders.patterns;

describe('each operation is one action', () => {
  const where = { PK: 'BOOK#<isbn>', SK: 'BOOK' };
  const patterns: readonly (readonly [string, PatternDesign])[] = [
    ['dynamodb:GetItem', { op: 'get', where, returns: ['Book'] }],
    ['dynamodb:Query', { op: 'query', where, returns: ['Book'] }],
    ['dynamodb:BatchGetItem', { op: 'batchGet', keys: { one: where }, returns: ['Book'] }],
    ['dynamodb:PutItem', { op: 'put', entity: 'Book' }],
    ['dynamodb:UpdateItem', { op: 'update', entity: 'Book', where, set: { published: '<at>' } }],
    ['dynamodb:DeleteItem', { op: 'delete', entity: 'Book', where }],
  ];

  test.each(patterns)('%s', (action, pattern) => {
    expect(statementsOf(libraryWith(pattern), [pattern])).toEqual([{ actions: [action], leadingKeys: ['BOOK#*'] }]);
  });

  test('a transaction is the action of each of its steps', () => {
    expect(statementsOf(orders, [placeOrder])).toEqual([
      { actions: ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem'], leadingKeys: ['CUSTOMER#*'] },
    ]);
  });

  test('only puts, updates and deletes write', () => {
    const written = patterns.map(([, pattern]) => statementsOf(libraryWith(pattern), [pattern]).some(isWrite));
    expect(written).toEqual([false, false, false, true, true, true]);
    expect(isWrite({ actions: ['dynamodb:ConditionCheckItem'] })).toBe(false);
  });
});

describe('where', () => {
  test('is the index that is queried, and not the table', () => {
    expect(statementsOf(orders, [ordersByStatus])).toEqual([
      { actions: ['dynamodb:Query'], index: 'byStatus', leadingKeys: ['STATUS#*'] },
    ]);
  });

  test('is any partition of it, where the key is an attribute as it is', () => {
    expect(statementsOf(orders, [customerByEmail])).toEqual([{ actions: ['dynamodb:Query'], index: 'byEmail' }]);
    expect(statementsOf(orders, [ordersOfDay])).toEqual([{ actions: ['dynamodb:Query'], index: 'byDay' }]);
  });

  test('is any partition where the key is a number, which IAM compares in no documented way', () => {
    const pattern = { op: 'get', where: { shard: '7' }, returns: ['Thing'] } as const;
    const design = tableOf(
      { attributes: z.object({ shard: z.int() }) },
      { key: { partition: 'shard' }, patterns: { pattern } },
    );
    expect(statementsOf(design, [pattern])).toEqual([{ actions: ['dynamodb:GetItem'] }]);
  });

  test('is every partition of a batch in one list, since all of its keys must be in it', () => {
    const batch = {
      op: 'batchGet',
      keys: { book: { PK: 'BOOK#<isbn>', SK: 'BOOK' }, member: { PK: 'MEMBER#<id>', SK: 'TIER#gold' } },
      returns: ['Book', 'Member'],
    } as const;
    expect(statementsOf(library, [batch])).toEqual([
      { actions: ['dynamodb:BatchGetItem'], leadingKeys: ['BOOK#*', 'MEMBER#*'] },
    ]);
  });
});

describe('statements are merged', () => {
  const get = (PK: string) => ({ op: 'get', where: { PK, SK: 'x' }, returns: [] }) as const;
  const query = (PK: string) => ({ op: 'query', where: { PK }, returns: [] }) as const;
  const book = { actions: ['dynamodb:GetItem', 'dynamodb:Query'], leadingKeys: ['BOOK#*'] };

  test('where actions reach the same partitions', () => {
    expect(statementsOf(library, [get('BOOK#<a>'), query('BOOK#<b>'), get('BOOK#<c>')])).toEqual([book]);
  });

  test('never where that would give an action the partitions of another', () => {
    expect(statementsOf(library, [get('BOOK#<a>'), query('MEMBER#<b>')])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['BOOK#*'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['MEMBER#*'] },
    ]);
    expect(statementsOf(library, [get('BOOK#<a>'), get('MEMBER#<a>'), query('BOOK#<b>')])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['BOOK#*', 'MEMBER#*'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['BOOK#*'] },
    ]);
  });

  test('never across the table and its indexes, in the order of the table whatever that of the patterns', () => {
    expect(statementsOf(orders, [ordersByStatus, getCustomer])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['CUSTOMER#*'] },
      { actions: ['dynamodb:Query'], index: 'byStatus', leadingKeys: ['STATUS#*'] },
    ]);
  });

  test('where one of an action takes any partition, the others are among them', () => {
    expect(statementsOf(library, [get('<a>'), get('BOOK#<a>'), query('BOOK#<a>')])).toEqual([
      { actions: ['dynamodb:GetItem'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['BOOK#*'] },
    ]);
  });
});

describe('a partition with one separator more', () => {
  const attributes = z.object({ a: z.string(), b: z.string(), at: z.iso.datetime(), n: z.int() });
  /** A table whose entities have these partitions, and a pattern for each of them. */
  const tableWith = (separator: string, ...partitions: string[]): TableDesign => ({
    name: 'things',
    key: { partition: 'PK' },
    separator,
    entities: Object.fromEntries(partitions.map((PK, i) => [`E${i}`, { attributes, keys: { PK } }])),
  });
  const get = (PK: string) => ({ op: 'get', where: { PK }, returns: ['E0'] }) as const;
  const getsOf = (design: TableDesign, ...partitions: string[]) =>
    statementsOf(design, partitions.map(get)).map(({ leadingKeys, notLeadingKeys }) => [leadingKeys, notLeadingKeys]);

  test.each([
    ['#', 'TENANT#<a>', 'TENANT#<a>#ORDERS', ['TENANT#*#*']],
    ['#', 'TENANT#<a>', 'TENANT#<a>#<b>', ['TENANT#*#*']],
    ['#', 'A#<a>#B#<b>', 'A#<a>#B#<b>#C', ['A#*#*#B#*', 'A#*#B#*#*']],
    ['#', '<a>#<b>', '<a>#<b>#<n>', ['*#*#*']],
    ['#', 'SHARD#<n:4>', 'SHARD#<a>#<b>', ['SHARD#*#*']],
    ['#', 'DAY#<at:date>', 'DAY#<a>#<b>', ['DAY#*#*']],
    ['-', 'DAY-<at:date>', 'DAY-<a>-<at:date>', ['DAY-*-*-*-*']],
    ['*', 'A*<a>', 'A*<a>*<b>', [`A\${*}*\${*}*`]],
    ['#', '<a>', '<a>#<b>', ['*#*']],
  ])('with %s, %s does not reach %s', (separator, own, other, not) => {
    const [[, notLeadingKeys] = []] = getsOf(tableWith(separator, own, other), own);
    expect(notLeadingKeys).toEqual(not);
  });

  test.each([
    ['that no entity has', '#', 'TENANT#<a>', 'TENANT#<a>'],
    ['that begins otherwise', '#', 'TENANT#<a>', 'ORDER#<a>#<b>'],
    ['whose text the pattern has', '#', 'TENANT#<a>', 'TENANTS#<a>#<b>'],
    ['that ends otherwise', '#', 'A#<a>#X', 'A#<a>#<n:4>#Y'],
    ['where the separator is no single character', '##', 'TENANT##<a>', 'TENANT##<a>##<b>'],
    ['where digits hold the separator', '1', 'A1<n:4>', 'A1<a>1<b>'],
  ])('needs no word %s', (_what, separator, own, other) => {
    const [[, notLeadingKeys] = []] = getsOf(tableWith(separator, own, other), own);
    expect(notLeadingKeys).toBeUndefined();
  });

  test('may be that of an entity whose key is an attribute as it is', () => {
    const natural = { name: 'E1', attributes: z.object({ PK: z.string() }) };
    const design = tableWith('#', 'TENANT#<a>');
    const both = { ...design, entities: { ...design.entities, E1: natural } };
    expect(getsOf(both, 'TENANT#<a>')).toEqual([[['TENANT#*'], ['TENANT#*#*']]]);
    // Its own values may hold the separator, so that nothing is kept from it.
    const own = { op: 'get', where: { PK: '<PK>' }, returns: ['E1'] } as const;
    expect(statementsOf(both, [own])).toEqual([{ actions: ['dynamodb:GetItem'] }]);
  });

  test('shares a statement with the shorter one where both can be in a transaction', () => {
    const design = tableWith('#', 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>');
    expect(getsOf(design, 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>')).toEqual([[['PLAN#*', 'T#*', 'T#*#ORDERS'], undefined]]);
  });

  test('is in a statement of its own where each pattern is a request of its own', () => {
    const design = tableWith('#', 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>');
    const query = (PK: string) => ({ op: 'query', where: { PK }, returns: ['E0'] }) as const;
    const statements = statementsOf(design, ['T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>'].map(query));
    expect(statements.map(({ leadingKeys, notLeadingKeys }) => [leadingKeys, notLeadingKeys])).toEqual([
      [['PLAN#*', 'T#*'], ['T#*#*']],
      [['T#*#ORDERS'], undefined],
    ]);
  });

  test('stays within reach of a batch that has it beside the shorter one, but a key with two more does not', () => {
    const design = tableWith('#', 'T#<a>', 'T#<a>#ORDERS', 'T#<a>#<b>#X');
    const batch = {
      op: 'batchGet',
      keys: { t: { PK: 'T#<a>' }, o: { PK: 'T#<a>#ORDERS' } },
      returns: ['E0', 'E1'],
    } as const;
    expect(statementsOf(design, [batch])).toEqual([
      { actions: ['dynamodb:BatchGetItem'], leadingKeys: ['T#*', 'T#*#ORDERS'], notLeadingKeys: ['T#*#*#*'] },
    ]);
  });

  test('is kept from one tenant as from all', () => {
    const design = tableWith('#', 'T#<a>#<b>', 'T#<a>#<b>#X');
    const [access] = accessesOf(design, get('T#<a>#<b>'));
    const [part] = access?.partition?.[0].at.parts ?? [];
    if (access === undefined || part === undefined) throw new Error('no tenant');
    const tenantIn = () => ({ part, variable: 'aws:PrincipalTag/a', separator: '#' });
    expect(statementsFor(outline(design), [[access]], tenantIn)).toEqual([
      {
        actions: ['dynamodb:GetItem'],
        leadingKeys: [`T#\${aws:PrincipalTag/a}#*`],
        notLeadingKeys: [`T#\${aws:PrincipalTag/a}#*#*`],
        tenant: { variable: 'aws:PrincipalTag/a', separator: '#' },
      },
    ]);
  });
});

/** Each action on each target in each partition; all partitions are one. */
function triplesOf(statements: readonly AccessStatement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ actions, index = '', leadingKeys = ['all'] }) =>
      actions.flatMap((action) => leadingKeys.map((key) => `${action} ${index} ${key}`)),
    ),
  );
}

test('whatever is granted together comes to what it comes to apart: nothing is lost, and nothing added', () => {
  const tables = Object.values(systems).flatMap(({ tables }) => Object.values(tables));
  const choices = fc.constantFrom(...tables).chain((design) => {
    const patterns = fc.shuffledSubarray(Object.values(design.patterns ?? {}));
    return patterns.map((chosen) => ({ design, chosen }));
  });
  fc.assert(
    fc.property(choices, ({ design, chosen }) => {
      const apart = new Set(chosen.flatMap((pattern) => [...triplesOf(statementsOf(design, [pattern]))]));
      // Who may go anywhere may also go where it said.
      const isCovered = (triple: string) => apart.has(triple.replace(/[^ ]*$/, 'all')) && !triple.endsWith(' all');
      const together = triplesOf(statementsOf(design, chosen));
      expect([...together].sort()).toEqual([...apart].filter((triple) => !isCovered(triple)).sort());
    }),
    { numRuns: 500 },
  );
});

test('no pattern of any system is granted a scan, or all of anything', () => {
  const tables = Object.values(systems).flatMap(({ tables }) => Object.values(tables));
  const all = tables.flatMap((design) => statementsOf(design, Object.values(design.patterns ?? {})));
  expect(all.length).toBeGreaterThan(10);
  expect(JSON.stringify(all)).not.toMatch(/Scan|dynamodb:\*|"index":"\*"/);
});
