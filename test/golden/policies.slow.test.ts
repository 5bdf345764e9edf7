import { reservedNames } from '../../lib/blueprint/system';
import { grantOf } from '../../lib/permissions/grant';
import { policyOf } from '../../lib/permissions/policy';
import { systemsOf } from '../../lib/systems';
import { tableArn } from '../support/authorizations';
import { expectGolden } from '../support/golden';
import { granted } from '../support/granted';
import type { Policy } from '../support/iam';
import { keyArnOf, REGION } from '../support/policies';

const aws = systemsOf('aws');

describe.each(aws)('the policies of $name', (system) => {
  const { policies: all, template, refused } = granted(system);
  const policies = new Map([...all].filter(([name]) => !refused.has(name)));

  test('the policies match the reviewed file, which has an entry for each procedure and for each pattern that is not procedure-only', () => {
    const reserved = reservedNames(system, [...all.keys()]).map(({ name }) => name);
    expect([...refused.keys()]).toEqual(reserved);
    const found = Array.from(policies, ([name, [policy, ...more]]) => {
      expect(more).toEqual([]);
      return [name, policy?.Statement];
    });
    expectGolden(`iam-${system.name}`, Object.fromEntries(found));
  });

  test('the policies are equivalent to the policies that are written without CDK', () => {
    const nameOf = (table: string) => `${system.name}-prod-${table}`;
    const keyArn = keyArnOf(template, nameOf(Object.keys(system.tables)[0] as string)) as string;
    const place = { region: REGION, keyArn, tableArn: (table: string) => tableArn(nameOf(table)) };
    for (const [name, [synthesized]] of policies) {
      const printed = policyOf(grantOf({ of: system, names: [name] }), place);
      expect(spelledOut(printed)).toEqual(spelledOut(synthesized as Policy));
    }
  });

  test('the policies spell out every action, table and index; only conditions have wildcards', () => {
    for (const { Action, Resource } of [...policies.values()].flat().flatMap(({ Statement }) => Statement)) {
      expect([Action, Resource].flat().join()).not.toMatch(/[*?]|Scan/);
    }
  });
});

/** Turns single values into lists, because CDK writes a list with one element as that element. */
function spelledOut({ Version, Statement }: Policy): unknown {
  const statements = Statement.map((one) => ({ ...one, Action: [one.Action].flat(), Resource: [one.Resource].flat() }));
  return { Version, Statement: statements };
}
