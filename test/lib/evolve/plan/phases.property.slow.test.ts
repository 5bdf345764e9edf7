import { z } from 'zod';
import type { SystemDesign, TableDesign } from '../../../../lib';
import { type PhysicalTable, physicalTable } from '../../../../lib/blueprint/physical-table';
import { resourceOf } from '../../../../lib/dynamodb/template/make';
import { diff, lockOf, planFor, verdictOf, withEdits } from '../../../../lib/evolve';
import { updateOf } from '../../../../lib/proof/shadow/update';
import fc from '../../../support/fuzz';

const environment = 'prod';
const ANSWERS = { because: { 'tables.posts.ttl': 'items may go' } };
const NAMES = ['One', 'Two', 'Three'] as const;

/** Generates an index with a random key and projection. */
const anyIndex = fc.record({
  key: fc.constantFrom('<category>', 'CATEGORY#<category>', 'TITLE#<title>'),
  projection: fc.constantFrom('all' as const, 'keys' as const),
});

interface Shape {
  readonly indexes: readonly ({ readonly key: string; readonly projection: 'all' | 'keys' } | undefined)[];
  readonly ttl: string | undefined;
}

const anyShape: fc.Arbitrary<Shape> = fc.record({
  indexes: fc.tuple(...NAMES.map(() => fc.option(anyIndex, { nil: undefined }))),
  ttl: fc.constantFrom(undefined, 'expires', 'until'),
});

function systemOf({ indexes, ttl }: Shape): SystemDesign {
  const there = NAMES.flatMap((name, i) => (indexes[i] === undefined ? [] : [[name, indexes[i]] as const]));
  const posts: TableDesign = {
    name: 'posts',
    key: { partition: 'PK' },
    indexes: Object.fromEntries(there.map(([name, { projection }]) => [name, { partition: `${name}PK`, projection }])),
    ...(ttl === undefined ? {} : { ttl }),
    entities: {
      Post: {
        attributes: z.object({
          id: z.string(),
          category: z.string(),
          title: z.string(),
          expires: z.number().optional(),
          until: z.number().optional(),
        }),
        keys: { PK: 'POST#<id>', ...Object.fromEntries(there.map(([name, { key }]) => [`${name}PK`, key])) },
      },
    },
    patterns: { getPost: { op: 'get', where: { PK: 'POST#<id>' }, returns: ['Post'] } },
  };
  return { name: 'journal', cloud: 'aws', tables: { posts } };
}

const tableOf = ({ tables }: SystemDesign) => physicalTable(tables.posts as TableDesign);
const named = (table: PhysicalTable) => resourceOf({ ...table, name: 'posts' });

test('a design does not differ from its own lock', () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      expect(diff(lockOf(systemOf(shape), { environment }), lockOf(systemOf(shape), { environment }))).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test('CloudFormation accepts every directly deployable change without replacing the table, and keeps TTL', () => {
  fc.assert(
    fc.property(anyShape, anyShape, (before, after) => {
      const [was, is] = [systemOf(before), systemOf(after)];
      const changes = diff(lockOf(was, { environment }), lockOf(is, { environment }));
      if (verdictOf(changes) !== 'safe') return;
      expect(updateOf('Posts', named(tableOf(was)), named(tableOf(is)))).toMatchObject({
        kind: 'update',
      });
      expect(tableOf(is).ttl).toBe(tableOf(was).ttl);
    }),
    { numRuns: 60 },
  );
});

test('CloudFormation accepts every deployment of a plan, and the last deployment results in the new design', () => {
  fc.assert(
    fc.property(anyShape, anyShape, (before, after) => {
      const [was, is] = [systemOf(before), systemOf(after)];
      const lock = lockOf(was, { environment });
      if (verdictOf(diff(lock, lockOf(is, { environment }), ANSWERS)) === 'safe') return;
      const plan = planFor(lock, is, ANSWERS);
      let now = tableOf(was);
      for (const { tables, wave, step } of plan.phases) {
        const next = tables.posts as PhysicalTable;
        expect(() => updateOf(step, named(now), named(next))).not.toThrow();
        // TTL is off while the plan moves it from one attribute to another.
        if (now.ttl !== undefined && next.ttl !== undefined) expect(next.ttl).toBe(now.ttl);
        expect(wave.length).toBeLessThanOrEqual(1);
        now = next;
      }
      expect(named({ ...now, ttlOff: undefined })).toEqual(named(tableOf(withEdits(is, plan.edits))));
    }),
    { numRuns: 60 },
  );
});
