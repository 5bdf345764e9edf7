import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttributeType, CfnGlobalTable, CfnTable, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { App, NestedStack, RemovalPolicy, Stack, Stage, Validations } from 'aws-cdk-lib/core';
import { DesignedTable, environments, SystemStack } from '../../../../constructs/aws';
import { type ReviewOptions, TableBackup, TableChecks } from '../../../../constructs/aws/operations';
import { blog, systemsOf } from '../../../../lib/systems';

const partitionKey = { name: 'id', type: AttributeType.STRING };

interface Violation {
  ruleName: string;
  severity: string;
  description: string;
  suggestedFix: string;
  violatingConstructs: {
    constructPath: string;
    cloudFormationResource?: { logicalId: string; propertyPaths: string[] };
  }[];
}

function check(fill: (app: App) => void, options?: ReviewOptions): { violations: Violation[]; failure: string } {
  const app = new App();
  fill(app);
  Validations.of(app).addPlugins(new TableChecks(options));
  jest.spyOn(console, 'error').mockReturnValue(); // CDK prints warnings to console.error
  let failure = '';
  try {
    app.synth();
  } catch (error) {
    failure = String(error);
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'));
  return { violations: pluginReports[0]?.violations ?? [], failure };
}

const shown = ({ violations }: { violations: Violation[] }) =>
  violations.flatMap(({ ruleName, violatingConstructs }) =>
    violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
  );

test.each(systemsOf('aws'))('the system $name has no findings in prod', (design) => {
  expect(check((app) => new SystemStack(app, 'S', { design })).violations).toEqual([]);
});

describe.each(Object.values(environments))('the environment $name and the checks agree', (environment) => {
  test('the checks report nothing for a system or a single table in this environment', () => {
    const result = check((app) => {
      new SystemStack(app, 'System', { design: blog, environment });
      new DesignedTable(new Stack(app, 'Alone'), 'Blog', { design: blog.tables.blog, environment });
    });
    expect([shown(result), result.failure]).toEqual([[], '']);
  });

  test('the checks report nothing for a custom environment with the same settings under a different name', () => {
    const own = { ...environment, name: 'own' };
    const result = check((app) => new SystemStack(app, 'System', { design: blog, environment: own }));
    expect([shown(result), result.failure]).toEqual([[], '']);
  });
});

test("reports a table whose setting is weaker than its environment's", () => {
  const result = check((app) => {
    const { system } = new SystemStack(app, 'S', { design: blog });
    system.tables.blog.table.applyRemovalPolicy(RemovalPolicy.DESTROY);
  });
  expect(new Set(shown(result))).toEqual(new Set(['retention S/Default/blog/Default/Resource']));
  expect(result.violations[0]?.suggestedFix).toBe(
    'give the table an environment with protectData: true, and do not override that setting',
  );
});

describe('fixes for each kind of construct', () => {
  const fixesOf = (fill: (stack: Stack) => void) => {
    const { violations } = check((app) => fill(new Stack(app, 'S')), { encryption: 'customer-managed' });
    return violations.map(({ suggestedFix }) => suggestedFix);
  };
  const keySchema = [{ attributeName: 'id', keyType: 'HASH' }];
  const attributeDefinitions = [{ attributeName: 'id', attributeType: 'S' }];

  test('the fix for a designed table names an option of the environment', () => {
    const made = fixesOf((stack) => new DesignedTable(stack, 'T', { design: blog.tables.blog, environment: 'dev' }));
    expect(made).toEqual([
      "give the table an environment with encryption: 'customer-managed', and do not override that setting",
    ]);
  });

  test('the fixes for `TableV2` and `Table` name options of those constructs', () => {
    const both = [TableV2, Table].map((Made) => fixesOf((stack) => new Made(stack, 'T', { partitionKey })));
    expect(both.map(([, encryption, protection]) => [encryption, protection])).toEqual([
      ['encryption: TableEncryptionV2.customerManagedKey(key)', 'deletionProtection: true'],
      ['encryption: TableEncryption.CUSTOMER_MANAGED, with encryptionKey: key', 'deletionProtection: true'],
    ]);
  });

  test('the fixes for L1 resources refer to properties that these resources have', () => {
    const options = { keySchema, attributeDefinitions, billingMode: 'PAY_PER_REQUEST' };
    const table = fixesOf((stack) => new CfnTable(stack, 'T', options));
    const replicas = [{ region: 'eu-west-1' }];
    const global = fixesOf((stack) => new CfnGlobalTable(stack, 'T', { ...options, replicas }));
    for (const fixes of [table, global]) {
      expect(fixes).toContain('applyRemovalPolicy(RemovalPolicy.RETAIN)');
      expect(fixes.join()).not.toMatch(/TableEncryption|deletionProtection: true/);
    }
    expect(table).toContain('deletionProtectionEnabled: true');
    expect(global).toContain('deletionProtectionEnabled: true, in each replica');
  });
});

test('reports the findings and fixes for a bare `Table` at its construct', () => {
  const result = check((app) => new Table(new Stack(app, 'S'), 'Orders', { partitionKey }));
  expect(shown(result)).toEqual(
    [
      'point-in-time-recovery',
      'encryption',
      'deletion-protection',
      'backup-coverage',
      'tls-only',
      'fixed-capacity',
    ].map((rule) => `${rule} S/Orders/Resource`),
  );
  expect(result.violations[0]).toMatchObject({
    severity: 'error',
    description: expect.stringMatching(/^point-in-time recovery is not on .* is lost\.$/),
    suggestedFix: 'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true }',
  });
  expect(JSON.stringify(result.violations[0])).toContain('Properties.PointInTimeRecoverySpecification');
});

test('errors stop the synthesis, but warnings do not', () => {
  expect(check((app) => new TableV2(new Stack(app, 'S'), 'Orders', { partitionKey })).failure).toMatch(/validation/i);
  const result = check((app) => {
    const { tables } = new SystemStack(app, 'Blog', { design: blog }).system;
    tables.blog.table.grantReadData(new Role(new Stack(app, 'S'), 'Role', { assumedBy: new AccountRootPrincipal() }));
  });
  expect(result.failure).toBe('');
  expect(shown(result)).toEqual([
    'grant-scan S/Role/DefaultPolicy/Resource',
    'grant-every-index S/Role/DefaultPolicy/Resource',
  ]);
});

test('a finding can be acknowledged at its own construct or at any parent', () => {
  const result = check((app) => {
    const stack = new Stack(app, 'S');
    const table = new TableV2(stack, 'Orders', { partitionKey });
    Validations.of(table).acknowledge({ id: 'tablewright::encryption', reason: 'public data' });
    const ids = ['point-in-time-recovery', 'deletion-protection', 'tls-only'];
    Validations.of(stack).acknowledge(...ids.map((id) => ({ id: `tablewright::${id}`, reason: 'a playground' })));
  });
  expect(shown(result)).toEqual(['backup-coverage S/Orders/Resource']);
  expect(result.failure).toBe('');
});

test('tables in stages and nested stacks are also checked, and their backups are found', () => {
  const backedUp = (into: (stack: Stack) => Stack) =>
    check((app) => {
      const stack = new Stack(new Stage(app, 'Prod'), 'S');
      const table = new TableV2(new NestedStack(stack, 'Nested'), 'Orders', { partitionKey });
      new TableBackup(into(stack), 'Backup', { tables: [table] });
    });
  const expected = ['point-in-time-recovery', 'encryption', 'deletion-protection', 'tls-only'].map(
    (rule) => `${rule} Prod/S/Nested/Orders/Resource`,
  );
  expect(shown(backedUp((stack) => stack))).toEqual(expected);
  expect(shown(backedUp((stack) => new NestedStack(stack, 'Backups')))).toEqual(expected);
  expect(shown(backedUp((stack) => new Stack(stack.node.scope as Stage, 'Backups')))).toEqual(expected);
});
