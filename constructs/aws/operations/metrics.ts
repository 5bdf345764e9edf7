import type { IBackupVault } from 'aws-cdk-lib/aws-backup';
import { type DimensionsMap, type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import type { Operation } from './watched';

/** The causes of throttling. For each cause, CloudWatch has one metric for reads and one for writes. */
export const THROTTLE_CAUSES = [
  {
    cause: 'hot-partition',
    metric: 'KeyRangeThroughputThrottleEvents',
    words: 'a partition exceeds 3,000 read or 1,000 write units per second; Contributor Insights shows its key',
  },
  {
    cause: 'account-limit',
    metric: 'AccountLimitThrottleEvents',
    words: "the table has reached the account's per-table quota in this region; request a higher quota",
  },
  {
    cause: 'own-limit',
    metric: 'MaxOnDemandThroughputThrottleEvents',
    words: 'it has reached its maximum request units',
  },
  {
    cause: 'provisioned',
    metric: 'ProvisionedThroughputThrottleEvents',
    words: 'requests exceed the provisioned capacity',
  },
] as const;

export type ThrottleCause = (typeof THROTTLE_CAUSES)[number];

/** A metric of one index, or of a table without its indexes. */
export function tableMetric(table: ITable, metricName: string, index?: string): Metric {
  return metric(metricName, {
    TableName: table.tableName,
    ...(index === undefined ? {} : { GlobalSecondaryIndexName: index }),
  });
}

/** A metric that CloudWatch provides per operation, but not per index. */
export function operationMetric(table: ITable, metricName: string, operation: Operation): Metric {
  return metric(metricName, { TableName: table.tableName, Operation: operation });
}

/**
 * The average latency. DynamoDB does not list percentiles as valid statistics for this metric, and the maximum would
 * show only the slowest request.
 */
export function latencyMetric(table: ITable, operation: Operation): Metric {
  return operationMetric(table, 'SuccessfulRequestLatency', operation).with({ statistic: Stats.AVERAGE });
}

/** A metric that CloudWatch provides only for the whole account and region. */
export function accountMetric(metricName: string): Metric {
  return metric(metricName, {});
}

/** The age in milliseconds of the oldest change that a function has not handled yet. */
export function ageMetric({ functionName }: IFunction): Metric {
  return metric('IteratorAge', { FunctionName: functionName }, 'AWS/Lambda').with({ statistic: Stats.MAXIMUM });
}

/** An AWS Backup metric for one vault's jobs. */
export function vaultMetric({ backupVaultName }: IBackupVault, metricName: string): Metric {
  return metric(metricName, { BackupVaultName: backupVaultName }, 'AWS/Backup');
}

/** The number of reads and writes that were throttled for one cause. */
export function throttlesOf(table: ITable, { metric, cause }: ThrottleCause, index?: string): IMetric {
  const named = ['read', 'write'].map((kind) => [
    `${kind}${metric}`,
    tableMetric(table, `${kind === 'read' ? 'Read' : 'Write'}${metric}`, index),
  ]);
  return sum(Object.fromEntries(named), cause);
}

/**
 * Returns the sum of metrics, which are keyed by their names in the expression. DynamoDB sends most metrics only if
 * there is something to count. Unlike `a + b`, this sum has a value even if one of the metrics is missing.
 */
export function sum(usingMetrics: Record<string, Metric>, label: string): MathExpression {
  const expression = `SUM([${Object.keys(usingMetrics).join(', ')}])`;
  return new MathExpression({ expression, usingMetrics, label, period: Duration.minutes(5) });
}

function metric(metricName: string, dimensionsMap: DimensionsMap, namespace = 'AWS/DynamoDB'): Metric {
  return new Metric({
    namespace,
    metricName,
    dimensionsMap,
    statistic: Stats.SUM,
    period: Duration.minutes(5),
  });
}
