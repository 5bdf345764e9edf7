import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { App, NestedStack, Stack, Stage, Validations } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../../constructs/aws';
import { TableBackup, TableChecks } from '../../../../constructs/aws/operations';
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

function check(fill: (app: App) => void): { violations: Violation[]; failure: string } {
  const app = new App();
  fill(app);
  Validations.of(app).addPlugins(new TableChecks());
  jest.spyOn(console, 'error').mockReturnValue(); // where warnings are printed
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

test.each(systemsOf('aws'))('nothing is to be said of $name in prod', (design) => {
  expect(check((app) => new SystemStack(app, 'S', { design })).violations).toEqual([]);
});

test('a bare Table, made without this library, gets what is wrong with it, at its construct and with the fix', () => {
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
    description: expect.stringMatching(/^it cannot be restored .* off by default\.$/),
    suggestedFix: 'pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true }',
  });
  expect(JSON.stringify(result.violations[0])).toContain('Properties.PointInTimeRecoverySpecification');
});

test('errors stop the synthesis, and warnings do not', () => {
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

test('what is meant to be is acknowledged at its construct, or above it', () => {
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

test('tables in stages and nested stacks are judged too, and a backup reaches them there', () => {
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
