// Usage: `node request-speed.mjs`. Builds the requests for a blog post with each of the compared libraries. Prints the
// CPU time per request, in nanoseconds. Each time is the median of several rounds, in which the sides take turns. Before
// the first measurement, the script asserts that all sides build the same request, and that tablewright refuses an
// invalid request.
import { deepStrictEqual, match, throws } from 'node:assert';
import { entities, requests } from 'tablewright/dynamodb';
import { blog } from 'tablewright/systems/blog';
import * as toolbox from './sides/dynamodb-toolbox.mjs';
import * as electrodb from './sides/electrodb.mjs';
import * as handWritten from './sides/hand-written.mjs';
import * as onetable from './sides/onetable.mjs';
import * as tablewright from './sides/tablewright.mjs';

const sides = {
  'hand-written': handWritten,
  tablewright,
  ElectroDB: electrodb,
  'dynamodb-toolbox': toolbox,
  OneTable: onetable,
};

const ROUNDS = 41;
const WARM_UP = 10;
const ROUND_MS = 12;
/** The minimum number of requests to build in a round, however long that takes. */
const LEAST_CALLS = 16;

/** The number of items in a batch. */
const KEYS_A_BATCH = 25;
const POSTS_A_BATCH = 10;

const at = (n) => `2026-01-31T12:00:00.${String(n).padStart(3, '0')}Z`;
const id = (n) => `0195f3a2-7c1e-7b1a-9d5e-${String(n).padStart(12, '0')}`;
const posts = Array.from({ length: 64 }, (_, n) => ({
  postId: id(n),
  authorId: id(n + 100),
  subcategoryId: id(n + 200),
  status: 'PUBLISHED',
  publishedAt: at(n),
  title: `Post number ${n}`,
  content: 'What it says, which is rather short.',
  createdAt: at(n),
  updatedAt: at(n),
}));
const some = (count, from) => Array.from({ length: count }, (_, i) => posts[(from + i) % posts.length]);
const inputs = {
  get: posts.map(({ postId }) => ({ postId })),
  query: posts.map(({ subcategoryId }) => ({ subcategoryId })),
  put: posts,
  batchGet: posts.map((_, n) => some(KEYS_A_BATCH, n).map(({ postId }) => postId)),
  batchWrite: posts.map((_, n) => some(POSTS_A_BATCH, n)),
  transaction: posts.map((post, n) => ({ post, formerId: id(n + 300) })),
};

let last;

await assertSame();
assertValidated();
useAllPatterns();
const measured = {};
for (const operation of Object.keys(inputs)) measured[operation] = await measure(operation);
console.log(JSON.stringify(measured));

async function measure(operation) {
  const contenders = Object.entries(sides).map(([name, side]) => {
    const isAsync = side[operation](inputs[operation][0]) instanceof Promise;
    return { name, build: side[operation], isAsync, times: [], calls: LEAST_CALLS };
  });
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    for (let i = 0; i < contenders.length; i++) {
      // A different side goes first in each round, so that no side always runs after the side that leaves the most
      // garbage.
      const contender = contenders[(i + round + WARM_UP) % contenders.length];
      const time = await timeOf(contender, inputs[operation]);
      if (round >= 0) contender.times.push(time);
      else contender.calls = Math.max(LEAST_CALLS, Math.round((ROUND_MS * 1e6) / time));
    }
  }
  return Object.fromEntries(contenders.map(({ name, times }) => [name, times.sort((a, b) => a - b)[ROUNDS >> 1]]));
}

/**
 * Returns the CPU time per call, in nanoseconds. Unlike wall-clock time, CPU time excludes other processes on the
 * machine.
 */
async function timeOf({ build, isAsync, calls }, values) {
  const start = process.cpuUsage();
  if (isAsync) for (let i = 0; i < calls; i++) last = await build(values[i & 63]);
  else for (let i = 0; i < calls; i++) last = build(values[i & 63]);
  const { user, system } = process.cpuUsage(start);
  if (last === undefined) throw new Error('nothing was built');
  return ((user + system) * 1000) / calls;
}

