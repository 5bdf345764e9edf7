import { namesIn, reservedNames } from '../../lib/blueprint/system';
import { isObject } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { namesInKey } from '../../lib/design/table';
import { system as systemClient } from '../../lib/dynamodb/system';
import { unique } from '../../lib/dynamodb/unique';
import type { Item } from '../../lib/items/item';
import { embedded } from './embedded';
import { needlessLeniencies } from './leniencies';

/** Items as the document stores them, with all keys, keyed by item name. */
export type Items = Readonly<Record<string, Item>>;

/** A system's patterns, loosely typed because only the test knows their values. */
export type Db = Readonly<Record<string, (values: object) => Promise<unknown>>>;

/** One call to a pattern with its values, or to a procedure. */
type Call = { readonly values: object } | { readonly run: (db: never) => Promise<unknown> };

export type DocumentedRead = Call & {
  /** The names of the items that the read finds, in order. */
  readonly returns: readonly string[];
  /** The attributes of each item that the read returns. @default - all attributes */
  readonly shows?: readonly string[];
  /**
   * The request that the document shows for this call.
   * @default - the document only describes the request, or omits it
   */
  readonly asks?: { readonly table: string; readonly request: object };
  /** The names of additional items that the document's request finds, although it should not. @default - nothing */
  readonly besides?: readonly string[];
};

export type DocumentedWrite = Call & {
  /** What the write changes, keyed by item name: a new item, the changed attributes, or null for a deleted item. */
  readonly changes: Readonly<Record<string, Item | null>>;
  /** The table for all new items, or a table for each new item, keyed by item name. @default - the only table */
  readonly into?: string | Readonly<Record<string, string>>;
};

/**
 * The items that a document shows or describes, and what each pattern reads or writes if the tables contain exactly
 * these items.
 */
export interface Document {
  readonly items: Readonly<Record<string, Items>>;
  readonly reads: Readonly<Record<string, DocumentedRead | readonly DocumentedRead[]>>;
  readonly writes: Readonly<Record<string, DocumentedWrite | readonly DocumentedWrite[]>>;
  /** Patterns and procedures that cannot have a case, with the reason. @default - nothing */
  readonly exempt?: Readonly<Record<string, string>>;
}

/** Stores and reads a document's items without the library's own requests. */
export interface Place {
  readonly db: Db;
  /** Makes a table contain exactly the given items. */
  store(table: string, items: readonly Item[]): Promise<void>;
  scan(table: string): Promise<readonly Item[]>;
  ask(table: string, request: object): Promise<readonly Item[]>;
}

/** Runs a system on the embedded engine, which is as strict as DynamoDB. A read that finds an unknown item throws. */
export function onDynamoDB(system: SystemDesign): Place {
  const tables = embedded(system, { makes: 'once' });
  return {
    db: systemClient(system, { environment: 'dev' }, tables.send, { onUnknown: 'throw', unique }) as unknown as Db,
    store: (table, items) => tables.engine().restore(tables.nameOf(table), items),
    scan: async (table) => {
      const found: Item[] = [];
      for await (const item of tables.engine().scan(tables.nameOf(table))) found.push(item);
      return found;
    },
    ask: async (table, request) => {
      const { Items = [] } = (await tables.send('Query', { TableName: tables.nameOf(table), ...request })) as {
        Items?: readonly Item[];
      };
      return Items;
    },
  };
}

/**
 * Tests that a system works on the data in its document, unchanged. The document's requests and the read patterns must
 * find the data, and each write must make exactly the expected changes.
 */
