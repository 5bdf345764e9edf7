import type { Assignment, Condition, Operand, UpdatePattern } from '../design/pattern';
import { type Hole, type Template, template } from '../design/template';
import { decisiveTests } from './conditions';
import { counterpartOf } from './keys';
import { lackingIn, type Membership, type MembershipTest, membershipIn } from './membership';
import { type EntityOutline, type KeySource, keyOf, keysIn, type TableOutline } from './outline';

/** How an update changes the attributes that keys are made of. */
export interface Change {
  readonly touched: readonly string[];
  /** Whether a part of a key has a value, and the update knows it. */
  isKnown(hole: Hole): boolean;
  /** Whether a part of a key has no value after it. */
  isGone(hole: Hole): boolean;
  /** Whether an attribute has one of the values that keep an item in an index; undefined if that cannot be known. */
  holds(test: MembershipTest): boolean | undefined;
}

/** The keys of an index, and what must hold for an item to be in it. */
export interface IndexKeys {
  readonly name: string;
  readonly keys: readonly IndexKey[];
  readonly membership: Membership;
}

export interface IndexKey extends KeySource {
  /** Whether an item can be without it, because an attribute it is made of is optional. */
  readonly optional: boolean;
}

/** The effect of a change on the index keys. */
export interface Settlement {
  /** The index keys that are rewritten. */
  readonly rewritten: readonly KeySource[];
  /** The index keys that are removed. */
  readonly removed: readonly string[];
  /** A key that the update changes in part without knowing the rest: such an update must be refused. */
  readonly half?: { readonly key: KeySource; readonly missing: readonly Hole[] };
  /** An index that the item may be in or not, and the update would have to know which: it must be refused too. */
  readonly undecided?: { readonly index: IndexKeys; readonly missing: readonly string[] };
}

/** The keys of the indexes that an entity can be in, except the table's own keys and the type, which no update writes. */
export function indexKeys(table: TableOutline, entity: EntityOutline): readonly IndexKeys[] {
  const fixed = [...keyOf(table.key).map(({ name }) => name), table.typeAttribute];
  return table.indexes.flatMap((index) => {
    const sources = keysIn(entity, index)?.filter(({ attribute }) => !fixed.includes(attribute));
    if (sources === undefined) return [];
    const keys = sources.map((source) => ({ ...source, optional: lackingIn(entity, source).length > 0 }));
    return [{ name: index.name, keys, membership: membershipIn(entity, index) }];
  });
}

/** Works out which index keys a change rewrites, and which it removes. */
export function settle(indexes: readonly IndexKeys[], change: Change, upsert: boolean): Settlement {
  const left: KeySource[] = [];
  const stays = new Set<string>();
  const rewritten = new Map<string, KeySource>();
  const isTouched = (name: string) => change.touched.some((path) => overlaps(path, name));
  for (const index of indexes) {
    const { keys, membership } = index;
    const touched = keys.filter(({ template }) => template.holes.some(({ name }) => isTouched(name)));
    const unknown = ({ natural, template }: KeySource) =>
      natural ? [] : template.holes.filter((hole) => !change.isKnown(hole));
    const isMoved = membership.some(({ name }) => isTouched(name));
    const missing = membership.filter((test) => change.holds(test) === undefined).map(({ name }) => name);
    const isOut = membership.some((test) => change.holds(test) === false);
    // Without a part of its key, the item leaves the index, whatever else holds.
    if (touched.some(({ template }) => template.holes.some((hole) => change.isGone(hole))) || (isMoved && isOut)) {
      left.push(...keys);
      continue;
    }
    // An item outside the index has no keys to keep up to date. If the update touches nothing of the index, a stored item
    // stays as it is, and a new one lacks what nobody gives.
    if (isOut || (missing.length > 0 && !isMoved && touched.length === 0)) continue;
    if (missing.length > 0) return { rewritten: [], removed: [], undecided: { index, missing } };
    // A new item gets all of its keys, and one that may have left the index needs all of them to return.
    const isNew =
      (upsert && !keys.some((key) => unknown(key).length > 0)) || isMoved || touched.some(({ optional }) => optional);
    for (const key of isNew ? keys : touched) rewritten.set(key.attribute, key);
    for (const key of keys) {
      stays.add(key.attribute);
      const missing = rewritten.has(key.attribute) ? unknown(key) : [];
      if (missing.length > 0) return { rewritten: [], removed: [], half: { key, missing } };
    }
  }
  return {
    rewritten: [...rewritten.values()].filter(({ natural }) => !natural),
    removed: left.flatMap(({ attribute, natural }) => (natural || stays.has(attribute) ? [] : [attribute])),
  };
}

/** Where an update gets the value of an attribute that it does not set. */
export type Told =
  /** The parameter of the key condition that is where the key has the attribute. */
  | { readonly asked: Template; readonly hole: Hole; readonly source: KeySource }
  /** The value that the condition requires. */
  | { readonly operand: Exclude<Operand, object> };

/** The attributes whose values the key and the condition of an update give. */
export function toldBy(
  table: TableOutline,
  { keys }: EntityOutline,
  { where = {}, condition = {}, set = {}, add = {}, subtract = {}, remove = [] }: Partial<UpdatePattern>,
): ReadonlyMap<string, Told> {
  const known = new Map<string, Told>();
  for (const { name } of keyOf(table.key)) {
    const source = keys.get(name);
    const asked = template(Object.hasOwn(where, name) ? (where[name] as string) : '');
    for (const hole of source === undefined ? [] : asked.holes) {
      const counterpart = counterpartOf(asked, hole, (source as KeySource).template);
      // A date does not give the time that it is a piece of.
      if (counterpart === undefined || [counterpart, hole].some(({ format }) => typeof format === 'string')) continue;
      known.set(counterpart.name, { asked, hole, source: source as KeySource });
    }
  }
  const copied = Object.keys(set).filter((path) => isCopy(set[path]));
  const lost = [...remove, ...Object.keys(add), ...Object.keys(subtract), ...copied];
  for (const [attribute, operand] of heldEqual(condition)) {
    // A condition gives the value before the change.
    if (!known.has(attribute) && !lost.some((path) => overlaps(path, attribute))) known.set(attribute, { operand });
  }
  return known;
}

/** Whether the assigned value depends on the stored item: on another attribute, or on its own value before. */
export function isCopy(operand: Assignment | undefined): operand is Extract<Assignment, object> {
  return typeof operand === 'object' && operand !== null;
}

/** The attributes for which a condition allows only one value; null is no value that a key is made of. */
function heldEqual(condition: Condition): readonly (readonly [string, Exclude<Operand, object>])[] {
  return decisiveTests(condition).flatMap(([attribute, test]) =>
    typeof test === 'object' ? [] : [[attribute, test] as const],
  );
}

/** Whether one path is the same as the other, or leads into it. */
export function isWithin(path: string, other: string): boolean {
  return path.startsWith(other) && /^($|[.[])/.test(path.slice(other.length));
}

/** Whether a change at one path can change the value at the other. */
export function overlaps(path: string, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}
