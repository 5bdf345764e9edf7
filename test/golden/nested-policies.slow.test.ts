import { Template } from 'aws-cdk-lib/assertions';
import { type CfnRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { App } from 'aws-cdk-lib/core';
import { principalTag, SystemStack } from '../../constructs/aws';
import { namesIn } from '../../lib/blueprint/system';
import { render } from '../../lib/design/template';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import { nested } from '../fixtures/nested';
import { tableArn } from '../support/authorizations';
import { expectGoldenText } from '../support/golden';
import { granted } from '../support/granted';
import { type Authorization, allowsAll, evaluate, type Policy, readingsOf } from '../support/iam';
import { matrixText } from '../support/matrix';
import { policiesIn } from '../support/policies';
import { isReached, type Reach, reachOf } from '../support/reach';

const { policies } = granted(nested);
const names = namesIn(nested);
const values = [
  { tenantId: 't1', orderId: 'o1', line: 7, day: '2026-01-31' },
  { tenantId: 'ORDERS', orderId: 'ORDER', line: 0, day: '2026-12-01' },
];

/**
 * Returns the requests that IAM evaluates for a pattern. For a batch, that is one request with all keys; for a
 * transaction, it is one request per item, and also one request with all items.
 */
function requestsOf(name: string): readonly Authorization[] {
  const reached = reachOf(nested, name);
  const asked = ({ action, table, index, partition }: Reach, one: object): Authorization => {
    const resource = tableArn(`nested-prod-${table}${index === undefined ? '' : `/index/${index}`}`);
    return { action, resource, context: { 'dynamodb:LeadingKeys': [render(partition, one)] } };
  };
  const isBatch = reached[0]?.action === 'dynamodb:BatchGetItem';
  return values.flatMap((one) => {
    const [byItem = [], atOnce = []] = readingsOf(reached.map((reach) => asked(reach, one)));
    return isBatch ? atOnce : [...byItem, ...atOnce];
  });
}

const allows = (of: readonly Policy[], asked: Authorization) => evaluate(of, asked) === 'allowed';
const policiesOf = (name: string) => policies.get(name) as readonly Policy[];

test('the matrix of partitions with a common prefix matches the reviewed file', () => {
  const text = matrixText(nested, names, names, (grant, pattern) => {
    const asked = requestsOf(pattern);
    const count = asked.filter((one) => allows(policiesOf(grant), one)).length;
    return count === 0 ? 'none' : count === asked.length ? 'all' : 'some';
  });
  expectGoldenText('iam-nested', text);
});

test('each grant allows the requests of its own pattern, and requests of other patterns only to the same partitions', () => {
  for (const grant of names.filter((name) => name !== 'openAccount')) {
    for (const pattern of names) {
      for (const asked of requestsOf(pattern)) {
        const expected = grant === pattern || isReached(nested.name, reachOf(nested, grant), asked);
        expect([grant, asked, allows(policiesOf(grant), asked)]).toEqual([grant, asked, expected]);
      }
    }
  }
});

test('a grant does not cover a key with one more separator', () => {
  const asked = (action: string, ...keys: string[]): Authorization => ({
    action: `dynamodb:${action}`,
    resource: tableArn('nested-prod-things'),
    context: { 'dynamodb:LeadingKeys': keys },
  });
  expect(allows(policiesOf('getTenant'), asked('GetItem', 'TENANT#t1'))).toBe(true);
  expect(allows(policiesOf('getTenant'), asked('GetItem', 'TENANT#t1#ORDERS'))).toBe(false);
  expect(allows(policiesOf('getOrder'), asked('GetItem', 'TENANT#t1#ORDER#o1#07'))).toBe(false);
  expect(allows(policiesOf('createTenant'), asked('PutItem', 'TENANT#t1#ORDERS'))).toBe(false);
  expect(allows(policiesOf('createTenant'), asked('PutItem', 'TENANT#t1', 'TENANT#t1#ORDERS'))).toBe(false);
});

describe('a transaction over nested keys', () => {
  const item = (action: string, key: string, tag?: string): Authorization => ({
    action: `dynamodb:${action}`,
    resource: tableArn('nested-prod-things'),
    context: { 'dynamodb:LeadingKeys': [key], ...(tag === undefined ? {} : { 'aws:PrincipalTag/tenantId': tag }) },
  });
  const gets = (tenant: string, tag?: string) =>
    [`TENANT#${tenant}`, `TENANT#${tenant}#ORDER#o1`].map((key) => item('GetItem', key, tag));
  const puts = (tenant: string, tag?: string) =>
    [...['', '#ORDER#o1', '#ORDERS'].map((rest) => `TENANT#${tenant}${rest}`)].map((key) => item('PutItem', key, tag));

  /** Returns the policies of a role after grants on the table or the system. */
  function policiesAfter(grant: (stack: SystemStack<typeof nested>, role: Role) => void): readonly Policy[] {
    const stack = new SystemStack(new App(), 'nested', { design: nested, environment: 'prod' });
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    grant(stack, role);
    const id = stack.getLogicalId(role.node.defaultChild as CfnRole);
    return policiesIn(Template.fromStack(stack).toJSON() as TemplateJson, [id]).get(id) as readonly Policy[];
  }
  const tenant = principalTag('tenantId');
  const ways: readonly (readonly [string, (stack: SystemStack<typeof nested>, role: Role) => void])[] = [
    ['a procedure', ({ system }, role) => system.grantPatterns(role, ['openAccount'])],
    [
      'patterns in one call',
      ({ system }, role) => system.grantPatterns(role, ['getTenant', 'getOrder', 'createTenant', 'createOrder']),
    ],
    [
      'patterns one by one, through the table and the system',
      ({ system }, role) => {
        system.tables.things.grantPattern(role, 'getTenant');
        system.tables.things.grantPattern(role, 'createOrder');
        system.grantPatterns(role, ['createTenant']);
        system.tables.things.grantPattern(role, 'getOrder');
      },
    ],
  ];

  test.each(ways)(
    'the grant of %s allows a transaction, whether IAM evaluates the items one by one or all at once',
    (_way, grant) => {
      const policies = policiesAfter(grant);
      expect([allowsAll(policies, gets('t1')), allowsAll(policies, puts('t1'))]).toEqual(['always', 'always']);
      // The grant covers neither a key with more separators nor another partition.
      expect(allows(policies, item('GetItem', 'TENANT#t1#ORDER#o1#07'))).toBe(false);
      expect(allows(policies, item('GetItem', 'PLAN#t1'))).toBe(false);
    },
  );

  test('every way to grant a transaction results in the same statements on the table', () => {
    const [first, ...others] = ways.map(([, grant]) => policiesAfter(grant));
    const statements = (policies: readonly Policy[] = []) =>
      policies
        .flatMap(({ Statement }) => Statement.map((one) => JSON.stringify(one)))
        .filter((one) => one.includes('"dynamodb:'))
        .sort();
    for (const other of others) expect(statements(other)).toEqual(statements(first));
  });

  test('if the grant of a transaction is limited to a tenant, it covers neither other tenants nor other keys of this tenant', () => {
    const policies = policiesAfter(({ system }, role) => {
      system.tables.things.grantPatterns(role, ['getTenant'], { tenant });
      system.grantPatterns(role, ['getOrder'], { tenant });
    });
    expect(allowsAll(policies, gets('t1', 't1'))).toBe('always');
    expect(allowsAll(policies, [...gets('t1', 't1'), ...gets('t2', 't1')])).toBe('never');
    expect(allows(policies, item('GetItem', 'TENANT#t1#ORDERS', 't1'))).toBe(false);
    expect(allows(policies, item('GetItem', 'TENANT#t1#ORDER#o1#07', 't1'))).toBe(false);
  });

  test('if the grant of a transaction is not limited to a tenant, it also covers keys that begin with the shorter of the two keys, because no wildcard can exclude such keys', () => {
    const policies = policiesAfter(({ system }, role) => system.grantPatterns(role, ['openAccount']));
    expect(allows(policies, item('GetItem', 'TENANT#t1#ORDERS'))).toBe(true);
    expect(allows(policiesOf('getTenant'), item('GetItem', 'TENANT#t1#ORDERS'))).toBe(false);
  });

  test('a transaction is not always allowed if the grant for one item is limited to a tenant and the grant for another item is not', () => {
    const policies = policiesAfter(({ system }, role) => {
      system.grantPatterns(role, ['getTenant'], { tenant });
      system.grantPatterns(role, ['getPlan']);
    });
    const mixed = [item('GetItem', 'TENANT#t1', 't1'), item('GetItem', 'PLAN#t1', 't1')];
    expect(allowsAll(policies, mixed)).toBe('sometimes');
  });
});
