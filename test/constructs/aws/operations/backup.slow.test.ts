import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, environments, SystemStack, type SystemStackProps } from '../../../../constructs/aws';
import { TableBackup } from '../../../../constructs/aws/operations';
import type { BackupSchedule } from '../../../../constructs/environment';
import { blog, booking, trimobe } from '../../../../lib/systems';

const systemTemplate = (props: SystemStackProps) => Template.fromStack(new SystemStack(new App(), 'Test', props));

// biome-ignore lint/suspicious/noExplicitAny: any property of any resource
const only = (template: Template, type: string): any => {
  const found = Object.values(template.findResources(type));
  expect(found).toHaveLength(1);
  return found[0];
};

const rules = (template: Template) =>
  only(template, 'AWS::Backup::BackupPlan').Properties.BackupPlan.BackupPlanRule.map(
    (rule: { RuleName: string; Lifecycle: object }) => [rule.RuleName, rule.Lifecycle],
  );

describe('an environment', () => {
  test('prod backs up every day, week and month, moves monthly backups to cold storage, and keeps them for a year', () => {
    expect(rules(systemTemplate({ design: blog }))).toEqual([
      ['daily', { DeleteAfterDays: 7 }],
      ['weekly', { DeleteAfterDays: 90 }],
      ['monthly', { DeleteAfterDays: 365, MoveToColdStorageAfterDays: 30 }],
    ]);
  });

  test('staging backs up every day', () => {
    const template = systemTemplate({ design: blog, environment: 'staging' });
    expect(rules(template)).toEqual([['daily', { DeleteAfterDays: 14 }]]);
  });

  test('dev has no backups', () => {
    systemTemplate({ design: blog, environment: 'dev' }).resourceCountIs('AWS::Backup::BackupVault', 0);
  });

  test("only economy's template tells Checkov why the vault has no customer-managed key", () => {
    const acknowledged = (environment: 'economy' | 'staging' | 'prod') =>
      only(systemTemplate({ design: blog, environment }), 'AWS::Backup::BackupVault').Metadata?.checkov;
    expect(acknowledged('economy')).toEqual({
      skip: [{ id: 'CKV_AWS_166', comment: expect.stringContaining("encryption: 'aws-managed'") }],
    });
    expect([acknowledged('staging'), acknowledged('prod')]).toEqual([undefined, undefined]);
  });

  test('a custom backup schedule locks the vault for the shortest retention in the schedule', () => {
    const backup = { daily: { days: 10 }, monthly: { days: 400 }, lock: 'governance' } as const;
    const template = systemTemplate({ design: blog, environment: { ...environments.prod, name: 'qa', backup } });
    expect(only(template, 'AWS::Backup::BackupVault').Properties.LockConfiguration).toEqual({ MinRetentionDays: 10 });
  });
});

describe('a system', () => {
  test("a system has one backup plan, named after the system, that selects exactly the system's tables", () => {
    const template = systemTemplate({ design: booking });
    const tables = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
    const { BackupSelection } = only(template, 'AWS::Backup::BackupSelection').Properties;
    expect(tables).toHaveLength(7);
    expect(BackupSelection.Resources).toEqual(tables.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })));
    expect(only(template, 'AWS::Backup::BackupPlan').Properties.BackupPlan.BackupPlanName).toBe('booking-prod');
  });

  test('a system does not back up an adopted table, whose owner is responsible for backups', () => {
    const adopt = { Users: { tableName: 'live-users' }, Tenants: { tableName: 'live-tenants' } };
    const template = systemTemplate({ design: trimobe, adopt });
    expect(only(template, 'AWS::Backup::BackupSelection').Properties.BackupSelection.Resources).toHaveLength(1);
  });

  test('a system that adopts all its tables has no backup plan', () => {
    const template = systemTemplate({ design: blog, adopt: { blog: { tableName: 'live-blog' } } });
    template.resourceCountIs('AWS::Backup::BackupPlan', 0);
  });

  test("a system encrypts its backups with the system's key and retains the backups when the stack is deleted", () => {
    const template = systemTemplate({ design: blog });
    const [key] = Object.keys(template.findResources('AWS::KMS::Key'));
    const vault = only(template, 'AWS::Backup::BackupVault');
    expect(vault.Properties.EncryptionKeyArn).toEqual({ 'Fn::GetAtt': [key, 'Arn'] });
    expect(vault).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });
});

