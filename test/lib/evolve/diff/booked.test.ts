import { check } from '../../../../lib/check';
import { diff, lockOf, planFor, withEdits } from '../../../../lib/evolve';
import { booked } from '../../../fixtures/book-of-changes';

const environment = 'prod';

describe.each(booked)('$name', ({ before, after, answers, changes, phases }) => {
  const lock = lockOf(before, { environment });

  test('neither design has findings of severity `error`', () => {
    for (const system of [before, after])
      expect(check(system).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('reports the change with the expected rule and verdict', () => {
    const found = diff(lock, lockOf(after, { environment }), answers);
    expect(found.map(({ rule, verdict, path }) => [rule, verdict, path.replace(/^tables\.\w+\.?/, '')])).toEqual(
      changes,
    );
    for (const { verdict, breaks } of found) if (verdict !== 'safe') expect(breaks).not.toEqual([]);
  });

  test(phases === undefined ? 'has no plan' : `has the phases ${phases.join(', ')}`, () => {
    if (phases === undefined) {
      expect(() => planFor(lock, after, answers)).toThrow(
        /^(no change needs a plan|a plan needs answers|no single plan can make)/,
      );
      return;
    }
    const plan = planFor(lock, after, answers);
    expect(plan.phases.map(({ kind }) => kind)).toEqual(phases);
    const target = withEdits(after, plan.edits);
    expect(check(target).filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(Object.keys(plan.phases.at(-1)?.tables ?? {}).sort()).toEqual(Object.keys(target.tables).sort());
  });
});
