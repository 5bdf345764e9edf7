import { principalTag } from '../../../lib/permissions/tenancy';

describe('a tag', () => {
  test('a tag becomes a policy variable for the attribute of the same name, or for a given attribute', () => {
    expect(principalTag('tenantId')).toEqual({ variable: 'aws:PrincipalTag/tenantId' });
    expect(principalTag('t', { attribute: 'tenantId' })).toEqual({
      variable: 'aws:PrincipalTag/t',
      attribute: 'tenantId',
    });
  });

  test.each(['', 'a}b', 'x'.repeat(129), `a\${b`, 'a*'])('rejects the tag %j, which IAM does not allow', (tag) => {
    expect(() => principalTag(tag)).toThrow('a tag must be 1 to 128 letters');
  });

  test('requires a valid tag', () => {
    expect(() => principalTag(undefined as unknown as string)).toThrow('got: nothing');
  });
});
