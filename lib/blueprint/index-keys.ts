import type { Assignment, Operand, UpdatePattern } from '../design/pattern';
import { holdsWhole, match, overlaps, type Part, type Template, template } from '../design/template';
import { decisiveTests } from './conditions';
import { counterpartOf } from './keys';
import { type Membership, type MembershipTest, membershipIn } from './membership';
import { type EntityOutline, type KeySource, keyOf, keysIn, ownOf, type TableOutline } from './outline';
import { touchedBy } from './updates';
import type { Completed } from './written';

/** The attributes that an update changes, and what is known about key parts before and after the update. */
export interface Change {
  readonly touched: readonly string[];
  /** Whether the new value of a key part follows from the update. */
  isKnown(part: Part): boolean;
  /** Whether a key part has a value before or after the update; undefined if this is unknown. */
  has(part: Part, isAfter: boolean): boolean | undefined;
  /** Whether an attribute has one of the values that keep an item in an index; undefined if this is unknown. */
  holds(test: MembershipTest, isAfter: boolean): boolean | undefined;
}

/** The keys of an index, and the tests that an item must pass to be in the index. */
export interface IndexKeys {
  readonly name: string;
  readonly keys: readonly KeySource[];
  readonly membership: Membership;
}

/** The effect of a change on the index keys. */
export interface Settlement {
  readonly rewritten: readonly KeySource[];
  readonly removed: readonly string[];
  /**
   * A key that must be rewritten although the update knows only some of its parts; callers must refuse such an update.
   */
  readonly half?: { readonly index: IndexKeys; readonly key: KeySource; readonly missing: readonly Part[] };
  /**
   * An index that may or may not contain the item, so that the index keys after the update cannot be determined;
   * callers must refuse such an update, too.
   */
  readonly undecided?: { readonly index: IndexKeys; readonly missing: readonly (Part | MembershipTest)[] };
}

/**
 * Lists the indexes that an entity can be in, each with its keys. Leaves out the table's own keys and the type
 * attribute, because no update writes them.
 */
export function indexKeys(table: TableOutline, entity: EntityOutline): readonly IndexKeys[] {
  const fixed = [...keyOf(table.key).map(({ name }) => name), table.typeAttribute];
  return table.indexes.flatMap((index) => {
    const keys = keysIn(entity, index)?.filter(({ attribute }) => !fixed.includes(attribute));
    return keys === undefined ? [] : [{ name: index.name, keys, membership: membershipIn(entity, index) }];
  });
}

/** An index, and whether the item is in the index before and after the update. */
interface State {
  readonly index: IndexKeys;
  readonly before: boolean | undefined;
  readonly after: boolean | undefined;
  /** Whether the update certainly leaves the item's membership unchanged, even if that membership is unknown. */
  readonly isSame: boolean;
}

/** Determines which index keys a change rewrites and which it removes. */
export function settle(indexes: readonly IndexKeys[], change: Change, upsert: boolean): Settlement {
  const isTouched = ({ name }: Part | MembershipTest) => change.touched.some((path) => overlaps(path, name));
  const byKey = new Map<string, { readonly key: KeySource; readonly states: readonly State[] }>();
  for (const index of indexes) {
    const state = stateOf(index, change, isTouched, upsert);
    for (const key of index.keys) {
      if (key.natural) continue;
      byKey.set(key.attribute, { key, states: [...(byKey.get(key.attribute)?.states ?? []), state] });
    }
  }
  const rewritten: KeySource[] = [];
  const removed: string[] = [];
  let half: Settlement['half'];
  let undecided: Settlement['undecided'];
  // An item keeps a key while it is in any index that uses the key.
  for (const { key, states } of byKey.values()) {
    const before = decidedBy(true, states, (state) => state.before);
    const after = decidedBy(true, states, (state) => state.after);
    const { parts } = key.template;
    if (after === false) {
      if (before !== false) removed.push(key.attribute);
      continue;
    }
    const isKept = after ? before === true : states.every(({ isSame }) => isSame);
    if (isKept && !parts.some(isTouched)) continue;
    const missing = parts.filter((part) => !change.isKnown(part));
    const { index } = states.find((state) => state.after === after) as State;
    if (after === undefined) {
      const open = requirementsOf(index).filter((one) => isMet(one, change, true) === undefined);
      // If the update itself changes the attribute that an undecided requirement tests, no further information could
      // tell whether the requirement is met.
      if (open.some(isTouched)) return refused({ undecided: { index, missing: open } });
      undecided ??= { index, missing: open };
    }
    if (missing.length > 0) half ??= { index, key, missing };
    rewritten.push(key);
  }
  if (half) return refused({ half });
  return undecided ? refused({ undecided }) : { rewritten, removed };
}

