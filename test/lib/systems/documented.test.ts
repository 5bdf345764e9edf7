import { lockOf, planFor } from '../../../lib/evolve';
import { blog } from '../../../lib/systems/blog/design';
import { documentedBlog } from '../../../lib/systems/blog/documented';
import { trimobe } from '../../../lib/systems/trimobe/design';
import { documentedTrimobe, documentedTrimobeAnswers } from '../../../lib/systems/trimobe/documented';

const FILLING = ['drain', 'backfill', 'verify', 'switch'];

test('a plan leads from the documented blog to ours, and gives its posts and likes what they lack', () => {
  const plan = planFor(lockOf(documentedBlog, { environment: 'prod' }), blog);
  expect(plan.phases.map(({ step }) => step)).toEqual(['expand-1', 'expand-2', ...FILLING]);
  expect(plan.phases.find(({ step }) => step === 'backfill')?.runs).toMatch(/Like.*Post/);
});

test('a plan leads from the documented trimobe to ours, and gives its users guards and its conversations headers', () => {
  const lock = lockOf(documentedTrimobe, { environment: 'prod' });
  const plan = planFor(lock, trimobe, documentedTrimobeAnswers as never);
  expect(plan.phases.map(({ step }) => step)).toEqual(['expand-1', ...FILLING, 'contract-1']);
  expect(plan.phases.find(({ step }) => step === 'backfill')?.runs).toMatch(/Conversation.*User/);
});
