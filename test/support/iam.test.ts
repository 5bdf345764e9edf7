import { type Authorization, allowsAll, type Context, evaluate, readingsOf, type Statement } from './iam';

const TABLE = 'arn:aws:dynamodb:eu-west-1:111122223333:table/blog';

const asked = (context: Context = {}, more: Partial<Authorization> = {}): Authorization => ({
  action: 'dynamodb:GetItem',
  resource: TABLE,
  context,
  ...more,
});

const allow = (more: Partial<Statement> = {}): Statement => ({
  Effect: 'Allow',
  Action: 'dynamodb:GetItem',
  Resource: TABLE,
  ...more,
});

const decide = (statements: readonly Statement[], authorization = asked()) =>
  evaluate([{ Version: '2012-10-17', Statement: statements }], authorization);

/** Returns whether a condition allows a request with the given context. */
const passes = (Condition: Statement['Condition'], context: Context) =>
  decide([allow({ Condition })], asked(context)) === 'allowed';

describe('statements', () => {
  test('a request is denied unless a statement allows it', () => {
    expect(decide([])).toBe('denied');
    expect(decide([allow()])).toBe('allowed');
    expect(decide([allow()], asked({}, { action: 'dynamodb:Query' }))).toBe('denied');
    expect(decide([allow()], asked({}, { resource: `${TABLE}/index/GSI1` }))).toBe('denied');
  });

  test('a deny overrides every allow', () => {
    expect(decide([allow(), allow({ Effect: 'Deny', Action: 'dynamodb:*' })])).toBe('explicitly denied');
  });

  test('actions ignore case, resources are case-sensitive, and both can contain wildcards', () => {
    expect(decide([allow({ Action: 'DynamoDB:get*' })])).toBe('allowed');
    expect(decide([allow({ Action: ['dynamodb:Query', 'dynamodb:Get????'] })])).toBe('allowed');
    expect(decide([allow({ Resource: TABLE.replace('blog', '*') })])).toBe('allowed');
    expect(decide([allow({ Resource: TABLE.replace('blog', 'Blog') })])).toBe('denied');
    expect(decide([allow({ Resource: `${TABLE}/index/*` })], asked({}, { resource: `${TABLE}/index/GSI1` }))).toBe(
      'allowed',
    );
  });

  test('`evaluate` throws if a policy uses a feature that is not modeled', () => {
    expect(() => decide([{ ...allow(), NotResource: 'x' } as Statement])).toThrow('not modeled: NotResource');
    expect(() => passes({ DateLessThan: { x: 'y' } }, {})).toThrow('not modeled: DateLessThan');
    expect(() => evaluate([{ Version: '2008-10-17', Statement: [allow()] }], asked())).toThrow('not modeled');
    expect(() => passes({ StringLike: { keys: '*' } }, { keys: ['a', 'b'] })).toThrow('many values');
  });
});

describe('conditions', () => {
  test('a condition holds only if every key under every operator matches one of its listed values', () => {
    const condition = { StringEquals: { a: ['1', '2'], b: '3' }, StringLike: { c: 'x*' } };
    expect(passes(condition, { a: '2', b: '3', c: 'xy' })).toBe(true);
    expect(passes(condition, { a: '2', b: '4', c: 'xy' })).toBe(false);
    expect(passes(condition, { a: '3', b: '3', c: 'xy' })).toBe(false);
    expect(passes(condition, { a: '1', b: '3', c: 'yx' })).toBe(false);
  });

  test('condition values are case-sensitive, but condition keys are not', () => {
    expect(passes({ StringEquals: { 'AWS:principaltag/Tenant': 'a' } }, { 'aws:PrincipalTag/tenant': 'a' })).toBe(true);
    expect(passes({ StringEquals: { tenant: 'a' } }, { tenant: 'A' })).toBe(false);
  });

  test('StringEquals supports no wildcards, but StringLike supports `*` and `?`', () => {
    expect(passes({ StringEquals: { k: 'POST#*' } }, { k: 'POST#1' })).toBe(false);
    expect(passes({ StringLike: { k: 'POST#*' } }, { k: 'POST#' })).toBe(true);
    expect(passes({ StringLike: { k: 'DATE#????-??' } }, { k: 'DATE#2026-11' })).toBe(true);
    expect(passes({ StringLike: { k: 'DATE#????-??' } }, { k: 'DATE#2026-1' })).toBe(false);
    expect(passes({ StringLike: { k: 'a.c' } }, { k: 'abc' })).toBe(false);
    expect(passes({ StringLike: { k: 'a*c' } }, { k: 'a\nc' })).toBe(true);
  });

  test('a condition on a missing key fails, unless the operator is negated or ends with IfExists', () => {
    expect(passes({ StringEquals: { k: 'a' } }, {})).toBe(false);
    expect(passes({ StringNotEquals: { k: 'a' } }, {})).toBe(true);
    expect(passes({ StringEqualsIfExists: { k: 'a' } }, {})).toBe(true);
    expect(passes({ StringEqualsIfExists: { k: 'a' } }, { k: 'b' })).toBe(false);
  });

  test('a negated operator fails if any of the listed values matches', () => {
    expect(passes({ StringNotEquals: { k: ['a', 'b'] } }, { k: 'c' })).toBe(true);
    expect(passes({ StringNotEquals: { k: ['a', 'b'] } }, { k: 'b' })).toBe(false);
    expect(passes({ StringNotLike: { k: 'a*' } }, { k: 'ab' })).toBe(false);
  });

  test('Null tests whether a key is missing', () => {
    expect(passes({ Null: { k: 'true' } }, {})).toBe(true);
    expect(passes({ Null: { k: 'true' } }, { k: 'a' })).toBe(false);
    expect(passes({ Null: { k: 'false' } }, { k: 'a' })).toBe(true);
    expect(passes({ Null: { k: 'false' } }, {})).toBe(false);
  });
});