function refused(why: Pick<Settlement, 'half' | 'undecided'>): Settlement {
  return { rewritten: [], removed: [], ...why };
}

function stateOf(
  index: IndexKeys,
  change: Change,
  isTouched: (one: Part | MembershipTest) => boolean,
  upsert: boolean,
): State {
  const all = requirementsOf(index);
  const met = (ones: typeof all) =>
    [false, true].map((isAfter) => decidedBy(false, ones, (one) => isMet(one, change, isAfter)));
  const [before, after] = met(all);
  const touched = all.filter(isTouched);
  const isOut = before === false && after === false;
  const isSame = touched.length === 0 || isOut || (!upsert && met(touched).every((held) => held));
  // An upsert may create the item, and a new item is in no index yet.
  return { index, before: upsert && before ? undefined : before, after, isSame };
}

/** Lists what an item needs to be in an index: the key parts that it must have, and the tests that it must pass. */
export function requirementsOf({ keys, membership }: IndexKeys): readonly (Part | MembershipTest)[] {
  return [...keys.flatMap(({ template }) => template.parts), ...membership];
}

function isMet(one: Part | MembershipTest, change: Change, isAfter: boolean): boolean | undefined {
  return 'values' in one ? change.holds(one, isAfter) : change.has(one, isAfter);
}

/**
 * Returns `value` if any answer equals `value`. Otherwise, returns undefined if any answer is unknown, and the opposite
 * of `value` if all answers are known.
 */
function decidedBy<T>(
  value: boolean,
  ones: readonly T[],
  answer: (one: T) => boolean | undefined,
): boolean | undefined {
  const all = ones.map(answer);
  return all.includes(value) ? value : all.includes(undefined) ? undefined : !value;
}

/** How an update determines the value of an attribute that it does not set. */
export type Told =
  /** The key condition has a parameter in the position of the attribute. */
  | { readonly asked: Template; readonly part: Part; readonly source: KeySource }
  /** The value that the condition requires, or that the key contains as a literal. */
  | { readonly operand: Exclude<Operand, object>; readonly source?: KeySource };

/** Finds the attributes whose values follow from an update's key and condition. */
export function toldBy(
  table: TableOutline,
  entity: EntityOutline,
  step: Partial<UpdatePattern> & Completed,
): ReadonlyMap<string, Told> {
  const { where = {}, condition = {}, set = {}, computed = [] } = step;
  const known = new Map<string, Told>();
  for (const source of keysIn(entity, table.key) ?? []) {
    const asked = template(ownOf(where, source.attribute) ?? '');
    for (const part of asked.parts) {
      const counterpart = counterpartOf(asked, part, source.template);
      // A date does not determine the full timestamp from which the date was derived.
      if (counterpart && holdsWhole(counterpart) && holdsWhole(part))
        known.set(counterpart.name, { asked, part, source });
    }
    // A literal in place of a part, such as OPEN for <status>, shifts the positions of all later parts. `match`
    // therefore finds the text of each part, which may be a literal or a template.
    const texts = match(source.template, asked.text, table.separator);
    for (const part of source.template.parts)
      if (texts && holdsWhole(part) && !known.has(part.name))
        known.set(part.name, { operand: texts[part.name] as string, source });
  }
  const isLost = (attribute: string) =>
    touchedBy(step as UpdatePattern).some(
      (change) => (change.field !== 'set' || isCopy(set[change.attribute])) && overlaps(change.attribute, attribute),
    );
  for (const [attribute, operand] of decisiveTests(condition)) {
    // A condition that allows only one value determines the value before the change. Null is ignored, because no key
    // contains null.
    if (typeof operand !== 'object' && !known.has(attribute) && !isLost(attribute)) known.set(attribute, { operand });
  }
  for (const one of computed)
    if (!known.has(one.name) && one.parts.every(({ name }) => known.has(name))) known.set(one.name, one);
  return known;
}

/**
 * Whether the assigned value depends on the stored item: on a different attribute, or on the previous value of the same
 * attribute.
 */
export function isCopy(operand: Assignment | undefined): operand is Extract<Assignment, object> {
  return typeof operand === 'object' && operand !== null;
}
