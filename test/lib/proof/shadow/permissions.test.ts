import type { CodeForm } from '../../../../lib/evolve';
import type { SystemDesign } from '../../../../lib/index';
import { takenFrom } from '../../../../lib/proof/shadow/permissions';
import type { Release } from '../../../../lib/proof/shadow/writers';
import { deployed } from '../../../fixtures/changes';

const running = (...reads: readonly CodeForm['reads'][]) =>
  reads.map((form) => ({ name: `a release that reads ${form}`, code: { reads: form, writes: form } }) as Release);
const phase = (writes: CodeForm['writes']) => ({ code: { reads: 'new', writes } }) as never;
const before = deployed as unknown as SystemDesign;
const plan = { items: [] };
const renamed = {
  before,
  plan,
  system: {
    ...deployed,
    tables: { articles: { ...deployed.tables.blog, name: 'articles' } },
  } as unknown as SystemDesign,
};

test('reports a permission that a deployment takes away from a running release', () => {
  expect(takenFrom(running('both', 'new'), phase('new'), renamed)).toMatch(
    /^this deployment takes dynamodb:\w+ on blog: .* away from '\w+', but a release that reads both still runs and needs it/,
  );
});

test.each([
  ['the release writes both forms', running('both', 'new'), 'both', renamed],
  ['every running release reads the new form', running('new'), 'new', renamed],
  ['the grants have not changed', running('both', 'new'), 'new', { before, system: before, plan }],
] as const)('finds nothing if %s', (_, releasesRunning, writes, given) => {
  expect(takenFrom(releasesRunning, phase(writes), given)).toBeUndefined();
});

test('compares the permissions for each table as a whole on Azure', () => {
  const onAzure = (design: SystemDesign) => ({ ...design, cloud: 'azure' as const });
  const designs = { plan, before: onAzure(before), system: onAzure(renamed.system) };
  expect(takenFrom(running('old'), phase('new'), designs)).toContain('takes table blog away from');
});
