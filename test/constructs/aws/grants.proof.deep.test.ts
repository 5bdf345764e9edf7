import { principalTag } from '../../../constructs/aws';
import { namesIn, reservedNames } from '../../../lib/blueprint/system';
import type { SystemDesign } from '../../../lib/design/system';
import { match, template as read } from '../../../lib/design/template';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { Item } from '../../../lib/items/item';
import type { SystemCases } from '../../../lib/proof/cases';
import { type Proof, prove } from '../../../lib/proof/prove';
import { systemsOf } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { authorizationsOf, keyAuthorizations, tableArn } from '../../support/authorizations';
import { expectGoldenText } from '../../support/golden';
import { type Granted, granted } from '../../support/granted';
import { type Authorization, evaluate, type Policy } from '../../support/iam';
import { type Cell, matrixText } from '../../support/matrix';
import { isReached, reachOf } from '../../support/reach';
import { type Recorded, recording } from '../../support/recorder';

// These mocks make the client and the procedures report which pattern or procedure sends a request.
jest.mock('../../../lib/dynamodb/client', () => {
  const actual = jest.requireActual('../../../lib/dynamodb/client');
  const { announced } = jest.requireActual('../../support/recorder');
  return { ...actual, client: (...args: unknown[]) => announced(actual.client(...args)) };
});
jest.mock('../../../lib/systems/booking/procedures', () => {
  const { announcedProcedures } = jest.requireActual('../../support/recorder');
  return announcedProcedures(jest.requireActual('../../../lib/systems/booking/procedures'));
});
jest.mock('../../../lib/systems/trimobe/procedures', () => {
  const { announcedProcedures } = jest.requireActual('../../support/recorder');
  return announcedProcedures(jest.requireActual('../../../lib/systems/trimobe/procedures'));
});

/** A recorded request, with all authorizations that IAM requires for the request. */
interface Request extends Recorded {
  readonly system: SystemDesign;
  readonly authorizations: readonly Authorization[];
  readonly keys: readonly Authorization[];
  /** The authorizations as a string, used as a cache key because many requests need identical authorizations. */
  readonly asked: string;
}

const aws = systemsOf('aws');
const grantsOf = new Map(aws.map((system) => [system.name, granted(system)]));
const requests: Request[] = [];
const proofs: Proof[] = [];
const loaded: Item[] = [];

beforeAll(async () => {
  const engine = await embeddedEngine();
  try {
    for (const system of aws) {
      const { template } = grantsOf.get(system.name) as Granted;
      const recorded: Recorded[] = [];
      const watched = recording(engine, recorded, loaded);
      const input = { system, cases: cases[system.name] as SystemCases, template, environment: 'prod' };
      for await (const proof of prove(watched, input)) proofs.push(proof);
      for (const one of recorded) {
        const authorizations = authorizationsOf(template, one);
        const keys = authorizations.flatMap((asked) => keyAuthorizations(template, asked));
        requests.push({ ...one, system, authorizations, keys, asked: JSON.stringify(authorizations) });
      }
    }
  } finally {
    await engine.stop();
  }
}, 600_000);

/** All names except those of procedure-only patterns, which cannot be granted. */
const grantable = (system: SystemDesign) =>
  namesIn(system).filter((name) => reservedNames(system, [name]).length === 0);

/** One role for each pattern and each procedure. */
const grants = aws.flatMap((system) =>
  grantable(system).map((name) => ({
    system,
    name,
    policies: grantsOf.get(system.name)?.policies.get(name) as readonly Policy[],
    reached: reachOf(system, name),
  })),
);
type GrantedRole = (typeof grants)[number];

const allows = (policies: readonly Policy[], asked: readonly Authorization[], more: Authorization['context'] = {}) =>
  asked.every((one) => evaluate(policies, { ...one, context: { ...one.context, ...more } }) === 'allowed');

const answers = new WeakMap<readonly Policy[], Map<string, boolean>>();

/**
 * Like `allows`, but for all authorizations that a request requires, except those for the KMS key. Caches the results
 * per policy.
 */
