import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { blogCases } from '../../../../lib/systems/blog/cases';
import { blog } from '../../../../lib/systems/blog/design';
import { engineUnderTest } from '../../../support/engine-under-test';
import { failuresIn, proofsOf } from './oracle';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

describe("the blog's own cases", () => {
  const { blog: table } = blog.tables as unknown as Record<string, TableDesign>;
  const { Like } = table?.entities ?? {};
  const design = {
    ...blog,
    tables: {
      blog: {
        ...table,
        entities: {
          ...table?.entities,
          Like: { ...Like, keys: { ...Like?.keys, GSI2SK: 'LIKE#<createdAt>#<postId>' } },
        },
      },
    },
  } as unknown as SystemDesign;
  const deployed = blog as unknown as SystemDesign;

  test('prove a plan unchanged, together with the old cases', async () => {
    const { plan, proofs } = await proofsOf(engine, { deployed, design, before: blogCases, cases: blogCases });
    expect(failuresIn(proofs)).toEqual([]);
    expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  });

  test("the blog's own cases keep unknown attributes without the old cases, and leave only uncalled patterns unproved", async () => {
    const { plan, proofs } = await proofsOf(engine, { deployed, design, cases: blogCases });
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.length).toBe(plan.phases.length);
  });
});
