import type { Database } from '../../../lib/dynamodb/engine/database';
import type { SystemCases } from '../../../lib/proof';
import { blogCases } from '../../../lib/systems/blog/cases';
import { engineUnderTest } from '../../support/engine-under-test';
import { expectProvedFrom, provedFrom } from './documented-plans';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

test("the plan from trimobe's documented design to the bundled design loses, hides and breaks no data", () =>
  expectProvedFrom(engine, 'trimobe'));

test("the plan from the blog's documented design stops if a user has liked a post twice, which the document allows", async () => {
  const { proofs } = await provedFrom(engine, 'blog');
  expect(proofs.at(-1)).toMatchObject({
    step: 'backfill',
    failure: expect.stringMatching(/duplicate of Like.unique.like/),
  });
});

test("the plan from the blog's documented design loses, hides and breaks no data if no user has liked a post twice", () =>
  expectProvedFrom(engine, 'blog', without('biaLikesTwice')));

/** Returns the blog's cases without the given item. */
function without(name: string): SystemCases {
  const isOther = (value: unknown): boolean => value !== name;
  const rest = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter(isOther).map(rest);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => isOther(key))
        .map(([key, own]) => [key, rest(own)]),
    );
  };
  const { system: _, ...cases } = blogCases;
  return rest(cases) as SystemCases;
}
