import type { Condition, Operand, UpdatePattern } from '../design/pattern';
import { type Hole, type Template, template } from '../design/template';
import { counterpartOf } from './keys';
import { type EntityOutline, type KeySource, keyOf, keysIn, type TableOutline } from './outline';

/** What an update does to the attributes that keys are made of. */
export interface Change {
  readonly touched: readonly string[];
  /** Whether a part of a key has a value, and the update knows it. */
  isKnown(hole: Hole): boolean;
  /** Whether a part of a key has no value after it. */
  isGone(hole: Hole): boolean;
}

/** What a change comes to. */
export interface Settlement {
  /** The index keys that are written anew. */
  readonly rewritten: readonly KeySource[];
  /** The index keys that go. */
  readonly removed: readonly string[];
  /** A key of which the update changes a part and does not know the rest: such an update must not be made. */
  readonly half?: { readonly key: KeySource; readonly missing: readonly Hole[] };
}

/** The keys of the indexes that an entity can be in; those of the table, and the type, are not an update's to write. */
export function indexKeys(table: TableOutline, entity: EntityOutline): readonly (readonly KeySource[])[] {
  const fixed = [...keyOf(table.key).map(({ name }) => name), table.typeAttribute];
  return table.indexes.flatMap((index) => {
    const keys = keysIn(entity, index)?.filter(({ attribute }) => !fixed.includes(attribute));
    return keys === undefined ? [] : [keys];
  });
}

/** Which index keys are rewritten by a change, and which go. */
export function settle(indexes: readonly (readonly KeySource[])[], change: Change, upsert: boolean): Settlement {
  const left = new Set<readonly KeySource[]>();
  const rewritten = new Map<string, KeySource>();
  for (const index of indexes) {
    const touched = index.filter(({ template }) =>
      template.holes.some((hole) => change.touched.some((path) => overlaps(path, hole.name))),
    );
    const unknown = ({ natural, template }: KeySource) =>
      natural ? [] : template.holes.filter((hole) => !change.isKnown(hole));
    if (touched.some(({ template }) => template.holes.some((hole) => change.isGone(hole)))) left.add(index);
    // A new item gets all of its keys. One that may have left the index needs all of them to be back in it.
    else if ((upsert && !index.some((key) => unknown(key).length > 0)) || touched.some(({ optional }) => optional))
      for (const key of index) rewritten.set(key.attribute, key);
    else for (const key of touched) rewritten.set(key.attribute, key);
    for (const key of left.has(index) ? [] : index) {
      const missing = rewritten.has(key.attribute) ? unknown(key) : [];
      if (missing.length > 0) return { rewritten: [], removed: [], half: { key, missing } };
    }
  }
  const stays = new Set(indexes.flatMap((index) => (left.has(index) ? [] : index.map(({ attribute }) => attribute))));
  return {
    rewritten: [...rewritten.values()].filter(({ natural }) => !natural),
    removed: [...left].flat().flatMap(({ attribute, natural }) => (natural || stays.has(attribute) ? [] : [attribute])),
  };
}

/** Where an update learns the value of an attribute that it does not set. */
export type Told =
  /** A parameter of the key condition: the one that stands where the attribute does in the key. */
  | { readonly asked: Template; readonly hole: Hole; readonly source: KeySource }
  /** What the condition holds it equal to. */
  | { readonly operand: Exclude<Operand, object> };

/** The attributes whose values the key and the condition of an update give. */
export function toldBy(
  table: TableOutline,
  { keys }: EntityOutline,
  { where = {}, condition = {} }: Pick<UpdatePattern, 'where' | 'condition'>,
): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  for (const { name } of keyOf(table.key)) {
    const source = keys.get(name);
    const asked = template(Object.hasOwn(where, name) ? (where[name] as string) : '');
    for (const hole of source === undefined ? [] : asked.holes) {
      const counterpart = counterpartOf(asked, hole, (source as KeySource).template);
      // A date tells nothing of the time that it is a piece of.
      if (counterpart === undefined || [counterpart, hole].some(({ format }) => typeof format === 'string')) continue;
      told.set(counterpart.name, { asked, hole, source: source as KeySource });
    }
  }
  for (const [attribute, operand] of heldEqual(condition)) {
    if (!told.has(attribute)) told.set(attribute, { operand });
  }
  return told;
}

/** What a condition leaves only one value for; null is none that a key is made of. */
function heldEqual(condition: Condition): readonly (readonly [string, Exclude<Operand, object>])[] {
  return Object.entries(condition).flatMap(([attribute, test]) =>
    typeof test === 'object' ? [] : [[attribute, test] as const],
  );
}

/** Whether what is at one path is all inside what is at the other. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

/** Whether a change at one path can change what is at the other. */
export function overlaps(path: string, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}
