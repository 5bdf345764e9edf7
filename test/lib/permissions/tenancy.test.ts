import { principalTag } from '../../../lib/permissions/tenancy';

describe('a tag', () => {
  test('becomes a policy variable for the attribute of the same name, unless another is given', () => {
    expect(principalTag('tenantId')).toEqual({ variable: 'aws:PrincipalTag/tenantId' });
    expect(principalTag('t', { attribute: 'tenantId' })).toEqual({
      variable: 'aws:PrincipalTag/t',
      attribute: 'tenantId',
    });
  });

  test.each(['', 'a}b', 'x'.repeat(129), `a\${b`, 'a*'])('is rejected if IAM does not allow it: %j', (tag) => {
    expect(() => principalTag(tag)).toThrow('a tag must be 1 to 128 letters');
  });

  test('is required', () => {
    expect(() => principalTag(undefined as unknown as string)).toThrow('got: nothing');
  });
});
