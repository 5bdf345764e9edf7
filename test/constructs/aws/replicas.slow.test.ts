import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, type DesignedTableProps, type Replica, SystemStack } from '../../../constructs/aws';
import { environmentOf } from '../../../constructs/environment';
import { blog } from '../../../lib/systems';

const design = blog.tables.blog;
const region = 'eu-west-1';
const arnIn = (where: string) => `arn:aws:kms:${where}:111122223333:key/a`;
const copy = { region: 'us-east-1', encryptionKeyArn: arnIn('us-east-1') };

function stackWith(props: Partial<DesignedTableProps>, context?: Record<string, unknown>): Stack {
  const stack = new Stack(new App(context === undefined ? {} : { context }), 'Test', { env: { region } });
  new DesignedTable(stack, 'Blog', { design, ...props });
  return stack;
}

/** Returns, for each region, whether the table and its stream have a policy. */
function policiesOf(stack: Stack): Readonly<Record<string, readonly boolean[]>> {
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  const found = table?.Properties.Replicas.map((replica: Record<string, unknown>) => [
    replica.Region,
    [replica.ResourcePolicy !== undefined, replica.ReplicaStreamSpecification !== undefined],
  ]);
  return Object.fromEntries(found);
}

describe.each([
  ['without the CDK flag', undefined],
  ['with the flag off', { '@aws-cdk/aws-dynamodb:resourcePolicyPerReplica': false }],
  ['with the flag on', { '@aws-cdk/aws-dynamodb:resourcePolicyPerReplica': true }],
])('a new replica, %s', (_how, context) => {
  test.each(['staging', 'prod'] as const)(
    'a new replica has no policy in %s, because CloudFormation would refuse it',
    (environment) => {
      const stack = stackWith({ environment, replicas: [copy] }, context);
      expect(policiesOf(stack)).toEqual({ 'us-east-1': [false, false], [region]: [true, true] });
    },
  );

  test("a deployed replica gets the table's policies", () => {
    const stack = stackWith({ replicas: [{ ...copy, deployed: true }] }, context);
    expect(policiesOf(stack)).toEqual({ 'us-east-1': [true, true], [region]: [true, true] });
  });

  test('a replica that is added with `addReplica` also has no policy', () => {
    const stack = new Stack(new App(context === undefined ? {} : { context }), 'Test', { env: { region } });
    const environment = { ...environmentOf('prod'), encryption: 'aws-managed', name: 'own' } as const;
    const { table } = new DesignedTable(stack, 'Blog', { design, environment });
    table.addReplica({ region: 'us-east-1' });
    expect(policiesOf(stack)).toEqual({ 'us-east-1': [false, false], [region]: [true, false] });
  });
});

test('a replica that does not yet require TLS causes a warning that shows what to write', () => {
  const warnings = (props: Partial<DesignedTableProps>) =>
    Annotations.fromStack(stackWith(props)).findWarning('*', Match.stringLikeRegexp('the replica in us-east-1'));
  expect(warnings({ replicas: [copy] }).map(({ entry }) => entry.data)).toEqual([
    expect.stringMatching(/set deployed: true .*\[ack: tablewright:replica-policy:us-east-1\]/),
  ]);
  expect(warnings({ replicas: [{ ...copy, deployed: true }] })).toEqual([]);
  expect(warnings({ environment: 'dev', replicas: [{ region: 'us-east-1' }] })).toEqual([]);
});

describe('a refusal leaves no construct behind', () => {
  const refused = (replicas: unknown, message: string, more: Partial<DesignedTableProps> = {}, where?: string) => {
    const stack = new Stack(new App(), 'Test', { env: where === undefined ? {} : { region: where } });
    const props = { design, replicas: replicas as readonly Replica[], ...more };
    expect(() => new DesignedTable(stack, 'Blog', props)).toThrow(message);
    expect(stack.node.children.map(({ node }) => node.id)).toEqual([]);
  };

  test.each<readonly [string, unknown, string]>([
    ['an object instead of a list', copy, 'replicas must be a list such as'],
    [
      'a missing key if the environment uses customer-managed keys',
      [{ region: 'us-east-1' }],
      'must have an encryptionKeyArn',
    ],
    ['a key in another region', [{ ...copy, encryptionKeyArn: arnIn('eu-west-1') }], 'must be a key in us-east-1'],
    ['an alias', [{ ...copy, encryptionKeyArn: 'alias/blog' }], 'must be the ARN of a KMS key such as'],
    ['the region of the table', [{ region, encryptionKeyArn: arnIn(region) }], 'the table itself is in eu-west-1'],
    ['the same region twice', [copy, copy], 'replicas[1].region: there is already a replica in us-east-1'],
    ['a missing region', [{ encryptionKeyArn: arnIn('us-east-1') }], 'must be the name of a region'],
  ])('refuses %s', (_what, replicas, message) => refused(replicas, message, {}, region));

  test('refuses a key that no replica would use', () =>
    refused(
      [copy],
      "omit encryptionKeyArn, or set encryption: 'customer-managed' in the environment",
      { environment: 'dev' },
      region,
    ));

  test('refuses replicas of a table whose own region is unknown', () =>
    refused(
      [copy],
      "the stack must name its own region, since replicas are in other regions; write env: { region: 'eu-west-1' }",
    ));

  test("refuses a replica in the table's own region, even if the table belongs to a system", () => {
    const app = new App();
    const props = { design: blog, options: { blog: { replicas: [copy] } }, env: { region: 'us-east-1' } };
    expect(() => new SystemStack(app, 'blog', props)).toThrow('the table itself is in us-east-1');
    expect(app.node.children.map(({ node }) => node.id)).toEqual([]);
  });
});
