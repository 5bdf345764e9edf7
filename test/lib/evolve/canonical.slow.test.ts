import { z } from 'zod';
import type { TableDesign } from '../../../lib';
import { outline } from '../../../lib/blueprint/outline';
import type { SystemDesign } from '../../../lib/design/system';
import {
  type Answers,
  defineMigration,
  diff,
  type Lock,
  lockOf,
  migrationFor,
  planFor,
  readLock,
} from '../../../lib/evolve';
import { canonicalFile } from '../../../lib/evolve/canonical';
import { makeItem } from '../../../lib/items/item';
import { systems } from '../../../lib/systems';
import { deployed, thirteen } from '../../fixtures/changes';
import fc from '../../support/fuzz';

const environment = 'prod';

/** The fields that contain lists of names whose order does not matter. */
const LISTS = new Set(['returns', 'select', 'remove', 'uses', 'keyOnly', 'projection']);

/** Puts values into an order that depends only on their names and the seed. */
function shuffled<T>(values: readonly T[], seed: number, nameOf: (value: T) => string): readonly T[] {
  const rank = (value: T) => {
    let sum = seed;
    for (const character of nameOf(value)) sum = Math.imul(sum ^ character.charCodeAt(0), 0x01000193) >>> 0;
    return sum;
  };
  return [...values].sort((a, b) => rank(a) - rank(b));
}

/** Rewrites a design with its names in a different order, as somebody else might have written it. */
function rewritten<T>(value: T, seed: number, field?: string): T;
function rewritten(value: unknown, seed: number, field = ''): unknown {
  if (value instanceof z.ZodObject && value.def.catchall === undefined && !value.def.checks?.length)
    return z.object(entriesOf(value.shape, seed, (one) => one));
  if (value instanceof z.ZodType) return value;
  if (Array.isArray(value)) {
    return LISTS.has(field) ? shuffled(value, seed, String) : value.map((one) => rewritten(one, seed));
  }
  if (typeof value !== 'object' || value === null) return value;
  return entriesOf(value, seed, (one, name) => rewritten(one, seed, name));
}

function entriesOf<T>(of: Readonly<Record<string, T>> | object, seed: number, map: (one: T, name: string) => unknown) {
  const entries = shuffled(Object.entries(of as Record<string, T>), seed, ([name]) => name);
  return Object.fromEntries(entries.map(([name, one]) => [name, map(one, name)])) as Record<string, never>;
}

/** Renders a value as JSON, with its names in the order in which they were written. */
const text = (value: unknown) => JSON.stringify(value);
const anySeed = fc.integer({ min: 1, max: 0x7fffffff });
const lock = lockOf(deployed, { environment });

test('the shuffle used in these tests really changes the order of names', () => {
  const [one, other] = [rewritten(deployed, 1), rewritten(deployed, 8)];
  expect(Object.keys(one.tables.blog.patterns)).not.toEqual(Object.keys(other.tables.blog.patterns));
});

describe('the order of names in a design', () => {
  test.each(Object.values(systems))('the lock of $name is rendered identically for any order of names', (system) => {
    const made = text(lockOf(system, { environment }));
    fc.assert(
      fc.property(anySeed, (seed) => {
        expect(text(lockOf(rewritten<SystemDesign>(system, seed), { environment }))).toBe(made);
      }),
      { numRuns: 3 },
    );
  });

  test.each(thirteen)(
    '$name: the changes, plan and migration are the same for any order of names',
    ({ after, answers = {} }) => {
      const changes = text(diff(lock, lockOf(after, { environment }), answers));
      const plan = planFor(lock, after, answers);
      const items = itemsOf(deployed);
      const outcomes = text(outcomesOf(lock, after, answers, deployed, items));
      fc.assert(
        fc.property(anySeed, anySeed, anySeed, (seed, other, third) => {
          const [was, is] = [rewritten<SystemDesign>(deployed, seed), rewritten(after, other)];
          const said = rewritten<Answers>(answers, third);
          const before = lockOf(was, { environment });
          expect(text(diff(before, lockOf(is, { environment }), said))).toBe(changes);
          expect(text(planFor(before, is, said))).toBe(text(plan));
          expect(text(outcomesOf(lock, is, said, was, items))).toBe(outcomes);
        }),
        { numRuns: 3 },
      );
    },
  );

  test('a lock file has the same meaning for any order of names', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const read = readLock(JSON.parse(text(entriesOf(lock, seed, (one) => one))));
        expect(text(read)).toBe(text(lock));
        expect(canonicalFile(read)).toBe(canonicalFile(lock));
      }),
    );
  });
});

/** One item of each deployed entity. */
function itemsOf({ tables }: SystemDesign) {
  const values = { postId: 'p1', category: 'news', publishedAt: '2026-01-02T03:04:05Z', title: 'Hello', expires: 5 };
  const all = { ...values, commentId: 'c1', text: 'hi' };
  return Object.values(tables).flatMap((table) =>
    outline(table).entities.map((entity) => {
      const own = Object.entries(all).filter(([name]) => entity.attributes.includes(name));
      return makeItem(outline(table), entity, Object.fromEntries(own));
    }),
  );
}

/**
 * Returns a migration's outcomes for the given items. Covers the migration both as a migration file defines it, from
 * two designs, and as bound to a lock's plan.
 */
function outcomesOf(
  of: Lock,
  after: SystemDesign,
  answers: Answers,
  before: SystemDesign,
  items: ReturnType<typeof itemsOf>,
) {
  const defined = defineMigration(before, after, {} as never, answers);
  const migration = migrationFor(planFor(of, after, answers), of, after, defined);
  const all = [defined, migration].map((one) => [
    one.tables,
    one.verified,
    items.map((item) => [one.outcome('fill', 'blog', item), one.outcome('clean', 'blog', item)]),
  ]);
  // An outcome contains items, whose attributes may be in any order.
  return JSON.parse(canonicalFile(all));
}

test('a migration fits its plan even if the old design does not list its entities in alphabetical order', () => {
  const notes = (more: Record<string, z.ZodType>) =>
    ({
      name: 'notes',
      key: { partition: 'PK' },
      entities: {
        Note: { attributes: z.object({ id: z.string(), ...more }), keys: { PK: 'NOTE#<id>' } },
        Alpha: { attributes: z.object({ id: z.string() }), keys: { PK: 'ALPHA#<id>' } },
      },
    }) satisfies TableDesign;
  const system = (table: TableDesign): SystemDesign => ({ name: 'app', cloud: 'aws', tables: { notes: table } });
  const [was, is] = [system(notes({})), system(notes({ words: z.number() }))];
  const recorded = readLock(canonicalFile(lockOf(was, { environment })));
  const up = (item: object) => ({ ...item, words: 1 });
  const defined = defineMigration(was, is, { notes: { Note: { up } } } as never);
  expect(migrationFor(planFor(recorded, is), recorded, is, defined).tables.fill).toEqual(['notes']);
});
