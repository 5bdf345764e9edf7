import { Topic } from 'aws-cdk-lib/aws-sns';
import { App, Fn, Stack } from 'aws-cdk-lib/core';
import { type AlarmTopic, DesignedSystem, DesignedTable, SystemStack } from '../../../constructs/aws';
import { assertTopic } from '../../../constructs/aws/alarm-topic';
import { AccountAlarms } from '../../../constructs/aws/operations';
import { blog } from '../../../lib/systems';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:on-call';

test('`alarmTopic` accepts a topic, an ARN, an ARN that is known only at deployment, or nothing', () => {
  const stack = new Stack(new App(), 'Test');
  const topics = [undefined, { topicArn }, { topicArn: Fn.importValue('topic') }, new Topic(stack, 'Topic')];
  for (const topic of topics) expect(() => assertTopic('alarmTopic', topic)).not.toThrow();
});

test.each([
  [topicArn, `such as { topicArn: '${topicArn}' }, got: '${topicArn}'`],
  [{ topicArn: 'on-call' }, "got: { topicArn: 'on-call' }"],
  [
    { topicArn: 'arn:aws:sqs:eu-west-1:123456789012:queue' },
    "got: { topicArn: 'arn:aws:sqs:eu-west-1:123456789012:queue' }",
  ],
  [{ topicArn: undefined }, 'got: { topicArn: nothing }'],
  [{ arn: topicArn }, "{ topicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' }, got: an object with arn"],
  [null, 'got: null'],
])('refuses the topic %j, which would notify nobody, and shows what to write instead', (given, message) => {
  expect(() => assertTopic('alarmTopic', given as AlarmTopic)).toThrow(message);
});

test('every construct refuses an invalid topic before it creates a resource', () => {
  const stack = new Stack(new App(), 'Test');
  const alarmTopic = topicArn as unknown as AlarmTopic;
  const made = [
    () => new DesignedTable(stack, 'Table', { design: blog.tables.blog, alarmTopic, environment: 'dev' }),
    () => new DesignedSystem(stack, 'System', { design: blog, alarmTopic, environment: 'dev' }),
  ];
  for (const make of made) expect(make).toThrow('alarmTopic must be an SNS topic or an object with its ARN');
  expect(stack.node.children.map(({ node }) => node.id)).toEqual([]);
  expect(() => new AccountAlarms(stack, 'Alarms', { topic: alarmTopic })).toThrow('topic must be an SNS topic');
});

describe('a topic in another region', () => {
  const app = new App();
  const env = { region: 'us-east-1', account: '123456789012' };
  const stack = new Stack(app, 'Alarms', { env });
  const elsewhere = new Topic(new Stack(app, 'Topics', { env: { ...env, region: 'eu-west-1' } }), 'Topic');
  const refusal = /must be in us-east-1, like the alarms, got: a topic in eu-west-1; .* create a topic in us-east-1/;

  test.each([
    ['given by its ARN', { topicArn }],
    ['created by another stack', elsewhere],
  ])('every construct refuses a topic in another region before it creates a resource: %s', (how, topic) => {
    const made = [
      () => new DesignedTable(stack, 'Table', { design: blog.tables.blog, alarmTopic: topic }),
      () => new DesignedSystem(stack, 'System', { design: blog, alarmTopic: topic }),
      () => new SystemStack(app, 'Stack', { design: blog, alarmTopic: topic, env }),
    ];
    for (const make of made) expect(make).toThrow(refusal);
    expect(stack.node.children.map(({ node }) => node.id)).toEqual([]);
    expect(() => new AccountAlarms(new Stack(app, how.replaceAll(' ', '-'), { env }), 'Alarms', { topic })).toThrow(
      refusal,
    );
  });

  test('a topic is accepted if its region is known only at deployment', () => {
    for (const topic of [{ topicArn }, { topicArn: Fn.importValue('topic') }]) {
      expect(() => new AccountAlarms(new Stack(new App(), 'Any'), 'Alarms', { topic })).not.toThrow();
    }
    const unknown = { topicArn: Fn.importValue('topic') };
    expect(() => new AccountAlarms(stack, 'Alarms', { topic: unknown })).not.toThrow();
  });
});
