import { Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { App, Fn, Stack } from 'aws-cdk-lib/core';
import { DesignedSystem, DesignedTable, type environments, type TableOptions } from '../../../constructs/aws';
import { type AccessRestriction, accessPolicy } from '../../../constructs/aws/access-policy';
import { blog } from '../../../lib/systems';

interface Statement {
  Sid: string;
  Effect: string;
  Action: string | string[];
  Resource: string;
  Condition: Record<string, Record<string, unknown>>;
}

const statements = (tlsOnly: boolean, restriction?: AccessRestriction): Statement[] =>
  accessPolicy({ tlsOnly }, restriction)?.toJSON().Statement ?? [];

// biome-ignore lint/suspicious/noExplicitAny: any property of a table
function policyOf(environment: keyof typeof environments, access?: AccessRestriction): any {
  const stack = new Stack(new App(), 'Test');
  new DesignedTable(stack, 'Blog', { design: blog.tables.blog, environment, access });
  const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  return table?.Properties.Replicas[0].ResourcePolicy;
}

describe('TLS', () => {
  test('TLS is required in staging and prod, for every caller and every action', () => {
    for (const environment of ['staging', 'prod'] as const) {
      expect(policyOf(environment).PolicyDocument.Statement).toEqual([
        {
          Sid: 'TlsOnly',
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Action: 'dynamodb:*',
          Resource: '*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ]);
    }
  });

  test('TLS is not required in dev, whose tables have no policy', () => {
    expect(policyOf('dev')).toBeUndefined();
    expect(statements(false)).toEqual([]);
  });
});

describe('the stream', () => {
  // biome-ignore lint/suspicious/noExplicitAny: any property of a table
  function replicasOf(environment: keyof typeof environments, options: TableOptions): readonly any[] {
    const stack = new Stack(new App(), 'Test', { env: { region: 'eu-west-1' } });
    new DesignedTable(stack, 'Blog', { design: blog.tables.blog, environment, ...options });
    const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
    return table?.Properties.Replicas;
  }
  const dynamoStream = StreamViewType.NEW_AND_OLD_IMAGES;

  test("the stream has a separate policy that requires TLS, since the table's policy does not cover the stream", () => {
    const [{ ReplicaStreamSpecification }] = replicasOf('prod', { dynamoStream }) as [Record<string, never>];
    expect(ReplicaStreamSpecification).toEqual({
      ResourcePolicy: {
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Sid: 'TlsOnly',
              Effect: 'Deny',
              Principal: { AWS: '*' },
              Action: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
              Resource: '*',
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
          ],
        },
      },
    });
  });

  test('a table in dev and a table without a stream have no stream policy', () => {
    for (const replicas of [replicasOf('prod', {}), replicasOf('dev', { dynamoStream })]) {
      expect(replicas.map((replica) => replica.ReplicaStreamSpecification)).toEqual([undefined]);
    }
  });

  test('the stream of a table with replicas always has a policy; the replicas and their streams have none', () => {
    const encryptionKeyArn = 'arn:aws:kms:us-east-1:111122223333:key/a';
    const found = replicasOf('prod', { replicas: [{ region: 'us-east-1', encryptionKeyArn }] });
    expect(found.map(({ Region, ReplicaStreamSpecification: stream }) => [Region, stream !== undefined])).toEqual([
      ['us-east-1', false],
      ['eu-west-1', true],
    ]);
  });
});

describe.each([
  ['VpcEndpointOnly', { vpcEndpoints: ['vpce-1a2b', 'vpce-3c4d'] }, { 'aws:SourceVpce': ['vpce-1a2b', 'vpce-3c4d'] }],
  ['OrganizationOnly', { organization: 'o-a1b2c3d4e5' }, { 'aws:PrincipalOrgID': 'o-a1b2c3d4e5' }],
])('the access policy with %s', (sid, restriction, condition) => {
  const [statement, ...others] = statements(false, restriction) as [Statement];

  test('the access policy denies callers from outside the allowed source, and grants nothing', () => {
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ Sid: sid, Effect: 'Deny', Condition: { StringNotEquals: condition } });
  });

  test('the access policy covers only actions on items, so that it does not lock out CloudFormation, backups or administrators', () => {
    expect(statement.Action).toContain('dynamodb:GetItem');
    expect(statement.Action).toContain('dynamodb:PartiQLSelect');
    const managing = /Policy|Table$|Backup|Describe|Stream|Tag|Restore|Export/;
    expect((statement.Action as string[]).filter((action) => managing.test(action) || action.includes('*'))).toEqual(
      [],
    );
  });

  test("the access policy does not block AWS services, calls that AWS makes on a caller's behalf, or replication", () => {
    expect(statement.Condition).toMatchObject({
      BoolIfExists: { 'aws:PrincipalIsAWSService': 'false', 'aws:ViaAWSService': 'false' },
      ArnNotLikeIfExists: { 'aws:PrincipalArn': 'arn:*:iam::*:role/aws-service-role/*' },
    });
  });
});

test('TLS, VPC endpoint and organization restrictions can be combined', () => {
  const all = statements(true, { vpcEndpoints: ['vpce-1a2b'], organization: 'o-a1b2c3d4e5' });
  expect(all.map(({ Sid }) => Sid)).toEqual(['TlsOnly', 'VpcEndpointOnly', 'OrganizationOnly']);
});

test("a system applies the access restriction in a table's options", () => {
  const stack = new Stack(new App(), 'Test');
  const options = { blog: { access: { organization: 'o-a1b2c3d4e5' } } };
  new DesignedSystem(stack, 'Blog', { design: blog, environment: 'dev', options });
  expect(JSON.stringify(Template.fromStack(stack).toJSON())).toContain('"aws:PrincipalOrgID":"o-a1b2c3d4e5"');
});

describe('restrictions that would lock out every caller', () => {
  test.each([
    [{ vpcEndpoints: ['vpc-1a2b'] }, "access.vpcEndpoints must be ids such as 'vpce-1a2b3c4d', got: 'vpc-1a2b'"],
    [{ organization: '123456789012' }, "access.organization must be an id such as 'o-a1b2c3d4e5', got: '123456789012'"],
  ])('refuses the restriction %j', (access, message) => {
    expect(() => policyOf('prod', access)).toThrow(message);
  });

  test('accepts a restriction with values that are known only at deployment', () => {
    const { PolicyDocument } = policyOf('prod', { vpcEndpoints: [Fn.importValue('endpoint')] });
    expect(PolicyDocument.Statement[1].Condition.StringNotEquals).toEqual({
      'aws:SourceVpce': [{ 'Fn::ImportValue': 'endpoint' }],
    });
  });
});
