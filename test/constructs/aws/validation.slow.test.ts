import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CfnResource, Stack } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../constructs/aws';
import { environments } from '../../../constructs/environment';
import { systemsOf } from '../../../lib/systems';

/** Synthesizes with the validator, which all other tests skip, and returns the names of the violated rules. */
function violatedRules(fill: (app: App) => void): string[] {
  process.env.CDK_VALIDATION = 'true';
  const outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
  try {
    const app = new App({ outdir });
    fill(app);
    app.synth();
    const report = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    return report.pluginReports.flatMap((plugin: { violations: { ruleName: string }[] }) =>
      plugin.violations.map(({ ruleName }) => ruleName),
    );
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

test('the validator is enabled and reports a table without regions', () => {
  jest.spyOn(console, 'error').mockReturnValue(); // the validator prints the expected report to console.error
  const rules = violatedRules((app) => {
    new CfnResource(new Stack(app, 'Bad'), 'Table', {
      type: 'AWS::DynamoDB::GlobalTable',
      properties: { KeySchema: [] },
    });
  });
  expect(rules).toContain('F3003');
});

test("no stack in any environment breaks CloudFormation's own rules", () => {
  const rules = violatedRules((app) => {
    for (const environment of Object.values(environments)) {
      for (const design of systemsOf('aws')) {
        new SystemStack(app, `${design.name}-${environment.name}`, { design, environment });
      }
    }
  });
  expect(rules).toEqual([]);
});
