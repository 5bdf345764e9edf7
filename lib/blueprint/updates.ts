import type { KeyTemplates } from '../design/pattern';
import { type Hole, type Template, template } from '../design/template';
import { counterpartOf, type KeySource } from './keys';

/** A key of an index that an update can write. */
export interface IndexKey extends KeySource {
  readonly name: string;
  /** Whether an item can be without what it is made of, and so not be in the index. */
  readonly sparse: boolean;
}

/** What an update does to the attributes that keys are made of. */
export interface Change {
  readonly touched: readonly string[];
  /** Whether a part of a key has a value, and the update knows it. */
  isKnown(hole: Hole): boolean;
  /** Whether a part of a key has no value after it. */
  isGone(hole: Hole): boolean;
}

/** What a change comes to. */
export interface Settlement<K extends IndexKey> {
  /** The index keys that are written anew. */
  readonly rewritten: readonly K[];
  /** The index keys that go. */
  readonly removed: readonly string[];
  /** A key of which the update changes a part and does not know the rest: such an update must not be made. */
  readonly half?: { readonly key: K; readonly missing: readonly Hole[] };
}

/** Which index keys are rewritten by a change, and which go. */
export function settle<K extends IndexKey>(
  indexes: readonly (readonly K[])[],
  change: Change,
  upsert: boolean,
): Settlement<K> {
  const left = new Set<readonly K[]>();
  const rewritten = new Map<string, K>();
  for (const index of indexes) {
    const touched = index.filter(({ template }) =>
      template.holes.some((hole) => change.touched.some((path) => overlaps(path, hole.name))),
    );
    const unknown = ({ natural, template }: K) =>
      natural ? [] : template.holes.filter((hole) => !change.isKnown(hole));
    if (touched.some(({ template }) => template.holes.some((hole) => change.isGone(hole)))) left.add(index);
    // A new item gets all of its keys. One that may have left the index needs all of them to be back in it.
    else if ((upsert && !index.some((key) => unknown(key).length > 0)) || touched.some(({ sparse }) => sparse))
      for (const key of index) rewritten.set(key.name, key);
    else for (const key of touched) rewritten.set(key.name, key);
    for (const key of left.has(index) ? [] : index) {
      const missing = rewritten.has(key.name) ? unknown(key) : [];
      if (missing.length > 0) return { rewritten: [], removed: [], half: { key, missing } };
    }
  }
  const stays = new Set(indexes.flatMap((index) => (left.has(index) ? [] : index.map(({ name }) => name))));
  return {
    rewritten: [...rewritten.values()].filter(({ natural }) => !natural),
    removed: [...left].flat().flatMap(({ name, natural }) => (natural || stays.has(name) ? [] : [name])),
  };
}

/** The attributes whose values the key condition gives, each with its place among the parameters. */
export function toldBy(
  primary: Iterable<readonly [string, Template]>,
  where: KeyTemplates,
): ReadonlyMap<string, readonly string[]> {
  const told = new Map<string, readonly string[]>();
  for (const [name, key] of primary) {
    const asked = template(where[name] ?? '');
    for (const hole of asked.holes) {
      const counterpart = counterpartOf(asked, hole, key);
      // A date tells nothing of the time that it is a piece of.
      if (counterpart === undefined || counterpart.format !== hole.format || typeof hole.format === 'string') continue;
      told.set(counterpart.name, hole.path);
    }
  }
  return told;
}

/** Whether what is at one path is all inside what is at the other. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** Whether a change at one path can change what is at the other. */
export function overlaps(path: string, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}