describe('sets of values', () => {
  const all = (keys: readonly string[]) =>
    passes(
      { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['POST#*', 'USER#*'] } },
      { 'dynamodb:LeadingKeys': keys },
    );

  test('ForAllValues requires every value to match a pattern', () => {
    expect(all(['POST#1', 'USER#2'])).toBe(true);
    expect(all(['POST#1', 'ROLE#2'])).toBe(false);
  });

  test('ForAllValues is true without values, which is a trap for actions without keys, such as Scan', () => {
    expect(all([])).toBe(true);
    expect(passes({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'POST#*' } }, {})).toBe(true);
    const closed = {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'POST#*' },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    };
    expect(passes(closed, {})).toBe(false);
  });

  test('ForAnyValue requires one value to match, so it fails without values', () => {
    expect(passes({ 'ForAnyValue:StringEquals': { k: 'a' } }, { k: ['b', 'a'] })).toBe(true);
    expect(passes({ 'ForAnyValue:StringEquals': { k: 'a' } }, { k: [] })).toBe(false);
    expect(passes({ 'ForAnyValue:StringEquals': { k: 'a' } }, {})).toBe(false);
  });
});

describe('variables', () => {
  const condition = { StringLike: { k: `TENANT#\${aws:PrincipalTag/tenantId}` } };
  const tagged = (tenant: string, k: string) => passes(condition, { 'aws:PrincipalTag/tenantId': tenant, k });

  test('the request supplies the values of variables', () => {
    expect(tagged('a', 'TENANT#a')).toBe(true);
    expect(tagged('a', 'TENANT#b')).toBe(false);
    expect(tagged('a', 'TENANT#ab')).toBe(false);
  });

  test('a variable matches nothing if the request has no value for it', () => {
    expect(passes(condition, { k: 'TENANT#a' })).toBe(false);
    expect(passes(condition, { k: 'TENANT#' })).toBe(false);
  });

  test("a variable's value is plain text, even if it contains a wildcard", () => {
    expect(tagged('*', 'TENANT#b')).toBe(false);
    expect(tagged('.', 'TENANT#b')).toBe(false);
  });

  test('special variables represent the literal wildcard characters', () => {
    expect(passes({ StringLike: { k: `a\${*}b\${?}\${$}` } }, { k: 'a*b?$' })).toBe(true);
    expect(passes({ StringLike: { k: `a\${*}b` } }, { k: 'axb' })).toBe(false);
  });

  test('variables also work in resources', () => {
    const own = [allow({ Resource: `${TABLE}-\${aws:PrincipalTag/tenantId}` })];
    const ask = (table: string) => decide(own, asked({ 'aws:PrincipalTag/tenantId': 'a' }, { resource: table }));
    expect(ask(`${TABLE}-a`)).toBe('allowed');
    expect(ask(`${TABLE}-b`)).toBe('denied');
  });
});

describe('a transaction', () => {
  const item = (key: string, action = 'dynamodb:GetItem') =>
    asked({ 'dynamodb:LeadingKeys': [key], tag: 't' }, { action });
  const within = (...keys: string[]) =>
    allow({ Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys }, StringEquals: { tag: 't' } } });
  const decided = (statements: readonly Statement[], ...items: Authorization[]) =>
    allowsAll([{ Version: '2012-10-17', Statement: statements }], items);

  test('a transaction is evaluated in two ways: item by item, and with all keys for the same action and table at once', () => {
    const put = item('C', 'dynamodb:PutItem');
    expect(readingsOf([item('A'), put, item('B')])).toEqual([
      [item('A'), put, item('B')],
      [asked({ 'dynamodb:LeadingKeys': ['A', 'B'], tag: 't' }), put],
    ]);
  });

  test('a transaction is allowed in both readings only if a single statement allows all of its keys', () => {
    expect(decided([within('A', 'B')], item('A'), item('B'))).toBe('always');
    expect(decided([within('A'), within('B')], item('A'), item('B'))).toBe('sometimes');
    expect(decided([within('A')], item('A'), item('B'))).toBe('never');
  });
});
