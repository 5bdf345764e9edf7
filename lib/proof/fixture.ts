import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../blueprint/outline';
import { guardsOf } from '../blueprint/unique';
import type { TableDesign } from '../design/table';
import { keyText } from '../items/cursor';
import { type Item, ItemError, readItem } from '../items/item';
import { guardItem } from '../items/writers';
import { NOW } from './cases';
import type { ProofInput } from './prove';
import { itemOf, type Samples, samplesOf } from './stored';
import { type AnyDatabase, deployedName, type Run, systemTables } from './tables';

/** Measurements of a request that a case sent. */
export interface Request {
  readonly isRead: boolean;
  readonly limit?: number;
  readonly units?: number;
  /** The items that the request found: as stored, or as returned by an index or a selection. */
  readonly found: readonly Item[];
}

/** The tables on which cases run, filled with the example items. */
export interface Fixture {
  readonly patterns: Readonly<Record<string, Run>>;
  /** Whether a read of several keys sends one request per key. */
  readonly readsOneByOne: boolean;
  /** An example item as a read returns it; Azure Tables, for instance, does not store null. */
  stored(table: string, item: Item, entity: string): Item;
  /** Resets the tables, so that they contain only the example items. */
  reset(): Promise<void>;
  /** Drops only the tables that this fixture created. */
  drop(): Promise<void>;
}

/**
 * Returns a fixture that creates the tables in this database as they would be deployed.
 * @param seen called with every request that a pattern sends
 */
export function fixtureIn(
  database: AnyDatabase,
  { system, cases, template, environment }: Omit<ProofInput, 'started'>,
  seen: (request: Request) => void,
): Fixture {
  const nameOf = (table: string) => deployedName(system, environment, table);
  const tableOf = new Map(Object.keys(system.tables).map((table) => [nameOf(table), table]));
  const tables = systemTables(
    system,
    database,
    nameOf,
    ({ read, ...request }) => {
      const found = read.flatMap(({ tableName, items }) =>
        items.map((one) => tables.item(tableOf.get(tableName) ?? '', one)),
      );
      seen({ ...request, found });
    },
    { onUnknown: 'throw', clock: () => Date.parse(NOW) },
  );
  const { patterns, stored, item, names, rows, readsOneByOne } = tables;
  let made: readonly string[] = [];
  /** The contents of each filled table. */
  const filled = new Map<string, readonly Item[]>();

  async function drop(): Promise<void> {
    filled.clear();
    for (const tableName of made)
      await database.drop(tableName).catch((error: Error) => {
        if (error.name !== 'ResourceNotFoundException') throw error;
      });
    made = [];
  }

  async function fill(table: string, design: TableDesign): Promise<void> {
    const examples = examplesOf(outline(design), samplesOf(cases, table), (one, entity) => rows(table, one, entity));
    const put = async (all: readonly (typeof examples)[number][]) => {
      for (const tableName of names) {
        const own = all.flatMap((example) => example.rows.filter((row) => row.tableName === tableName));
        if (own.length > 0)
          await database.put(
            tableName,
            own.map((row) => row.item),
          );
      }
    };
    await put(examples).catch(async () => {
      // Puts items one by one, so that the error identifies the refused item.
      for (const example of examples) await put([example]).catch((error: Error) => refuse(example.name, error));
    });
  }

  return {
    patterns,
    readsOneByOne,
    stored: (table, example, entity) => item(table, stored(table, example, entity)),
    async reset() {
      if (filled.size > 0) {
        for (const [tableName, items] of filled) await database.restore(tableName, items);
        return;
      }
      await drop();
      made = await database.provision(template as never);
      for (const [table, design] of Object.entries(system.tables)) await fill(table, design);
      for (const tableName of names) {
        const items: Item[] = [];
        for await (const one of database.scan(tableName)) items.push(one);
        filled.set(tableName, items);
      }
    },
    drop,
  };
}

type Rows = ReturnType<ReturnType<typeof systemTables>['rows']>;

/** Returns a table's initial items in their stored form, each with its name. Throws if two items have the same key. */
export function examplesOf(
  table: TableOutline,
  { items, documented }: Samples,
  rows: (item: Item, entity: string) => Rows,
): readonly { readonly name: string; readonly rows: Rows }[] {
  const taken = new Set<string>();
  const example = (name: string, entity: string, make: () => Item) => {
    try {
      const item = make();
      const key = keyText(Object.fromEntries(keyOf(table.key).map((part) => [part.name, item[part.name]])));
      if (taken.has(key)) throw new ItemError('another item has the same key');
      taken.add(key);
      return { name, rows: rows(item, entity) };
    } catch (error) {
      return refuse(name, error as Error);
    }
  };
  return [
    ...Object.entries(items).flatMap(([name, sample]) => {
      const own = example(name, sample[0], () => itemOf(table, sample));
      // A documented item has no guard, unless the document shows one.
      const entity = entityNamed(table, sample[0]);
      const beside = guardsOf(table, entity).map((guard) =>
        example(`${name} (the guard for its unique value '${guard.guards.unique}')`, guard.name, () =>
          guardItem(table, guard, readItem(table, entity as EntityOutline, itemOf(table, sample))),
        ),
      );
      return [own, ...beside];
    }),
    ...Object.entries(documented).map(([name, { entity, item }]) => example(name, entity, () => item)),
  ];
}

/** Rethrows an error with the item's name in its message. */
function refuse(item: string, error: Error): never {
  throw Object.assign(new Error(`item '${item}': ${error.message}`, { cause: error }), { name: error.name });
}
