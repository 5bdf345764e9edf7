import { isMultiAttribute } from '../../blueprint/outline';
import type { IndexBlueprint } from '../../blueprint/table';
import { plainItem } from '../../dynamodb/attribute-values';
import type { Database, TableChange } from '../../dynamodb/engine/database';
import { through } from '../../dynamodb/engine/stored';
import { readKey, tablesIn } from '../../dynamodb/template/tables';
import type { Item } from '../../items/item';
import { guarded } from './guard';

/** How many seconds DynamoDB takes to fill an index, and for how many seconds it refuses a second TTL change. */
export const SECONDS = { backfill: 300, ttl: 3600 } as const;

/**
 * A database that is as strict as DynamoDB: it also refuses requests that an embedded engine would allow. Time passes
 * only when `pass` is called.
 */
export interface StrictDatabase extends Database {
  /** Lets the given number of seconds pass. */
  pass(seconds: number): void;
  /** Describes the pending changes, such as an index that is being filled or a TTL setting that is being switched. */
  pending(): readonly string[];
  /** The attribute on which TTL is enabled; undefined if TTL is off. */
  ttlOf(tableName: string): string | undefined;
  /** The names of a table's indexes. */
  indexesOf(tableName: string): readonly string[];
  /** The reason why DynamoDB would refuse a change right now; undefined if it would accept the change. */
  refusalOf(change: TableChange): string | undefined;
}

/** A table that this database created. */
interface StrictTable {
  /** A withheld index exists only in this list, because the database could not create the index. */
  readonly indexes: readonly (IndexBlueprint & { readonly withheld?: boolean })[];
  readonly ttl?: string | undefined;
  /** The time of the last TTL change. */
  readonly ttlAt: number;
  /** The time at which each index that is still being filled will be ready. */
  readonly filling: ReadonlyMap<string, number>;
}

interface IndexUpdate {
  readonly Create?: { readonly IndexName: string; readonly KeySchema: Parameters<typeof readKey>[0] };
  readonly Delete?: { readonly IndexName: string };
}

/**
 * @param lacksMultiAttributeKeys whether the database does not support multi-attribute index keys. If so, indexes with
 * such keys are not created, and no proof reads them
 */
export function strictDatabase(database: Database, lacksMultiAttributeKeys = false): StrictDatabase {
  const tables = new Map<string, StrictTable>();
  let now = 0;
  const fillingIn = ({ filling }: StrictTable) =>
    [...filling].filter(([, until]) => until > now).map(([index]) => index);
  const named = (tableName: unknown) => {
    const found = tables.get(String(tableName));
    return found && { indexes: found.indexes, filling: fillingIn(found) };
  };

  function refusalOf({ table, ttl }: TableChange): string | undefined {
    const found = tables.get((table ?? ttl)?.TableName as string);
    if (found === undefined) return undefined;
    const [filling] = fillingIn(found);
    for (const { Create, Delete } of updatesIn(table)) {
      const touched = (Create ?? Delete)?.IndexName;
      if (filling !== undefined) return `index ${touched} cannot be created or deleted while ${filling} is CREATING`;
    }
    if (ttl === undefined) return undefined;
    const wanted = ttlIn(ttl);
    if (wanted !== undefined && found.ttl !== undefined)
      return `TTL is enabled on ${found.ttl}; disable it before enabling it on ${wanted}`;
    return now - found.ttlAt < SECONDS.ttl ? 'TTL was changed less than an hour ago' : undefined;
  }

  async function updateIndex(table: Item, update: IndexUpdate): Promise<void> {
    const TableName = table.TableName as string;
    const { indexes, filling, ...before } = tables.get(TableName) as StrictTable;
    const { Create, Delete } = update;
    const types = table.AttributeDefinitions as Parameters<typeof readKey>[1];
    const created = Create && {
      name: Create.IndexName,
      ...readKey(Create.KeySchema, types),
      projection: 'all' as const,
    };
    const removed = indexes.find(({ name }) => name === Delete?.IndexName);
    const withheld = created ? lacksMultiAttributeKeys && isMultiAttribute(created) : removed?.withheld === true;
    if (!withheld) await database.alter({ table: { ...table, GlobalSecondaryIndexUpdates: [update] } });
    tables.set(TableName, {
      ...before,
      indexes: [...indexes.filter((index) => index !== removed), ...(created ? [{ ...created, withheld }] : [])],
      filling: created ? new Map([...filling, [created.name, now + SECONDS.backfill]]) : filling,
    });
  }

  const strict = {
    ...database,
    sendExact: guarded(database.sendExact, named, plainItem as never),
    async provision(template: Parameters<Database['provision']>[0]) {
      const made = await database.provision(template);
      for (const [i, { indexes, ttl }] of tablesIn(template).entries()) {
        const ttlAt = ttl === undefined ? Number.NEGATIVE_INFINITY : now;
        tables.set(made[i] as string, { indexes, ttl, ttlAt, filling: new Map() });
      }
      return made;
    },
    async drop(tableName: string) {
      tables.delete(tableName);
      await database.drop(tableName);
    },
    async alter(change: TableChange) {
      const why = refusalOf(change);
      if (why !== undefined) throw Object.assign(new Error(why), { name: 'ValidationException' });
      const { table, ttl } = change;
      const updates = updatesIn(table);
      for (const update of updates) await updateIndex(table as Item, update);
      if (table !== undefined && updates.length === 0) await database.alter({ table });
      if (ttl === undefined) return;
      await database.alter({ ttl });
      const tableName = ttl.TableName as string;
      tables.set(tableName, { ...(tables.get(tableName) as StrictTable), ttl: ttlIn(ttl), ttlAt: now });
    },
    pass(seconds: number) {
      now += seconds;
      database.pass?.(seconds);
    },
    pending: () =>
      [...tables].flatMap(([tableName, table]) => [
        ...fillingIn(table).map((index) => `index ${index} of ${tableName} is CREATING`),
        ...(now - table.ttlAt < SECONDS.ttl
          ? [`TTL on ${tableName} is ${table.ttl === undefined ? 'DISABLING' : 'ENABLING'}`]
          : []),
      ]),
    ttlOf: (tableName: string) => tables.get(tableName)?.ttl,
    indexesOf: (tableName: string) => (tables.get(tableName)?.indexes ?? []).map(({ name }) => name),
    refusalOf,
  };
  return through(strict, guarded(database.send, named));
}

function updatesIn(table: Item | undefined): readonly IndexUpdate[] {
  return (table?.GlobalSecondaryIndexUpdates ?? []) as readonly IndexUpdate[];
}

/** The attribute on which a request enables TTL; undefined if the request disables TTL. */
function ttlIn({ TimeToLiveSpecification }: Item): string | undefined {
  const { Enabled, AttributeName } = TimeToLiveSpecification as { Enabled?: boolean; AttributeName?: string };
  return Enabled === true ? AttributeName : undefined;
}
