import { z } from 'zod';
import { check } from '../../../../lib/check';
import { diff, lockOf, planFor } from '../../../../lib/evolve';
import type { SystemDesign } from '../../../../lib/index';
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

test('on Azure a changed key is told without the grants that only DynamoDB has, and is planned without an index', () => {
  const table = (RowKey: string) => ({
    name: 'Notes',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    entities: { Note: { attributes: z.object({ id: z.string() }), keys: { PartitionKey: 'NOTE', RowKey } } },
  });
  const system = (RowKey: string): SystemDesign => ({
    name: 'notes',
    cloud: 'azure',
    tables: { Notes: table(RowKey) },
  });
  const lock = lockOf(system('<id>'), { environment });
  const [change] = diff(lock, lockOf(system('N-<id>'), { environment }));
  expect(change).toMatchObject({ rule: 'primary-key-template', verdict: 'plan' });
  expect(change?.breaks.map(({ who }) => who)).not.toContain('iam');
  const { items, phases } = planFor(lock, system('N-<id>'));
  expect(items).toMatchObject([{ moves: true, keys: { RowKey: { before: '<id>', after: 'N-<id>' } } }]);
  expect(phases.flatMap(({ wave }) => wave)).toEqual([]);
});
