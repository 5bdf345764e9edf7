import { adoptionsFrom, environmentNamed, topicFrom } from '../../../constructs/aws/context';
import { environments } from '../../../constructs/environment';
import { systems } from '../../../lib/systems';

test('finds an environment by its name', () => {
  expect(environmentNamed('staging')).toBe(environments.staging);
});

test('refuses an unknown environment and lists the known environments', () => {
  expect(() => environmentNamed('qa')).toThrow("environment must be one of dev, economy, staging, prod, got: 'qa'");
});

test('the context adopts no tables by default', () => {
  expect(adoptionsFrom(undefined, systems)).toEqual({});
});

test('`adoptionsFrom` groups the adopted tables by system and table', () => {
  expect(adoptionsFrom('trimobe.Tenants:acme-tenants, trimobe.Users:acme.users', systems)).toEqual({
    trimobe: { Tenants: { tableName: 'acme-tenants' }, Users: { tableName: 'acme.users' } },
  });
});

test.each(['trimobe.Tenants', 'trimobe.Nope:x', 'nope.Tenants:x', '', 'toString.x:y'])(
  'refuses the adoption %p, and shows the format and the known tables',
  (text) => {
    expect(() => adoptionsFrom(text, systems)).toThrow(
      /<system>\.<table>:<name of the existing table>.*trimobe\.Tenants/,
    );
  },
);

test('alarms notify the topic with the given ARN, or nobody if no ARN is given', () => {
  const topicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';
  expect(topicFrom(undefined)).toBeUndefined();
  expect(topicFrom(topicArn)).toEqual({ topicArn });
});

test.each(['on-call', 'arn:aws:sqs:eu-west-1:123456789012:on-call', ''])('refuses %p as a topic', (arn) => {
  expect(() => topicFrom(arn)).toThrow(`context 'alarmTopic' must be the ARN of an SNS topic, got: '${arn}'`);
});
