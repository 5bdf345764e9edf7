import { check } from '../../../../lib/check';
import { diff, lockOf } from '../../../../lib/evolve';
import { systems } from '../../../../lib/systems';
import { deployed, thirteen } from '../../../fixtures/changes';

const environment = 'prod';
const before = lockOf(deployed, { environment });

test.each(Object.values(systems))('$name does not differ from itself', (system) => {
  const lock = lockOf(system, { environment });
  expect(diff(lock, lockOf(system, { environment }))).toEqual([]);
});

test.each(thirteen)('$name is told: $rule', ({ after, answers, rule, path }) => {
  expect(check(after).filter(({ severity }) => severity === 'error')).toEqual([]);
  const changes = diff(before, lockOf(after, { environment }), answers);
  const found = changes.find((change) => change.rule === rule && change.path === path);
  expect(found?.verdict).not.toBe('safe');
  expect(found?.breaks).not.toEqual([]);
});
