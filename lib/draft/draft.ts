import { isRead } from '../blueprint/accesses';
import { mostListed } from '../blueprint/attributes/readable';
import { membersOf } from '../blueprint/attributes/unions';
import { type EntityOutline, keyOf, outline, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { parametersAcross, parametersOf } from '../blueprint/parameters';
import { shareIn, whole } from '../blueprint/shares';
import type { ReadPattern } from '../design/pattern';
import type { SystemDesign } from '../design/system';
import { itemsOf } from '../explore/items';
import { type Item, makeItem, readItem } from '../items/item';
import type { Look, ReadCase, SampleItem, SystemCases, WriteCase } from '../proof/cases';
import { fixtureIn } from '../proof/fixture';
import type { ProofInput } from '../proof/prove';
import { Stage } from '../proof/stage';
import { entityOf } from '../proof/stored';
import type { AnyDatabase, Etags } from '../proof/tables';
import { BESIDE, drawnItem, keyTextOf, lonelyIn, STRANGER } from './items';
import { valuesFor } from './values';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The drafted cases of one table. */
export interface TableDraft {
  readonly items: Record<string, SampleItem>;
  readonly written: Record<string, SampleItem>;
  readonly stored: Record<string, Record<string, string>>;
  readonly patterns: Record<string, ReadCase | WriteCase>;
}

export interface Draft {
  readonly tables: Readonly<Record<string, TableDraft>>;
  /** The drafted cases of patterns that span several tables. */
  readonly patterns: Readonly<Record<string, ReadCase | WriteCase>>;
  /** The patterns and procedures for which the user has to write a case, each with the reason. */
  readonly open: Readonly<Record<string, string>>;
}

/**
 * Generates items and values for the patterns without cases, and records what the database currently returns as the
 * expected results. Marks each case as unconfirmed, because a person still has to confirm its results.
 */
export async function draftOf(database: AnyDatabase, input: Omit<ProofInput, 'started'>): Promise<Draft> {
  return new Drawer(database, input).draw();
}

class Drawer {
  readonly #system: SystemDesign;
  readonly #cases: { tables: Record<string, Writable<SystemCases['tables'][string]>> };
  readonly #given: SystemCases;
  readonly #drafts: Record<string, TableDraft> = {};
  readonly #open: Record<string, string> = {};
  readonly #stage: Stage;

  public constructor(database: AnyDatabase, input: Omit<ProofInput, 'started'>) {
    const { system, cases } = input;
    this.#system = whole(system);
    this.#given = cases;
    this.#cases = { ...cases, tables: {} };
    for (const [name, design] of Object.entries(system.tables)) {
      const own = cases.tables[name] ?? { patterns: {} };
      this.#drafts[name] = { items: {}, written: {}, stored: {}, patterns: {} };
      this.#cases.tables[name] = { ...own, items: { ...own.items }, written: { ...own.written } };
      this.#drawItems(name, outline(design));
    }
    this.#stage = new Stage(system, this.#cases, (seen) => fixtureIn(database, { ...input, cases: this.#cases }, seen));
  }

  public async draw(): Promise<Draft> {
    try {
      const patterns: Record<string, ReadCase | WriteCase> = {};
      for (const [table, design] of Object.entries(this.#system.tables))
        for (const pattern of outline(design).patterns) {
          const isAcross = shareIn(pattern.design) !== undefined;
          const known = isAcross ? this.#given.patterns : this.#given.tables[table]?.patterns;
          if (Object.hasOwn(known ?? {}, pattern.name) || Object.hasOwn(patterns, pattern.name)) continue;
          const found = await this.#caseOf(table, outline(design), pattern);
          if (found === undefined) continue;
          // A pattern can span several tables. If no read of the first table shows the written items, a read of a later
          // table may still show them.
          delete this.#open[pattern.name];
          (isAcross ? patterns : (this.#draft(table).patterns as typeof patterns))[pattern.name] = found;
        }
      for (const name of Object.keys(this.#system.procedures ?? {}))
        if (!Object.hasOwn(this.#given.procedures ?? {}, name))
          this.#open[name] = 'procedures are your own code, so write this case yourself';
      return { tables: this.#drafts, patterns, open: this.#open };
    } finally {
      await this.#stage.drop();
    }
  }

  /** Returns the items that the stage stores in a table, so that the caller can add generated items. */
  #own(table: string): Pick<TableDraft, 'items' | 'written'> {
    return this.#cases.tables[table] as unknown as Pick<TableDraft, 'items' | 'written'>;
  }

  #draft(table: string): TableDraft {
    return this.#drafts[table] as TableDraft;
  }

  /** Generates items for each entity that has none yet: neighbors in the same partitions, and strangers in others. */
  #drawItems(name: string, table: TableOutline): void {
    const { items: known = {}, documented = {} } = this.#given.tables[name] ?? {};
    const taken = new Set<string>();
    for (const entity of table.entities.filter(({ guards }) => guards === undefined)) {
      const isShown = [
        ...Object.values(known).map(([of]) => of),
        ...Object.values(documented).map((one) => one.entity),
      ];
      if (isShown.includes(entity.name)) continue;
      const drawn: Readonly<Record<string, unknown>>[] = [];
      const add = (number: number, values: Readonly<Record<string, unknown>> | undefined) => {
        if (values === undefined || taken.has(keyTextOf(table, entity, values))) return;
        taken.add(keyTextOf(table, entity, values));
        drawn.push(values);
        this.#add(name, 'items', nameFor(entity.name, number), [entity.name, values]);
      };
      for (const { number, relation } of numbered(entity)) add(number, drawnItem(table, entity, number, relation));
      // The proof of a paged read needs two items in one partition of the index.
      for (const index of lonelyIn(table, entity, drawn))
        add(BESIDE, drawnItem(table, entity, BESIDE, 'neighbor', index));
    }
    this.#storeKeys(name, table);
  }

  #add(table: string, kind: 'items' | 'written', wanted: string, sample: SampleItem): string {
    const own = this.#own(table);
    const { documented = {} } = this.#given.tables[table] ?? {};
    const isTaken = (name: string) => [own.items, own.written, documented].some((all) => Object.hasOwn(all, name));
    let name = wanted;
    for (let i = 2; isTaken(name); i++) name = `${wanted}${i}`;
    this.#draft(table)[kind][name] = sample;
    own[kind][name] = sample;
    return name;
  }

  /** Records the exact keys of generated items until each key of each entity appears in the draft at least once. */
  #storeKeys(name: string, table: TableOutline): void {
    const { items, stored } = this.#draft(name);
    const shown = new Map<string, Set<string>>();
    for (const [label, [entity, values]] of Object.entries(items)) {
      const keys = Object.keys(entityOf(table, entity).design.keys ?? {});
      const item = makeItem(table, entityOf(table, entity), values);
      const held = keys.filter((key) => typeof item[key] === 'string');
      const before = shown.get(entity) ?? new Set();
      if (held.every((key) => before.has(key))) continue;
      stored[label] = Object.fromEntries(held.map((key) => [key, item[key] as string]));
      shown.set(entity, new Set([...before, ...held]));
    }
  }

  async #caseOf(table: string, outlined: TableOutline, pattern: PatternBlueprint) {
    const { name, design } = pattern;
    let reason: string | undefined;
    let second: ReadCase | undefined;
    const { items } = itemsOf(outlined, this.#cases, table);
    const parameters = shareIn(design) ? parametersAcross(this.#system, name) : parametersOf(outlined, pattern);
    for (const values of valuesFor(outlined, pattern, items, parameters)) {
      try {
        await this.#stage.refresh();
        if (!isRead(design)) return await this.#written(table, outlined, pattern, values);
        const found = await this.#read(name, values);
        const least = 'pageSize' in design ? 2 : 1;
        if (found !== undefined && found.returns.length >= least) return { ...found, unconfirmed: true as const };
        second ??= found;
        reason ??= 'the pattern returns too few items';
      } catch (error) {
        const [message = ''] = (error as Error).message.split('\n');
        // Omits the table names from the message, because table names differ from run to run.
        reason ??= `${(error as Error).name}: ${message.replace(/^(\S+, )*\S+: /, '')}`;
      }
    }
    if (second !== undefined && second.returns.length > 0) return { ...second, unconfirmed: true as const };
    const names = [...new Set(parameters.map((parameter) => parameter.name.split('.')[0]))].map((one) => `${one}: …`);
    const result = isRead(design) ? 'returns: […]' : 'shows: [{ pattern: …, values: { … }, returns: […] }]';
    this.#open[name] =
      `${reason ?? 'no values could be generated for this pattern'}; write ${name}: { values: { ${names.join(', ')} }, ${result} }`;
    return undefined;
  }

  /**
   * Turns the current result of a read into a case. Returns undefined if the result contains an item that has no name
   * in the cases.
   */
  async #read(pattern: string, values: object): Promise<ReadCase | undefined> {
    const items = (await this.#stage.pages({ pattern, values })).flat();
    for (const select of [undefined, this.#stage.selectedBy(pattern, items)]) {
      const look = { pattern, ...(select && { select }) };
      const returns = items.map((item) => this.#stage.nameOf(look, item));
      if (returns.some((one) => one === undefined)) continue;
      const groups = this.#stage.groupsOf(look);
      return {
        values,
        returns: returns as readonly string[],
        ...(select && { select }),
        ...(Object.keys(groups).length > 0 && { groups }),
      };
    }
    return undefined;
  }

  /** Executes a write, and returns a case with the reads that show its effect. */
  async #written(
    table: string,
    outlined: TableOutline,
    { name, design, accesses }: PatternBlueprint,
    values: object,
  ): Promise<WriteCase> {
    const reads = await this.#readsBefore(outlined, design, values);
    const etags: Etags = reads === undefined ? {} : await this.#stage.etagsOf(reads);
    await this.#stage.patterns[name]?.(values, etags as object);
    const shows: Look[] = [];
    const touched = new Set(accesses.flatMap(({ entities }) => entities));
    for (const pattern of readsOf(outlined)) {
      // A read of other entities does not show the write.
      if (!(pattern.design as ReadPattern).returns.some((entity) => touched.has(entity))) continue;
      // A read without parameters is the last resort, because it shows the effect of a write least clearly.
      const isBroad = parametersOf(outlined, pattern).length === 0;
      if (shows.length >= (isBroad ? 1 : MOST_SHOWN)) break;
      const look = await this.#shown(table, outlined, pattern, values, name);
      if (look !== undefined) shows.push(look);
    }
    if (shows.length === 0) throw new Error('no read pattern of this table returns the written item');
    return { values, ...(reads && { reads }), shows, unconfirmed: true };
  }

  /** Executes a read after a write, and records the items that the write created or changed. */
  async #shown(
    table: string,
    outlined: TableOutline,
    pattern: PatternBlueprint,
    written: object,
    by: string,
  ): Promise<Look | undefined> {
    const values = sharedValues(parametersOf(outlined, pattern), written);
    if (values === undefined) return undefined;
    const items = (await this.#stage.pages({ pattern: pattern.name, values }).catch(() => [])).flat();
    const look = { pattern: pattern.name };
    for (const item of items) {
      if (this.#stage.nameOf(look, item) !== undefined) continue;
      const sample = sampleIn(outlined, item);
      if (sample === undefined) continue;
      const label = this.#add(
        table,
        'written',
        `${sample[0].charAt(0).toLowerCase()}${sample[0].slice(1)}After${by.charAt(0).toUpperCase()}${by.slice(1)}`,
        sample,
      );
      // A read with `select`, or through an index that projects only some attributes, returns only part of an item.
      if (this.#stage.nameOf(look, item) === label) continue;
      delete this.#draft(table).written[label];
      delete this.#own(table).written[label];
    }
    const found = await this.#read(pattern.name, values).catch(() => undefined);
    return found && { pattern: pattern.name, ...found };
  }

  /** Finds the read that provides the ETag for a write with `unchanged`. */
  async #readsBefore(
    outlined: TableOutline,
    design: PatternBlueprint['design'],
    values: object,
  ): Promise<WriteCase['reads']> {
    if (!('unchanged' in design && design.unchanged)) return undefined;
    for (const pattern of readsOf(outlined)) {
      const given = sharedValues(parametersOf(outlined, pattern), values);
      if (pattern.design.op === 'get' && given !== undefined) return { pattern: pattern.name, values: given };
    }
    return undefined;
  }
}

const MOST_SHOWN = 2;

/**
 * Returns the items to generate for an entity: two neighbors, and enough strangers to cover the entity's remaining
 * listed values and union members.
 */
function numbered({ schema, attributes }: EntityOutline) {
  const listed = Math.min(Math.max(1, mostListed(schema, attributes) - 1), 4);
  const strangers = Math.max(listed, membersOf(schema).length - 2);
  return [
    ...[1, 2].map((number) => ({ number, relation: 'neighbor' as const })),
    ...Array.from({ length: strangers }, (_, i) => ({ number: i + STRANGER, relation: 'stranger' as const })),
  ];
}

function nameFor(entity: string, number: number): string {
  return `${entity.charAt(0).toLowerCase()}${entity.slice(1)}${number}`;
}

/** Returns the read patterns of a table. Reads of a single item come first, because they show a change most clearly. */
function readsOf(table: TableOutline): readonly PatternBlueprint[] {
  const reads = table.patterns.filter(({ design }) => isRead(design) && shareIn(design) === undefined);
  const rank = (one: PatternBlueprint) => (one.design.op === 'get' ? 0 : parametersOf(table, one).length > 0 ? 1 : 2);
  return [...reads].sort((a, b) => rank(a) - rank(b));
}

/**
 * Derives the values of a read from the values of a write. Returns undefined if the write lacks one of the values that
 * the read needs.
 */
function sharedValues(parameters: ReturnType<typeof parametersOf>, written: object): object | undefined {
  // For a list of items or ids, the read uses the first element.
  const firsts = Object.entries(written).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
  const flat = Object.assign({}, ...firsts.map(([, value]) => value).filter(isRecord), Object.fromEntries(firsts));
  const needed = parameters.filter(({ optional }) => !optional).map(({ name }) => name);
  if (needed.some((name) => flat[name] === undefined)) return undefined;
  return Object.fromEntries(needed.map((name) => [name, flat[name]]));
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Converts a returned item to a sample of its entity, or returns undefined if the read returned only part of the item.
 */
function sampleIn(table: TableOutline, read: Item): SampleItem | undefined {
  const type = table.typeAttribute;
  const { [type ?? '']: name, ...values } = read;
  for (const entity of table.entities) {
    if (entity.guards !== undefined || (type !== undefined && entity.type !== name)) continue;
    try {
      const made = makeItem(table, entity, values);
      readItem(table, entity, made);
      if (keyOf(table.key).every(({ name: key }) => made[key] !== undefined)) return [entity.name, values];
    } catch {
      // The item belongs to a different entity.
    }
  }
  return undefined;
}
