import { plainItem } from '../../../../lib/dynamodb/attribute-values';
import type { Connection } from '../../../../lib/dynamodb/engine/connection';
import { dynamoDbClient } from '../../../../lib/dynamodb/engine/connection';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { exactly } from '../../../../lib/dynamodb/engine/exact';
import { dynamoStates } from '../../../../lib/dynamodb/migration/states';
import { dynamoStore } from '../../../../lib/dynamodb/migration/store';
import { migrationFor, type Plan } from '../../../../lib/evolve';
import { type RunOptions, runMigration } from '../../../../lib/evolve/migration/run/run';
import type { StateStore } from '../../../../lib/evolve/migration/run/store';
import type { SystemDesign } from '../../../../lib/index';
import type { Item } from '../../../../lib/items/item';
import { deployedTable } from '../../../fixtures/changes';
import { changeNamed, createTable, itemOf, lock, postOf, seed } from '../../../support/migration';

let engine: Database;
export let connection: Connection;
export let states: StateStore;
let count = 0;

/** Starts the engine that all tests of a file share. */
beforeAll(async () => {
  engine = await embeddedEngine();
  connection = await dynamoDbClient(engine.endpoint, undefined, engine.credentials);
  states = (await dynamoStates(connection, undefined, true)) as StateStore;
});
afterAll(async () => {
  connection.client.destroy();
  await engine.stop();
});

const shownKey = ({ PK, SK }: Item) => `${PK} ${SK}`;
export const allIn = async (TableName: string): Promise<Item[]> => {
  const { Items = [] } = await connection.client.send(new connection.core.ScanCommand({ TableName }));
  return Items.map((item) => plainItem(item as never)).sort((a, b) => (shownKey(a) < shownKey(b) ? -1 : 1));
};

/** Creates and fills the tables for a design change, and returns everything that a test needs to run the migration. */
export async function scene(
  change: string | { readonly after: SystemDesign; readonly plan: Plan },
  items: readonly Item[],
  pageSize = 3,
) {
  const { plan, migration, after } =
    typeof change === 'string'
      ? changeNamed(change)
      : { ...change, migration: migrationFor(change.plan, lock, change.after) };
  const suffix = `-${++count}`;
  const names: Record<string, string> = {};
  for (const [table, physical] of Object.entries(
    plan.phases.find(({ kind }) => kind === 'backfill' || kind === 'switch')?.tables ?? {},
  )) {
    names[table] = `${table}${suffix}`;
    await createTable(connection, names[table], physical);
  }
  await seed(connection, names.blog as string, items);
  const store = dynamoStore({ database: exactly(connection), migration, names, pageSize });
  const writing = { states, id: `test${suffix}` };
  const base = { migration, store, phase: 'fill' as const, step: 'backfill' };
  const run = (options: Partial<RunOptions> = {}) => runMigration({ ...base, writing, lease: 2000, ...options });
  return { names, store, run, base, migration, plan, after, id: writing.id, blog: names.blog as string };
}

export const posts = (n: number) => Array.from({ length: n }, (_, i) => postOf(`p${i}`));
export const comment = itemOf(deployedTable, 'Comment', { postId: 'p1', commentId: 'c1', text: 'hi' });
