import { isDeepStrictEqual } from 'node:util';
import { etagOf } from '../azure-tables/etag';
import { show } from '../blueprint/attributes/schema';
import { keyOf, outline, type TableOutline } from '../blueprint/outline';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { type Item, readItem } from '../items/item';
import type { Page } from '../items/result';
import type { Look, Sample, SystemCases } from './cases';
import { entityOf, itemOf, type Samples, sampleOf, samplesOf, storageFaultOf } from './stored';
import type { Contents, Counter, Run, Venue } from './venue';

/** How many items are put at once; a transaction takes 100. */
const TOGETHER = 100;

/** How many requests were sent since the last count, and the capacity they consumed. */
export interface Tally {
  requests: number;
  capacity: number;
}

/** A system on an engine, with its example items, to prove cases on. */
export class Stage {
  public readonly patterns: Readonly<Record<string, Run>>;
  private readonly tally: Tally = { requests: 0, capacity: 0 };
  /** The tables that were made here; no others are ever dropped. */
  private made: readonly string[] = [];
  /** The contents of each table once it is filled, by its name. */
  private readonly filled = new Map<string, Contents>();
  private isFresh = false;
  /** The items that the current read found, as they are stored. */
  private found: Item[] = [];
  /** The attributes that a pattern reads of each item, if not all: by its `select`, or by the projection of its index. */
  public selectedBy(pattern: string, items: readonly Item[]): readonly string[] | undefined {
    const table = this.tableOf(pattern);
    if (table === undefined) return undefined;
    const plan = outline(table.design);
    const { select } = designOf(plan, pattern);
    if (select !== undefined || projectionFor(plan, pattern) === 'all') return select;
    return [...new Set(items.flatMap(Object.keys))].filter((name) => name !== plan.typeAttribute);
  }

  /** The page sizes that the current read asked for, where it named one. */
  private asked: number[] = [];

  public constructor(
    private readonly system: SystemDesign,
    private readonly cases: SystemCases,
    private readonly venue: Venue,
  ) {
    const patterns = this.tables().map(({ design, tableName }) => this.venue.patterns(design, tableName, this.counter));
    this.patterns = Object.assign({}, ...patterns);
  }

  /** Makes sure that the tables are those of the template, with the example items and nothing else. */
  public async refresh(): Promise<void> {
    if (this.isFresh) return;
    if (this.filled.size === 0) await this.fill();
    else await this.restore();
    this.isFresh = true;
  }

  private async fill(): Promise<void> {
    await this.drop();
    this.made = await this.venue.provision();
    for (const { design, tableName, cases } of this.tables()) {
      const given = examplesOf(outline(design), cases);
      if (await this.putTogether(design, tableName, given)) continue;
      // A put never overwrites, so that two examples with the same key are an error.
      const put = async ({ name, entity, make }: Example) => {
        try {
          await this.venue.put(design, tableName, entityOf(outline(design), entity), make());
        } catch (error) {
          throw named(error as Error, name);
        }
      };
      await Promise.all(given.map(put));
    }
    for (const { design, tableName } of this.tables())
      this.filled.set(tableName, await this.venue.contents(design, tableName));
  }

  /** Puts items in a few requests. Returns false if that fails; putting each by itself then shows which one is refused, and why. */
  private async putTogether(design: TableDesign, tableName: string, given: readonly Example[]): Promise<boolean> {
    const { putAll } = this.venue;
    if (putAll === undefined) return false;
    try {
      for (let from = 0; from < given.length; from += TOGETHER) {
        const items = given.slice(from, from + TOGETHER).map(({ make }) => make());
        await putAll(design, tableName, items);
      }
      return true;
    } catch {
      for (const held of (await this.venue.contents(design, tableName)).values())
        await this.venue.remove(design, tableName, held);
      return false;
    }
  }

