import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { type AlarmThresholds, environments } from '../../environment';
import { type AlarmTopic, assertTopic } from '../alarm-topic';
import { freeText } from '../free-text';

/** The thresholds, the notification topic and the names of alarms. */
export interface AlarmOptions {
  /**
   * The values above which an alarm goes off.
   * @default - prod's thresholds
   */
  readonly thresholds?: AlarmThresholds;
  /**
   * The SNS topic that is notified when an alarm goes off and when it recovers.
   * @default - no notification: the alarms appear only in CloudWatch and on the dashboard
   */
  readonly topic?: AlarmTopic;
  /**
   * The prefix of the alarm names. If an alarm's name would be too long, CloudFormation chooses the name.
   * @default - CloudFormation chooses the names
   */
  readonly name?: string;
}

/** A single alarm, as data. */
export interface AlarmDefinition {
  readonly id: string;
  readonly suffix: string;
  readonly means: string;
  readonly metric: IMetric;
  readonly above: number;
  /** @default - the value in the thresholds */
  readonly periods?: number;
}

/** Creates an alarm that treats missing data as not breaching. */
export function makeAlarm(scope: Construct, definition: AlarmDefinition, options: AlarmOptions): Alarm {
  assertTopic('topic', options.topic, Stack.of(scope).region);
  const { id, suffix, means, metric, above } = definition;
  const periods = definition.periods ?? thresholdsOf(options).periods;
  const alarm = new Alarm(scope, id, {
    alarmName: alarmName(options, suffix),
    alarmDescription: freeText(means),
    metric,
    threshold: above,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    datapointsToAlarm: periods,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
  const { topic } = options;
  if (topic !== undefined) {
    const action = { bind: () => ({ alarmActionArn: topic.topicArn }) };
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
  return alarm;
}

const LONGEST_NAME = 255;

function alarmName({ name }: AlarmOptions, suffix: string): string | undefined {
  const full = `${name}-${suffix}`;
  return name === undefined || full.length > LONGEST_NAME ? undefined : full;
}

export function thresholdsOf({
  thresholds = environments.prod.alarms as AlarmThresholds,
}: AlarmOptions): AlarmThresholds {
  return thresholds;
}
