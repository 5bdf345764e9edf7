import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks, HIPAASecurityChecks, NIST80053R5Checks } from 'cdk-nag';
import { DesignedTable, SystemStack, type SystemStackProps } from '../../../../constructs/aws';
import { TableChecks } from '../../../../constructs/aws/operations';
import { systemsOf, trimobe } from '../../../../lib/systems';

const alarmTopic = { topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' };

interface Violation {
  ruleName: string;
  violatingConstructs: { constructPath: string }[];
}

/** Runs all rule packs on an app, and returns their findings (each as rule and path) and the app's acknowledgements. */
function violations(fill: (app: App) => void): { open: string[]; acknowledged: unknown[] } {
  const app = new App();
  fill(app);
  const packs = [new AwsSolutionsChecks(app), new HIPAASecurityChecks(app), new NIST80053R5Checks(app)];
  Validations.of(app).addPlugins(...packs, new TableChecks({ encryption: 'customer-managed' }));
  try {
    app.synth();
  } catch (error) {
    expect(String(error)).toContain('validation-report.json'); // the test reads the report below
  }
  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'));
  const list = (found: Violation[] = []) =>
    found.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    );
  return {
    open: pluginReports.flatMap((report: { violations: Violation[] }) => list(report.violations)),
    acknowledged: app.node
      .findAll()
      .flatMap(({ node }) => node.metadata.filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)),
  };
}

const everySystem = (props: Partial<SystemStackProps>) => (app: App) => {
  for (const design of systemsOf('aws')) new SystemStack(app, design.name, { design, ...props });
};

test.each(['prod', 'staging'] as const)(
  'every rule accepts all systems in %s, without acknowledgements',
  (environment) => {
    expect(violations(everySystem({ environment, alarmTopic }))).toEqual({ open: [], acknowledged: [] });
  },
);

test('every rule accepts a system with adopted tables', () => {
  const adopt = { Tenants: { tableName: 'live-tenants' }, Users: { tableName: 'live-users' } };
  expect(violations((app) => new SystemStack(app, 'S', { design: trimobe, adopt, alarmTopic })).open).toEqual([]);
});

test('every rule accepts a table outside a system', () => {
  const design = trimobe.tables.Users;
  const found = violations((app) => new DesignedTable(new Stack(app, 'S'), 'Users', { design, alarmTopic }));
  expect(found).toEqual({ open: [], acknowledged: [] });
});

test('without an alarm topic, the only findings are that HIPAA and NIST require an alarm action', () => {
  const rules = violations(everySystem({})).open.map((found) => found.split(' ')[0]);
  expect(new Set(rules)).toEqual(
    new Set(['HIPAA.Security-CloudWatchAlarmAction', 'NIST.800.53.R5-CloudWatchAlarmAction']),
  );
});

test("the rule packs and this library's checks are enabled, and report a bare table", () => {
  const { open } = violations((app) => {
    new Table(new Stack(app, 'Bare'), 'Table', { partitionKey: { name: 'id', type: AttributeType.STRING } });
  });
  expect(open).toEqual(
    expect.arrayContaining([
      'AwsSolutions-DDB3 Bare/Table/Resource',
      'HIPAA.Security-DynamoDBPITREnabled Bare/Table/Resource',
      'NIST.800.53.R5-DynamoDBInBackupPlan Bare/Table/Resource',
      'point-in-time-recovery Bare/Table/Resource',
    ]),
  );
});
