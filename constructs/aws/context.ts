import type { SystemDesign } from '../../lib/design/system';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';
import type { Adoption } from './adoption';
import { type AlarmTopic, TOPIC_ARN } from './alarm-topic';

/** Returns the environment that `-c environment=…` names. */
export function environmentNamed(name: unknown): Environment {
  return environmentOf(String(name) as EnvironmentName);
}

/**
 * Reads `-c adopt=trimobe.Tenants:acme-tenants,trimobe.Users:acme-users`, and returns the adoptions, keyed by system
 * and table.
 */
export function adoptionsFrom(
  text: unknown,
  systems: Readonly<Record<string, SystemDesign>>,
): Record<string, Record<string, Adoption>> {
  const known = Object.values(systems)
    .filter(({ cloud }) => cloud === 'aws')
    .flatMap(({ name, tables }) => Object.keys(tables).map((table) => `${name}.${table}`));
  const adoptions: Record<string, Record<string, Adoption>> = {};
  for (const entry of typeof text === 'string' ? text.split(',') : []) {
    const [, place = '', tableName = ''] = /^([^:]+):(.+)$/.exec(entry.trim()) ?? [];
    if (!known.includes(place)) {
      throw new Error(
        `context 'adopt' must be <system>.<table>:<name of the existing table>, where <system>.<table> is one of ${known.join(', ')}; got: '${entry}'`,
      );
    }
    const [system, table] = place.split('.') as [string, string];
    adoptions[system] = { ...adoptions[system], [table]: { tableName } };
  }
  return adoptions;
}

/** Reads `-c alarmTopic=arn:aws:sns:…`, the topic that alarms notify. */
export function topicFrom(arn: unknown): AlarmTopic | undefined {
  if (arn === undefined) return undefined;
  const topicArn = String(arn);
  if (!TOPIC_ARN.test(topicArn)) {
    throw new Error(`context 'alarmTopic' must be the ARN of an SNS topic, got: '${topicArn}'`);
  }
  return { topicArn };
}
