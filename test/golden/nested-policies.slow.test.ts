import { namesIn } from '../../lib/blueprint/system';
import { render } from '../../lib/design/template';
import { nested } from '../fixtures/nested';
import { tableArn } from '../support/authorizations';
import { expectGoldenText } from '../support/golden';
import { granted } from '../support/granted';
import { type Authorization, evaluate, type Policy } from '../support/iam';
import { matrixText } from '../support/matrix';
import { isReached, type Reach, reachOf } from '../support/reach';

const { policies } = granted(nested);
const names = namesIn(nested);
const values = [
  { tenantId: 't1', orderId: 'o1', line: 7, day: '2026-01-31' },
  { tenantId: 'ORDERS', orderId: 'ORDER', line: 0, day: '2026-12-01' },
];

/** What IAM is asked when a pattern is sent: about each item of a transaction, and about all keys of a batch at once. */
function requestsOf(name: string): readonly Authorization[] {
  const reached = reachOf(nested, name);
  const asked = (some: readonly Reach[], one: object): Authorization => {
    const { action, table, index } = some[0] as Reach;
    const resource = tableArn(`nested-prod-${table}${index === undefined ? '' : `/index/${index}`}`);
    const keys = some.map(({ partition }) => render(partition, one));
    return { action, resource, context: { 'dynamodb:LeadingKeys': keys } };
  };
  const isBatch = reached[0]?.action === 'dynamodb:BatchGetItem';
  return values.flatMap((one) => (isBatch ? [asked(reached, one)] : reached.map((reach) => asked([reach], one))));
}

const allows = (of: readonly Policy[], asked: Authorization) => evaluate(of, asked) === 'allowed';
const policiesOf = (name: string) => policies.get(name) as readonly Policy[];

test('the matrix of partitions that begin alike is the one under review', () => {
  const text = matrixText(nested, names, names, (grant, pattern) => {
    const asked = requestsOf(pattern);
    const count = asked.filter((one) => allows(policiesOf(grant), one)).length;
    return count === 0 ? 'none' : count === asked.length ? 'all' : 'some';
  });
  expectGoldenText('iam-nested', text);
});

test('each grant allows what its pattern asks for, and of all others only what is in the very same partitions', () => {
  for (const grant of names) {
    for (const pattern of names) {
      for (const asked of requestsOf(pattern)) {
        const expected = grant === pattern || isReached(nested.name, reachOf(nested, grant), asked);
        expect([grant, asked, allows(policiesOf(grant), asked)]).toEqual([grant, asked, expected]);
      }
    }
  }
});

test('a separator more is another partition', () => {
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
