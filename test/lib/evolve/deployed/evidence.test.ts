import { physicalTable } from '../../../../lib/blueprint/physical-table';
import { differencesOf, seenTables } from '../../../../lib/evolve/deployed/evidence';
import { deployedTable } from '../../../fixtures/changes';

const blog = physicalTable(deployedTable);
const from = 'cdk.out';

test('reports a missing table, and a table that the plan should have deleted', () => {
  expect(differencesOf({ blog }, { from, looked: ['blog'], tables: {} })).toMatchObject([
    { place: 'blog', expected: 'a table', got: 'no such table' },
  ]);
  expect(differencesOf({}, { from, looked: ['blog'], tables: { blog } })).toMatchObject([{ got: 'a table' }]);
  expect(differencesOf({}, { from, looked: ['blog'], tables: {} })).toEqual([]);
});

test('compares streams and replicas only if both sides specify them', () => {
  const expected = { blog: { ...blog, stream: 'NEW_IMAGE', replicas: ['eu-west-1'] } };
  const seen = { from, looked: ['blog'], tables: { blog: { ...blog, stream: null, replicas: [] } } };
  expect(differencesOf(expected, seen).map(({ place }) => place)).toEqual(['blog.stream', 'blog.replicas']);
  expect(differencesOf(expected, { ...seen, tables: { blog } })).toEqual([]);
});

test('reports a table that has the expected shape but a different name or logical id', () => {
  const own = { ...blog, name: 'journal-prod-blog', logicalId: 'Blog1' };
  const seenAs = (table: object) =>
    differencesOf({ blog: own }, { from, looked: ['blog'], tables: { blog: { ...own, ...table } } });
  expect(seenAs({ name: 'shop-prod-blog' })).toEqual([
    { place: 'blog.name', expected: 'journal-prod-blog', got: 'shop-prod-blog' },
  ]);
  expect(seenAs({ logicalId: 'Blog2' })).toMatchObject([{ place: 'blog.logicalId' }]);
  // A live table has no logical id, and CloudFormation may generate the name of a table in a template.
  expect(seenAs({ name: undefined, logicalId: undefined })).toEqual([]);
});

test('treats an index that is still being created as missing', async () => {
  const describe = async () => ({
    table: {
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      GlobalSecondaryIndexes: [
        { IndexName: 'again', IndexStatus: 'CREATING', KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }] },
      ],
    },
  });
  const seen = await seenTables(['journal-prod-blog'], { name: 'journal' }, 'prod', ['blog', 'tags'], describe);
  expect(seen).toMatchObject({
    looked: ['blog'],
    waiting: [{ place: 'blog.indexes.again', expected: 'ACTIVE', got: 'CREATING' }],
  });
  expect(differencesOf(seen.tables, seen)).toHaveLength(1);
});

test('asks which table is meant if a table name is ambiguous', async () => {
  const named = seenTables(['other'], { name: 'journal' }, 'prod', ['blog', 'tags'], async () => undefined);
  await expect(named).rejects.toThrow(
    "which table of 'journal' is 'other'? Its name must have one of these endings: -blog, -tags",
  );
});
