import type { IBackupVault } from 'aws-cdk-lib/aws-backup';
import { type Alarm, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { IDesignedTable } from '../designed-table';
import { type AlarmDefinition, type AlarmOptions, makeAlarm, thresholdsOf } from './alarm';
import {
  accountMetric,
  ageMetric,
  latencyMetric,
  operationMetric,
  sum,
  THROTTLE_CAUSES,
  type ThrottleCause,
  tableMetric,
  throttlesOf,
  vaultMetric,
} from './metrics';
import { type WatchedTable, watched } from './watched';

export interface TableAlarmsProps extends AlarmOptions {
  readonly table: IDesignedTable | WatchedTable;
  /**
   * The causes of throttling that get an alarm.
   * @default - the causes that apply to an on-demand table without its own limit
   */
  readonly causes?: readonly ThrottleCause['cause'][];
}

/** The alarms for one table and each of its indexes. */
export class TableAlarms extends Construct {
  public readonly alarms: readonly Alarm[];

  public constructor(scope: Construct, id: string, props: TableAlarmsProps) {
    super(scope, id);
    this.alarms = tableAlarms(props).map((alarm) => makeAlarm(this, alarm, props));
  }
}

/** Alarms on metrics that exist only for the whole account, so a system needs each of them only once. */
export class AccountAlarms extends Construct {
  public readonly alarms: readonly Alarm[];

  public constructor(scope: Construct, id: string, props: AlarmOptions = {}) {
    super(scope, id);
    const { userErrors } = thresholdsOf(props);
    const metric = accountMetric('UserErrors');
    const means =
      'DynamoDB rejected requests in this account and region as invalid (HTTP 400); CloudWatch does not say for which table';
    this.alarms = [
      makeAlarm(this, { id: 'UserErrors', suffix: 'user-errors', means, metric, above: userErrors }, props),
    ];
  }
}

export interface ConsumerAlarmsProps extends AlarmOptions {
  /** The function that follows changes to tables (`onChange`). */
  readonly fn: IFunction;
}

/** An alarm for a function that lags behind the changes it follows. A stream keeps changes for only one day. */
export class ConsumerAlarms extends Construct {
  public readonly alarms: readonly Alarm[];

  public constructor(scope: Construct, id: string, props: ConsumerAlarmsProps) {
    super(scope, id);
    const { lag } = thresholdsOf(props);
    const means = `the function lags more than ${lag} seconds behind the changes it follows: it keeps failing, or is too slow; changes older than a day are lost`;
    const metric = ageMetric(props.fn);
    this.alarms = [makeAlarm(this, { id: 'Lag', suffix: 'lag', means, metric, above: lag * 1000 }, props)];
  }
}

export interface BackupAlarmsProps extends AlarmOptions {
  readonly vault: IBackupVault;
}

/** Alarms about missed backups, which would otherwise go unnoticed until a restore. */
export class BackupAlarms extends Construct {
  public readonly alarms: readonly Alarm[];

  public constructor(scope: Construct, id: string, props: BackupAlarmsProps) {
    super(scope, id);
    const named = ['Failed', 'Expired', 'Aborted'].map((how) => {
      const hourly = { period: Duration.hours(1) };
      return [`jobs${how}`, vaultMetric(props.vault, `NumberOfBackupJobs${how}`).with(hourly)];
    });
    const metric = sum(Object.fromEntries(named), 'failed backups').with({ period: Duration.hours(1) });
    const means = 'a backup failed, did not start in time or was stopped; see the jobs in AWS Backup';
    this.alarms = [
      makeAlarm(this, { id: 'Failed', suffix: 'backups-failed', means, metric, above: 0, periods: 1 }, props),
    ];
  }
}

/** CloudWatch allows at most ten metrics per alarm. */
const METRICS_OF_ALARM = 10;

function tableAlarms(props: TableAlarmsProps): readonly AlarmDefinition[] {
  const { table, indexes, operations, expires } = watched(props.table);
  const { throttles, systemErrors, latency } = thresholdsOf(props);
  const causes = props.causes ?? ['hot-partition', 'account-limit'];
  const throttled = [undefined, ...indexes].flatMap((index) =>
    THROTTLE_CAUSES.filter(({ cause }) => causes.includes(cause)).map((cause): AlarmDefinition => {
      const place = index === undefined ? [] : [index];
      return {
        id: ['Throttles', cause.cause, ...place].join('-'),
        suffix: [...place, 'throttles', cause.cause].join('-'),
        means: `${index === undefined ? 'the table' : `index ${index}`} is throttled: ${cause.words}`,
        metric: throttlesOf(table, cause, index),
        above: throttles,
      };
    }),
  );
  const failing = chunks(operations, METRICS_OF_ALARM).map((chunk, i): AlarmDefinition => {
    const named = chunk.map((operation) => [`on${operation}`, operationMetric(table, 'SystemErrors', operation)]);
    const number = i === 0 ? '' : `-${i + 1}`;
    const means = 'DynamoDB responds with server errors (HTTP 500)';
    const metric = sum(Object.fromEntries(named), 'system errors');
    return { id: `SystemErrors${number}`, suffix: `system-errors${number}`, means, metric, above: systemErrors };
  });
  const slow = operations.map((operation): AlarmDefinition => {
    const means = `${operation} has an average latency of more than ${latency} ms`;
    const metric = latencyMetric(table, operation);
    return { id: `Latency-${operation}`, suffix: `latency-${operation}`, means, metric, above: latency };
  });
  return [...throttled, ...failing, ...slow, ...(expires ? [stalled(table)] : [])];
}

const STALLED_DAYS = 7;

/**
 * CloudWatch counts expired items, but not the items that are waiting to expire. The alarm goes off if items are
 * written every day, but none expires during the longest period that an alarm can evaluate. The usual cause is a TTL
 * attribute that is missing, or in milliseconds.
 */
function stalled(table: WatchedTable['table']): AlarmDefinition {
  const day = { period: Duration.days(1) };
  return {
    id: 'ExpiryStalled',
    suffix: 'expiry-stalled',
    means: `items are written every day, but no item has expired for ${STALLED_DAYS} days; the TTL attribute must be in seconds since 1970`,
    metric: new MathExpression({
      expression: 'IF(FILL(written, 0) > 0 AND FILL(expired, 0) < 1, 1, 0)',
      usingMetrics: {
        written: tableMetric(table, 'ConsumedWriteCapacityUnits').with(day),
        expired: tableMetric(table, 'TimeToLiveDeletedItemCount').with(day),
      },
      label: 'days without expiry',
      ...day,
    }),
    above: 0,
    periods: STALLED_DAYS,
  };
}

export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
