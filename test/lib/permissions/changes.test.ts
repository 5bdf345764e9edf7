import { grantChanges } from '../../../lib/permissions/changes';
import { deployed, thirteen } from '../../fixtures/changes';

test('returns no changes to grants if the design has not changed', () => {
  expect(grantChanges(deployed, deployed)).toEqual([]);
});

test('a new key template changes the granted partitions, and removing a pattern removes its grant', () => {
  const moved = thirteen.find(({ rule }) => rule === 'primary-key-template');
  const found = grantChanges(deployed, moved?.after ?? deployed);
  expect(found.length).toBeGreaterThan(0);
  for (const { added, removed } of found) expect([...added, ...removed].join('\n')).toMatch(/^dynamodb:\w+ on \w+/);
  const table = Object.entries(deployed.tables)[0];
  if (table === undefined) throw new Error('there is no table');
  const [name, design] = table;
  const without = { ...deployed, procedures: {}, tables: { [name]: { ...design, patterns: {} } } };
  for (const { added, removed } of grantChanges(deployed, without)) {
    expect(added).toEqual([]);
    expect(removed.length).toBeGreaterThan(0);
  }
});
