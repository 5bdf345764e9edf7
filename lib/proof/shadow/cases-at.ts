import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../../blueprint/accesses';
import { outline, type TableOutline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Phase } from '../../evolve';
import { writtenIn } from '../../evolve/clients/under-way';
import { makeItem } from '../../items/item';
import type { SystemCases } from '../cases';
import { proveAt } from '../prove';
import { plain } from '../stage';
import type { Unserved } from '../unserved';
import type { Run, Venue } from '../venue';
import type { Ground, Held } from './ground';
import { identity, type Known, type Model } from './model';
import type { Call } from './reach';
import type { ReleasesOf } from './releases';
import { itemsOf, type Seed } from './seeds';
import type { Release } from './writers';

/** How many cases were proved, and the first that failed. */
export interface CaseProofs {
  readonly count: number;
  readonly failure?: string;
}

/** The items of every table, by its name in the system. */
type Contents = ReadonlyMap<string, readonly Held[]>;

/** Proves the cases of a release's design on the items as they are stored now; puts everything back afterwards. */
export async function casesAt(
  release: Release,
  phase: Phase | undefined,
  given: { readonly before?: SystemCases; readonly cases?: SystemCases },
  releases: ReleasesOf,
  model: Model,
  ground: Ground,
  tables: readonly string[],
  unserved: Unserved,
): Promise<CaseProofs> {
  const cases = release.side === 'old' ? given.before : given.cases;
  if (cases === undefined) return { count: 0 };
  const system = release.side === 'old' ? releases.before : releases.system;
  const contents: Contents = new Map(
    await Promise.all(tables.map(async (table) => [table, await ground.items(table)] as const)),
  );
  const wanted = contentsFor(release, phase, cases, system, releases, model, contents, ground);
  if (typeof wanted === 'string') return { count: 0, failure: wanted };
  let count = 0;
  try {
    for await (const { name, failure } of proveAt(
      venueIn(release, ground, tables, wanted),
      { system, cases },
      isWanted(release, system),
      unserved,
    )) {
      count++;
      if (failure !== undefined) return { count, failure: `case '${name}' of ${release.name}: ${failure}` };
    }
  } finally {
    await restore(ground, tables, contents);
  }
  return { count };
}

function isWanted(release: Release, { procedures = {} }: SystemDesign) {
  return (name: string, shown: readonly string[]) => {
    const uses = Object.hasOwn(procedures, name) ? (procedures[name]?.uses ?? []) : [name];
    return [...uses, ...shown].every((pattern) => release.may(pattern));
  };
}

/** Only the items of the cases: each as it is stored now, or, if it was not carried over, as a release writes it. */
function contentsFor(
  release: Release,
  phase: Phase | undefined,
  cases: SystemCases,
  system: SystemDesign,
  releases: ReleasesOf,
  model: Model,
  contents: Contents,
  ground: Ground,
): Contents | string {
  const wanted = new Map<string, Held[]>();
  const add = (table: string, held: Held) => wanted.set(table, [...(wanted.get(table) ?? []), held]);
  for (const [name, design] of Object.entries(system.tables)) {
    for (const seed of itemsOf(cases, name, design)) {
      const found = carriedOver(release, seed, outline(design), model, contents);
      if (typeof found === 'string') return found;
      if (found !== undefined) add(found.table, found.held);
      else if (release.side === 'old' || phase === undefined) add(name, ground.held(name, seed.item));
      else {
        const written = writtenIn(releases, phase, seed.table, seed.entity, seed.values);
        add(written.table, ground.held(written.table, written.item));
      }
    }
  }
  return wanted;
}

/**
 * An item of the cases that existed from the beginning, as it is stored now; or an error, if the cases expect other values
 * under the same name.
 */
function carriedOver(
  { side }: Release,
  { values, entity, label }: Seed,
  table: TableOutline,
  model: Model,
  contents: Contents,
): { readonly table: string; readonly held: Held } | string | undefined {
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
    const held = known && storedAs(known, contents.get(known.table.name) ?? []);
    if (known !== undefined && held !== undefined) return { table: known.table.name, held };
  }
  return undefined;
}

/** The name of an item in the cases, without its entity, which may have been renamed. */
function nameIn(label: string): string {
  return label.slice(label.indexOf("'"));
}

function storedAs({ table, entity, values }: Known, items: readonly Held[]): Held | undefined {
  const id = identity(table, makeItem(table, entity, values));
  return items.find(({ item }) => identity(table, item) === id);
}

/** A release on the existing tables; asking for their contents restores them. */
function venueIn(release: Release, ground: Ground, tables: readonly string[], wanted: Contents): Venue {
  const nothing = async () => undefined;
  return {
    provision: async () => [],
    drop: nothing,
    nameOf: (table) => table,
    patterns: (design: TableDesign, _, counter) =>
      Object.fromEntries(
        outline(design).patterns.map(({ name, design: pattern }) => {
          const run: Run = (values, options) => {
            counter.sent(isRead(pattern));
            return (release.calls[name] as Call)(values, options as { cursor?: string }) as ReturnType<Run>;
          };
          return [name, run];
        }),
      ),
    put: nothing,
    stored: (_, __, item) => item,
    contents: async () => {
      await restore(ground, tables, wanted);
      return new Map();
    },
    restore: nothing,
    remove: nothing,
  };
}

/** Makes the tables hold these items and no others. */
async function restore(ground: Ground, tables: readonly string[], wanted: Contents): Promise<void> {
  for (const table of tables) await ground.restore(table, wanted.get(table) ?? []);
}
