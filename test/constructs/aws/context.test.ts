import { adoptionsFrom, environmentNamed, topicFrom } from '../../../constructs/aws/context';
import { environments } from '../../../constructs/environment';
import { systems } from '../../../lib/systems';

test('an environment is found by its name', () => {
  expect(environmentNamed('staging')).toBe(environments.staging);
});

test('an unknown environment is an error that lists the known ones', () => {
  expect(() => environmentNamed('qa')).toThrow("environment must be one of dev, economy, staging, prod, got: 'qa'");
});

test('no adoptions are given by default', () => {
  expect(adoptionsFrom(undefined, systems)).toEqual({});
});

test('adoptions are read by system and table', () => {
  expect(adoptionsFrom('trimobe.Tenants:acme-tenants, trimobe.Users:acme.users', systems)).toEqual({
    trimobe: { Tenants: { tableName: 'acme-tenants' }, Users: { tableName: 'acme.users' } },
  });
});

test.each(['trimobe.Tenants', 'trimobe.Nope:x', 'nope.Tenants:x', '', 'toString.x:y'])(
  '%p is refused with the tables there are',
  (text) => {
    expect(() => adoptionsFrom(text, systems)).toThrow(
      /<system>\.<table>:<name of the existing table>.*trimobe\.Tenants/,
    );
  },
);

test('alarms go to nobody by default, or to a topic by its ARN', () => {
  const topicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';
  expect(topicFrom(undefined)).toBeUndefined();
  expect(topicFrom(topicArn)).toEqual({ topicArn });
});

test.each(['on-call', 'arn:aws:sqs:eu-west-1:123456789012:on-call', ''])('%p is no topic', (arn) => {
  expect(() => topicFrom(arn)).toThrow(`context 'alarmTopic' must be the ARN of an SNS topic, got: '${arn}'`);
});
