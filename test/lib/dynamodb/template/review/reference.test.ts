import { matches, pathOf, textOf } from '../../../../../lib/dynamodb/template/review/reference';
import { soundTable } from './app';

const tables = {
  path: 'Tables',
  template: {
    Resources: {
      Named: soundTable(),
      Unnamed: soundTable({ TableName: undefined }),
      Other: { Type: 'AWS::S3::Bucket' },
    },
    Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Named', 'Arn'] }, Export: { Name: 'named-arn' } } },
  },
};
const parent = {
  path: 'Parent',
  template: {
    Resources: {
      Nested: {
        Type: 'AWS::CloudFormation::Stack',
        Properties: { Parameters: { given: { 'Fn::ImportValue': 'named-arn' } } },
      },
    },
  },
};
const app = [tables, parent];
const arn = 'arn:*:dynamodb:*:*:table/orders';

describe('template values as text', () => {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: CloudFormation's own
  test.each<[string, unknown, string]>([
    ['a string', 'as it is', 'as it is'],
    ['a number', 5, '5'],
    ['the name of a table', { Ref: 'Named' }, 'orders'],
    ['a table without a name, as a unique placeholder', { Ref: 'Unnamed' }, '(Tables/Unnamed)'],
    ['the ARN of a table', { 'Fn::GetAtt': ['Named', 'Arn'] }, arn],
    ['the ARN of a table, in a different notation', { 'Fn::GetAtt': 'Named.Arn' }, arn],
    ['another attribute', { 'Fn::GetAtt': ['Named', 'StreamArn'] }, '*'],
    ['another resource', { Ref: 'Other' }, '*'],
    ['a join', { 'Fn::Join': ['/', [{ 'Fn::GetAtt': ['Named', 'Arn'] }, 'index', '*']] }, `${arn}/index/*`],
    ['a substitution', { 'Fn::Sub': '${Named.Arn}/index/${AWS::Region}' }, `${arn}/index/*`],
    ['a substitution with values', { 'Fn::Sub': ['table/${name}', { name: { Ref: 'Named' } }] }, 'table/orders'],
    ['an export', { 'Fn::ImportValue': 'named-arn' }, arn],
    ['an output', { 'Fn::GetStackOutput': { StackName: 'Tables', OutputName: 'Arn' } }, arn],
    ['an output of a nested stack', { 'Fn::GetAtt': ['NestedStack', 'Outputs.Arn'] }, arn],
    ['a parameter of a nested stack', { Ref: 'given' }, arn],
    ['a condition, as unknown', { 'Fn::If': ['Prod', 'a', 'b'] }, '*'],
  ])('%s', (_, value, expected) => {
    expect(textOf(value, tables, app)).toBe(expected);
  });
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: CloudFormation's own
});

describe('the resource in an ARN', () => {
  test.each([
    ['*', '*'],
    ['arn:aws:dynamodb:eu-west-1:123456789012:table/orders/index/GSI1', 'table/orders/index/GSI1'],
    ['arn:aws:*:*:*:*', '*'],
    ['arn:aws:s3:::orders', undefined],
    ['orders', undefined],
    [{ Ref: 'Parameter' }, undefined],
  ])('%j', (resource, expected) => {
    expect(pathOf(resource, tables, app)).toBe(expected);
  });
});

test.each([
  ['dynamodb:*', 'dynamodb:Scan', true],
  ['dynamodb:S?an', 'dynamodb:Scan', true],
  ['DYNAMODB:scan', 'dynamodb:Scan', true],
  ['dynamodb:Scan', 'dynamodb:Scanner', false],
  ['table/a.b', 'table/axb', false],
  ['table/(a)', 'table/(a)', true],
])('tells whether the pattern %s covers %s: %p', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});
