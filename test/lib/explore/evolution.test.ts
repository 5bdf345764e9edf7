import { z } from 'zod';
import type { SystemDesign } from '../../../lib/design/system';
import { lockOf } from '../../../lib/evolve';
import { evolutionView } from '../../../lib/explore/evolution';

const of = (attribute: string): SystemDesign => ({
  name: 'club',
  cloud: 'aws',
  tables: {
    club: {
      name: 'club',
      key: { partition: 'PK' },
      entities: {
        Member: { attributes: z.object({ id: z.string(), [attribute]: z.string() }), keys: { PK: 'MEMBER#<id>' } },
      },
      patterns: { member: { op: 'get', where: { PK: 'MEMBER#<id>' }, returns: ['Member'] } },
    },
  },
});
const lock = lockOf(of('name'), { environment: 'prod' });
const renamed = of('fullName');

test('a change that needs an answer shows the command that answers it, and no phases', () => {
  const view = evolutionView(renamed, lock);
  expect(view.phases).toEqual([]);
  expect(view.problem).toMatch(/^a plan needs answers about 1 change\n/);
  expect(view.answer?.command).toBe('npx tablewright explore club --answers answers.json');
});

test("an answered change has phases, and shows a renamed attribute's old and new names on one line", () => {
  const view = evolutionView(renamed, lock, { renamed: { 'club.Member.name': 'fullName' } });
  expect(view.phases.length).toBeGreaterThan(1);
  expect(view).not.toHaveProperty('answer');
  expect(view.sides.filter(({ before, after }) => before !== after)).toEqual([
    { path: 'club Member attribute fullName', before: 'name: string', after: 'fullName: string' },
  ]);
});

test('every breaking change names the clients that it affects', () => {
  const breaks = evolutionView(renamed, lock).changes.flatMap((change) => change.breaks);
  expect(breaks.map(({ who }) => who)).toContain('old readers');
});
