import { optionProblems, requestProblems } from '../../../lib/permissions/request-problems';

const known = ['getPost', 'getUser'];
const problems = (request: object) =>
  requestProblems({ of: {}, names: ['getPost'], ...request }, known).map(
    ({ path, message, fix }) => `${path}: ${message} (${fix})`,
  );

describe('a request', () => {
  test.each([
    [{}],
    [{ system: {}, tenant: { variable: 'aws:PrincipalTag/tenantId' } }],
    [{ tenant: { variable: 'cognito-identity.amazonaws.com:sub', attribute: 'userId' } }],
    [{ tenant: { variable: "aws:PrincipalTag/team, 'none'", attribute: undefined } }],
  ])('accepts the request %j', (request) => {
    expect(problems(request)).toEqual([]);
  });

  test.each([undefined, 5, '', 'tenantId', `\${aws:PrincipalTag/t}`, 'aws:PrincipalTag/*', 'aws:'])(
    'rejects the tenant variable %j',
    (variable) => {
      expect(problems({ tenant: { variable } })).toEqual([expect.stringContaining('tenant.variable: must be')]);
    },
  );

  test('reports all problems of a request at once', () => {
    expect(problems({ names: [7], tenant: { variabel: 'x', attribute: '' }, tennant: 1 })).toEqual([
      "tennant: 'tennant' is not an option of a grant (did you mean tenant?)",
      'patterns: must be pattern names, got: 7 (name a pattern; there are getPost, getUser)',
      "tenant.variabel: 'variabel' is not an option of a tenant (did you mean variable?)",
      expect.stringContaining('tenant.variable: must be'),
      expect.stringContaining('tenant.attribute: must be'),
    ]);
  });
});

test('rejects the options `of` and `names`, which would change what is granted', () => {
  expect(optionProblems({})).toEqual([]);
  expect(optionProblems({ tenant: 1 })).toEqual([]);
  expect(optionProblems({ of: 1, names: [] }).map(({ path }) => path)).toEqual(['of', 'names']);
  expect(optionProblems([]).map(({ message }) => message)).toEqual(['must be an object, got: an empty list']);
});
