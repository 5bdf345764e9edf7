import { z } from 'zod';
import { usesOf } from '../../../lib/blueprint/load/traffic';
import { blueprint } from '../../../lib/blueprint/table';
import { adviceFor } from '../../../lib/costs/advice';
import { estimateOf } from '../../../lib/costs/estimate';
import { loadsFrom } from '../../../lib/costs/load';
import { PRICES } from '../../../lib/costs/prices';
import type { Load } from '../../../lib/design/config';
import type { IndexDesign, TableDesign } from '../../../lib/design/table';

/** Returns a design for posts that have a view counter. The index by category has the given projection. */
function blog(projection: IndexDesign['projection'] = 'all', select?: readonly string[]): TableDesign {
  const where = { PK: 'POST#<postId>', SK: 'POST' };
  return {
    name: 'blog',
    key: { partition: 'PK', sort: 'SK' },
    indexes: {
      byCategory: { partition: 'category', sort: 'SK', projection },
      byDay: { partition: 'day', sort: 'SK' },
    },
    entities: {
      Post: {
        attributes: z.object({
          postId: z.uuid(),
          category: z.enum(['a', 'b']),
          title: z.string(),
          day: z.iso.date(),
          views: z.int(),
        }),
        keys: { PK: 'POST#<postId>', SK: 'POST' },
        unique: { title: { keys: { PK: 'TITLE#<title>', SK: 'TITLE' } } },
      },
      Front: { attributes: z.object({ id: z.uuid() }), keys: { PK: 'FRONT', SK: '<id>' } },
    },
    patterns: {
      post: { op: 'get', where, returns: ['Post'] },
      sure: { op: 'get', where, returns: ['Post'], consistent: true },
      postsByCategory: {
        op: 'query',
        index: 'byCategory',
        where: { category: '<category>' },
        returns: ['Post'],
        ...(select && { select }),
      },
      postsOfDay: { op: 'query', index: 'byDay', where: { day: '<day>' }, returns: ['Post'] },
      write: { op: 'put', entity: 'Post' },
      view: { op: 'update', entity: 'Post', where, add: { views: 1 } },
      move: { op: 'update', entity: 'Post', where, set: { category: '<category>' } },
      feature: { op: 'put', entity: 'Front' },
      both: {
        op: 'transaction',
        steps: {
          front: { op: 'put', entity: 'Front' },
          view: { op: 'update', entity: 'Post', where, add: { views: 1 } },
        },
      },
    },
  };
}

function units(pattern: string, load: Partial<Load>, design = blog()) {
  const table = blueprint(design);
  const found = table.patterns.find(({ name }) => name === pattern);
  return found && usesOf(table, found, load);
}

describe('consumed capacity units', () => {
  test('counts half a unit per 4 KB for a get, or a whole unit for a strongly consistent get', () => {
    expect(units('post', { bytes: 3000 })).toEqual([{ reads: 0.5, writes: 0 }]);
    expect(units('sure', { bytes: 5000 })).toEqual([{ reads: 2, writes: 0 }]);
  });

  test("adds up the sizes of a query's items before rounding up to units", () => {
    expect(units('postsByCategory', { items: 10, bytes: 1500 })).toEqual([
      { index: 'byCategory', reads: 2, writes: 0 },
    ]);
  });

  test('doubles the units of the table, but not those of its indexes, for a put with a guard', () => {
    expect(units('write', { bytes: 1500 })).toEqual([
      { reads: 0, writes: 2 * 2 + 2 },
      { index: 'byCategory', reads: 0, writes: 2 },
      { index: 'byDay', reads: 0, writes: 2 },
    ]);
  });

  test('counts an update as one write in each index with changed attributes, or as two if the index key changes', () => {
    expect(units('view', { bytes: 1000 }, blog('keys'))).toEqual([
      { reads: 0, writes: 1 },
      { index: 'byDay', reads: 0, writes: 1 },
    ]);
    expect(units('move', { bytes: 1000 })).toEqual([
      { reads: 0, writes: 1 },
      { index: 'byCategory', reads: 0, writes: 2 },
      { index: 'byDay', reads: 0, writes: 1 },
    ]);
  });

  test('doubles the units of the table, but not those of its indexes, for a transaction', () => {
    expect(units('both', { bytes: 1000 })).toEqual([
      { reads: 0, writes: 4 },
      { index: 'byCategory', reads: 0, writes: 1 },
      { index: 'byDay', reads: 0, writes: 1 },
    ]);
  });
});

const system = (design: TableDesign) => ({ tables: { blog: design } });

test('estimates the on-demand and provisioned costs of a load for each pattern, table and index', () => {
  const loads = { post: { perSecond: 100, peak: 400, bytes: 1000 }, feature: { perSecond: 10, bytes: 1000 } };
  const { patterns, places, total } = estimateOf(system(blog()), loads, PRICES.aws);
  const month = (730 * 3600) / 1e6;
  expect(patterns.map(({ pattern, onDemand }) => [pattern, onDemand])).toEqual([
    ['post', Math.round(month * 50 * 0.125 * 100) / 100],
    ['feature', Math.round(month * 10 * 0.625 * 100) / 100],
  ]);
  expect(places).toMatchObject([{ table: 'blog', reads: 50, writes: 10, peakReads: 200, peakWrites: 10 }]);
  expect(total.provisioned).toBeCloseTo(730 * (200 * 0.00013 + 10 * 0.00065), 1);
  const own = estimateOf(system(blog()), loads, { ...PRICES.aws, readUnitsMillion: 0 });
  expect(own.total.onDemand).toBeLessThan(total.onDemand);
});

