import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../../blueprint/accesses';
import { type EntityOutline, entityNamed, outline, type TableOutline } from '../../blueprint/outline';
import { whole } from '../../blueprint/shares';
import type { PutPattern } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { type Item, makeItem } from '../../items/item';
import type { SystemCases } from '../cases';
import type { Fixture, Request } from '../fixture';
import { proveAt } from '../prove';
import { plain } from '../stage';
import type { Run } from '../tables';
import type { Unserved } from '../unserved';
import type { Deployment, Held } from './deployment';
import { guardsBeside } from './guards';
import { identity, type Known, type Model } from './model';
import type { Call } from './reach';
import { itemsOf, type Seed } from './seeds';
import { putOf } from './stamps';
import { isPlain, type Release } from './writers';

/** The number of proved cases, and the first failure. */
export interface CaseProofs {
  readonly count: number;
  readonly failure?: string;
  /** The patterns and procedures whose cases were skipped or not counted, each with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

/** A release, and the tables on which its cases run. */
export interface Ground {
  /** The design of the release. */
  readonly system: SystemDesign;
  readonly cases: SystemCases;
  readonly model: Model;
  readonly deployment: Deployment;
  /** The names of all tables that exist. */
  readonly tables: readonly string[];
  readonly unserved: Unserved;
  /** Patterns that find different items after the backfill. Their cases must wait for the backfill. */
  readonly late: ReadonlySet<string>;
}

/** The stored items of every table, by the table's name in the system. */
type Contents = ReadonlyMap<string, readonly Held[]>;

/** Proves the cases of a release's design on the currently stored items, and then restores all items. */
export async function casesAt(release: Release, ground: Ground): Promise<CaseProofs> {
  const { system, cases, tables, unserved } = ground;
  const skipped = new Map<string, string>();
  const contents = await contentsOf(ground);
  const found = carriedIn(release, ground, contents);
  if (typeof found === 'string') return { count: 0, failure: found, skipped };
  let count = 0;
  try {
    await restore(ground, found.carried);
    const { failure, lacking } = await written(release, system, found.missing);
    if (failure !== undefined) return { count, failure, skipped };
    const wanted = await contentsOf(ground);
    const isWanted = wantedBy(release, ground, skipped);
    const fixture = (seen: (request: Request) => void) =>
      fixtureOf(release, system, seen, () => restore(ground, wanted));
    for await (const { name, failure: wrong } of proveAt(fixture, { system, cases }, isWanted, unserved)) {
      if (wrong === undefined) count++;
      else if (lacking === undefined) return { count, failure: `case '${name}' of ${release.name}: ${wrong}`, skipped };
      else
        skipped.set(name, `no stored item becomes ${lacking}, and no pattern of ${release.name} can put it: ${wrong}`);
    }
  } finally {
    await restore({ ...ground, tables }, contents);
  }
  return { count, skipped };
}

async function contentsOf({ deployment, tables }: Ground): Promise<Contents> {
  return new Map(await Promise.all(tables.map(async (table) => [table, await deployment.items(table)] as const)));
}

function wantedBy(release: Release, { system, late }: Ground, skipped: Map<string, string>) {
  const { procedures = {} } = system;
  return (name: string, shown: readonly string[]) => {
    const uses = Object.hasOwn(procedures, name) ? (procedures[name]?.uses ?? []) : [name];
    const early = [...uses, ...shown].find((pattern) => !release.may(pattern));
    const filled = [...uses, ...shown].find((pattern) => late.has(pattern));
    if (early !== undefined) skipped.set(name, `its case calls '${early}', which must wait for the switch`);
    else if (filled !== undefined)
      skipped.set(name, `its case calls '${filled}', which finds different items after the backfill`);
    return early === undefined && filled === undefined;
  };
}

/** The cases' items: stored items in their current form, and the items that are not stored. */
interface Carried {
  readonly carried: Contents;
  readonly missing: readonly Seed[];
}

/** Returns the cases' items, or a failure if the cases expect a stored item to have different values. */
function carriedIn(release: Release, { system, cases, model }: Ground, contents: Contents): Carried | string {
  const carried = new Map<string, Held[]>();
  const missing: Seed[] = [];
  for (const [name, design] of Object.entries(system.tables)) {
    for (const seed of itemsOf(cases, name, design)) {
      const found = carriedOver(release, seed, outline(design), model, contents);
      if (typeof found === 'string') return found;
      if (found === undefined) missing.push(seed);
      else carried.set(found.table, [...(carried.get(found.table) ?? []), ...found.held]);
    }
  }
  return { carried, missing };
}

/**
 * Makes a release put the items that are not stored; `lacking` is the first item that no pattern of the release can
 * put.
 */
async function written(
  release: Release,
  { tables }: SystemDesign,
  missing: readonly Seed[],
): Promise<{ readonly failure?: string; readonly lacking?: string }> {
  let lacking: string | undefined;
  for (const { table, entity, values, label } of missing) {
    const own = outline(tables[table] as TableDesign);
    const put = own.patterns.find(
      ({ name, design }) =>
        release.may(name) && design.op === 'put' && design.entity === entity && isPlain(design as PutPattern),
    );
    if (put === undefined) {
      lacking ??= label;
      continue;
    }
    const { given, stored } = putOf({ table: own, entity: entityNamed(own, entity) as EntityOutline, values });
    // A put always stores version 1 and the current time, whatever the case says.
    if (!isDeepStrictEqual(plain(stored), plain(values))) lacking ??= label;
    try {
      await (release.calls[put.name] as Call)(given);
    } catch (error) {
      return {
        failure: `${label}: ${put.name} of ${release.name} fails: ${(error as Error).name}: ${(error as Error).message}`,
      };
    }
  }
  return lacking === undefined ? {} : { lacking };
}

/**
 * Returns the current form of a case item that was stored when the plan began. Returns a failure if the cases give the
 * item different values.
 */
function carriedOver(
  { side }: Release,
  { values, entity, label }: Seed,
  table: TableOutline,
  model: Model,
  contents: Contents,
): { readonly table: string; readonly held: readonly Held[] } | string | undefined {
  const same = (known: Known | undefined) => known?.table === table && known.entity.name === entity;
  const own = model.items.find(
    (item) => item.isSeed && same(item[side]) && isDeepStrictEqual(plain(item[side]?.values), plain(values)),
  );
  const other = model.items.find((item) => item.isSeed && same(item[side]) && nameIn(item.label) === nameIn(label));
  if (own === undefined && other !== undefined) {
    const [got, expected] = [other[side]?.values, values].map((shown) => JSON.stringify(shown));
    return `${label} has become ${got}, but the cases expect ${expected}`;
  }
  for (const known of [own?.now, own?.old]) {
    const there = contents.get(known?.table.name ?? '') ?? [];
    const held = known && storedAs(known.table, makeItem(known.table, known.entity, known.values), there);
    if (known === undefined || held === undefined) continue;
    const guards = [own?.now, own?.old]
      .filter((side) => side?.table.name === known.table.name)
      .flatMap((side) => guardsBeside(side as Known).map((guard) => storedAs(known.table, guard, there)));
    const all = [held, ...guards].filter((one) => one !== undefined);
    return { table: known.table.name, held: [...new Set(all)] };
  }
  return undefined;
}

/** Returns the name of an item in the cases. Omits the entity's name, because the entity may have been renamed. */
function nameIn(label: string): string {
  return label.slice(label.indexOf("'"));
}

function storedAs(table: TableOutline, wanted: Item, items: readonly Held[]): Held | undefined {
  const id = identity(table, wanted);
  return items.find(({ item }) => identity(table, item) === id);
}

/** Returns a fixture that runs a release's patterns on the existing tables. */
function fixtureOf(
  { calls }: Release,
  system: SystemDesign,
  seen: (request: Request) => void,
  reset: () => Promise<void>,
): Fixture {
  const patterns = Object.values(whole(system).tables).flatMap((design) => outline(design).patterns);
  const runs = patterns.map(({ name, design }) => {
    const call = calls[name] as Call;
    const run: Run = (values, options) => {
      seen({ isRead: isRead(design), found: [] });
      return call(values, options as { cursor?: string }) as ReturnType<Run>;
    };
    const methods = Object.entries(call).map(([method, own]) => [
      method,
      (...given: readonly unknown[]) => {
        seen({ isRead: isRead(design), found: [] });
        return (own as (...all: readonly unknown[]) => unknown)(...given);
      },
    ]);
    return [name, Object.assign(run, Object.fromEntries(methods))];
  });
  return {
    readsOneByOne: false,
    patterns: Object.fromEntries(runs),
    stored: (_, item) => item,
    reset,
    drop: async () => undefined,
  };
}

/** Replaces the contents of the tables with these items. */
async function restore({ deployment, tables }: Ground, wanted: Contents): Promise<void> {
  for (const table of tables) await deployment.restore(table, wanted.get(table) ?? []);
}
