import { isDeepStrictEqual } from 'node:util';
import { etagOf } from '../azure-tables/etag';
import { hasKeys } from '../blueprint/accesses';
import { issueText } from '../blueprint/attributes/schema';
import { keyOf, outline, type TableOutline } from '../blueprint/outline';
import { tablesAcross } from '../blueprint/shares';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { type Item, readItem } from '../items/item';
import { isPage } from '../items/result';
import type { Look, Sample, SystemCases, WriteCase } from './cases';
import type { Fixture, Request } from './fixture';
import { entityOf, itemOf, type Samples, sampleOf, samplesOf, storageFaultOf } from './stored';
import type { Etags, Run } from './tables';

/** The number of requests since the last count, and the capacity that these requests consumed. */
export interface Tally {
  requests: number;
  capacity: number;
}

/** A system on an engine, whose tables contain the example items from the cases. */
export class Stage {
  public readonly patterns: Readonly<Record<string, Run>>;
  /** Whether a read of several keys sends a separate request for each key. */
  public readonly readsOneByOne: boolean;
  private readonly tally: Tally = { requests: 0, capacity: 0 };
  private isFresh = false;
  /** The items that the current read found, in their stored form. */
  private found: Item[] = [];
  /**
   * Returns the attributes that a pattern reads from each item: those in its `select`, or, if its index has a partial
   * projection, those that the given items have. Returns undefined if the pattern reads all attributes.
   */
  public selectedBy(pattern: string, items: readonly Item[]): readonly string[] | undefined {
    const found = this.tableOf(pattern);
    if (found === undefined) return undefined;
    const table = outline(found.design);
    const { select } = designOf(table, pattern);
    if (select !== undefined || projectionFor(table, pattern) === 'all') return select;
    return [...new Set(items.flatMap(Object.keys))].filter((name) => name !== table.typeAttribute);
  }

  /** The page sizes that the last read requested. */
  public asked: number[] = [];

  /** The lists in the pages of the last read, keyed by name. */
  private lists: Record<string, Item[]> = {};

  private readonly fixture: Fixture;

  /** @param fixtureFor makes the fixture, given a callback that receives every request */
  public constructor(
    private readonly system: SystemDesign,
    private readonly cases: SystemCases,
    fixtureFor: (seen: (request: Request) => void) => Fixture,
  ) {
    this.fixture = fixtureFor(({ isRead, limit, units = 0, found }) => {
      this.tally.requests++;
      this.tally.capacity += units;
      if (limit !== undefined) this.asked.push(limit);
      this.found.push(...found);
      this.isFresh &&= isRead;
    });
    this.patterns = this.fixture.patterns;
    this.readsOneByOne = this.fixture.readsOneByOne;
  }

  /** Ensures that the tables match the template and contain exactly the example items. */
  public async refresh(): Promise<void> {
    if (this.isFresh) return;
    await this.fixture.reset();
    this.isFresh = true;
  }

  public async drop(): Promise<void> {
    this.isFresh = false;
    await this.fixture.drop();
  }

  /** Returns the requests and the capacity counted since the last call, and resets both. */
  public count(): Tally {
    const counted = { ...this.tally };
    this.tally.requests = 0;
    this.tally.capacity = 0;
    return counted;
  }

  /**
   * Returns the values that a read should return for a named item; undefined if the table's cases contain no item with
   * this name.
   */
  public expected({ pattern, select }: Pick<Look, 'pattern' | 'select'>, name: string): Item | undefined {
    const found = this.tableOf(pattern, name);
    if (found === undefined) return undefined;
    const { design, cases } = found;
    const table = outline(design);
    const documented = Object.hasOwn(cases.documented, name) ? cases.documented[name] : undefined;
    const sample = sampleOf(cases, name);
    if (documented !== undefined) return readItem(table, entityOf(table, documented.entity), documented.item, select);
    return sample && valuesOf(table, sample, select);
  }

  /**
   * Compares the last read's stored items with the items that the case expects. Returns the first difference, if there
   * is one.
   */
  public storageFault({ pattern, returns, select }: Look): string | undefined {
    for (const name of returns) {
      const found = this.tableOf(pattern, name);
      if (found === undefined) return undefined;
      const { design, cases } = found;
      const table = outline(design);
      const isWhole = select === undefined && projectionFor(table, pattern) === 'all';
      const { [name]: documented } = cases.documented;
      const sample = documented === undefined ? (sampleOf(cases, name) as Sample) : undefined;
      const entity = documented?.entity ?? (sample?.[0] as string);
      const item = documented?.item ?? itemOf(table, sample as Sample);
      const expected = plain(this.fixture.stored(found.name, item, entity));
      // A stored item that was read without its key cannot be matched with an expected item, so it is not compared.
      const stored = this.found.find((item) => keyOf(table.key).every((key) => item[key.name] === expected[key.name]));
      const fault = stored && storageFaultOf(plain(stored), expected, isWhole);
      if (fault !== undefined) return `${name}: ${fault}`;
    }
    return undefined;
  }

  /** Returns the names of the items in each list of the last read. */
  public groupsOf(look: Pick<Look, 'pattern' | 'select'>): Readonly<Record<string, readonly string[]>> {
    const nameOf = (item: Item) => this.nameOf(look, item) ?? JSON.stringify(item);
    return Object.fromEntries(Object.entries(this.lists).map(([name, list]) => [name, list.map(nameOf)]));
  }

