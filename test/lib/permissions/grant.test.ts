import { z } from 'zod';
import { namesIn } from '../../../lib/blueprint/system';
import type { TableDesign } from '../../../lib/design/table';
import { GrantError, type GrantRequest, grantOf } from '../../../lib/permissions/grant';
import { principalTag } from '../../../lib/permissions/tenancy';
import { blog, booking, transporte, trimobe } from '../../../lib/systems';
import { bank } from '../../fixtures/bank';
import { shop, tableOf } from '../../fixtures/designs';
import { salesSystem } from '../../fixtures/sound/sales';
import { saas } from '../../fixtures/sound/tenants';

const tenant = { variable: 'aws:PrincipalTag/tenantId' };
/** The tenant condition that a statement needs if its key has other parts besides the tenant id. */
const apart = { tenant: { ...tenant, separator: '#' } };

const granted = (request: GrantRequest) =>
  Object.fromEntries(grantOf(request).map(({ table, statements }) => [table, statements]));

function problemsOf(request: GrantRequest) {
  try {
    grantOf(request);
  } catch (error) {
    if (error instanceof GrantError) return error.problems;
    throw error;
  }
  return [];
}

describe('names', () => {
  test("grants a table's pattern by name", () => {
    expect(granted({ of: blog.tables.blog, names: ['getPost'] })).toEqual({
      blog: [{ actions: ['dynamodb:GetItem'], leadingKeys: ['POST#*'] }],
    });
  });

  test('grants a system-wide pattern on each table that it reaches', () => {
    expect(granted({ of: bank, names: ['deposit', 'receipt', 'overview'] })).toEqual({
      accounts: [
        {
          actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:ConditionCheckItem', 'dynamodb:UpdateItem'],
          leadingKeys: ['ACCOUNT#*'],
        },
      ],
      ledger: [{ actions: ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:PutItem'] }],
    });
    expect(namesIn(bank)).toEqual([
      'deposit',
      'receipt',
      'overview',
      'account',
      'limit',
      'file',
      'snapshot',
      'entries',
      'entriesOf',
      'latestOf',
    ]);
  });

  test("grants a table's pattern on only that table, even if the system has other tables", () => {
    const { Tenants, Services, ...others } = granted({ of: booking, names: ['getService', 'getTenant'] });
    expect(Tenants).toEqual([{ actions: ['dynamodb:GetItem'] }]);
    expect(Services).toEqual([{ actions: ['dynamodb:GetItem'] }]);
    expect(others).toEqual({});
  });

  test('granting a procedure grants all patterns that it uses', () => {
    const { uses } = trimobe.procedures.postMessage;
    expect(granted({ of: trimobe, names: ['postMessage'] })).toEqual(granted({ of: trimobe, names: uses }));
    expect(granted({ of: booking, names: ['cancelBooking'] })).toEqual({
      Bookings: [
        {
          actions: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action}`),
          leadingKeys: ['*#*'],
        },
      ],
    });
  });

  test('the names that can be granted include every pattern and procedure', () => {
    expect(namesIn(booking)).toEqual(expect.arrayContaining(['getTenant', 'bookSlot', 'createBooking']));
    expect(namesIn(shop.tables.carts)).toEqual([]);
  });

  test('reports all unknown names at once with suggestions, and grants nothing', () => {
    expect(() => grantOf({ of: blog, names: ['getPosts', 'getPost', 'invoices'] })).toThrow(
      new GrantError([
        {
          path: 'getPosts',
          message: "'blog' has no pattern or procedure 'getPosts'",
          fix: 'did you mean getPost?',
        },
        {
          path: 'invoices',
          message: "'blog' has no pattern or procedure 'invoices'",
          fix: `there are ${namesIn(blog).join(', ')}`,
        },
      ]),
    );
  });

  test('requires at least one name', () => {
    expect(problemsOf({ of: shop.tables.carts, names: [] })).toEqual([
      { path: 'patterns', message: 'no pattern was named', fix: 'name at least one pattern; there are none' },
    ]);
  });

  describe('procedure-only patterns', () => {
    const { patterns } = shop.tables.orders;
    const orders = {
      ...shop.tables.orders,
      patterns: { ...patterns, placeOrder: { ...patterns.placeOrder, procedureOnly: true } },
    };
    const system = { ...shop, tables: { ...shop.tables, orders }, procedures: { checkOut: { uses: ['placeOrder'] } } };
    const message = "a pattern with 'procedureOnly' can be granted only through its procedures";

    test('refuses to grant a procedure-only pattern by name, even for a single table, and suggests its procedures', () => {
      const refused = [{ path: 'placeOrder', message, fix: 'grant the procedure: checkOut' }];
      expect(problemsOf({ of: system, names: ['getCustomer', 'placeOrder'] })).toEqual(refused);
      expect(problemsOf({ of: orders, system, names: ['placeOrder'] })).toEqual(refused);
      expect(problemsOf({ of: orders, names: ['placeOrder'] })).toEqual([
        {
          path: 'placeOrder',
          message,
          fix: "add 'placeOrder' to the 'uses' of a procedure and grant that procedure, or delete 'procedureOnly' from 'placeOrder'",
        },
      ]);
    });

    test('grants a procedure-only pattern as part of a procedure, even if both have the same name', () => {
      const plain = granted({ of: shop, names: ['placeOrder'] });
      expect(granted({ of: system, names: ['checkOut'] })).toEqual(plain);
      const namesake = { ...system, procedures: { placeOrder: { uses: ['placeOrder'] } } };
      expect(granted({ of: namesake, names: ['placeOrder'] })).toEqual(plain);
    });
  });

  test('treats the names of built-in properties as unknown patterns', () => {
    expect(problemsOf({ of: booking, names: ['constructor', 'toString'] })).toHaveLength(2);
  });
});

describe('the tenant', () => {
  test('limits a tenant to its own partitions of the table and the indexes', () => {
    expect(granted({ of: booking, names: ['getService', 'servicesByCategory'], tenant })).toEqual({
      Services: [
        { actions: ['dynamodb:GetItem'], leadingKeys: [`\${aws:PrincipalTag/tenantId}`] },
        { actions: ['dynamodb:Query'], index: 'GSI1', leadingKeys: [`\${aws:PrincipalTag/tenantId}#*`], ...apart },
      ],
    });
    expect(granted({ of: trimobe, names: ['latestConversationsOfTenant'], tenant })).toEqual({
      RuralCreditAI: [
        {
          actions: ['dynamodb:Query'],
          index: 'GSI2',
          leadingKeys: [`TENANT#\${aws:PrincipalTag/tenantId}#CONVERSATION`],
          ...apart,
        },
      ],
    });
  });

  test('limits every step of a transaction to the tenant', () => {
    expect(granted({ of: saas, names: ['createTask'], tenant })).toEqual({
      projects: [
        { actions: ['dynamodb:PutItem'], leadingKeys: [`TENANT#\${aws:PrincipalTag/tenantId}#PROJECT#*`], ...apart },
        { actions: ['dynamodb:UpdateItem'], leadingKeys: [`TENANT#\${aws:PrincipalTag/tenantId}`], ...apart },
      ],
    });
  });

  test("uses the system's tenant attribute unless the call specifies an attribute, even if the tag has a different name", () => {
    const tag = { variable: 'aws:PrincipalTag/sub' };
    const { TransporteApp } = granted({ of: transporte, names: ['getTrip'], tenant: tag });
    expect(TransporteApp).toEqual([
      {
        actions: ['dynamodb:GetItem'],
        leadingKeys: [`USER#\${aws:PrincipalTag/sub}`],
        tenant: { ...tag, separator: '#' },
      },
    ]);
    expect(problemsOf({ of: transporte, names: ['getTrip'], tenant: { ...tag, attribute: 'viajeId' } })).toHaveLength(
      1,
    );
    const table = transporte.tables.TransporteApp;
    expect(granted({ of: table, system: transporte, names: ['getTrip'], tenant: tag })).toEqual({ TransporteApp });
  });

  test("uses the tag's name as the tenant attribute for a table without a system", () => {
    const of = transporte.tables.TransporteApp;
    const names = ['getTrip'];
    expect(problemsOf({ of, names, tenant: { variable: 'aws:PrincipalTag/sub' } })).toHaveLength(1);
    expect(problemsOf({ of, names, tenant: { variable: 'aws:PrincipalTag/userId' } })).toEqual([]);
    expect(problemsOf({ of, names, tenant: { variable: 'aws:PrincipalTag/sub', attribute: 'userId' } })).toEqual([]);
  });

  test('reports every step whose partition key lacks the tenant, along with all other problems', () => {
    const request = { of: trimobe, names: ['createUser', 'getUser', 'tenantsOfUser', 'getUsers'], tenant };
    const fix =
      "grant the pattern without 'tenant' to a role that may see all tenants, or use a key that begins with <tenantId>";
    const reason = (where: string) =>
      `${where} does not contain <tenantId>, so no policy can limit the pattern to one tenant`;
    expect(problemsOf(request)).toEqual([
      expect.objectContaining({ path: 'getUsers', fix: 'did you mean getUser?' }),
      { path: 'tenantsOfUser', message: reason("partition 'USER#<cognitoId>' of GSI1"), fix },
      { path: 'createUser.email', message: reason("partition 'EMAIL#<email:lower>' of the table"), fix },
    ]);
    expect(() => grantOf(request)).toThrow(/^nothing was granted: 3 problems\n {2}getUsers: .*\n {4}fix: did you mean/);
  });
});

describe("a tenant that could reach other tenants' items", () => {
  const attributes = z.object({ tenantId: z.string(), id: z.string() });
  const of: TableDesign = {
    name: 'things',
    key: { partition: 'PK' },
    entities: {
      Order: { attributes, keys: { PK: '<tenantId>#<id>' } },
      Invoice: { attributes, keys: { PK: 'INVOICE#<tenantId>#<id>' } },
      ApiKey: { attributes, keys: { PK: 'APIKEY#<id>' } },
    },
    patterns: {
      getOrder: { op: 'get', where: { PK: '<tenantId>#<id>' }, returns: ['Order'] },
      getInvoice: { op: 'get', where: { PK: 'INVOICE#<tenantId>#<id>' }, returns: ['Invoice'] },
      move: {
        op: 'transaction',
        steps: { order: { op: 'put', entity: 'Order' }, invoice: { op: 'put', entity: 'Invoice' } },
      },
    },
  };

  test('refuses a tenant grant that leaks, and the error names both entities, the tenant, and the key template to use instead', () => {
    expect(problemsOf({ of, names: ['getOrder'], tenant })).toEqual([
      {
        path: 'getOrder',
        message: expect.stringMatching(
          /^Order \('<tenantId>#<id>'\) and Invoice .* the tenant 'INVOICE' would reach the Invoice 'INVOICE#(\w+)#\w+', which belongs to the tenant '\1'; the same applies to ApiKey$/,
        ),
        fix: "begin the key of Order with a distinct word: 'ORDER#<tenantId>#<id>', or give <tenantId> a format that no other key has, such as z.uuid(); or grant the pattern without 'tenant' to a role that may see all tenants",
      },
    ]);
    expect(problemsOf({ of, names: ['move'], tenant }).map(({ path }) => path)).toEqual(['move.order']);
  });

  test('grants unambiguous keys to a tenant, and accepts ambiguous keys in a grant without a tenant', () => {
    expect(problemsOf({ of, names: ['getInvoice'], tenant })).toEqual([]);
    expect(problemsOf({ of, names: ['getOrder', 'getInvoice', 'move'] })).toEqual([]);
  });
});

test('loads the leak check only for a tenant grant', () => {
  jest.isolateModules(() => {
    let loaded = 0;
    jest.doMock('../../../lib/check', () => {
      loaded++;
      return jest.requireActual('../../../lib/check');
    });
    const {
      grantOf: grant,
    }: typeof import('../../../lib/permissions/grant') = require('../../../lib/permissions/grant');
    grant({ of: booking, names: ['getService'] });
    expect(loaded).toBe(0);
    grant({ of: booking, names: ['getService'], tenant });
    expect(loaded).toBe(1);
  });
});

describe('an index with a multi-attribute key', () => {
  test('limits the grant with one condition key per attribute if an index has a multi-attribute partition key', () => {
    // Both partition key attributes are natural keys, which can have any value, so the policy limits neither.
    expect(granted({ of: salesSystem, names: ['inRegion', 'ofDay'] })).toEqual({
      sales: [{ actions: ['dynamodb:Query'], index: 'byRegion' }],
    });
    expect(granted({ of: salesSystem, names: ['open'] })).toEqual({
      sales: [
        {
          actions: ['dynamodb:Query'],
          index: 'open',
          partitionKeys: [{ key: 'dynamodb:FirstPartitionKeyValues', like: ['TENANT#*'] }],
        },
      ],
    });
  });

  test('limits a multi-attribute partition key to a tenant through the attribute that contains the tenant', () => {
    const key = 'dynamodb:FirstPartitionKeyValues';
    const like = [`\${aws:PrincipalTag/tenantId}`];
    expect(granted({ of: salesSystem, names: ['inRegion'], tenant })).toEqual({
      sales: [{ actions: ['dynamodb:Query'], index: 'byRegion', partitionKeys: [{ key, like }] }],
    });
  });

  test("keeps separate value lists for two patterns, because a merged list would let each pattern use the other's values", () => {
    const attributes = z.object({ a: z.string(), b: z.string() });
    const query = (A: string, B: string) =>
      ({ op: 'query', index: 'two', where: { A, B }, returns: ['Thing'] }) as const;
    const of = tableOf(
      { attributes, keys: { PK: '<a>', SK: '<b>', A: 'A#<a>', B: 'B#<b>' } },
      {
        indexes: { two: { partition: ['A', 'B'] } },
        patterns: { one: query('A#<a>', 'B#<b>'), other: query('X#<a>', 'Y#<b>') },
      },
    );
    const likes = grantOf({ of, names: ['one', 'other'] })[0]?.statements.map(({ partitionKeys }) =>
      partitionKeys?.map(({ like }) => like),
    );
    expect(likes).toEqual([
      [['A#*'], ['B#*']],
      [['X#*'], ['Y#*']],
    ]);
  });

  test('limits an index to a tenant through its leading key if only its sort key has several attributes', () => {
    expect(granted({ of: salesSystem, names: ['largest'], tenant })).toEqual({
      sales: [{ actions: ['dynamodb:Query'], index: 'byAmount', leadingKeys: [`\${aws:PrincipalTag/tenantId}`] }],
    });
  });
});

describe('IAM accepts only the characters U+0020 to U+00FF', () => {
  const attributes = z.object({ tenantId: z.string() });
  const of = (PK: string, separator = '#') =>
    tableOf(
      { attributes, keys: { PK, SK: 'x' } },
      { separator, patterns: { read: { op: 'query', where: { PK }, returns: ['Thing'] } } },
    );

  test('refuses a key with characters that IAM does not accept, and names the key', () => {
    const [problem] = problemsOf({ of: of('MÜLLER★#<tenantId>'), names: ['read'] });
    expect(problem).toEqual({
      path: 'read',
      message:
        "'MÜLLER★#' in PK 'MÜLLER★#<tenantId>' contains U+2605, but IAM accepts only the characters U+0020 to U+00FF",
      fix: "use other characters, such as PK: 'MÜLLERX#<tenantId>'",
    });
    expect(problemsOf({ of: of('A\t<tenantId>'), names: ['read'] })[0]?.message).toContain('contains U+0009');
    expect(() => grantOf({ of: of('MÜLLER#<tenantId>'), names: ['read'] })).not.toThrow();
  });

  test('refuses a separator that IAM does not accept, even if no literal contains it', () => {
    const [problem] = problemsOf({ of: of('<tenantId>', '→'), names: ['read'], tenant });
    expect(problem?.message).toContain("the separator '→' in PK '<tenantId>' contains U+2192");
  });

  test('refuses a tag with characters that IAM does not accept', () => {
    expect(() => principalTag('τenant')).toThrow("that IAM accepts in a policy (U+0020 to U+00FF), got: 'τenant'");
    expect(
      problemsOf({ of: of('<tenantId>'), names: ['read'], tenant: { variable: 'aws:PrincipalTag/τ' } }),
    ).toMatchObject([{ path: 'tenant.variable', message: expect.stringContaining('contains U+03C4') }]);
  });
});
