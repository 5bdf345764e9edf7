import { BackupPlan, BackupPlanRule, BackupResource, BackupSelection, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { Effect, ManagedPolicy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type CfnResource, Duration, Names, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { type BackupSchedule, environments, type Retention } from '../../environment';
import type { AlarmOptions } from './alarm';
import { BackupAlarms } from './alarms';

export interface TableBackupProps {
  readonly tables: readonly ITable[];
  /** @default - prod's schedule */
  readonly schedule?: BackupSchedule;
  /**
   * The key that encrypts the backups.
   * @default - AWS Backup's own key
   */
  readonly encryptionKey?: IKey;
  /**
   * Whether CloudFormation retains the vault with its backups when the stack is deleted.
   * @default true
   */
  readonly retain?: boolean;
  /**
   * The name of the backup plan. A name longer than 50 characters is ignored.
   * @default - a name derived from the construct's path in the app
   */
  readonly name?: string;
  /**
   * The options of the alarms for missed backups.
   * @default - no alarms
   */
  readonly alarms?: AlarmOptions;
}

/**
 * Backups of only the given tables, in a separate vault. Unlike point-in-time recovery, these backups outlive the
 * tables. These backups need AWS Backup's advanced features for DynamoDB, which are enabled in every account created
 * since November 2021.
 */
export class TableBackup extends Construct {
  public readonly vault: BackupVault;
  public readonly plan: BackupPlan;
  /** The role with which AWS Backup reads the tables and writes to the vault. */
  public readonly role: Role;
  public readonly alarms: readonly Alarm[];

  public constructor(scope: Construct, id: string, props: TableBackupProps) {
    if (props.tables.length === 0) throw new Error('tables must contain at least one table, got: none');
    super(scope, id);
    const { tables, schedule = environments.prod.backup as BackupSchedule, encryptionKey, retain = true } = props;
    this.vault = new BackupVault(this, 'Vault', {
      encryptionKey,
      ...lockOf(schedule),
      removalPolicy: retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    if (encryptionKey === undefined) acknowledgeSharedKey(this.vault);
    this.plan = new BackupPlan(this, 'Plan', {
      backupPlanName: planName(this, props),
      backupVault: this.vault,
      backupPlanRules: rulesOf(schedule),
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('backup.amazonaws.com') });
    new ManagedPolicy(this, 'Policy', { statements: permissions(this, props), roles: [this.role] });
    new BackupSelection(this, 'Tables', {
      backupPlan: this.plan,
      resources: tables.map((table) => BackupResource.fromDynamoDbTable(table)),
      role: this.role,
      disableDefaultBackupPolicy: true,
    });
    this.alarms =
      props.alarms === undefined ? [] : new BackupAlarms(this, 'Alarms', { ...props.alarms, vault: this.vault }).alarms;
  }
}

/** Metadata for Checkov, which expects a customer-managed key on every vault. */
function acknowledgeSharedKey(vault: BackupVault): void {
  const comment =
    "AWS Backup encrypts this vault with its own KMS key, as an environment with encryption: 'aws-managed' asks for";
  (vault.node.defaultChild as CfnResource).addMetadata('checkov', { skip: [{ id: 'CKV_AWS_166', comment }] });
}

const LONGEST_NAME = 50;

function planName(scope: Construct, { name }: TableBackupProps): string {
  const fits = name !== undefined && name.length <= LONGEST_NAME;
  return fits ? name : Names.uniqueResourceName(scope, { maxLength: LONGEST_NAME, separator: '-' });
}

/** The schedules start at different hours of the night, so that the backups do not wait for each other. */
const SCHEDULES = {
  daily: { hour: '2', minute: '0' },
  weekly: { hour: '3', minute: '0', weekDay: 'SUN' },
  monthly: { hour: '4', minute: '0', day: '1' },
} as const;

function rulesOf(schedule: BackupSchedule): BackupPlanRule[] {
  return (Object.keys(SCHEDULES) as (keyof typeof SCHEDULES)[]).flatMap((ruleName) => {
    const retention = schedule[ruleName];
    if (retention === undefined) return [];
    const { days, coldAfterDays } = retention;
    return new BackupPlanRule({
      ruleName,
      scheduleExpression: Schedule.cron(SCHEDULES[ruleName]),
      deleteAfter: Duration.days(days),
      ...(coldAfterDays === undefined ? {} : { moveToColdStorageAfter: Duration.days(coldAfterDays) }),
    });
  });
}

/**
 * The vault lock sets a minimum retention, which is the shortest retention in the schedule. The vault lock sets no
 * maximum, because nobody could raise the maximum later.
 */
function lockOf({ lock, ...schedule }: BackupSchedule) {
  if (lock === undefined) return {};
  const days = (Object.values(schedule) as Retention[]).map((retention) => retention.days);
  return {
    lockConfiguration: {
      minRetention: Duration.days(Math.min(...days)),
      // The shortest grace period that AWS allows. After the grace period, nobody can remove the vault lock.
      ...(lock === 'compliance' ? { changeableFor: Duration.days(3) } : {}),
    },
  };
}

function permissions(scope: Construct, { tables, encryptionKey }: TableBackupProps): PolicyStatement[] {
  const { region, urlSuffix } = Stack.of(scope);
  const keys = [...new Set([...tables.map((table) => table.encryptionKey), encryptionKey])].filter(
    (key) => key !== undefined,
  );
  const resources = keys.map(({ keyArn }) => keyArn);
  const allow = (actions: string[], on: string[], conditions?: Record<string, unknown>) =>
    new PolicyStatement({ effect: Effect.ALLOW, actions, resources: on, ...(conditions && { conditions }) });
  return [
    allow(
      ['dynamodb:StartAwsBackupJob', 'dynamodb:DescribeTable', 'dynamodb:ListTagsOfResource'],
      tables.map(({ tableArn }) => tableArn),
    ),
    ...(resources.length === 0
      ? []
      : [
          allow(['kms:Decrypt', 'kms:GenerateDataKey'], resources, {
            StringEquals: { 'kms:ViaService': ['dynamodb', 'backup'].map((name) => `${name}.${region}.${urlSuffix}`) },
          }),
          allow(['kms:DescribeKey'], resources),
          allow(['kms:CreateGrant'], resources, { Bool: { 'kms:GrantIsForAWSResource': 'true' } }),
        ]),
  ];
}