function allowsRequest(policies: readonly Policy[], { asked, authorizations }: Request): boolean {
  const known = answers.get(policies) ?? new Map<string, boolean>();
  answers.set(policies, known);
  const answer = known.get(asked) ?? allows(policies, authorizations);
  known.set(asked, answer);
  return answer;
}

const shown = ({ system, pattern, procedure, authorizations }: Request) =>
  JSON.stringify([system.name, pattern, procedure, authorizations]);

/** Whether the design lets this role reach every partition in the request. */
const isExplained = ({ system, reached }: GrantedRole, request: Request) =>
  system === request.system && request.authorizations.every((asked) => isReached(system.name, reached, asked));

test('the proof succeeds, and sends requests for every pattern and every procedure', () => {
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  for (const system of aws) {
    const sent = requests.filter((request) => request.system === system);
    const names = new Set(sent.flatMap(({ pattern, procedure }) => [pattern, ...(procedure ? [procedure] : [])]));
    expect(namesIn(system).filter((name) => !names.has(name))).toEqual([]);
  }
  expect(loaded.filter((input) => !isFilling(input))).toEqual([]);
});

/** Whether the proof itself sent this request, to put or delete whole items or to scan a table. */
function isFilling(input: Item): boolean {
  if ('RequestItems' in input) return Object.values(input.RequestItems as object).every(Array.isArray);
  return Object.keys(input).join() === 'TableName,ExclusiveStartKey,ConsistentRead';
}

test('the grant of a single pattern allows every request of that pattern, including the use of the KMS key', () => {
  const granted = requests.filter(({ system, pattern }) => grantable(system).includes(pattern));
  const refused = granted.filter(({ system, pattern, authorizations, keys }) => {
    const policies = grantsOf.get(system.name)?.policies.get(pattern) as readonly Policy[];
    return keys.length === 0 || !allows(policies, [...authorizations, ...keys]);
  });
  expect(refused.map(shown)).toEqual([]);
});

test('the grant of a single procedure allows every request of that procedure', () => {
  const sent = requests.filter(({ procedure }) => procedure !== undefined);
  expect(new Set(sent.map(({ procedure }) => procedure)).size).toBeGreaterThan(1);
  const refused = sent.filter(({ system, procedure = '', authorizations, keys }) => {
    const policies = grantsOf.get(system.name)?.policies.get(procedure) as readonly Policy[];
    return !allows(policies, [...authorizations, ...keys]);
  });
  expect(refused.map(shown)).toEqual([]);
});

/** The requests for which the policy and the design disagree. */
function unexplained(role: GrantedRole, policies = role.policies): readonly string[] {
  return requests
    .filter((request) => allowsRequest(policies, request) !== isExplained(role, request))
    .map(({ system, pattern }) => `${role.system.name} ${role.name}: ${system.name} ${pattern}`);
}

test("a grant allows another pattern's request only if the granted pattern reaches the same partition with the same action", () => {
  expect(grants.flatMap((role) => unexplained(role))).toEqual([]);
  expect(grants.length * requests.length).toBeGreaterThan(10_000);
});

test('the matrix of patterns and grants matches the reviewed file', () => {
  const texts = aws.map((system) => {
    const roles = new Map(grants.filter((role) => role.system === system).map((role) => [role.name, role]));
    const patterns = Object.values(system.tables).flatMap((table) => Object.keys(table.patterns ?? {}));
    const cell = (grant: string, pattern: string): Cell => {
      const sent = requests.filter((request) => request.system === system && request.pattern === pattern);
      const count = sent.filter((one) => allowsRequest(roles.get(grant)?.policies ?? [], one)).length;
      return count === 0 ? 'none' : count === sent.length ? 'all' : 'some';
    };
    return matrixText(system, [...roles.keys()], patterns, cell);
  });
  expectGoldenText('iam-matrix', texts.join('\n'));
});

/**
 * Returns requests that no pattern sends: requests without keys, queries in another environment or on an unknown index,
 * and changes to the table itself.
 */