export function describeDocument(system: SystemDesign, place: Place, document: Document): void {
  const { items, reads, writes, exempt = {} } = document;
  const all: Items = Object.assign({}, ...Object.values(items));

  beforeEach(async () => {
    for (const table of Object.keys(system.tables)) await place.store(table, Object.values(items[table] ?? {}));
  });

  test('every pattern and procedure of the system has a case', () => {
    const names = namesIn(system);
    const reserved = reservedNames(system, names).map(({ name }) => name);
    const told = new Set([reads, writes, exempt].flatMap((cases) => Object.keys(cases)));
    expect(names.filter((name) => !told.has(name) && !reserved.includes(name))).toEqual([]);
    expect([...told].filter((name) => !names.includes(name))).toEqual([]);
  });

  test("the schemas are only as lenient as the document's items require", () => {
    expect(needlessLeniencies(system, items)).toEqual([]);
  });

  test('the reads together return every item in the document', () => {
    const read = new Set(Object.values(reads).flatMap((cases) => [cases].flat().flatMap(({ returns }) => returns)));
    expect(Object.keys(all).filter((name) => !read.has(name))).toEqual([]);
  });

  describe.each(listed(reads))('%s', (name, _, read) => {
    test(`finds ${read.returns.join(', ') || 'nothing'}`, async () => {
      const found = itemsIn(await call(place, name, read));
      expect(found).toEqual(
        found.map((one, i) => expect.objectContaining(seen(system, all[read.returns[i] ?? ''], one, read.shows))),
      );
      expect(found).toHaveLength(read.returns.length);
    });

    if (read.asks === undefined) return;
    const { table, request } = read.asks;
    test("the document's request finds the same items as the pattern, apart from the listed exceptions", async () => {
      const asked = (await place.ask(table, request)).map((item) => nameOf(items[table] as Items, item, system, table));
      expect(asked.toSorted()).toEqual([...read.returns, ...(read.besides ?? [])].toSorted());
    });
  });

  test.each(listed(writes))('%s%s makes exactly the expected changes', async (name, _, write) => {
    await call(place, name, write);
    const tables = Object.keys(system.tables);
    for (const table of tables) {
      const before = items[table] ?? {};
      const isHere = (one: string) =>
        Object.hasOwn(before, one) || (!Object.hasOwn(all, one) && (tableOf(write, one) ?? tables[0]) === table);
      const changes = Object.entries(write.changes).filter(([one]) => isHere(one));
      const expected: Record<string, Item> = { ...before };
      for (const [one, change] of changes) {
        delete expected[one];
        if (change !== null) expected[one] = changed(before[one], change);
      }
      expect(sorted(await place.scan(table))).toEqual(sorted(Object.values(expected)));
    }
  });
}

function tableOf({ into }: DocumentedWrite, item: string): string | undefined {
  return typeof into === 'object' ? into[item] : into;
}

function listed<C>(cases: Readonly<Record<string, C | readonly C[]>>): [string, string, C][] {
  return Object.entries(cases).flatMap(([name, one]) =>
    [one].flat().map((each, i): [string, string, C] => [name, i === 0 ? '' : ` (${i + 1})`, each as C]),
  );
}

function call(place: Place, name: string, one: Call): Promise<unknown> {
  return 'run' in one ? one.run(place.db as never) : (place.db[name] as Db[string])(one.values);
}

/** Returns the items of a page or a list, or the single item that was found. */
function itemsIn(result: unknown): readonly Item[] {
  if (result === undefined) return [];
  if (Array.isArray(result)) return result;
  const { items } = result as { readonly items?: readonly Item[] };
  return Array.isArray(items) ? items : [result as Item];
}

/** Returns the part of a stored item that a read returns: everything except keys that are not also attributes. */
function seen(system: SystemDesign, stored: Item | undefined, found: Item, shows?: readonly string[]): Item {
  const keys = Object.values(system.tables).flatMap(({ key, indexes = {} }) =>
    [key, ...Object.values(indexes)].flatMap(namesInKey),
  );
  return Object.fromEntries(
    Object.entries(stored ?? { nothing: 'more was expected' }).filter(
      ([name]) => (!keys.includes(name) || Object.hasOwn(found, name)) && (shows?.includes(name) ?? true),
    ),
  );
}

function nameOf(items: Items, item: Item, { tables }: SystemDesign, table: string): string {
  const keys = namesInKey((tables[table] as SystemDesign['tables'][string]).key);
  const named = Object.entries(items).find(([, one]) => keys.every((key) => one[key] === item[key]));
  return named?.[0] ?? JSON.stringify(item);
}

/** Returns a stored item after a change. An attribute that the change sets to undefined is removed. */
function changed(item: Item | undefined, change: Item): Item {
  const entries = Object.entries({ ...item, ...change });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Sorts items independently of the order of their attributes, because an engine may return attributes in any order,
 * even inside maps.
 */
function sorted(items: readonly Item[]): readonly Item[] {
  const text = (item: Item) =>
    JSON.stringify(item, (_, value) =>
      isObject(value) ? Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)) : value,
    );
  return items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
