import { isDeepStrictEqual } from 'node:util';
import { attributeNames } from '../../blueprint/attributes/facts';
import { storedName } from '../../blueprint/stored';
import type { KeyCondition, PatternDesign } from '../../design/pattern';
import { type EntityDesign, type IndexDesign, namesInKey, type TableDesign } from '../../design/table';
import { storedRenames } from '../diff/pairs';
import type { Downs } from '../migration/forms';
import type { ItemChange } from '../plan/plan';
import { withFormerValues } from './former-values';
import { oldPattern, partsIn, renamedText } from './old-patterns';

/**
 * A table while a plan is in progress, as two designs. Both have the patterns of the new design. An item has the keys
 * of both the old and the new indexes, so that readers of one form find what writers of the other form store.
 */
export interface Transition {
  /** The name of the table in the lock. */
  readonly formerName: string;
  /** The design that stores items under their old primary keys, where the previous release finds them. */
  readonly old: TableDesign;
  /** The design that stores items under their new primary keys. */
  readonly now: TableDesign;
  /** Whether the two designs differ in keys, in tables, or in the values that they store. */
  readonly moves: boolean;
  /** For each entity of the new design: the functions that convert new values to the old values that `old` writes. */
  readonly downs: ReadonlyMap<string, Downs>;
  /**
   * For each entity of the new design: the index keys that only one of the two designs renders, because they contain an
   * attribute whose text in keys differs between the designs.
   */
  readonly exclusive: ReadonlyMap<string, ExclusiveKeys>;
  /** The reasons why patterns cannot find old items before the switch, keyed by pattern. */
  readonly unserved: ReadonlyMap<string, string>;
  /** For each entity of the new design: the new stored names of attributes, keyed by their old stored names. */
  readonly renamed: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /**
   * For each entity of the new design: the stored map and field that an attribute moves to, keyed by the attribute's
   * old stored name.
   */
  readonly nested: ReadonlyMap<string, NonNullable<ItemChange['nested']>>;
  /** The old names of entities, keyed by their new names. New entities have no entry. */
  readonly formerNames: ReadonlyMap<string, string>;
  /** For each entity of the new design: the type attribute of the entity's old items, and its value. */
  readonly oldTypes: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Index keys that only the old form renders, and index keys that only the new form renders. */
export interface ExclusiveKeys {
  readonly old: readonly string[];
  readonly now: readonly string[];
}

/**
 * Returns a table in transition from its deployed form to a design.
 * @param readsNew whether the table's patterns already read the new indexes
 * @param servesOld whether the previous release may still run; if so, an index that both designs have keeps its old
 * condition
 */
export function transitionOf(
  before: TableDesign,
  after: TableDesign,
  items: readonly ItemChange[],
  readsNew: boolean,
  servesOld = false,
  downsOf: (entity: string) => Downs = () => new Map(),
): Transition {
  const own = items.filter(({ from, to }) => from.table === before.name && to?.table === after.name);
  const isOther = before.name !== after.name;
  const pairs = Object.keys(after.entities).map((name): Pair => {
    const change = own.find(({ to, merged }) => to?.entity === name && merged !== true);
    const is = after.entities[name] as EntityDesign;
    const was = before.entities[change?.from.entity ?? name];
    const membership = membershipOf({ before, after }, { is, was }, servesOld);
    const downs = downsOf(name);
    const exclusive = exclusiveKeys(is, was, downs, namesInKey(after.key));
    return { name, is, was, change, renamed: change?.renamed ?? {}, membership, downs, exclusive };
  });
  const way = { before, after, pairs };
  // The indexes of the old table do not contain items of a new table.
  const kept = isOther ? {} : (before.indexes ?? {});
  const now: TableDesign = {
    ...after,
    indexes: { ...kept, ...after.indexes },
    entities: entitiesOf(pairs, (pair) => {
      const names = keyNames(Object.values(kept)).filter((name) => !pair.exclusive.old.includes(name));
      return withOldKeys(pair, names, new Set());
    }),
    patterns: patternsOf(way, ({ index }) => index !== undefined && !isOther && !readsNew && !isExclusive(way, index)),
  };
  const primary = new Set(keyNames([before.key]));
  const gone = new Set(isOther ? keyNames([after.key, ...Object.values(after.indexes ?? {})]) : []);
  const old: TableDesign = {
    ...after,
    name: before.name,
    key: before.key,
    indexes: isOther ? (before.indexes ?? {}) : { ...before.indexes, ...after.indexes },
    entities: entitiesOf(pairs, (pair) => {
      const names = keyNames([before.key, ...Object.values(before.indexes ?? {})]);
      const former = withOldKeys(pair, names, primary, new Set([...gone, ...pair.exclusive.now]));
      return pair.was === undefined
        ? former
        : { ...former, attributes: withFormerValues(pair.is.attributes, pair.was.attributes, pair.downs) };
    }),
    patterns: patternsOf(way, () => true),
  };
  return {
    formerName: before.name,
    old,
    now,
    moves: isOther || own.some(({ moves }) => moves) || pairs.some(({ downs }) => downs.size > 0),
    downs: new Map(pairs.map(({ name, downs }) => [name, downs])),
    exclusive: new Map(pairs.map(({ name, exclusive }) => [name, exclusive])),
    unserved: unservedIn(way, old),
    renamed: new Map(pairs.map(({ name, change }) => [name, storedRenames(change)])),
    nested: new Map(pairs.map((pair) => [pair.name, nestedNames(pair)])),
    formerNames: new Map(
      pairs.flatMap(({ name, was, change }) => (was === undefined ? [] : [[name, change?.from.entity ?? name]])),
    ),
    oldTypes: new Map(pairs.map((pair) => [pair.name, oldTypeOf(pair, before)])),
  };
}

/**
 * Returns the patterns of the new design that the old keys and indexes cannot serve with the values that callers pass,
 * each with the reason.
 */
function unservedIn({ before, after, pairs }: Way, old: TableDesign): ReadonlyMap<string, string> {
  const hasOld = (entities: readonly string[]) =>
    pairs.some(({ name, was }) => was !== undefined && entities.includes(name));
  const reasons = Object.entries(after.patterns ?? {}).flatMap(([name, pattern]): [string, string][] => {
    const form = old.patterns?.[name] as PatternDesign;
    const { index } = form as Querying;
    const isOldIndex = index === undefined || Object.hasOwn(before.indexes ?? {}, index);
    if (form.op === 'query' && !isOldIndex && hasOld(form.returns))
      return [[name, `it queries index '${index}', which old items enter only during the backfill`]];
    const isLacked = ({ name: entity, change }: Pair) =>
      form.op === 'find' && form.returns.includes(entity) && change?.guards?.includes(form.unique);
    if (pairs.some(isLacked)) return [[name, 'it looks for guards, which old items get only during the backfill']];
    if (looksForNewKeys({ before, after, pairs }, name, pattern, form))
      return [[name, 'it looks for keys that old items do not have']];
    const [given, needed] = [pattern, form].map((one) => new Set(conditionsIn(one).flatMap(partsIn)));
    const missing = [...(needed as Set<string>)].find((part) => !given?.has(part));
    return missing === undefined ? [] : [[name, `its callers do not pass '${missing}', which old keys contain`]];
  });
  return new Map(reasons);
}

/**
 * Whether a query would look up old items by their new keys: its key condition is unchanged, but the keys of the items
 * change.
 */
function looksForNewKeys({ before, after, pairs }: Way, name: string, now: PatternDesign, old: PatternDesign): boolean {
  if (now.op !== 'query' || old.op !== 'query' || now.index !== undefined || before.patterns?.[name]?.op === 'query')
    return false;
  return pairs.some(({ name: entity, is, was, renamed }) => {
    if (was === undefined || !now.returns.includes(entity)) return false;
    return namesInKey(after.key).some((key) => {
      const former = was.keys?.[key];
      const isKept = former !== undefined && renamedText(former, renamed) === is.keys?.[key];
      return !isKept && Object.hasOwn(now.where, key) && isDeepStrictEqual(now.where[key], old.where[key]);
    });
  });
}

/** Returns the key templates that a pattern uses to look up items. */
function conditionsIn(pattern: PatternDesign): readonly string[] {
  const { where, keys, steps } = pattern as {
    readonly where?: Where;
    readonly keys?: Readonly<Record<string, Where>>;
    readonly steps?: Readonly<Record<string, PatternDesign>>;
  };
  const own = [where ?? {}, ...Object.values(keys ?? {})].flatMap((one) => Object.values(one));
  return [
    ...own.flatMap((condition) => (typeof condition === 'string' ? [condition] : Object.values(condition).flat())),
    ...Object.values(steps ?? {}).flatMap(conditionsIn),
  ];
}

/** Returns the map and field that each attribute moves to, all under their stored names. */
function nestedNames({ is, was, change }: Pair): NonNullable<ItemChange['nested']> {
  const paths = Object.entries(change?.nested ?? {}).map(([old, [map, field]]) => [
    storedName(was ?? {}, old),
    [storedName(is, map), field],
  ]);
  return Object.fromEntries(paths);
}

/** Returns the type attribute that the entity's items have in the old design, and its value. */
function oldTypeOf({ name, was, change }: Pair, { typeAttribute }: TableDesign): Readonly<Record<string, string>> {
  if (was === undefined || typeAttribute === undefined) return {};
  return { [typeAttribute]: was.type ?? change?.from.entity ?? name };
}

interface Pair {
  readonly name: string;
  readonly is: EntityDesign;
  readonly was: EntityDesign | undefined;
  readonly change: ItemChange | undefined;
  readonly renamed: Readonly<Record<string, string>>;
  /** The conditions under which the entity's items are in each index. */
  readonly membership: NonNullable<EntityDesign['indexes']>;
  readonly downs: Downs;
  readonly exclusive: ExclusiveKeys;
}

/**
 * Returns the index keys that only one of the designs has and that contain an attribute whose text in keys differs
 * between the designs.
 */
function exclusiveKeys(
  is: EntityDesign,
  was: EntityDesign | undefined,
  downs: Downs,
  primary: readonly string[],
): ExclusiveKeys {
  const only = (own: EntityDesign | undefined, other: EntityDesign | undefined) =>
    Object.entries(own?.keys ?? {}).flatMap(([name, text]) =>
      !primary.includes(name) &&
      !Object.hasOwn(other?.keys ?? {}, name) &&
      partsIn(text).some((part) => downs.has(part.split('.')[0] as string))
        ? [name]
        : [],
    );
  return { old: only(was, is), now: only(is, was) };
}

/** Whether only the new form renders the keys of an index. If so, each form must be read through its own index. */
function isExclusive({ after, pairs }: Way, index: string): boolean {
  const names = namesInKey(after.indexes?.[index] as IndexDesign);
  return pairs.some(({ exclusive }) => exclusive.now.some((name) => names.includes(name)));
}

/**
 * Returns, for each index that has a condition, the condition under which it contains the entity's items. An index that
 * both designs have keeps its old condition while the previous release may read it.
 */
function membershipOf(
  { before, after }: Readonly<Record<'before' | 'after', TableDesign>>,
  { is, was }: { readonly is: EntityDesign; readonly was: EntityDesign | undefined },
  servesOld: boolean,
): Pair['membership'] {
  const names = new Set([...Object.keys(before.indexes ?? {}), ...Object.keys(after.indexes ?? {})]);
  const conditions = [...names].flatMap((name) => {
    const isOld = after.indexes?.[name] === undefined || (servesOld && before.indexes?.[name] !== undefined);
    const condition = isOld && was !== undefined ? was.indexes?.[name] : is.indexes?.[name];
    return condition === undefined ? [] : [[name, condition] as const];
  });
  return Object.fromEntries(conditions);
}

function entitiesOf(pairs: readonly Pair[], make: (pair: Pair) => EntityDesign): TableDesign['entities'] {
  return Object.fromEntries(pairs.map((pair) => [pair.name, make(pair)]));
}

function keyNames(keys: readonly IndexDesign[]): readonly string[] {
  return keys.flatMap(namesInKey);
}

/** Returns an entity with some of its old keys added. For the names in `instead`, the old key replaces the new one. */
function withOldKeys(
  { is, was, renamed, membership }: Pair,
  names: readonly string[],
  instead: ReadonlySet<string>,
  gone: ReadonlySet<string> = new Set(),
): EntityDesign {
  const attributes = attributeNames(is.attributes);
  const kept = Object.entries(is.keys ?? {}).filter(([name]) => !gone.has(name));
  const keys: Record<string, string> = Object.fromEntries(kept);
  for (const name of names) {
    // If the old primary key was an attribute that is now renamed, the key must be rendered from the attribute under
    // its new name.
    const isNatural = instead.has(name) && Object.hasOwn(renamed, name) && !attributes.includes(name);
    const text = was?.keys?.[name] ?? (isNatural ? `<${name}>` : undefined);
    if (text === undefined || (Object.hasOwn(keys, name) && !instead.has(name))) continue;
    const old = renamedText(text, renamed);
    // A key cannot be rendered from a removed attribute.
    if (partsIn(old).every((part) => attributes.includes(part.split('.')[0] as string))) keys[name] = old;
  }
  // An entity that keeps its old primary key also keeps the key-only attributes of the old design.
  const keyOnly =
    instead.size === 0 || was === undefined ? is.keyOnly : was.keyOnly?.map((name) => renamed[name] ?? name);
  const { keyOnly: _, indexes: __, unique: own, ...rest } = is;
  // The previous release still looks for the guards of a removed `unique` declaration.
  const unique = { ...was?.unique, ...own };
  return {
    ...rest,
    keys,
    ...(Object.keys(unique).length === 0 ? {} : { unique }),
    ...(keyOnly === undefined ? {} : { keyOnly: keyOnly.filter((name) => attributes.includes(name)) }),
    ...(Object.keys(membership).length === 0 ? {} : { indexes: membership }),
  };
}

export type Querying = { readonly op: string; readonly index?: string };
export type Where = Readonly<Record<string, KeyCondition>>;

/** The two designs of a table in transition, and its entities. */
export interface Way {
  readonly before: TableDesign;
  readonly after: TableDesign;
  readonly pairs: readonly Pair[];
}

/**
 * Returns the patterns of the new design. The patterns that `asOld` selects use the old keys and indexes wherever
 * callers pass the values for them.
 */
function patternsOf(way: Way, asOld: (pattern: Querying) => boolean): NonNullable<TableDesign['patterns']> {
  const patterns = Object.entries(way.after.patterns ?? {}).map(([name, pattern]) => {
    const was = way.before.patterns?.[name];
    return [name, asOld(pattern as Querying) ? oldPattern(way, pattern, was) : pattern];
  });
  return Object.fromEntries(patterns);
}
