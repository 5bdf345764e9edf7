import { findings, key, soundTable } from '../app';

const defined = (...names: string[]) => names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
const index = (IndexName: string, ...names: string[]) => ({
  IndexName,
  KeySchema: key(...names),
  Projection: { ProjectionType: 'ALL' },
});
const indexed = (...names: string[]) => ({
  AttributeDefinitions: defined('PK', 'SK', ...new Set(names)),
  GlobalSecondaryIndexes: [index('GSI1', ...names)],
});

describe('key-schema', () => {
  test('accepts table keys and index keys of one or two attributes', () => {
    expect(findings(soundTable(indexed('GSI1PK', 'GSI1SK')))).toEqual([]);
    expect(findings(soundTable({ KeySchema: key('PK'), AttributeDefinitions: defined('PK') }))).toEqual([]);
  });

  test('reports an attribute that is both the partition key and the sort key', () => {
    const table = { KeySchema: key('PK', 'PK'), AttributeDefinitions: defined('PK') };
    expect(findings(soundTable(table))).toEqual([
      "key-schema Stack/Table Properties.KeySchema: 'PK' is both the partition key and the sort key",
    ]);
    expect(findings(soundTable(indexed('day', 'day')))).toEqual([
      "key-schema Stack/Table Properties.GlobalSecondaryIndexes.0.KeySchema: 'day' is both the partition key and the sort key",
    ]);
  });

  const several = (partition: readonly string[], sort: readonly string[] = []) => [
    ...partition.map((AttributeName) => ({ AttributeName, KeyType: 'HASH' })),
    ...sort.map((AttributeName) => ({ AttributeName, KeyType: 'RANGE' })),
  ];
  const withIndex = (KeySchema: ReturnType<typeof several>) =>
    findings(
      soundTable({
        AttributeDefinitions: defined('PK', 'SK', ...new Set(KeySchema.map(({ AttributeName }) => AttributeName))),
        GlobalSecondaryIndexes: [{ ...index('GSI1', 'a'), KeySchema }],
      }),
    );
  const at = 'key-schema Stack/Table Properties.GlobalSecondaryIndexes.0.KeySchema:';

  test('accepts up to four partition attributes and four sort attributes in a global index', () => {
    expect(withIndex(several(['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h']))).toEqual([]);
    expect(withIndex(several(['a'], ['b', 'c']))).toEqual([]);
  });

  test('reports an index key with more than four attributes of one kind, a duplicate, or a partition attribute after a sort attribute', () => {
    expect(withIndex(several(['a', 'b', 'c', 'd', 'e']))).toEqual([`${at} the partition key has 5 attributes`]);
    expect(withIndex(several(['a', 'b', 'a']))).toEqual([`${at} 'a' is in the key twice`]);
    const turned = [...several([], ['b']), ...several(['a'])];
    expect(withIndex(turned)).toEqual([`${at} a partition attribute of the key comes after a sort attribute`]);
  });

  test('reports a table key with several partition attributes', () => {
    const table = { KeySchema: several(['PK', 'SK']), AttributeDefinitions: defined('PK', 'SK') };
    expect(findings(soundTable(table))).toEqual([
      'key-schema Stack/Table Properties.KeySchema: the partition key has 2 attributes',
    ]);
  });

  test('reports a key without a partition attribute', () => {
    expect(findings(soundTable({ KeySchema: key('PK', 'SK').slice(1), AttributeDefinitions: defined('SK') }))).toEqual([
      'key-schema Stack/Table Properties.KeySchema: the key has no partition attribute',
    ]);
  });
});

describe('attribute-definitions', () => {
  const at = 'attribute-definitions Stack/Table Properties.AttributeDefinitions:';

  test('reports a key attribute without a type, a type without a key attribute, and a type that is defined twice', () => {
    expect(findings(soundTable({ AttributeDefinitions: defined('PK') }))).toEqual([
      `${at} key attribute 'SK' has no type`,
    ]);
    expect(findings(soundTable({ AttributeDefinitions: defined('PK', 'SK', 'title') }))).toEqual([
      `${at} 'title' is defined, but is not a key attribute`,
    ]);
    expect(findings(soundTable({ AttributeDefinitions: defined('PK', 'SK', 'SK') }))).toEqual([
      `${at} 'SK' is defined 2 times`,
    ]);
  });
});

describe('ttl-attribute', () => {
  const expiring = (AttributeName: string, Enabled = true) =>
    findings(soundTable({ ...indexed('GSI1PK'), TimeToLiveSpecification: { AttributeName, Enabled } }));

  test('accepts a TTL attribute outside the keys, and a key attribute while TTL is off', () => {
    expect(expiring('ttl')).toEqual([]);
    expect(expiring('PK', false)).toEqual([]);
  });

  test.each(['PK', 'SK', 'GSI1PK'])('reports a TTL attribute that is the key attribute %s', (name) => {
    expect(expiring(name)).toEqual([
      `ttl-attribute Stack/Table Properties.TimeToLiveSpecification: '${name}' is a key attribute`,
    ]);
  });
});

describe('illegal-name', () => {
  test('accepts a table name that is known only at deployment', () => {
    expect(findings(soundTable({ TableName: { Ref: 'Name' } }))).toEqual([]);
  });

  test('reports a table, an index or an attribute with an illegal name', () => {
    expect(findings(soundTable({ TableName: 'a b' }))).toEqual([
      "illegal-name Stack/Table Properties.TableName: 'a b' is not a legal table name",
    ]);
    const GlobalSecondaryIndexes = [index('by day', 'SK')];
    expect(findings(soundTable({ GlobalSecondaryIndexes }))).toEqual([
      "illegal-name Stack/Table Properties.GlobalSecondaryIndexes.0.IndexName: 'by day' is not a legal index name",
    ]);
    const long = 'k'.repeat(256);
    expect(findings(soundTable({ KeySchema: key(long), AttributeDefinitions: defined(long) }))).toEqual([
      `illegal-name Stack/Table Properties.KeySchema: '${long}' is not a legal attribute name`,
    ]);
  });
});
