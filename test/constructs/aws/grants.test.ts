import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type CfnRole, type IGrantable, Role, ServicePrincipal, User } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { App, Stack } from 'aws-cdk-lib/core';
import {
  AdoptedTable,
  DesignedSystem,
  DesignedTable,
  type GrantableTable,
  GrantError,
  grantPatterns,
  principalTag,
} from '../../../constructs/aws';
import type { TableDesign } from '../../../lib/design/table';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { blog, booking, trimobe } from '../../../lib/systems';
import type { Statement } from '../../support/iam';
import { policiesIn } from '../../support/policies';

const design = blog.tables.blog;

function inStack(environment?: { region: string; account: string }) {
  const stack = new Stack(new App(), 'Test', { env: environment });
  const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  /** Returns the role's statements, with shortened actions and ARNs. */
  const statements = () => {
    const template = Template.fromStack(stack).toJSON() as TemplateJson;
    return policiesOf(template).flatMap(({ Statement }) => Statement.map(short));
  };
  const policiesOf = (template: TemplateJson) =>
    [...policiesIn(template, [stack.getLogicalId(role.node.defaultChild as CfnRole)]).values()].flat();
  return { stack, role, statements, policiesOf };
}

function short({ Action, Resource, Condition }: Statement) {
  const where = [Resource].flat().map((arn) => arn.replace(/^.*?:(table|key)\//, ''));
  return [
    [Action]
      .flat()
      .map((action) => action.replace('dynamodb:', ''))
      .join(),
    where.join(),
    ...(Condition ? [Condition] : []),
  ];
}

const keys = (...keys: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
const viaDynamoDb = { StringEquals: { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' } };

describe('a table', () => {
  test("a grant of one pattern covers only that pattern's action, index and partitions", () => {
    const { stack, role, statements } = inStack();
    const table = new DesignedTable(stack, 'Blog', { design, environment: 'dev', tableName: 'blog' });
    expect(table.grantPattern(role, 'postsByCategory').success).toBe(true);
    expect(statements()).toEqual([['Query', 'blog/index/GSI1', keys('CATEGORY#*')]]);
  });

  test('a table grants several patterns at once, in as few statements as possible without widening the access', () => {
    const { stack, role, statements } = inStack();
    const table = new DesignedTable(stack, 'Blog', { design, environment: 'dev', tableName: 'blog' });
    table.grantPattern(role, 'getPost', 'postWithEverything', 'likePost', 'getUser');
    expect(statements()).toEqual([
      ['GetItem', 'blog', keys('POST#*', 'USER#*')],
      ['Query', 'blog', keys('POST#*')],
      ['PutItem', 'blog', keys('LIKE#*#*', 'POST#*')],
    ]);
  });

  test('a read grant for a table with a customer-managed key also allows decryption, but only through DynamoDB', () => {
    const { stack, role, statements } = inStack();
    const table = new DesignedTable(stack, 'Blog', { design, tableName: 'blog' });
    table.grantPattern(role, 'getPost');
    const key = stack.getLogicalId(table.table.encryptionKey?.node.defaultChild as never);
    expect(statements()).toEqual([
      ['GetItem', 'blog', keys('POST#*')],
      ['kms:Decrypt', key, viaDynamoDb],
    ]);
  });

  test('an adopted table also supports grants, including grants on its key', () => {
    const { stack, role, statements } = inStack();
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:111122223333:key/live');
    const table = new AdoptedTable(stack, 'Blog', { design, tableName: 'live-blog', encryptionKey });
    table.grantPattern(role, 'likePost');
    expect(statements()).toEqual([
      ['PutItem', 'live-blog', keys('LIKE#*#*', 'POST#*')],
      ['kms:Decrypt,kms:Encrypt', 'live', viaDynamoDb],
    ]);
  });

  test('a plain CDK table with a design supports grants', () => {
    const { stack, role, statements } = inStack();
    const PK = { name: 'PK', type: AttributeType.STRING };
    const byHand = new TableV2(stack, 'ByHand', { tableName: 'by-hand', partitionKey: PK });
    const old = Table.fromTableName(stack, 'Old', 'old');
    grantPatterns(role, { design, table: byHand }, ['getUser']);
    grantPatterns(role, { design, table: old }, ['getPost']);
    expect(statements()).toEqual([
      ['GetItem', 'by-hand', keys('USER#*')],
      ['GetItem', 'old', keys('POST#*')],
    ]);
  });

  test("a grant covers only the table's own region; a replica needs a separate grant, with the replica's key", () => {
    const { stack, role, statements, policiesOf } = inStack({ region: 'eu-west-1', account: '111122223333' });
    const encryptionKeyArn = 'arn:aws:kms:us-east-1:111122223333:key/copy';
    const replicas = [{ region: 'us-east-1', encryptionKeyArn }];
    const { table } = new DesignedTable(stack, 'Blog', { design, tableName: 'blog', replicas });
    grantPatterns(role, { design, table: table.replica('us-east-1') }, ['getPost']);
    expect(statements()).toEqual([
      ['GetItem', 'blog', keys('POST#*')],
      ['kms:Decrypt', 'copy', { StringEquals: { 'kms:ViaService': 'dynamodb.us-east-1.amazonaws.com' } }],
    ]);
    const [first] = policiesOf(Template.fromStack(stack).toJSON() as TemplateJson);
    expect(first?.Statement[0]?.Resource).toBe('arn:aws:dynamodb:us-east-1:111122223333:table/blog');
  });

  test('a table creates no resources for grants until the first grant', () => {
    const { stack, statements } = inStack();
    new DesignedTable(stack, 'Blog', { design });
    expect(statements()).toEqual([]);
  });
});

describe('a system', () => {
  test('a system grants procedures, and patterns of any of its tables, and grants its encryption key only once', () => {
    const { stack, role, statements } = inStack();
    const system = new DesignedSystem(stack, 'Booking', { design: booking });
    expect(system.grantPatterns(role, ['cancelBooking', 'getTenant', 'resolveApiKey']).success).toBe(true);
    const key = stack.getLogicalId(system.encryptionKey?.node.defaultChild as never);
    expect(statements()).toEqual([
      ['GetItem', 'booking-prod-Tenants'],
      ['Query', 'booking-prod-TenantApiKeys/index/GSI1'],
      ['GetItem,Query,PutItem,UpdateItem,DeleteItem', 'booking-prod-Bookings', keys('*#*')],
      ['kms:Decrypt,kms:Encrypt', key, viaDynamoDb],
    ]);
  });

  test('a system grants access to adopted tables', () => {
    const { stack, role, statements } = inStack();
    const adopt = { Tenants: { tableName: 'acme-tenants' } };
    const system = new DesignedSystem(stack, 'Trimobe', { design: trimobe, environment: 'dev', adopt });
    system.grantPatterns(role, ['getTenant', 'getUser']);
    expect(statements()).toEqual([
      ['GetItem', 'acme-tenants', keys('TENANT#*')],
      ['GetItem', 'trimobe-dev-Users', keys('TENANT#*')],
    ]);
  });

  test("a grant on an adopted table covers the system's key if the table was restored with that key", () => {
    const { stack, role, statements } = inStack({ region: 'eu-west-1', account: '111122223333' });
    const adopt = { blog: { tableName: 'blog-restored', encryptionKey: 'system' } } as const;
    new DesignedSystem(stack, 'Blog', { design: blog, environment: 'staging', adopt }).grantPatterns(role, ['getPost']);
    expect(statements()).toEqual([
      ['GetItem', 'blog-restored', keys('POST#*')],
      ['kms:Decrypt', expect.anything(), viaDynamoDb],
    ]);
  });

  test('a grant through the system or one of its tables can limit a role to its own tenant', () => {
    const { stack, role, statements } = inStack();
    const adopt = { RuralCreditAI: { tableName: 'live' } };
    const system = new DesignedSystem(stack, 'Trimobe', { design: trimobe, environment: 'dev', adopt });
    const tenant = principalTag('tenant');
    system.grantPatterns(role, ['getTenant'], { tenant });
    system.tables.Users.grantPatterns(role, ['getUser'], { tenant });
    system.tables.RuralCreditAI.grantPatterns(role, ['getFile'], { tenant });
    const own = {
      ...keys(`TENANT#\${aws:PrincipalTag/tenant}`),
      StringNotLike: { 'aws:PrincipalTag/tenant': '*#*' },
    };
    expect(statements()).toEqual([
      ['GetItem', 'trimobe-dev-Tenants', own],
      ['GetItem', 'trimobe-dev-Users', own],
      ['GetItem', 'live', own],
    ]);
  });

  test('a system refuses the whole grant if one pattern cannot be limited to a tenant', () => {
    const { stack, role, statements } = inStack();
    const system = new DesignedSystem(stack, 'Booking', { design: booking, environment: 'dev' });
    expect(() =>
      system.grantPatterns(role, ['getTenant', 'tenantsOfOwner', 'resolveApiKey'], {
        tenant: principalTag('tenantId'),
      }),
    ).toThrow(
      [
        'nothing was granted: 2 problems',
        "  tenantsOfOwner: partition '<ownerUserId>' of GSI1 does not contain <tenantId>, so no policy can limit the pattern to one tenant",
        "    fix: grant the pattern without 'tenant' to a role that may see all tenants, or use a key that begins with <tenantId>",
        "  resolveApiKey: partition '<apiKeyHash>' of GSI1 does not contain <tenantId>, so no policy can limit the pattern to one tenant",
        "    fix: grant the pattern without 'tenant' to a role that may see all tenants, or use a key that begins with <tenantId>",
      ].join('\n'),
    );
    expect(statements()).toEqual([]);
  });
});

describe('the grantee', () => {
  /** Returns whether the grant succeeded, and the policies that it created. */
  function granted(make: (stack: Stack) => IGrantable) {
    const { stack } = inStack();
    const table = new DesignedTable(stack, 'Blog', { design, environment: 'dev', tableName: 'blog' });
    const grant = table.grantPattern(make(stack), 'getPost');
    return {
      success: grant.success,
      policies: Template.fromStack(stack).findResources('AWS::IAM::Policy'),
      grant,
    };
  }

  test('the grantee may be a user or an existing role, and the existing role gets a policy', () => {
    expect(granted((stack) => new User(stack, 'User')).success).toBe(true);
    const arn = 'arn:aws:iam::111122223333:role/live';
    const { success, policies } = granted((stack) => Role.fromRoleArn(stack, 'Live', arn));
    expect(success).toBe(true);
    expect(Object.values(policies)).toEqual([
      expect.objectContaining({ Properties: expect.objectContaining({ Roles: ['live'] }) }),
    ]);
  });

  test('a grantee that cannot have a policy gets no permission, and the grant reports the failure', () => {
    const { success, policies, grant } = granted(() => new ServicePrincipal('appsync.amazonaws.com'));
    expect(success).toBe(false);
    expect(policies).toEqual({});
    expect(() => grant.assertSuccess()).toThrow();
  });
});

describe('invalid grants', () => {
  const { stack, role } = inStack();
  const table = new DesignedTable(stack, 'Blog', { design, environment: 'dev' });
  const system = new DesignedSystem(stack, 'System', { design: booking, environment: 'dev' });

  test('an unknown pattern name does not compile, and `grantPattern` refuses it at run time', () => {
    // @ts-expect-error the table has no such pattern
    expect(() => table.grantPattern(role, 'getPosts')).toThrow("'blog' has no pattern or procedure 'getPosts'");
    // @ts-expect-error the second name is not a pattern of the table
    expect(() => table.grantPattern(role, 'getPost', 'getPosts')).toThrow(GrantError);
    // @ts-expect-error the table has no such pattern
    expect(() => table.grantPatterns(role, ['getPosts'])).toThrow('did you mean getPost?');
    // @ts-expect-error a pattern of another system
    expect(() => system.grantPatterns(role, ['getPost'])).toThrow(GrantError);
    // @ts-expect-error a pattern of another table
    expect(() => system.tables.Tenants.grantPattern(role, 'getService')).toThrow(GrantError);
    // @ts-expect-error the system has no such pattern
    expect(() => grantPatterns(role, { design, table: table.table }, ['getPosts'])).toThrow(GrantError);
    // @ts-expect-error a procedure belongs to a system, not to a table
    expect(() => system.tables.Bookings.grantPattern(role, 'createBooking')).toThrow(GrantError);
  });

  test('`grantPattern` and `grantPatterns` refuse a grant without names', () => {
    // @ts-expect-error a grant needs at least one name
    expect(() => table.grantPattern(role)).toThrow('patterns: no pattern was named');
    expect(() => system.grantPatterns(role, [])).toThrow('no pattern was named');
  });

  test('`grantPattern` refuses a list of names, and `grantPatterns` refuses a bare name', () => {
    // @ts-expect-error the names must be separate arguments, not a list
    expect(() => table.grantPattern(role, ['getPost', 'getUser'])).toThrow(
      "patterns: must be pattern names, got: a list\n    fix: write grantPatterns(grantee, ['getPost', 'getUser'])",
    );
    // @ts-expect-error the names must be a list, not a bare name
    expect(() => table.grantPatterns(role, 'getPost')).toThrow(
      "patterns: must be a list of names, got: 'getPost'\n    fix: write a list, such as ['getPost']",
    );
  });

  test.each([
    [{ tenant: 'orgId' }, "tenant: must be the source of the caller's tenant, got: 'orgId'", "principalTag('orgId')"],
    [{ tenant: undefined }, "tenant: must be the source of the caller's tenant, got: nothing", "remove 'tenant'"],
    [{ tenant: null }, 'got: null', "principalTag('tenantId')"],
    [{ tenant: {} }, 'tenant.variable: must be a policy variable', 'got: nothing'],
    [{ tenants: principalTag('tenantId') }, "tenants: 'tenants' is not an option of a grant", 'did you mean tenant?'],
    [principalTag('tenantId'), "variable: 'variable' is not an option of a grant", 'there are tenant'],
    [{ names: ['getService'] }, "names: 'names' is not an option of a grant", 'there are tenant'],
    ['tenantId', "options: must be an object, got: 'tenantId'", "{ tenant: principalTag('tenantId') }"],
    [null, 'options: must be an object, got: null', 'all tenants'],
  ])("refuses options that would silently give callers access to other tenants' items: %j", (options, message, fix) => {
    for (const grant of [
      () => system.grantPatterns(role, ['getTenant'], options as object),
      () => system.tables.Tenants.grantPatterns(role, ['getTenant'], options as object),
    ]) {
      expect(grant).toThrow(GrantError);
      expect(grant).toThrow(message);
      expect(grant).toThrow(fix);
    }
  });

  test('`grantPatterns` refuses a design with errors', () => {
    const on: GrantableTable = { design: { ...design, ttl: 'PK' }, table: table.table };
    expect(() => grantPatterns(role, on, ['getPost'])).toThrow("'PK' is a key attribute");
  });
});

test("a grant compiles with any name if the compiler does not know the table's pattern names, but unknown names fail at run time", () => {
  const { stack, role } = inStack();
  const table: DesignedTable = new DesignedTable<TableDesign>(stack, 'Blog', { design, environment: 'dev' });
  expect(table.grantPattern(role, 'getPost').success).toBe(true);
  expect(() => table.grantPattern(role, 'nope')).toThrow(GrantError);
});
