import { principalTag } from '../../../lib/permissions/tenancy';

describe('a tag', () => {
  test('is a variable of the policy, for an attribute of its own name unless another is given', () => {
    expect(principalTag('tenantId')).toEqual({ variable: 'aws:PrincipalTag/tenantId' });
    expect(principalTag('t', { attribute: 'tenantId' })).toEqual({
      variable: 'aws:PrincipalTag/t',
      attribute: 'tenantId',
    });
  });

  test.each(['', 'a}b', 'x'.repeat(129), `a\${b`, 'a*'])('is one that IAM has, and not %j', (tag) => {
    expect(() => principalTag(tag)).toThrow('a tag must be 1 to 128 letters');
  });

  test('is never one that was left out', () => {
    expect(() => principalTag(undefined as unknown as string)).toThrow('got: nothing');
  });
});
