import type { SystemDesign } from '../../../lib/design/system';
import { explore } from '../../../lib/explore/system';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { salesCases, salesSystem } from '../proof/sales';

const seen = (name: string) => explore(systems[name] as SystemDesign, cases[name]);

test.each(Object.keys(systems))('the view of %s is complete, and survives a JSON round trip', (name) => {
  const { view } = seen(name);
  expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  expect(view.problems).toEqual([]);
  expect(view.tables.map((table) => table.name)).toEqual(Object.keys(systems[name]?.tables ?? {}));
  for (const { patterns } of view.tables)
    expect(
      // Only `procedureOnly` patterns may have a problem with their grants.
      patterns.filter(({ grant: { problem = 'procedureOnly' } }) => !problem.includes('procedureOnly')),
    ).toEqual([]);
});

test("the view of the blog shows the items stored under a post, the index that lists an author's posts, and a reader's permissions", () => {
  const { view, items } = seen('blog');
  const [table] = view.tables;
  const under = items
    .get('blog')
    ?.in(undefined)
    .partitions.find(({ key }) => key === 'POST#p1');
  expect([...new Set(under?.rows.map(({ entity }) => entity))]).toEqual(['Comment', 'Reply', 'Like', 'Post']);
  const posts = table?.places[0]?.collections.find(({ entities }) => entities.some(({ name }) => name === 'Post'));
  expect(posts).toMatchObject({
    partitions: [[{ text: 'POST#' }, { text: '<postId>', part: 'postId' }]],
    entities: [{ name: 'Post' }, { name: 'Comment' }, { name: 'Reply' }, { name: 'Like' }],
  });
  expect(table?.places.find(({ index }) => index === 'GSI2')?.readBy).toContain('postsByAuthor');
  const pattern = (name: string) => table?.patterns.find((one) => one.name === name);
  expect(pattern('postsByAuthor')?.accesses[0]?.index).toBe('GSI2');
  expect(pattern('postsByCategory')?.grant.lines).toEqual([
    { may: 'Query', on: 'blog / GSI1', within: expect.stringContaining('CATEGORY#*') },
  ]);
});

test('an Azure system grants roles and has no Azure equivalent; a DynamoDB system has one, with notes on the differences', () => {
  const azure = seen('controle-pgm').view;
  expect(azure.equivalent).toBeUndefined();
  const grants = azure.tables.flatMap(({ patterns }) => patterns.flatMap(({ grant }) => grant.lines));
  expect(new Set(grants.map(({ may }) => may))).toEqual(
    new Set(['Storage Table Data Reader', 'Storage Table Data Contributor']),
  );
  const equivalent = seen('blog').view.equivalent;
  // The table, its three indexes, and a mirrored table for each index that is read in descending order.
  expect(equivalent?.tables).toHaveLength(7);
  // A note appears only once, with all of its places.
  expect(equivalent?.notes.flatMap(({ paths }) => paths)).toHaveLength(30);
  expect(new Set(equivalent?.notes.map(({ message, fix }) => message + fix)).size).toBe(equivalent?.notes.length);
});

test("an acknowledged finding appears at its place, with its cause and the user's reason", () => {
  const { acknowledged } = seen('blog').view;
  expect(acknowledged).toContainEqual(
    expect.objectContaining({
      rule: 'hot-partition',
      table: 'blog',
      entity: 'Post',
      why: expect.stringMatching(/./),
      reason: expect.stringContaining('which every visitor reads'),
    }),
  );
});

test('a design that cannot be read shows only its findings', () => {
  const broken = { name: 'broken', cloud: 'aws', tables: { t: { name: 't', key: { partition: 'PK' } } } };
  const { view } = explore(broken as unknown as SystemDesign);
  expect(view.findings[0]?.severity).toBe('error');
  expect(view.tables).toEqual([]);
  expect(view.problems[0]).toMatch(/^table 't' cannot be shown: /);
});

test('the view lists all attributes of a multi-attribute key, and shows how a pattern restricts each of them', () => {
  const { view } = explore(salesSystem as SystemDesign, salesCases);
  const [table] = view.tables;
  const byRegion = table?.places.find(({ index }) => index === 'byRegion');
  expect(byRegion).toMatchObject({ partition: ['tenantId', 'region'], sort: ['status', 'createdAt', 'amount'] });
  const ofDay = table?.patterns.find(({ name }) => name === 'ofDay');
  expect(ofDay?.accesses[0]).toMatchObject({
    partition: [{ attribute: 'tenantId' }, { attribute: 'region' }, { attribute: 'status' }],
    range: { attribute: 'createdAt', relation: 'begins with' },
  });
});
