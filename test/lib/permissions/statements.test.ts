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

/** Returns the statements for the given patterns of a table. */
function statementsOf(design: TableDesign, patterns: readonly PatternDesign[]): readonly AccessStatement[] {
  return statementsFor(
    outline(design),
    patterns.map((pattern) => accessesOf(design, pattern)),
  );
}

const { getCustomer, customerByEmail, ordersByStatus, ordersOfDay, placeOrder } = orders.patterns;

describe('operations and the IAM actions that they need', () => {
  const where = { PK: 'BOOK#<isbn>', SK: 'BOOK' };
  const patterns: readonly (readonly [string, PatternDesign])[] = [
    ['dynamodb:GetItem', { op: 'get', where, returns: ['Book'] }],
    ['dynamodb:Query', { op: 'query', where, returns: ['Book'] }],
    ['dynamodb:BatchGetItem', { op: 'batchGet', keys: { one: where }, returns: ['Book'] }],
    ['dynamodb:PutItem', { op: 'put', entity: 'Book' }],
    ['dynamodb:UpdateItem', { op: 'update', entity: 'Book', where, set: { published: '<at>' } }],
    ['dynamodb:DeleteItem', { op: 'delete', entity: 'Book', where }],
  ];

  test.each(patterns)('a statement allows the action %s', (action, pattern) => {
    expect(statementsOf(libraryWith(pattern), [pattern])).toEqual([{ actions: [action], leadingKeys: ['BOOK#*'] }]);
  });

  test('a transaction needs the IAM action of each of its steps', () => {
    expect(statementsOf(orders, [placeOrder])).toEqual([
      { actions: ['dynamodb:ConditionCheckItem', 'dynamodb:PutItem'], leadingKeys: ['CUSTOMER#*'] },
    ]);
  });

  test('only puts, updates and deletes are writes', () => {
    const written = patterns.map(([, pattern]) => statementsOf(libraryWith(pattern), [pattern]).some(isWrite));
    expect(written).toEqual([false, false, false, true, true, true]);
    expect(isWrite({ actions: ['dynamodb:ConditionCheckItem'] })).toBe(false);
  });
});

