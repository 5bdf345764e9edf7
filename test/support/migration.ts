import { type KeySides, keyOfSides } from '../../lib/blueprint/keys';
import { blueprint, keyOf } from '../../lib/blueprint/table';
import type { TableDesign } from '../../lib/design/table';
import type { Connection } from '../../lib/dynamodb/engine/connection';
import { storedItem } from '../../lib/dynamodb/migration/stored';
import { designOf, type Lock, lockOf, migrationFor, planFor } from '../../lib/evolve';
import type { TableResources } from '../../lib/evolve/lock/lock';
import { type Item, makeItem } from '../../lib/items/item';
import { deployed, deployedTable, thirteen } from '../fixtures/changes';

export const lock = lockOf(deployed, { environment: 'prod' });

/** The plan of one of the thirteen changes, and the migration of its items. */
export function changeNamed(name: string) {
  const change = thirteen.find((one) => one.name === name);
  if (change === undefined) throw new Error(`there is no change '${name}'`);
  const plan = planFor(lock, change.after, change.answers);
  return { plan, migration: migrationFor(plan, lock, change.after), ...change };
}

export type Plain = Record<string, unknown>;

/** An item as a release writes it. */
export function itemOf(design: TableDesign, entity: string, values: object): Item {
  const plan = blueprint(design);
  const found = plan.entities.find(({ name }) => name === entity);
  if (found === undefined) throw new Error(`there is no entity '${entity}'`);
  return makeItem(plan, found, values);
}

export const postOf = (id: string, title = `Title of ${id}`, design: TableDesign = deployedTable): Item =>
  itemOf(design, 'Post', { postId: id, category: 'news', publishedAt: '2026-01-02T03:04:05Z', title });

/** Makes a table with the key and the indexes that a lock or a phase of a plan gives it. */
export async function createTable({ core, client }: Connection, TableName: string, resources: TableResources) {
  const keys = [resources, ...Object.values(resources.indexes).map((index) => ({ key: index }))].map(({ key }) => key);
  const attributes = new Map(keys.flatMap((key) => keyOf(keyOfSides(key))).map((one) => [one.name, one.type]));
  const schema = (key: KeySides) => {
    const { partitionBy, sortBy } = keyOfSides(key);
    return [
      ...partitionBy.map(({ name }) => ({ AttributeName: name, KeyType: 'HASH' as const })),
      ...sortBy.map(({ name }) => ({ AttributeName: name, KeyType: 'RANGE' as const })),
    ];
  };
  const TYPES = { string: 'S', number: 'N', binary: 'B' } as const;
  const indexes = Object.entries(resources.indexes).map(([IndexName, index]) => ({
    IndexName,
    KeySchema: schema(index),
    Projection: { ProjectionType: 'ALL' as const },
  }));
  await client.send(
    new core.CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [...attributes].map(([AttributeName, type]) => ({
        AttributeName,
        AttributeType: TYPES[type],
      })),
      KeySchema: schema(resources.key),
      ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
    }),
  );
}

/** Writes many items at once. */
export async function seed({ core, client }: Connection, TableName: string, items: readonly Item[]) {
  for (let i = 0; i < items.length; i += 25) {
    const puts = items.slice(i, i + 25).map((item) => ({ PutRequest: { Item: storedItem(item) } }));
    await client.send(new core.BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  }
}

export const oldDesign = (of: Lock = lock) => designOf(of);