  /** Returns the first fault in the lists of the last read, if there is one. */
  public groupFault(look: Look): string | undefined {
    const { groups = {} } = look;
    for (const name of new Set([...Object.keys(groups), ...Object.keys(this.lists)])) {
      const expected = groups[name];
      const shown = this.groupsOf(look)[name] ?? [];
      if (expected === undefined)
        return `the case does not say which items the list '${name}' contains; add groups: { ${name}: [${shown.map((one) => `'${one}'`).join(', ')}] }`;
      if (!isDeepStrictEqual(shown, expected))
        return `expected the list '${name}' to contain [${expected.join(', ')}], got [${shown.join(', ')}]`;
    }
    return undefined;
  }

  /**
   * Returns every page of a read, in order.
   * @param limit the page size to use instead of the pattern's own
   */
  public async pages(
    { pattern, values }: Pick<Look, 'pattern' | 'values'>,
    limit?: number,
  ): Promise<readonly (readonly Item[])[]> {
    this.found = [];
    this.asked = [];
    this.lists = {};
    const given = limit === undefined ? {} : { limit };
    const run = this.patterns[pattern] as Run;
    const pages: (readonly Item[])[] = [];
    const passed = new Set<string>();
    let cursor: string | undefined;
    do {
      if (cursor !== undefined && passed.has(cursor))
        throw new Error(`the read repeats a cursor after ${pages.length} pages, so it would never end`);
      if (cursor !== undefined) passed.add(cursor);
      const output = await run(values, cursor === undefined ? given : { ...given, cursor });
      if (output === undefined) return [[]];
      // A read over several tables returns an object with its items, keyed by name.
      if (this.system.patterns?.[pattern] !== undefined)
        return [
          Object.values(output)
            .flat()
            .filter((item) => item !== undefined) as Item[],
        ];
      if (!isPage<Item>(output)) return [[output]];
      pages.push(output.items);
      for (const [name, list] of Object.entries(output))
        if (Array.isArray(list) && name !== 'items') this.lists[name] = [...(this.lists[name] ?? []), ...list];
      cursor = output.cursor;
    } while (cursor !== undefined);
    return pages;
  }

  /** The ETags that a write needs, taken from the results of the reads in its case. */
  public async etagsOf(reads: NonNullable<WriteCase['reads']>): Promise<Etags> {
    if (!('steps' in reads)) return { etag: await this.etagOf(reads) };
    const etags: Record<string, string | undefined> = {};
    for (const [step, read] of Object.entries(reads.steps)) etags[step] = await this.etagOf(read);
    return { etags };
  }

  private async etagOf({ pattern, values }: Pick<Look, 'pattern' | 'values'>): Promise<string | undefined> {
    return etagOf((await (this.patterns[pattern] as Run)(values)) as Item | undefined);
  }

  /** Whether a read returns its items in a defined order. Batch reads and scans return items in no particular order. */
  public isOrdered(pattern: string): boolean {
    const patterns = this.tables().flatMap(({ design }) => outline(design).patterns);
    return patterns.every(({ name, design }) => name !== pattern || (!hasKeys(design) && design.op !== 'scan'));
  }

  /** The names of all items in the cases. */
  public itemNames(): readonly string[] {
    return this.tables().flatMap(({ cases }) => [cases.items, cases.documented, cases.written].flatMap(Object.keys));
  }

  /** Returns the name under which the cases list an item that a pattern has read. */
  public nameOf(look: Pick<Look, 'pattern' | 'select'>, item: Item): string | undefined {
    return this.itemNames().find((name) => isDeepStrictEqual(plain(this.expected(look, name)), plain(item)));
  }

  /**
   * Returns the table of a pattern. For a pattern over several tables, returns the table whose cases contain the named
   * item.
   */
  private tableOf(pattern: string, item?: string) {
    const across = this.system.patterns?.[pattern];
    if (across !== undefined) {
      const tables = this.tables().filter(({ name }) => tablesAcross(across).includes(name));
      const has = ({ cases }: { cases: Samples }) =>
        item !== undefined && (Object.hasOwn(cases.documented, item) || sampleOf(cases, item) !== undefined);
      return tables.find(has);
    }
    return this.tables().find(({ design }) => outline(design).patterns.some(({ name }) => name === pattern));
  }

  private tables(): readonly { name: string; design: TableDesign; cases: Samples }[] {
    return Object.entries(this.system.tables).map(([name, design]) => ({
      name,
      design,
      cases: samplesOf(this.cases, name),
    }));
  }
}

function designOf({ patterns }: TableOutline, pattern: string) {
  const { design = {} } = patterns.find(({ name }) => name === pattern) ?? {};
  return design as { readonly index?: string; readonly select?: readonly string[] };
}

/** Returns the projection of the index that a pattern reads. */
function projectionFor(table: TableOutline, pattern: string) {
  const { index } = designOf(table, pattern);
  return table.indexes.find(({ name }) => name === index)?.projection ?? 'all';
}

/** Takes the expected values from the sample itself, since values derived from the stored item could hide a fault. */
function valuesOf(table: TableOutline, [name, values]: Sample, select: readonly string[] | undefined): Item {
  const { schema, type } = entityOf(table, name);
  const { typeAttribute } = table.design;
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new Error(`${name}: ${issueText(parsed.error)}`);
  const given = Object.entries(parsed.data as Item).filter(
    ([attribute, value]) => value !== undefined && (select?.includes(attribute) ?? true),
  );
  return { ...Object.fromEntries(given), ...(typeAttribute === undefined ? {} : { [typeAttribute]: type }) };
}

/** A copy without the properties that the SDK adds to objects. */
export function plain<T>(value: T): T {
  return structuredClone(value);
}
