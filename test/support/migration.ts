import type { PhysicalTable } from '../../lib/blueprint/physical-table';
import { blueprint } from '../../lib/blueprint/table';
import type { TableDesign } from '../../lib/design/table';
import type { Connection } from '../../lib/dynamodb/engine/connection';
import { storedItem } from '../../lib/dynamodb/migration/stored';
import { tableRequests } from '../../lib/dynamodb/template/create-table';
import { templateOf } from '../../lib/dynamodb/template/make';
import { designOf, type Lock, lockOf, migrationFor, planFor } from '../../lib/evolve';
import { type Item, makeItem } from '../../lib/items/item';
import { deployed, deployedTable, thirteen } from '../fixtures/changes';

export const lock = lockOf(deployed, { environment: 'prod' });

/** Returns one of the thirteen changes, with its plan and its migration. */
export function changeNamed(name: string) {
  const change = thirteen.find((one) => one.name === name);
  if (change === undefined) throw new Error(`there is no change '${name}'`);
  const plan = planFor(lock, change.after, change.answers);
  return { plan, migration: migrationFor(plan, lock, change.after), ...change };
}

export type Plain = Record<string, unknown>;

/** Returns an item as a release writes it. */
export function itemOf(design: TableDesign, entity: string, values: object): Item {
  const plan = blueprint(design);
  const found = plan.entities.find(({ name }) => name === entity);
  if (found === undefined) throw new Error(`there is no entity '${entity}'`);
  return makeItem(plan, found, values);
}

export const postOf = (id: string, title = `Title of ${id}`, design: TableDesign = deployedTable): Item =>
  itemOf(design, 'Post', { postId: id, category: 'news', publishedAt: '2026-01-02T03:04:05Z', title });

/** Creates a table as a lock or a plan's phase describes it. */
export async function createTable({ core, client }: Connection, TableName: string, table: PhysicalTable) {
  const [requests] = tableRequests(templateOf({ [TableName]: { ...table, name: TableName } }));
  await client.send(new core.CreateTableCommand(requests?.create as never));
}

/** Writes many items at once. */
export async function seed({ core, client }: Connection, TableName: string, items: readonly Item[]) {
  for (let i = 0; i < items.length; i += 25) {
    const puts = items.slice(i, i + 25).map((item) => ({ PutRequest: { Item: storedItem(item) } }));
    await client.send(new core.BatchWriteItemCommand({ RequestItems: { [TableName]: puts } }));
  }
}

export const oldDesign = (of: Lock = lock) => designOf(of);
