import { type IndexBlueprint, keyOf } from '../blueprint/outline';
import { indexNamed, keyAttributesOf, type PhysicalTable } from '../blueprint/physical-table';
import type { Database, TableChange } from '../dynamodb/engine/database';
import { compareTable } from '../dynamodb/template/differences';
import { resourceOf } from '../dynamodb/template/make';
import type { TableProperties } from '../dynamodb/template/tables';

/** What happened to a table when the design was applied. */
export type Outcome = 'made' | 'kept' | 'changed' | 'refilled' | 'recreated';

/**
 * Seconds by which to advance the embedded engine's clock before a TTL change, because DynamoDB allows only one TTL
 * change per hour.
 */
const TTL_PAUSE = 3_600;

/**
 * Creates a table, or changes it in place and keeps its items. Recreates the table only for a change that DynamoDB does
 * not support: a change to the key, a local index, or the type of a key attribute.
 */
export async function bringTable(
  database: Database,
  before: PhysicalTable | undefined,
  after: PhysicalTable,
): Promise<Outcome> {
  const name = after.name as string;
  const make = () => database.provision({ Resources: { [name]: resourceOf(after) } });
  if (before === undefined) {
    await make();
    return 'made';
  }
  if (!canChange(before, after)) {
    await database.drop(name);
    await make();
    return 'recreated';
  }
  const changes = [...changesBetween(before, after)];
  for (const change of changes) {
    if (change.ttl !== undefined) database.pass?.(TTL_PAUSE);
    await database.alter(change);
  }
  return changes.length === 0 ? 'kept' : 'changed';
}

function canChange(before: PhysicalTable, after: PhysicalTable): boolean {
  const fixed = ({ key, indexes }: PhysicalTable) => ({ key, indexes: indexes.filter(({ local }) => local) });
  const types = new Map(keyAttributesOf(before).map(({ name, type }) => [name, type]));
  const isRetyped = keyAttributesOf(after).some(({ name, type }) => (types.get(name) ?? type) !== type);
  return !isRetyped && isSame(fixed(before), fixed(after));
}

function isSame(before: PhysicalTable, after: PhysicalTable): boolean {
  return compareTable('', after, before)[Symbol.iterator]().next().done === true;
}

function* changesBetween(before: PhysicalTable, after: PhysicalTable): Iterable<TableChange> {
  const TableName = after.name as string;
  const { key } = after;
  const has = ({ indexes }: PhysicalTable, index: IndexBlueprint) => {
    const own = indexNamed({ indexes }, index.name);
    return own !== undefined && isSame({ key, indexes: [own] }, { key, indexes: [index] });
  };
  for (const index of before.indexes.filter((one) => !has(after, one)))
    yield { table: { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: index.name } }] } };
  const { AttributeDefinitions = [], GlobalSecondaryIndexes = [] } = resourceOf(after).Properties as TableProperties;
  for (const index of after.indexes.filter((one) => !has(before, one))) {
    const names = keyOf(index).map(({ name }) => name);
    yield {
      table: {
        TableName,
        AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }) => names.includes(AttributeName)),
        GlobalSecondaryIndexUpdates: [
          { Create: GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === index.name) },
        ],
      },
    };
  }
  const ttl = (AttributeName: string, Enabled: boolean) => ({
    ttl: { TableName, TimeToLiveSpecification: { AttributeName, Enabled } },
  });
  if (before.ttl !== undefined && before.ttl !== after.ttl) yield ttl(before.ttl, false);
  if (after.ttl !== undefined && before.ttl !== after.ttl) yield ttl(after.ttl, true);
  const [was, is] = [before.stream ?? undefined, after.stream ?? undefined];
  if (was !== undefined && was !== is) yield { table: { TableName, StreamSpecification: { StreamEnabled: false } } };
  if (is !== undefined && was !== is)
    yield { table: { TableName, StreamSpecification: { StreamEnabled: true, StreamViewType: is } } };
}
