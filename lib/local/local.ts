import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { connectionStringOf } from '../azure-tables/engine/account';
import type { AzureDatabase } from '../azure-tables/engine/database';
import { stackOfTables } from '../azure-tables/terraform';
import { outline } from '../blueprint/outline';
import { type PhysicalTable, type PhysicalTables, physicalTable } from '../blueprint/physical-table';
import { assertSound } from '../check';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Database } from '../dynamodb/engine/database';
import type { EmbeddedDatabase } from '../dynamodb/engine/embedded';
import { faultIn } from '../evolve/deployed/sample';
import { asDescribed, describeWith } from '../evolve/deployed/stack';
import { systemOf } from '../evolve/lock/make';
import { type Item, showKey } from '../items/item';
import type { CasesOf, SystemCases } from '../proof/cases';
import { examplesOf } from '../proof/fixture';
import { samplesOf } from '../proof/stored';
import { type AnyDatabase, deployedName, systemTables } from '../proof/tables';
import { followStreams, type StreamHandler } from './streams';
import { bringTable, type Outcome } from './tables';

export interface LocalOptions {
  /** The environment name in the table names. @default 'dev' */
  readonly environment?: string;
  /** The port on which the engine listens. @default - a free port */
  readonly port?: number;
  /**
   * The folder in which the items are kept; only new tables are filled from the cases.
   * @default - the engine keeps items in memory
   */
  readonly data?: string;
  /**
   * Receives the changes of all tables, like a Lambda function behind their streams.
   * @default - changes are not reported
   */
  readonly onChange?: StreamHandler;
  /** Receives any error from `onChange` or from a stream. @default - console.error */
  readonly onFailure?: (error: unknown) => void;
}