  /** Undoes what writes did since the tables were filled, which is far quicker than making them again. */
  private async restore(): Promise<void> {
    for (const { design, tableName } of this.tables()) {
      const before = this.filled.get(tableName) as Contents;
      const now = await this.venue.contents(design, tableName);
      const added = [...now].filter(([key]) => !before.has(key));
      const lost = [...before].filter(([key, held]) => !isDeepStrictEqual(plain(now.get(key)), plain(held)));
      await Promise.all([
        ...added.map(([, held]) => this.venue.remove(design, tableName, held)),
        ...lost.map(([, held]) => this.venue.restore(tableName, held)),
      ]);
    }
  }

  public async drop(): Promise<void> {
    this.isFresh = false;
    this.filled.clear();
    for (const tableName of this.made) await this.venue.drop(tableName);
    this.made = [];
  }

  /** The tally since the last call. */
  public count(): Tally {
    const counted = { ...this.tally };
    this.tally.requests = 0;
    this.tally.capacity = 0;
    return counted;
  }

  /** The values that a read returns for a named item; undefined for a name that the cases of the pattern's table do not have. */
  public expected({ pattern, select }: Pick<Look, 'pattern' | 'select'>, name: string): Item | undefined {
    const table = this.tableOf(pattern);
    if (table === undefined) return undefined;
    const { design, cases } = table;
    const plan = outline(design);
    const documented = Object.hasOwn(cases.documented, name) ? cases.documented[name] : undefined;
    const sample = sampleOf(cases, name);
    if (documented !== undefined) return readItem(plan, entityOf(plan, documented.entity), documented.item, select);
    return sample && valuesOf(plan, sample, select);
  }

  /** How the stored items of the last read differ from the named ones, if they do. */
  public storageFault({ pattern, returns, select }: Look): string | undefined {
    const table = this.tableOf(pattern);
    if (table === undefined) return undefined;
    const { design, cases } = table;
    const plan = outline(design);
    const isWhole = select === undefined && projectionFor(plan, pattern) === 'all';
    for (const name of returns) {
      const { [name]: documented } = cases.documented;
      const sample = documented === undefined ? (sampleOf(cases, name) as Sample) : undefined;
      const entity = entityOf(plan, documented?.entity ?? (sample?.[0] as string));
      const item = documented?.item ?? itemOf(plan, sample as Sample);
      const expected = plain(this.venue.stored(design, entity, item));
      // A selection without the key cannot be matched, and is not compared.
      const stored = this.found.find((found) => keyOf(plan.key).every((key) => found[key.name] === expected[key.name]));
      const fault = stored && storageFaultOf(plain(stored), expected, isWhole);
      if (fault !== undefined) return `${name}: ${fault}`;
    }
    return undefined;
  }

  /** The page sizes that the last read asked for. */
  public get limits(): readonly number[] {
    return this.asked;
  }

  /** Every page of a read, in order. @param limit the page size, instead of the pattern's */
  public async pages(
    { pattern, values }: Pick<Look, 'pattern' | 'values'>,
    limit?: number,
  ): Promise<readonly (readonly Item[])[]> {
    this.found = [];
    this.asked = [];
    const given = limit === undefined ? {} : { limit };
    const run = this.patterns[pattern] as Run;
    const pages: (readonly Item[])[] = [];
    const passed = new Set<string>();
    let cursor: string | undefined;
    do {
      if (cursor !== undefined && passed.has(cursor))
        throw new Error(`after ${pages.length} pages, the read continues where it was before, and would never end`);
      if (cursor !== undefined) passed.add(cursor);
      const output = await run(values, cursor === undefined ? given : { ...given, cursor });
      if (output === undefined || !isPage(output)) return output === undefined ? [[]] : [[output]];
      pages.push(output.items);
      cursor = output.cursor;
    } while (cursor !== undefined);
    return pages;
  }

