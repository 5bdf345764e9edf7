import type { QueryPattern } from '../../../../lib/design/pattern';
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

const deployed = blog as unknown as SystemDesign;
const { blog: table } = deployed.tables as { readonly blog: TableDesign };

/** Returns the blog's design with the given entity keys and the given changes to the table. */
function changed(keys: Readonly<Record<string, object>>, edit: Partial<TableDesign> = {}): SystemDesign {
  const entities = Object.entries(table.entities).map(([name, entity]) => [
    name,
    { ...entity, keys: { ...entity.keys, ...keys[name] } },
  ]);
  return { ...deployed, tables: { blog: { ...table, entities: Object.fromEntries(entities), ...edit } } };
}

const likes = changed({ Like: { GSI2SK: 'LIKE#<createdAt>#<postId>' } });
const { latestPosts } = table.patterns as { readonly latestPosts: QueryPattern };

describe("the blog's own cases", () => {
  test.each<[change: string, design: SystemDesign]>([
    ['the sort key of likes', likes],
    [
      'an index',
      changed(
        { User: { GSI4PK: 'MONTH#<createdAt:month>', GSI4SK: '<createdAt>#<cognitoSub>' } },
        {
          indexes: { ...table.indexes, GSI4: { partition: 'GSI4PK', sort: 'GSI4SK' } },
          patterns: {
            ...table.patterns,
            usersOfMonth: { op: 'query', index: 'GSI4', where: { GSI4PK: 'MONTH#<month>' }, returns: ['User'] },
          },
        },
      ),
    ],
    [
      'longer numbers in a key',
      changed({
        Category: { GSI1SK: 'CATEGORY#<order:6>#<categoryId>' },
        Subcategory: { GSI1SK: 'CATEGORY#<order:6>#<subcategoryId>' },
      }),
    ],
    ['roles in lower case', changed({ User: { GSI2PK: 'ROLE#<role:lower>' } })],
    [
      'a sharded front page',
      changed(
        { Post: { GSI3PK: 'STATUS#PUBLISHED#<shard(postId, 4)>' } },
        {
          patterns: {
            ...table.patterns,
            latestPosts: { ...latestPosts, where: { ...latestPosts.where, GSI3PK: 'STATUS#PUBLISHED#<shard(4)>' } },
          },
        },
      ),
    ],
  ])('the same blog cases, used as both the old and the new cases, prove a plan for %s', async (_, design) => {
    const { plan, proofs } = await proofsOf(engine, { deployed, design, before: blogCases, cases: blogCases });
    expect(failuresIn(proofs)).toEqual([]);
    expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  });

  test('a plan for the blog can be proved even without the old cases', async () => {
    const { plan, proofs } = await proofsOf(engine, { deployed, design: likes, cases: blogCases });
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.length).toBe(plan.phases.length);
  });
});