/** A local engine with the tables of a system. */
export interface Local<D extends AnyDatabase = AnyDatabase> {
  readonly database: D;
  /** The `send` function to pass to `client` or `requests`. */
  readonly send: D['send'];
  /** The environment variables that point another program's SDK to these tables. */
  readonly env: Readonly<Record<string, string>>;
  /** The deployed name of a table, under which the engine stores it. */
  tableName(table: string): string;
  /**
   * Updates the tables to a new version of the design: creates new tables and fills them from the cases, and changes
   * existing tables in place, keeping their items. If a table has only the items of the cases, and these items have
   * changed, replaces them. Recreates a table if a change requires it. Returns the outcome for each table.
   * @param tables the tables at one step of a plan; by default, the design's tables
   */
  bring(cases: CasesOf, tables?: PhysicalTables): Promise<Readonly<Record<string, Outcome>>>;
  /**
   * Returns the items of a table that do not fit the design, for example because the design would store them under
   * other keys.
   */
  misfits(table: string): Promise<readonly Misfit[]>;
  /** Resets every table to exactly the items of its cases. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export interface Misfit {
  readonly key: string;
  readonly why: string;
}

type Designed = TableDesign | SystemDesign | CasesOf;

/** The type of database for a design's cloud. */
type DatabaseFor<D> = D extends { readonly cloud: infer C } | { readonly system: { readonly cloud: infer C } }
  ? C extends 'azure'
    ? AzureDatabase
    : Database
  : Database;

/**
 * Starts an engine on this machine, with the design's tables under their deployed names, filled with the items of the
 * design's cases. The engine needs no account, no container and no Java.
 */
export async function startLocal<const D extends Designed>(
  designed: D,
  options: LocalOptions = {},
): Promise<Local<DatabaseFor<D>>> {
  const cases = casesOf(designed);
  const local = await emptyLocal(cases.system, options);
  try {
    await local.bring(cases);
  } catch (error) {
    await local.stop();
    throw error;
  }
  return local as Local<DatabaseFor<D>>;
}

/** Starts the engine for a system's cloud, without tables. */
export async function emptyLocal({ cloud }: SystemDesign, options: LocalOptions): Promise<Local> {
  return localIn<AnyDatabase>(await (cloud === 'azure' ? startAzure(options) : startAws(options)), options);
}

/** Returns the given cases, or an empty set of cases for a design without cases. */
export function casesOf(designed: Designed): CasesOf {
  if ('system' in designed) return designed as CasesOf;
  return { system: systemOf(designed as TableDesign | SystemDesign), tables: {} };
}

async function startAws({ port, data }: LocalOptions): Promise<EmbeddedDatabase> {
  const { embeddedEngine } = await import('../dynamodb/engine/embedded');
  return embeddedEngine({
    ...(port === undefined ? {} : { port }),
    ...(data === undefined ? {} : { file: join(folderAt(data), 'dynamodb.db') }),
  });
}

async function startAzure({ port, data }: LocalOptions): Promise<AzureDatabase> {
  const { azuriteEngine } = await import('../azure-tables/engine/azurite');
  return azuriteEngine({
    ...(port === undefined ? {} : { port }),
    ...(data === undefined ? {} : { folder: folderAt(join(data, 'azurite')) }),
  });
}

/** Creates a folder that other users of the machine cannot read. */
function folderAt(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

/** Manages the tables of a system in an existing database. */
export function localIn<D extends AnyDatabase>(database: D, options: LocalOptions = {}): Local<D> {
  const { environment = 'dev', onChange, onFailure = console.error } = options;
  let current: CasesOf | undefined;
  let unfollow = async () => {};
  const nameOf = (table: string) => deployedName((current as CasesOf).system, environment, table);

  async function storedIn(tableName: string): Promise<readonly Item[]> {
    const items: Item[] = [];
    for await (const item of database.scan(tableName)) items.push(item);
    return items;
  }

  /** The items that each table was filled with, and the same items as the database returned them. */
  const fillings = new Map<string, { readonly items: readonly Item[]; readonly stored: readonly Item[] }>();

  async function fill(table: string, items: readonly Item[]): Promise<void> {
    const name = nameOf(table);
    await database.restore(name, items);
    fillings.set(name, { items, stored: await storedIn(name) });
  }

  /** Whether a table has only the items that it was filled with. */
  async function isUntouched(table: string): Promise<boolean> {
    const filling = fillings.get(nameOf(table));
    if (filling === undefined) return false;
    const now = await storedIn(nameOf(table));
    return isDeepStrictEqual(new Set(now), new Set(filling.stored));
  }

  /** The items of the cases that untouched tables need, because the items of the cases have changed. */
  async function refillings(cases: CasesOf): Promise<ReadonlyMap<string, readonly Item[]>> {
    const needed = new Map<string, readonly Item[]>();
    for (const table of Object.keys(cases.system.tables)) {
      if (!(await isUntouched(table))) continue;
      const items = itemsOf(database, cases, table, nameOf);
      if (!isDeepStrictEqual(items, fillings.get(nameOf(table))?.items)) needed.set(table, items);
    }
    return needed;
  }

  return {
    database,
    send: database.send,
    env: environmentOf(database),
    tableName: (table) => nameOf(known(current as CasesOf, table)),
    async bring(cases, tables = tablesOf(cases.system)) {
      assertSound(cases.system);
      current = cases;
      // Makes the items before any table changes, because an item that no longer fits the design is an error.
      const needed = await refillings(cases);
      await unfollow();
      const brought: Record<string, Outcome> = {};
      for (const [table, physical] of Object.entries(tables)) {
        const stream = onChange === undefined ? {} : { stream: 'NEW_AND_OLD_IMAGES' };
        const outcome = await bringOne(database, { ...physical, ...stream, name: nameOf(table) });
        brought[table] = outcome;
        if (!Object.hasOwn(cases.system.tables, table)) continue;
        if (outcome === 'made' || outcome === 'recreated') {
          // If an item cannot be made, the next version of the cases fills the empty table.
          fillings.set(nameOf(table), { items: [], stored: [] });
          await fill(table, itemsOf(database, cases, table, nameOf));
        } else if (needed.has(table) && (await isUntouched(table))) {
          await fill(table, needed.get(table) as readonly Item[]);
          brought[table] = 'refilled';
        }
      }
      if (onChange !== undefined && database.cloud === 'aws' && 'answer' in database)
        unfollow = await followStreams(
          database.answer as EmbeddedDatabase['answer'],
          Object.keys(tables).map(nameOf),
          onChange,
          onFailure,
        );
      return brought;
    },
    async misfits(table) {
      if (await isUntouched(table)) return [];
      const { system } = current as CasesOf;
      const design = system.tables[known(current as CasesOf, table)] as TableDesign;
      const { item: itemIn } = systemTables(system, database, nameOf, () => undefined);
      const found: Misfit[] = [];
      for await (const stored of database.scan(nameOf(table))) {
        const item = itemIn(table, stored);
        const why = faultIn(design, item);
        if (why !== undefined) found.push({ key: showKey(outline(design), item), why });
      }
      return found;
    },
    async reset() {
      const { system } = current as CasesOf;
      for (const table of Object.keys(system.tables))
        await database.restore(nameOf(table), itemsOf(database, current as CasesOf, table, nameOf));
    },
    async stop() {
      await unfollow();
      await database.stop();
    },
  };
}

function tablesOf({ tables }: SystemDesign): PhysicalTables {
  return Object.fromEntries(Object.entries(tables).map(([name, design]) => [name, physicalTable(design)]));
}

function known({ system }: CasesOf, table: string): string {
  if (Object.hasOwn(system.tables, table)) return table;
  throw new Error(
    `'${table}' is not a table of '${system.name}'; its tables are ${Object.keys(system.tables).join(', ')}`,
  );
}

/** The items of a table's cases, as the database stores them. */
function itemsOf(
  database: AnyDatabase,
  cases: SystemCases & { readonly system: SystemDesign },
  table: string,
  nameOf: (table: string) => string,
): readonly Item[] {
  const { rows } = systemTables(cases.system, database, nameOf, () => undefined);
  const design = cases.system.tables[table] as TableDesign;
  const examples = examplesOf(outline(design), samplesOf(cases, table), (one, entity) => rows(table, one, entity));
  return examples.flatMap((example) => example.rows.map(({ item }) => item));
}

async function bringOne(database: AnyDatabase, table: PhysicalTable): Promise<Outcome> {
  const name = table.name as string;
  if (database.cloud === 'aws') {
    const { endpoint, credentials } = database;
    const described = await describeWith(name, {
      ...(endpoint === undefined ? {} : { endpoint, region: 'local' }),
      ...(credentials === undefined ? {} : { credentials }),
    });
    return bringTable(database, described && { name, ...asDescribed(described) }, table);
  }
  if ((await database.tables()).includes(name)) return 'kept';
  await database.provision(stackOfTables([name]));
  return 'made';
}

function environmentOf(database: AnyDatabase): Readonly<Record<string, string>> {
  if (database.cloud === 'azure') return { AZURE_STORAGE_CONNECTION_STRING: connectionStringOf(database.endpoint) };
  const { endpoint, credentials } = database;
  return {
    ...(endpoint === undefined ? {} : { AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_REGION: 'local' }),
    ...(credentials === undefined
      ? {}
      : { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey }),
  };
}
