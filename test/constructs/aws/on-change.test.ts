import { Match, Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { App, Stack } from 'aws-cdk-lib/core';
import { AdoptedTable, DesignedTable } from '../../../constructs/aws';
import { shopTable } from '../../fixtures/shop/design';

const stackOf = () => new Stack(new App(), 'Shop', { env: { account: '111122223333', region: 'sa-east-1' } });

function follower(stack: Stack): Lambda {
  const runtime = Runtime.NODEJS_22_X;
  return new Lambda(stack, 'Follower', { runtime, handler: 'index.handler', code: Code.fromInline('//') });
}

function tableOf(stack: Stack, dynamoStream?: StreamViewType): DesignedTable<typeof shopTable> {
  return new DesignedTable(stack, 'Table', {
    design: shopTable,
    environment: 'dev',
    ...(dynamoStream === undefined ? {} : { dynamoStream }),
  });
}

describe('a function that follows changes of entities', () => {
  const stack = stackOf();
  const table = tableOf(stack, StreamViewType.NEW_AND_OLD_IMAGES);
  const fn = follower(stack);
  table.onChange(fn, ['Order', 'Product'], { retryAttempts: 3 });
  const template = Template.fromStack(stack);

  test("receives only records with the entities' keys, starts at the first record, and reports failed records", () => {
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: stack.resolve(table.table.tableStreamArn),
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRetryAttempts: 3,
      FilterCriteria: {
        Filters: [
          { Pattern: '{"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"ORDER#"}]},"SK":{"S":["ORDER"]}}}}' },
          { Pattern: '{"dynamodb":{"Keys":{"PK":{"S":[{"prefix":"PRODUCT#"}]},"SK":{"S":["PRODUCT"]}}}}' },
        ],
      },
    });
  });

  test('may read only the stream, not the table', () => {
    const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
    const actions = policy?.Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string[] }) => Action);
    expect([...actions].sort()).toEqual([
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ]);
  });

  test('can follow a table only once', () => {
    expect(() => table.onChange(fn, ['Coupon'])).toThrow(
      "Shop/Follower already follows the table 'shop'; name all its entities in one call of onChange",
    );
  });
});

describe('a function that lags behind', () => {
  const alarmTopic = { topicArn: 'arn:aws:sns:sa-east-1:111122223333:on-call' };
  const dynamoStream = StreamViewType.NEW_AND_OLD_IMAGES;
  const designed = (stack: Stack, id: string, environment: 'prod' | 'dev') =>
    new DesignedTable(stack, id, { design: shopTable, environment, alarmTopic, dynamoStream });

  test('sets off one alarm for all tables that it follows, which notifies the topic', () => {
    const stack = stackOf();
    const fn = follower(stack);
    for (const id of ['Table', 'Other']) designed(stack, id, 'prod').onChange(fn, ['Order']);
    const lag = { Namespace: 'AWS/Lambda', MetricName: 'IteratorAge' };
    Template.fromStack(stack).resourcePropertiesCountIs('AWS::CloudWatch::Alarm', lag, 1);
    Template.fromStack(stack).hasResourceProperties('AWS::CloudWatch::Alarm', {
      ...lag,
      Dimensions: [{ Name: 'FunctionName', Value: stack.resolve(fn.functionName) }],
      Statistic: 'Maximum',
      Threshold: 600_000,
      AlarmActions: [alarmTopic.topicArn],
      OKActions: [alarmTopic.topicArn],
    });
  });

  test('sets off no alarm in an environment without alarms', () => {
    const stack = stackOf();
    designed(stack, 'Table', 'dev').onChange(follower(stack), ['Order']);
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });
});

describe('onChange is refused', () => {
  test('onChange is refused for a table without a stream, and says what to write', () => {
    const stack = stackOf();
    expect(() => tableOf(stack).onChange(follower(stack), ['Order'])).toThrow(
      "table 'shop' has no stream, so its changes cannot be followed; give it dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES",
    );
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Policy', 0);
  });

  test('onChange is refused for a stream without both images', () => {
    const stack = stackOf();
    expect(() => tableOf(stack, StreamViewType.NEW_IMAGE).onChange(follower(stack), ['Order'])).toThrow(
      "table 'shop' has a stream of NEW_IMAGE, without old and new values",
    );
  });

  test.each([
    [[], /name the entities whose changes matter: .*Order/],
    [['Oder'], /'Oder' is not one of its entities; did you mean Order\?/],
    [['constructor'], /'constructor' is not one of its entities/],
  ])('onChange is refused for the entities %p', (entities, message) => {
    const stack = stackOf();
    const table = tableOf(stack, StreamViewType.NEW_AND_OLD_IMAGES);
    expect(() => table.onChange(follower(stack), entities as never)).toThrow(message);
  });
});

test('an adopted table is followed through the ARN of its stream', () => {
  const stack = stackOf();
  const tableStreamArn = 'arn:aws:dynamodb:sa-east-1:111122223333:table/shop/stream/2026-01-01T00:00:00.000';
  const adopt = (id: string, more: object) =>
    new AdoptedTable(stack, id, { design: shopTable, tableName: 'shop', ...more });
  const fn = follower(stack);
  expect(() => adopt('Other', {}).onChange(fn, ['Order'])).toThrow('give it tableStreamArn');
  adopt('Table', { tableStreamArn }).onChange(fn, ['Order']);
  Template.fromStack(stack).hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: tableStreamArn,
    FilterCriteria: Match.anyValue(),
  });
});