/** Throws unless all sides build the same request: table, index, keys, attributes, order and page size. */
async function assertSame() {
  const expected = sides['hand-written'];
  for (const [name, side] of Object.entries(sides)) {
    for (const [operation, values] of Object.entries(inputs)) {
      for (const value of values.slice(0, 2)) {
        const built = await side[operation](value);
        deepStrictEqual(plain(built), plain(expected[operation](value)), `${name} builds another ${operation}`);
        const { ConditionExpression } = operation === 'transaction' ? built.TransactItems[0].Put : built;
        if (/put|transaction/.test(operation)) match(ConditionExpression, /attribute_not_exists/);
      }
    }
  }
}

/** Asserts that the measured calls really validate attributes and key parts. */
function assertValidated() {
  const [post] = posts;
  for (const name of Object.keys(post)) throws(() => tablewright.put({ ...post, [name]: 1 }), { name: 'ItemError' });
  throws(() => tablewright.put({ ...post, status: 'OTHER' }), { name: 'ItemError' });
  throws(() => tablewright.put({ ...post, publishedAt: 'yesterday' }), { name: 'ItemError' });
  throws(() => tablewright.get({ postId: 'a#b' }), { name: 'KeyError' });
  throws(() => tablewright.query({ subcategoryId: '' }), { name: 'KeyError' });
  throws(() => tablewright.batchGet(['a', 'b#c']), { name: 'KeyError' });
  throws(() => tablewright.batchWrite([post, { ...post, postId: 'other', status: 'OTHER' }]), { name: 'ItemError' });
  throws(() => tablewright.batchWrite([post, post]), { name: 'ItemError', message: /write the same item/ });
  throws(() => tablewright.transaction({ post, formerId: '' }), { name: 'KeyError' });
}

/**
 * Removes placeholder names and a library's own bookkeeping attributes from a request, so that only its meaning
 * remains.
 */
function plain({ RequestItems, TransactItems, ...input }) {
  if (RequestItems !== undefined) {
    const [[table, { Keys, ...requests }]] = Object.entries(RequestItems);
    return { table, asked: Keys ?? Object.values(requests).map(({ PutRequest }) => plainOne(PutRequest)) };
  }
  if (TransactItems === undefined) return plainOne(input);
  return TransactItems.map(({ Put, Delete }) => ({ Put: Put && plainOne(Put), Delete: Delete && plainOne(Delete) }));
}

function plainOne(input) {
  const { TableName, IndexName, Key, Item, Limit, ScanIndexForward, KeyConditionExpression = '' } = input;
  const words = { ...input.ExpressionAttributeNames, ...input.ExpressionAttributeValues };
  const condition = KeyConditionExpression.replace(/[#:]\w+/g, (word) => words[word]);
  const own = Object.entries(Item ?? {}).filter(([name]) => !name.startsWith('__edb'));
  return {
    ...{ TableName, IndexName, Key, Limit, ScanIndexForward },
    Item: Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1))),
    condition: condition.replace(/[()]/g, ' ').replace(/\s+/g, ' ').toLowerCase().trim(),
  };
}

/**
 * Builds requests for all patterns of the blog, because a real program also uses entities other than posts, and because
 * a side might be fast only while it repeats a single operation.
 */
function useAllPatterns() {
  const patterns = requests(blog.tables.blog, 'blog-prod-blog');
  const { put } = entities(blog.tables.blog, 'blog-prod-blog');
  const names = JSON.stringify(blog.tables.blog.patterns).matchAll(/<(\w+)/g);
  const values = {
    ...Object.fromEntries(Array.from(names, ([, name]) => [name, `a-${name}`])),
    ...posts[0],
    role: 'AUTHOR',
  };
  const { postId, authorId, createdAt, updatedAt } = posts[0];
  const times = { createdAt, updatedAt };
  for (let i = 0; i < 2_000; i++) {
    for (const [name, pattern] of Object.entries(blog.tables.blog.patterns)) {
      if ('returns' in pattern) last = patterns[name](values);
    }
    last = put('User', { cognitoSub: authorId, role: 'AUTHOR', name: 'Ana', email: 'ana@example.com', ...times });
    last = put('Bookmark', { userId: authorId, postId, createdAt, updatedAt: createdAt });

    last = put('Category', { categoryId: 'news', order: i % 100, ...times });
    last = put('Comment', { commentId: `comment-${i}`, postId, authorId, content: 'A comment.', ...times });
    last = put('Reply', { replyId: `reply-${i}`, parentId: 'comment', postId, authorId, ...times });
  }
}