  /** The ETag of the one item that a read returns. */
  public async etagOf({ pattern, values }: Pick<Look, 'pattern' | 'values'>): Promise<string | undefined> {
    return etagOf((await (this.patterns[pattern] as Run)(values)) as Item | undefined);
  }

  /** Whether a read returns its items in a given order; a batch and a scan do not. */
  public isOrdered(pattern: string): boolean {
    const patterns = this.tables().flatMap(({ design }) => outline(design).patterns);
    return patterns.every(({ name, design }) => name !== pattern || (design.op !== 'batchGet' && design.op !== 'scan'));
  }

  /** The name of an item in the cases, as a pattern reads it. */
  public nameOf(look: Pick<Look, 'pattern' | 'select'>, item: Item): string | undefined {
    const names = this.tables().flatMap(({ cases }) =>
      [cases.items, cases.documented, cases.written].flatMap(Object.keys),
    );
    return names.find((name) => isDeepStrictEqual(plain(this.expected(look, name)), plain(item)));
  }

  private readonly counter: Counter = {
    sent: (isRead, limit) => {
      this.tally.requests++;
      if (limit !== undefined) this.asked.push(limit);
      this.isFresh &&= isRead;
    },
    consumed: (units) => {
      this.tally.capacity += units;
    },
    found: (items) => {
      this.found.push(...items);
    },
  };

  private tableOf(pattern: string) {
    return this.tables().find(({ design }) => outline(design).patterns.some(({ name }) => name === pattern));
  }

  private tables(): readonly { design: TableDesign; tableName: string; cases: Samples }[] {
    return Object.entries(this.system.tables).map(([name, design]) => ({
      design,
      tableName: this.venue.nameOf(name),
      cases: samplesOf(this.cases, name),
    }));
  }
}

/** An item that the tables are filled with. */
interface Example {
  readonly name: string;
  readonly entity: string;
  make(): Item;
}

function examplesOf(plan: TableOutline, { items, documented }: Samples): readonly Example[] {
  return [
    ...Object.entries(items).map(([name, sample]) => ({ name, entity: sample[0], make: () => itemOf(plan, sample) })),
    ...Object.entries(documented).map(([name, { entity, item }]) => ({ name, entity, make: () => item })),
  ];
}

function designOf({ patterns }: TableOutline, pattern: string) {
  const { design = {} } = patterns.find(({ name }) => name === pattern) ?? {};
  return design as { readonly index?: string; readonly select?: readonly string[] };
}

/** The projection of the index that a pattern reads. */
function projectionFor(plan: TableOutline, pattern: string) {
  const { index } = designOf(plan, pattern);
  return plan.indexes.find(({ name }) => name === index)?.projection ?? 'all';
}

/** The values that must be read, taken from the sample itself: a detour over the stored item could hide a fault in it. */
function valuesOf(plan: TableOutline, [name, values]: Sample, select: readonly string[] | undefined): Item {
  const { schema, type } = entityOf(plan, name);
  const { typeAttribute } = plan.design;
  const parsed = schema.safeParse(values);
  if (!parsed.success) throw new Error(`${name}: ${show(parsed.error)}`);
  const given = Object.entries(parsed.data as Item).filter(
    ([attribute, value]) => value !== undefined && (select?.includes(attribute) ?? true),
  );
  return { ...Object.fromEntries(given), ...(typeAttribute === undefined ? {} : { [typeAttribute]: type }) };
}

/** A copy without what the SDK adds to objects. */
export function plain<T>(value: T): T {
  return structuredClone(value);
}

/** An error with the name of its item. */
function named(error: Error, item: string): Error {
  const isTaken = error.name === 'ConditionalCheckFailedException';
  const named = new Error(`item '${item}': ${isTaken ? 'another item has its key' : error.message}`, { cause: error });
  named.name = error.name;
  return named;
}

function isPage(output: Item | Page<Item>): output is Page<Item> {
  return Array.isArray(output.items) && Object.keys(output).every((key) => key === 'items' || key === 'cursor');
}