describe('the target', () => {
  test('a statement names the queried index instead of the table', () => {
    expect(statementsOf(orders, [ordersByStatus])).toEqual([
      { actions: ['dynamodb:Query'], index: 'byStatus', leadingKeys: ['STATUS#*'] },
    ]);
  });

  test('a statement allows every partition of an index with a natural key', () => {
    expect(statementsOf(orders, [customerByEmail])).toEqual([{ actions: ['dynamodb:Query'], index: 'byEmail' }]);
    expect(statementsOf(orders, [ordersOfDay])).toEqual([{ actions: ['dynamodb:Query'], index: 'byDay' }]);
  });

  test('a statement allows every partition if the key is numeric, because IAM does not document how it compares numbers', () => {
    const pattern = { op: 'get', where: { shard: '7' }, returns: ['Thing'] } as const;
    const design = tableOf(
      { attributes: z.object({ shard: z.int() }) },
      { key: { partition: 'shard' }, patterns: { pattern } },
    );
    expect(statementsOf(design, [pattern])).toEqual([{ actions: ['dynamodb:GetItem'] }]);
  });

  test('one statement lists all partitions of a batch, because IAM checks all of its keys against a single list', () => {
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

describe('merging statements', () => {
  const get = (PK: string) => ({ op: 'get', where: { PK, SK: 'x' }, returns: [] }) as const;
  const query = (PK: string) => ({ op: 'query', where: { PK }, returns: [] }) as const;
  const book = { actions: ['dynamodb:GetItem', 'dynamodb:Query'], leadingKeys: ['BOOK#*'] };

  test('combines actions that reach the same partitions into one statement', () => {
    expect(statementsOf(library, [get('BOOK#<a>'), query('BOOK#<b>'), get('BOOK#<c>')])).toEqual([book]);
  });

  test("never combines actions if one action could then reach another action's partitions", () => {
    expect(statementsOf(library, [get('BOOK#<a>'), query('MEMBER#<b>')])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['BOOK#*'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['MEMBER#*'] },
    ]);
    expect(statementsOf(library, [get('BOOK#<a>'), get('MEMBER#<a>'), query('BOOK#<b>')])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['BOOK#*', 'MEMBER#*'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['BOOK#*'] },
    ]);
  });

  test('keeps separate statements for the table and each index, and lists the table first', () => {
    expect(statementsOf(orders, [ordersByStatus, getCustomer])).toEqual([
      { actions: ['dynamodb:GetItem'], leadingKeys: ['CUSTOMER#*'] },
      { actions: ['dynamodb:Query'], index: 'byStatus', leadingKeys: ['STATUS#*'] },
    ]);
  });

  test('drops the other statements for an action if one statement reaches every partition', () => {
    expect(statementsOf(library, [get('<a>'), get('BOOK#<a>'), query('BOOK#<a>')])).toEqual([
      { actions: ['dynamodb:GetItem'] },
      { actions: ['dynamodb:Query'], leadingKeys: ['BOOK#*'] },
    ]);
  });
});

describe('partition keys with an extra separator', () => {
  const attributes = z.object({ a: z.string(), b: z.string(), at: z.iso.datetime(), n: z.int() });
  /** Returns a table with one entity for each of the given partition keys. */
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
  ])(
    'with the separator %s, a grant for the key template %s excludes the keys of the template %s',
    (separator, own, other, not) => {
      const [[, notLeadingKeys] = []] = getsOf(tableWith(separator, own, other), own);
      expect(notLeadingKeys).toEqual(not);
    },
  );

  test.each([
    ['that has the same keys', '#', 'TENANT#<a>', 'TENANT#<a>'],
    ['whose keys begin differently', '#', 'TENANT#<a>', 'ORDER#<a>#<b>'],
    ['whose literal only resembles the granted literal', '#', 'TENANT#<a>', 'TENANTS#<a>#<b>'],
    ['whose keys end differently', '#', 'A#<a>#X', 'A#<a>#<n:4>#Y'],
    ['if the separator has several characters', '##', 'TENANT##<a>', 'TENANT##<a>##<b>'],
    ['if padded digits can contain the separator', '1', 'A1<n:4>', 'A1<a>1<b>'],
  ])('excludes no keys of an entity %s', (_what, separator, own, other) => {
    const [[, notLeadingKeys] = []] = getsOf(tableWith(separator, own, other), own);
    expect(notLeadingKeys).toBeUndefined();
  });

  test('a grant for a key template excludes natural keys with an extra separator, but a grant for a natural key excludes nothing', () => {
    const natural = { name: 'E1', attributes: z.object({ PK: z.string() }) };
    const design = tableWith('#', 'TENANT#<a>');
    const both = { ...design, entities: { ...design.entities, E1: natural } };
    expect(getsOf(both, 'TENANT#<a>')).toEqual([[['TENANT#*'], ['TENANT#*#*']]]);
    // Values of a natural key may contain the separator, so nothing is excluded.
    const own = { op: 'get', where: { PK: '<PK>' }, returns: ['E1'] } as const;
    expect(statementsOf(both, [own])).toEqual([{ actions: ['dynamodb:GetItem'] }]);
  });

  test('uses one statement for keys of two lengths if one transaction can use both', () => {
    const design = tableWith('#', 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>');
    expect(getsOf(design, 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>')).toEqual([[['PLAN#*', 'T#*', 'T#*#ORDERS'], undefined]]);
  });

  test('uses separate statements for keys of two lengths if no request can use both', () => {
    const design = tableWith('#', 'T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>');
    const query = (PK: string) => ({ op: 'query', where: { PK }, returns: ['E0'] }) as const;
    const statements = statementsOf(design, ['T#<a>', 'T#<a>#ORDERS', 'PLAN#<a>'].map(query));
    expect(statements.map(({ leadingKeys, notLeadingKeys }) => [leadingKeys, notLeadingKeys])).toEqual([
      [['PLAN#*', 'T#*'], ['T#*#*']],
      [['T#*#ORDERS'], undefined],
    ]);
  });

  test('allows a batch to use keys of two lengths, but denies keys that are longer than both', () => {
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

  test('a grant for a single tenant also excludes partitions with an extra separator', () => {
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

/** Returns every combination of action, index and partition that the statements allow; `all` means every partition. */
function triplesOf(statements: readonly AccessStatement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ actions, index = '', leadingKeys = ['all'] }) =>
      actions.flatMap((action) => leadingKeys.map((key) => `${action} ${index} ${key}`)),
    ),
  );
}

test('a joint grant of several patterns is exactly the union of their separate grants', () => {
  const tables = Object.values(systems).flatMap(({ tables }) => Object.values(tables));
  const choices = fc.constantFrom(...tables).chain((design) => {
    const patterns = fc.shuffledSubarray(Object.values(design.patterns ?? {}));
    return patterns.map((chosen) => ({ design, chosen }));
  });
  fc.assert(
    fc.property(choices, ({ design, chosen }) => {
      const apart = new Set(chosen.flatMap((pattern) => [...triplesOf(statementsOf(design, [pattern]))]));
      // If an action may access every partition, the joint grant does not list single partitions as well.
      const isCovered = (triple: string) => apart.has(triple.replace(/[^ ]*$/, 'all')) && !triple.endsWith(' all');
      const together = triplesOf(statementsOf(design, chosen));
      expect([...together].sort()).toEqual([...apart].filter((triple) => !isCovered(triple)).sort());
    }),
    { numRuns: 500 },
  );
});

test('no grant for the patterns of a bundled system allows a scan, all actions or all indexes', () => {
  const tables = Object.values(systems).flatMap(({ tables }) => Object.values(tables));
  const all = tables.flatMap((design) => statementsOf(design, Object.values(design.patterns ?? {})));
  expect(all.length).toBeGreaterThan(10);
  expect(JSON.stringify(all)).not.toMatch(/Scan|dynamodb:\*|"index":"\*"/);
});