describe('advice', () => {
  const advice = (design: TableDesign, loads: Record<string, Load>) =>
    adviceFor(system(design), loads, PRICES.aws).map(({ kind, shards, index }) => [kind, shards ?? index]);

  test('says how many shards an overloaded partition needs', () => {
    expect(advice(blog(), { feature: { perSecond: 10, peak: 4500, bytes: 500 } })).toEqual([['hot-partition', 5]]);
    expect(advice(blog(), { feature: { perSecond: 10, peak: 900, bytes: 500 } })).toEqual([]);
  });

  test('suggests a narrower projection if every reader selects only a few attributes', () => {
    const loads = { write: { perSecond: 50, bytes: 8000 }, postsByCategory: { perSecond: 1 } };
    expect(advice(blog('all', ['postId']), loads)).toContainEqual(['wide-projection', 'byCategory']);
    expect(advice(blog('keys', ['postId']), loads)).not.toContainEqual(['wide-projection', 'byCategory']);
  });

  test('suggests projecting only keys if writing to an index costs more than the index saves its readers', () => {
    const rare = { write: { perSecond: 50, bytes: 8000 }, postsByCategory: { perSecond: 0.01 } };
    expect(advice(blog(), rare)).toContainEqual(['dear-index', 'byCategory']);
    const busy = { write: { perSecond: 0.1, bytes: 1000 }, postsByCategory: { perSecond: 100 } };
    expect(advice(blog(), busy)).toEqual([]);
  });

  test('suggests moving a counter out of an item that several indexes contain', () => {
    expect(advice(blog(), { view: { perSecond: 100, bytes: 2000 } })).toContainEqual(['indexed-counter', undefined]);
    expect(advice(blog('keys'), { view: { perSecond: 100, bytes: 2000 } })).not.toContainEqual([
      'indexed-counter',
      undefined,
    ]);
  });
});

describe('cases without advice', () => {
  const kinds = (design: TableDesign, loads: Record<string, Load>) =>
    adviceFor(system(design), loads, PRICES.aws).map(({ kind, index }) => `${kind} ${index}`);
  const busy = { write: { perSecond: 50, bytes: 8000 }, postsByCategory: { perSecond: 500 } };

  test('gives no advice on a projection if a reader needs all attributes, or if no pattern with a load writes to the index', () => {
    expect(kinds(blog('all'), busy)).not.toContain('wide-projection byCategory');
    expect(kinds(blog('all', ['postId']), { postsByCategory: { perSecond: 0.001 } })).toEqual([]);
  });

  test('gives no advice on an index if reads justify its cost, or if no pattern with a load uses it', () => {
    expect(kinds(blog('all'), busy)).not.toContain('dear-index byCategory');
    expect(kinds(blog('all'), { post: { perSecond: 1000 } })).toEqual([]);
  });

  test('gives no advice on a counter that rarely changes, or on a frequent update that changes no counter', () => {
    expect(kinds(blog(), { view: { perSecond: 0.001, bytes: 2000 } })).toEqual([]);
    expect(kinds(blog(), { move: { perSecond: 100, bytes: 2000 } })).not.toContain('indexed-counter undefined');
  });

  test('gives no advice on sharding if the load is already spread over many partitions', () => {
    expect(kinds(blog(), { post: { perSecond: 9000, bytes: 1000 } })).toEqual([]);
    expect(kinds(blog(), { postsByCategory: { perSecond: 100, items: 10, bytes: 1500 } })).toEqual([]);
  });
});

test.each<[string, TableDesign, Record<string, Load>, RegExp]>([
  [
    'hot-partition',
    blog(),
    { postsByCategory: { perSecond: 9000, items: 10, bytes: 1500 } },
    /must serve 9000 read units a second at the peak of 'postsByCategory', .*spread the partition over 3 shards$/,
  ],
  [
    'wide-projection',
    blog('all', ['title']),
    { write: { perSecond: 50, bytes: 8000 } },
    /to save \$\d+\.\d\d of its \$\d+\.\d\d a month, write projection: \['title'\]$/,
  ],
  ['indexed-counter', blog(), { view: { perSecond: 9, bytes: 900 } }, /separate item saves \$\d+\.\d\d a month$/],
])('quotes the calculated numbers in the advice about %s', (kind, design, loads, message) => {
  const [found] = adviceFor(system(design), loads, PRICES.aws).filter((one) => one.kind === kind);
  expect(found?.message).toMatch(message);
});

describe('a load', () => {
  test.each<[unknown, string]>([
    [[], "'load' must map pattern names to loads"],
    [{ psot: { perSecond: 1 } }, 'load.psot is not a pattern; did you mean post?'],
    [{ post: { perSecond: -1 } }, 'load.post.perSecond must be a non-negative number, got: -1'],
    [{ post: { perSec: 1 } }, 'load.post.perSec is not a field; there are perSecond'],
    [{ post: { items: 1 } }, 'load.post needs perSecond'],
  ])('refuses the load %j', (given, problem) => {
    expect(loadsFrom(given, ['post'])).toMatch(problem);
  });
});
