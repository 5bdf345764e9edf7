import { KeyError, type Part, render, template } from '../../../lib/design/template';
import { leadingKey } from '../../../lib/permissions/leading-keys';
import { anyValues, fitValues, soundTemplates } from '../../support/arbitraries';
import fc from '../../support/fuzz';
import { type Context, evaluate, type Statement } from '../../support/iam';

test.each([
  ['POST#<postId>', 'POST#*'],
  ['CATEGORY_ROOT', 'CATEGORY_ROOT'],
  ['TENANT#<tenantId>#CONVERSATION', 'TENANT#*#CONVERSATION'],
  ['<tenantId>#<providerId>', '*#*'],
  ['<a><b>#x', '*#x'],
  ['DATE#<at:date>', 'DATE#????-??-??'],
  ['MONTH#<at:year>-<at:month>', 'MONTH#????-??'],
  ['SHARD#<n:3>', 'SHARD#???'],
])('the leading key of %s is %s', (text, pattern) => {
  expect(leadingKey(template(text))).toBe(pattern);
});

test.each(['<tenantId>', '<a><b>'])('the template %s needs no condition, because it can produce any key', (text) => {
  expect(leadingKey(template(text))).toBeUndefined();
});

test('escapes text that IAM would read as a wildcard or a variable', () => {
  expect(leadingKey(template(`*?\${x}#<id>`))).toBe(`\${*}\${?}\${$}{x}#*`);
});

test('renders the tenant as a policy variable, and other parts as wildcards', () => {
  const held = template('TENANT#<tenantId>#<id>');
  const [part] = held.parts;
  if (part === undefined) throw new Error('no part');
  expect(leadingKey(held, { part, variable: 'aws:PrincipalTag/tenantId' })).toBe(
    `TENANT#\${aws:PrincipalTag/tenantId}#*`,
  );
});

/** Whether a policy limited to `pattern` allows a request for the partition `key`. */
function admits(pattern: string | undefined, key: string, more: Context = {}): boolean {
  const Condition: Statement['Condition'] =
    pattern === undefined ? {} : { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [pattern] } };
  const Statement: Statement[] = [{ Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: 'table', Condition }];
  const asked = { action: 'dynamodb:GetItem', resource: 'table', context: { 'dynamodb:LeadingKeys': [key], ...more } };
  return evaluate([{ Version: '2012-10-17', Statement }], asked) === 'allowed';
}

test('allows every key that a template can render', () => {
  fc.assert(
    fc.property(soundTemplates, fc.oneof(fitValues, anyValues), ({ text, separator }, values) => {
      try {
        const key = render(template(text), values, { separator, maxBytes: 2048 });
        expect(admits(leadingKey(template(text)), key)).toBe(true);
      } catch (error) {
        if (!(error instanceof KeyError)) throw error;
      }
    }),
    { numRuns: 1000 },
  );
});

test('denies a key that begins with different text', () => {
  const words = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '$', '{', '}'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(words, words, fc.string({ unit: 'grapheme' }), (own, other, rest) => {
      fc.pre(own !== other);
      expect(admits(leadingKey(template(`${own}#<id>`)), `${other}#${rest}`)).toBe(false);
      expect(admits(leadingKey(template(`${own}#<id>`)), `${own}#${rest}`)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a tenant can reach only keys with its own id', () => {
  // The alphabet is small, so that many tenants share a prefix.
  const names = fc.string({ unit: fc.constantFrom('a', 'b', '*', '-', '.'), minLength: 1, maxLength: 3 });
  const texts = fc.constantFrom(
    '<tenantId>',
    'T#<tenantId>',
    '<tenantId>#<id>',
    'T#<tenantId>#x#<id>',
    'T<tenantId>#x',
  );
  fc.assert(
    fc.property(texts, names, names, names, (text, tenantId, other, id) => {
      const partition = template(text);
      const part = partition.parts.find(({ name }) => name === 'tenantId') as Part;
      const pattern = leadingKey(partition, { part, variable: 'aws:PrincipalTag/tenantId' });
      const key = render(partition, { tenantId, id }, { separator: '#', maxBytes: 2048 });
      expect(admits(pattern, key, { 'aws:PrincipalTag/tenantId': tenantId })).toBe(true);
      expect(admits(pattern, key, { 'aws:PrincipalTag/tenantId': other })).toBe(tenantId === other);
      expect(admits(pattern, key)).toBe(false);
    }),
    { numRuns: 1000 },
  );
});
