import { Token } from 'aws-cdk-lib/core';
import { isObject, show } from '../../lib/design/show';

/** An SNS topic, made anywhere, or no more than its ARN. */
export interface AlarmTopic {
  readonly topicArn: string;
}

export const TOPIC_ARN = /^arn:[^:]+:sns:[^:]+:\d{12}:[^:]+$/;

/** Refuses a topic that nobody would be told through. */
export function assertTopic(place: string, topic: AlarmTopic | undefined): void {
  if (topic === undefined) return;
  const arn: unknown = isObject(topic) ? topic.topicArn : topic;
  const isLegal = Token.isUnresolved(arn) || (typeof arn === 'string' && TOPIC_ARN.test(arn));
  if (isLegal && isObject(topic)) return;
  const written = isLegal ? String(arn) : 'arn:aws:sns:eu-west-1:123456789012:on-call';
  const got = isObject(topic) && 'topicArn' in topic ? `{ topicArn: ${show(arn)} }` : show(topic);
  throw new Error(
    `${place} must be an SNS topic or the ARN of one; write ${place}: { topicArn: '${written}' }, got: ${got}`,
  );
}