describe('the role of AWS Backup', () => {
  const template = systemTemplate({ design: blog });
  const { Statement } = only(template, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument;

  test("the backup role has none of AWS's managed policies, which cover every table in the account", () => {
    expect(JSON.stringify(template.toJSON())).not.toContain('AWSBackupServiceRolePolicy');
  });

  test('the backup role covers only the backed-up tables and their key, without wildcards', () => {
    const [table] = Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
    const [key] = Object.keys(template.findResources('AWS::KMS::Key'));
    expect(Statement.map(({ Action, Resource }: { Action: unknown; Resource: unknown }) => [Action, Resource])).toEqual(
      [
        [
          ['dynamodb:StartAwsBackupJob', 'dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource'],
          { 'Fn::GetAtt': [table, 'Arn'] },
        ],
        [['kms:Decrypt', 'kms:GenerateDataKey'], { 'Fn::GetAtt': [key, 'Arn'] }],
        ['kms:DescribeKey', { 'Fn::GetAtt': [key, 'Arn'] }],
        ['kms:CreateGrant', { 'Fn::GetAtt': [key, 'Arn'] }],
      ],
    );
  });

  test('the backup role uses the key only through DynamoDB and AWS Backup', () => {
    expect(JSON.stringify(Statement[1].Condition)).toMatch(/kms:ViaService.*dynamodb\..*AWS::Region.*backup\./);
  });
});

describe('backups outside a system', () => {
  const made = (schedule?: BackupSchedule) => {
    const stack = new Stack(new App(), 'Test');
    const table = new TableV2(stack, 'Table', { partitionKey: { name: 'id', type: AttributeType.STRING } });
    new TableBackup(stack, 'Backup', { tables: [table], schedule, retain: false });
    return Template.fromStack(stack);
  };

  test('a table created without this library is backed up as in prod, and the role gets no key permissions if the table has no key', () => {
    const template = made();
    expect(rules(template)).toHaveLength(3);
    expect(only(template, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument.Statement).toHaveLength(1);
    expect(only(template, 'AWS::Backup::BackupVault').DeletionPolicy).toBe('Delete');
  });

  test('`TableBackup` refuses an empty list of tables, which AWS would refuse only during deployment', () => {
    const stack = new Stack(new App(), 'Test');
    expect(() => new TableBackup(stack, 'Backup', { tables: [] })).toThrow(
      'tables must contain at least one table, got: none',
    );
    expect(stack.node.children).toEqual([]);
  });

  test('compliance mode locks the vault permanently after the three days that AWS requires', () => {
    const { LockConfiguration } = only(
      made({ weekly: { days: 30 }, lock: 'compliance' }),
      'AWS::Backup::BackupVault',
    ).Properties;
    expect(LockConfiguration).toEqual({ MinRetentionDays: 30, ChangeableForDays: 3 });
  });

  test.each([
    ['after the table', 'live-blog', /^live-blog$/],
    ['after its construct path, if it has no name', undefined, /^Test-Blog-Backup/],
    ['after its construct path, if its name is too long', 'b'.repeat(51), /^Test-Blog-Backup/],
  ])('a designed table outside a system has a separate backup plan, named %s', (_, tableName, expected) => {
    const stack = new Stack(new App(), 'Test');
    const { backup } = new DesignedTable(stack, 'Blog', { design: blog.tables.blog, tableName });
    expect(backup?.plan).toBeDefined();
    const { BackupPlan } = only(Template.fromStack(stack), 'AWS::Backup::BackupPlan').Properties;
    expect(BackupPlan.BackupPlanName).toMatch(expected);
  });
});