function foreign({ system }: Pick<GrantedRole, 'system'>): readonly Authorization[] {
  const tables = Object.entries(system.tables);
  const arns = tables.flatMap(([name, { indexes = {} }]) => {
    const arn = tableArn(`${system.name}-prod-${name}`);
    return [arn, ...[...Object.keys(indexes), 'GSI99'].map((index) => `${arn}/index/${index}`)];
  });
  const actions = ['Scan', 'BatchWriteItem', 'PartiQLSelect', 'DeleteTable', 'UpdateTable', 'ExportTableToPointInTime'];
  return arns.flatMap((resource) => [
    ...actions.map((action) => ({ action: `dynamodb:${action}`, resource, context: {} })),
    { action: 'dynamodb:Query', resource: resource.replace('-prod-', '-dev-'), context: leading('POST#1') },
    ...(resource.endsWith('GSI99') ? [{ action: 'dynamodb:Query', resource, context: leading('POST#1') }] : []),
  ]);
}

const leading = (...keys: readonly string[]) => ({ 'dynamodb:LeadingKeys': keys });

const trespasses = (role: GrantedRole, policies = role.policies) =>
  foreign(role).filter((asked) => allows(policies, [asked]));

test('no grant allows a scan, a different index, a different environment, or an action on the table itself', () => {
  expect(grants.flatMap((role) => trespasses(role))).toEqual([]);
});

test("the KMS key works only through DynamoDB in the tables' region, and readers can only decrypt", () => {
  const outcomes = grants.map(({ system, policies, reached }) => {
    const [{ resource, context }] = (requests.find((one) => one.system === system) as Request).keys as [Authorization];
    const here = context['kms:ViaService'] as string;
    const may = (action: string, via: Authorization['context']) =>
      allows(policies, [{ action: `kms:${action}`, resource, context: via }]);
    return {
      writes: reached.some(({ action }) => /(Put|Update|Delete)Item$/.test(action)),
      decrypts: may('Decrypt', context),
      encrypts: may('Encrypt', context),
      more: [
        may('Decrypt', {}),
        may('Decrypt', { 'kms:ViaService': here.replace('dynamodb', 's3') }),
        may('Decrypt', { 'kms:ViaService': here.replace('eu-', 'us-') }),
        may('GenerateDataKey', context),
        may('ScheduleKeyDeletion', context),
      ],
    };
  });
  for (const { writes, decrypts, encrypts, more } of outcomes) {
    expect({ decrypts, encrypts }).toEqual({ decrypts: true, encrypts: writes });
    expect(more).not.toContain(true);
  }
});

describe('a faulty policy', () => {
  const roleOf = (name: string) => grants.find((role) => role.name === name) as GrantedRole;
  /** Returns the role's policies with a changed first statement. */
  const changed = ({ policies }: GrantedRole, change: object): readonly Policy[] =>
    policies.map((policy) => ({
      ...policy,
      Statement: policy.Statement.map((statement, i) => (i === 0 ? { ...statement, ...change } : statement)),
    }));
  const like = (...patterns: string[]) => ({
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } },
  });

  test.each([
    ['no condition', 'getPost', { Condition: {} }],
    ['a wider condition', 'getPost', like('*')],
    ['one more partition', 'getPost', like('POST#*', 'USER#*')],
    ['another action', 'getPost', { Action: ['dynamodb:GetItem', 'dynamodb:Query'] }],
    ['all actions', 'getPost', { Action: 'dynamodb:*' }],
    ['the table as well as its index', 'postsByCategory', { Resource: 'arn:aws:dynamodb:*:*:table/blog-prod-blog*' }],
    ['every index', 'commentsByAuthor', { Resource: `${tableArn('blog-prod-blog')}/index/*`, Condition: {} }],
    ['another table', 'getTenant', { Resource: `${tableArn('booking-prod-Services')}` }],
    ['fewer partitions than the pattern needs', 'getPost', like('POST#a*')],
  ])('detects a policy with %s', (_what, name, change) => {
    expect(unexplained(roleOf(name), changed(roleOf(name), change))).not.toEqual([]);
  });

  test.each([
    [
      'a scan, which `ForAllValues` alone does not stop',
      'getPost',
      { Action: ['dynamodb:GetItem', 'dynamodb:Scan'], ...like('POST#*') },
    ],
    [
      'every index, including future ones',
      'postsByCategory',
      { Resource: `${tableArn('blog-prod-blog')}/index/*`, ...like('*') },
    ],
    ['every environment', 'postsByCategory', { Resource: tableArn('blog-*-blog/index/GSI1'), ...like('*') }],
  ])('detects a policy with %s', (_what, name, change) => {
    expect(trespasses(roleOf(name), changed(roleOf(name), change))).not.toEqual([]);
  });
});

