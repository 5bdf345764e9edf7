import { physicalTable } from '../../../../lib/blueprint/physical-table';
import { compareTable, describeDifferences } from '../../../../lib/dynamodb/template/differences';
import { tablesIn } from '../../../../lib/dynamodb/template/tables';
import { deployedTable } from '../../../fixtures/changes';

const keyed = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' as const },
  { AttributeName: sort, KeyType: 'RANGE' as const },
];
const PROPERTIES = {
  KeySchema: keyed('PK', 'SK'),
  AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
  GlobalSecondaryIndexes: [
    { IndexName: 'GSI1', KeySchema: keyed('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } },
  ],
  TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
};

/** Returns the differences between the blog's design and its template with the given properties changed. */
function linesOf(properties: Partial<typeof PROPERTIES>): string {
  const Resources = { Blog: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { ...PROPERTIES, ...properties } } };
  return tablesIn({ Resources })
    .map((table) => describeDifferences([...compareTable('blog', physicalTable(deployedTable), table)]))
    .join();
}

test('reports no differences for a table that matches its design', () => {
  expect(linesOf({})).toBe('');
});

test.each([
  [
    'a missing index',
    { GlobalSecondaryIndexes: [] },
    'blog.indexes.GSI1: expected an index with key GSI1PK (string), GSI1SK (string), got no such index',
  ],
  ['another key', { KeySchema: keyed('PK', 'GSI1SK') }, 'blog.key.sort: expected SK (string), got GSI1SK (string)'],
  [
    'a TTL that is off',
    { TimeToLiveSpecification: { Enabled: false, AttributeName: 'expires' } },
    'blog.ttl: expected expires, got no TTL',
  ],
])('reports %s with its path, the expected value and the actual value', (_, properties, line) => {
  expect(linesOf(properties)).toBe(line);
});
