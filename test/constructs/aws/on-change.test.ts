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

describe('a function that follows changes to entities', () => {
  const stack = stackOf();
  const table = tableOf(stack, StreamViewType.NEW_AND_OLD_IMAGES);
  const fn = follower(stack);
  table.onChange(fn, ['Order', 'Product'], { retryAttempts: 3 });
  const template = Template.fromStack(stack);

  test('`onChange` delivers only records of the given entities, starts at the oldest record, and reports failed records', () => {
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

  test('a consumer may read only the stream, not the table', () => {
    const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
    const actions = policy?.Properties.PolicyDocument.Statement.flatMap(({ Action }: { Action: string[] }) => Action);
    expect([...actions].sort()).toEqual([
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ]);
  });

  test('a function can follow a table only once', () => {
    expect(() => table.onChange(fn, ['Coupon'])).toThrow(
      "Shop/Follower already follows table 'shop'; pass all entities that it follows in a single call to onChange",
    );
  });
});

describe('a function that lags behind', () => {
  const alarmTopic = { topicArn: 'arn:aws:sns:sa-east-1:111122223333:on-call' };
  const dynamoStream = StreamViewType.NEW_AND_OLD_IMAGES;
  const designed = (stack: Stack, id: string, environment: 'prod' | 'dev') =>
    new DesignedTable(stack, id, { design: shopTable, environment, alarmTopic, dynamoStream });

  test('a function has one lag alarm for all tables that it follows, and the alarm notifies the topic', () => {
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

  test('a function has no lag alarm in an environment without alarms', () => {
    const stack = stackOf();
    designed(stack, 'Table', 'dev').onChange(follower(stack), ['Order']);
    Template.fromStack(stack).resourceCountIs('AWS::CloudWatch::Alarm', 0);
  });
});

describe('invalid calls to `onChange`', () => {
  test('`onChange` refuses a table without a stream and shows how to add a stream', () => {
    const stack = stackOf();
    expect(() => tableOf(stack).onChange(follower(stack), ['Order'])).toThrow(
      "table 'shop' has no stream, so consumers cannot follow its changes; create the table with dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES",
    );
    Template.fromStack(stack).resourceCountIs('AWS::IAM::Policy', 0);
  });

  test('`onChange` refuses a stream that does not contain both the old and the new image', () => {
    const stack = stackOf();
    expect(() => tableOf(stack, StreamViewType.NEW_IMAGE).onChange(follower(stack), ['Order'])).toThrow(
      "table 'shop' has a NEW_IMAGE stream, which does not contain both old and new values",
    );
  });

  test.each([
    [[], /pass the entities to follow: .*Order/],
    [['Oder'], /'Oder' is not an entity of the table; did you mean Order\?/],
    [['constructor'], /'constructor' is not an entity of the table/],
  ])('`onChange` refuses the entities %p', (entities, message) => {
    const stack = stackOf();
    const table = tableOf(stack, StreamViewType.NEW_AND_OLD_IMAGES);
    expect(() => table.onChange(follower(stack), entities as never)).toThrow(message);
  });
});

test('`onChange` follows an adopted table through the ARN of its stream', () => {
  const stack = stackOf();
  const tableStreamArn = 'arn:aws:dynamodb:sa-east-1:111122223333:table/shop/stream/2026-01-01T00:00:00.000';
  const adopt = (id: string, more: object) =>
    new AdoptedTable(stack, id, { design: shopTable, tableName: 'shop', ...more });
  const fn = follower(stack);
  expect(() => adopt('Other', {}).onChange(fn, ['Order'])).toThrow("pass the table's tableStreamArn");
  adopt('Table', { tableStreamArn }).onChange(fn, ['Order']);
  Template.fromStack(stack).hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: tableStreamArn,
    FilterCriteria: Match.anyValue(),
  });
});