test('a scan added to a statement by mistake is still denied, because a request without keys does not meet the condition', () => {
  const held = grants
    .flatMap(({ policies }) => policies.flatMap(({ Statement }) => Statement))
    .filter(({ Condition }) => Condition?.['ForAllValues:StringLike'] !== undefined);
  expect(held.length).toBeGreaterThan(50);
  const scanned = held.filter((statement) => {
    const policy: Policy = { Version: '2012-10-17', Statement: [{ ...statement, Action: 'dynamodb:Scan' }] };
    return allows([policy], [{ action: 'dynamodb:Scan', resource: String(statement.Resource), context: {} }]);
  });
  expect(scanned).toEqual([]);
});

describe.each(aws.filter(({ tenant }) => tenant !== undefined))('a tenant of $name', (system) => {
  const tag = 'aws:PrincipalTag/tenant';
  const held = granted(system, { tenant: principalTag('tenant') });
  // Leaves out requests that touch two tenants, because the condition refuses them.
  const confined = () =>
    requests.filter((one) => one.system === system && !held.refused.has(one.pattern) && tenantsOf(one).size === 1);
  const policiesOf = (name: string) => held.policies.get(name) as readonly Policy[];

  // The keys contain TENANT#<id>, but the tenant attribute is called tenantId, so the suffix 'Id' is removed.
  const named = String(system.tenant).replace(/Id$/, '').toUpperCase();

  /** Returns the tenants that own a request's partitions, parsed from the keys with the design's key templates. */
  const tenantsOf = ({ pattern, authorizations }: Request): ReadonlySet<string> => {
    const found = authorizations.flatMap(({ context }) =>
      (context['dynamodb:LeadingKeys'] as readonly string[]).flatMap((key) =>
        reachOf(system, pattern).flatMap(({ partition, separator }) => {
          const values = match(read(partition), key, separator) ?? {};
          return Object.entries(values).flatMap(([name, value]) =>
            name.split('.').at(-1) === system.tenant || partition === `${named}#<${name}>` ? [String(value)] : [],
          );
        }),
      ),
    );
    expect(found).not.toEqual([]);
    return new Set(found);
  };
  const tenantOf = (one: Request) => [...tenantsOf(one)][0] as string;

  test("a tenant's role allows all patterns that can be limited to a tenant, in the tenant's own partitions", () => {
    expect(confined().length).toBeGreaterThan(10);
    const refused = confined().filter(
      (one) => !allows(policiesOf(one.pattern), [...one.authorizations, ...one.keys], { [tag]: tenantOf(one) }),
    );
    expect(refused.map(shown)).toEqual([]);
  });

  test("a tenant's role allows nothing in the partitions of another tenant, and nothing for a caller without a tenant", () => {
    for (const one of confined()) {
      const tenant = tenantOf(one);
      for (const other of ['other', '', `${tenant}x`, tenant.slice(0, -1), '*', `${tenant}#x`]) {
        expect(one.authorizations.some((asked) => allows(policiesOf(one.pattern), [asked], { [tag]: other }))).toBe(
          false,
        );
      }
      expect(one.authorizations.some((asked) => allows(policiesOf(one.pattern), [asked]))).toBe(false);
    }
  });

  test('only procedure-only patterns and patterns that reach a partition of several tenants cannot be granted to a tenant', () => {
    const isShared = (name: string) =>
      reachOf(system, name).some(
        ({ partition }) =>
          !read(partition).parts.some(({ name }) => name.split('.').at(-1) === system.tenant) &&
          !partition.startsWith(`${named}#<`),
      );
    const reserved = reservedNames(system, namesIn(system)).map(({ name }) => name);
    expect([...held.refused.keys()].sort()).toEqual(
      [...new Set([...namesIn(system).filter(isShared), ...reserved])].sort(),
    );
    for (const [name] of held.refused) expect(policiesOf(name)).toEqual([]);
  });
});
