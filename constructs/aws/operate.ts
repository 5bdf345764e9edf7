import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Token } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Environment } from '../environment';
import type { AlarmTopic } from './alarm-topic';
import type { CapacityOptions } from './capacity';
import type { DesignedSystem } from './designed-system';
import type { DesignedTable, DesignedTableProps } from './designed-table';
import type { TableAlarms, TableAlarmsProps } from './operations/alarms';
import type { TableBackup } from './operations/backup';
import type { TableDashboard } from './operations/dashboard';

type Operations = typeof import('./operations');

/**
 * Loads the code for alarms and backups only if an environment needs it, because CDK's modules for CloudWatch and AWS
 * Backup are slow to load.
 */
const operations = (): Operations => require('./operations');

/** The alarms, dashboard and backup of a system's tables, as the system's environment configures them. */
export interface SystemOperations {
  /** The alarms of all tables that the system creates, of the account, and of missed backups. */
  readonly alarms: readonly Alarm[];
  readonly dashboard?: TableDashboard;
  readonly backup?: TableBackup;
}

/**
 * Creates alarms and backups for the tables that a system creates, and a dashboard of all its tables. The owners of
 * adopted tables are responsible for their alarms and backups.
 */
export function operate(
  system: DesignedSystem,
  made: readonly DesignedTable[],
  environment: Environment,
  topic?: AlarmTopic,
): SystemOperations {
  if (system.encryptionKey !== undefined) guardData(system.encryptionKey, environment);
  if (environment.alarms === 'none' && environment.backup === 'none') return { alarms: [] };
  // The id '~Operations' cannot collide with a table, because no table can have this name.
  const scope = new Construct(system, '~Operations');
  const tables = made.map(({ table }) => table);
  const name = `${system.design.name}-${environment.name}`;
  const options = { name, topic, encryptionKey: system.encryptionKey };
  const backup = tables.length === 0 ? undefined : backupOf(scope, tables, environment, options);
  if (environment.alarms === 'none') return { alarms: [], backup };
  const { AccountAlarms, TableDashboard } = operations();
  const account = new AccountAlarms(scope, 'Account', {
    thresholds: environment.alarms,
    name,
    ...(topic && { topic }),
  });
  const alarms = [...made.flatMap((table) => table.alarms?.alarms ?? []), ...account.alarms, ...(backup?.alarms ?? [])];
  const dashboard = new TableDashboard(scope, 'Dashboard', { tables: system.tables, alarms, name });
  return { alarms, dashboard, backup };
}

export function alarmsOf(
  table: DesignedTable,
  environment: Environment,
  options: Pick<DesignedTableProps, 'tableName' | 'alarmTopic' | keyof CapacityOptions>,
): TableAlarms | undefined {
  if (environment.alarms === 'none') return undefined;
  const { tableName, alarmTopic } = options;
  return new (operations().TableAlarms)(table, 'Alarms', {
    table,
    thresholds: environment.alarms,
    topic: alarmTopic,
    name: known(tableName),
    causes: causesOf(options),
  });
}

/** Adds the alarm for a function that follows changes. A function gets one alarm for all tables that it follows. */
export function watchConsumer(fn: IFunction, environment: Environment, topic: AlarmTopic | undefined): void {
  const id = 'ChangesAlarms';
  if (environment.alarms === 'none' || fn.node.tryFindChild(id) !== undefined) return;
  new (operations().ConsumerAlarms)(fn, id, { fn, thresholds: environment.alarms, ...(topic && { topic }) });
}

/**
 * Returns the causes of throttling that get an alarm, for a table with provisioned capacity or with its own limit;
 * undefined for any other table.
 */
function causesOf({
  capacity,
  maxReadRequestUnits,
  maxWriteRequestUnits,
}: CapacityOptions): TableAlarmsProps['causes'] {
  if (capacity !== undefined) return ['hot-partition', 'account-limit', 'provisioned'];
  const isLimited = maxReadRequestUnits !== undefined || maxWriteRequestUnits !== undefined;
  return isLimited ? ['hot-partition', 'account-limit', 'own-limit'] : undefined;
}

export function backupOf(
  scope: Construct,
  tables: readonly ITable[],
  { backup: schedule, alarms: thresholds, protectData }: Environment,
  options: { readonly name?: string; readonly topic?: AlarmTopic; readonly encryptionKey?: IKey },
): TableBackup | undefined {
  if (schedule === 'none') return undefined;
  const { topic, encryptionKey } = options;
  const name = known(options.name);
  return new (operations().TableBackup)(scope, 'Backup', {
    tables,
    schedule,
    retain: protectData,
    name,
    encryptionKey,
    ...(thresholds !== 'none' && { alarms: { thresholds, topic, name } }),
  });
}

/**
 * If an environment promises to keep data, by its settings or by its name, warns about every resource that could lose
 * data.
 */
export function guardData(scope: Construct, environment: Environment): void {
  if (environment.protectData || /^prod/i.test(environment.name)) operations().warnOfDataLoss(scope, environment);
}

/** Returns a name, unless the name is known only at deployment. */
function known(name: string | undefined): string | undefined {
  return Token.isUnresolved(name) ? undefined : name;
}
