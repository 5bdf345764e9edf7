import { Token } from 'aws-cdk-lib/core';
import { isObject, show } from '../../lib/design/show';

/** A topic construct, or any object with the ARN of an SNS topic. */
export interface AlarmTopic {
  readonly topicArn: string;
}

export const TOPIC_ARN = /^arn:[^:]+:sns:([^:]+):\d{12}:[^:]+$/;

/** Refuses a topic that alarms could not notify; `region` is the alarms' region, if already known. */
export function assertTopic(place: string, topic: AlarmTopic | undefined, region?: string): void {
  if (topic === undefined) return;
  const arn: unknown = isObject(topic) ? topic.topicArn : topic;
  const isLegal = Token.isUnresolved(arn) || (typeof arn === 'string' && TOPIC_ARN.test(arn));
  if (!isLegal || !isObject(topic)) {
    const written = isLegal ? String(arn) : 'arn:aws:sns:eu-west-1:123456789012:on-call';
    const got = isObject(topic) && 'topicArn' in topic ? `{ topicArn: ${show(arn)} }` : show(topic);
    throw new Error(
      `${place} must be an SNS topic or an object with its ARN, such as { topicArn: '${written}' }, got: ${got}`,
    );
  }
  const there = regionOf(topic);
  const isKnown = [there, region].every((name) => name !== undefined && !Token.isUnresolved(name));
  if (isKnown && there !== region) {
    throw new Error(
      `${place} must be in ${region}, like the alarms, got: a topic in ${there}; CloudWatch cannot notify a topic in another region: create a topic in ${region}, and subscribe the same people to it`,
    );
  }
}

/** Returns the region of a topic, taken from its ARN or from the stack that creates it. */
function regionOf(topic: AlarmTopic): string | undefined {
  const { topicArn, env } = topic as AlarmTopic & { readonly env?: { readonly region?: string } };
  return Token.isUnresolved(topicArn) ? env?.region : TOPIC_ARN.exec(topicArn)?.[1];
}
