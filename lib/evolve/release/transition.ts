import { attributeNames } from '../../blueprint/attributes/facts';
import { partsOf } from '../../blueprint/template-parts';
import type {
  GetPattern,
  KeyCondition,
  KeyTemplates,
  PatternDesign,
  QueryPattern,
  TransactionStep,
} from '../../design/pattern';
import { type EntityDesign, type IndexDesign, namesInKey, type TableDesign } from '../../design/table';
import { template } from '../../design/template';
import { withNames } from '../diff/entities';
import type { ItemChange } from '../plan/plan';

/**
 * A table while a plan is under way, as two designs with the patterns of the new one. Readers of either form find what the
 * other writes: an item has the keys of the old indexes and of the new ones.
 */
export interface Transition {
  /** Its name in the lock. */
  readonly formerName: string;
  /** The design with items under their old primary keys, where the release before finds them. */
  readonly old: TableDesign;
  /** The design with items under their new primary keys. */
  readonly now: TableDesign;
  /** Whether the two have items under different keys, or in different tables. */
  readonly moves: boolean;
  /** New names of attributes by old ones, by entity of the new design. */
  readonly renamed: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** Old names of entities by new ones; a new entity has none. */
  readonly formerNames: ReadonlyMap<string, string>;
  /** The type attribute of old items with its value, by entity of the new design. */
  readonly oldTypes: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/**
 * A table on its way from what is deployed to a design.
 * @param readsNew whether its patterns read the new indexes yet
 */
export function transitionOf(
  before: TableDesign,
  after: TableDesign,
  items: readonly ItemChange[],
  readsNew: boolean,
): Transition {
  const own = items.filter(({ from, to }) => from.table === before.name && to?.table === after.name);
  const isOther = before.name !== after.name;
  const pairs = Object.keys(after.entities).map((name): Pair => {
    const change = own.find(({ to }) => to?.entity === name);
    const is = after.entities[name] as EntityDesign;
    const was = before.entities[change?.from.entity ?? name];
    return { name, is, was, change, renamed: change?.renamed ?? {} };
  });
  const way = { before, after, pairs };
  // An item in a new table is in no index of the old one.
  const kept = isOther ? {} : (before.indexes ?? {});
  const now: TableDesign = {
    ...after,
    indexes: { ...kept, ...after.indexes },
    entities: entitiesOf(pairs, (pair) => withOldKeys(pair, keyNames(Object.values(kept)), new Set())),
    patterns: patternsOf(way, ({ index }) => index !== undefined && !isOther && !readsNew),
  };
  const primary = new Set(keyNames([before.key]));
  const gone = new Set(isOther ? keyNames([after.key, ...Object.values(after.indexes ?? {})]) : []);
  const old: TableDesign = {
    ...after,
    name: before.name,
    key: before.key,
    indexes: isOther ? (before.indexes ?? {}) : { ...before.indexes, ...after.indexes },
    entities: entitiesOf(pairs, (pair) =>
      withOldKeys(pair, keyNames([before.key, ...Object.values(before.indexes ?? {})]), primary, gone),
    ),
    patterns: patternsOf(way, () => true),
  };
  return {
    formerName: before.name,
    old,
    now,
    moves: isOther || own.some(({ moves }) => moves),
    renamed: new Map(pairs.map(({ name, renamed }) => [name, renamed])),
    formerNames: new Map(
      pairs.flatMap(({ name, was, change }) => (was === undefined ? [] : [[name, change?.from.entity ?? name]])),
    ),
    oldTypes: new Map(pairs.map((pair) => [pair.name, oldTypeOf(pair, before)])),
  };
}

/** How the old design marks the items of an entity. */
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
}

function entitiesOf(pairs: readonly Pair[], make: (pair: Pair) => EntityDesign): TableDesign['entities'] {
  return Object.fromEntries(pairs.map((pair) => [pair.name, make(pair)]));
}

function keyNames(keys: readonly IndexDesign[]): readonly string[] {
  return keys.flatMap(namesInKey);
}

/** An entity with some of its old keys, beside the new ones or `instead` of them. */
function withOldKeys(
  { is, was, renamed }: Pair,
  names: readonly string[],
  instead: ReadonlySet<string>,
  gone: ReadonlySet<string> = new Set(),
): EntityDesign {
  const attributes = attributeNames(is.attributes);
  const kept = Object.entries(is.keys ?? {}).filter(([name]) => !gone.has(name));
  const keys: Record<string, string> = Object.fromEntries(kept);
  for (const name of names) {
    const text = was?.keys?.[name];
    if (text === undefined || (Object.hasOwn(keys, name) && !instead.has(name))) continue;
    const old = renamedText(text, renamed);
    // A key cannot be made from an attribute that is gone.
    if (holesIn(old).every((hole) => attributes.includes(hole.split('.')[0] as string))) keys[name] = old;
  }
  const membership = { ...was?.indexes, ...is.indexes };
  // Under the old primary key, the attributes that only that key holds are key-only.
  const keyOnly =
    instead.size === 0 || was === undefined ? is.keyOnly : was.keyOnly?.map((name) => renamed[name] ?? name);
  const { keyOnly: _, ...rest } = is;
  return {
    ...rest,
    keys,
    ...(keyOnly === undefined ? {} : { keyOnly: keyOnly.filter((name) => attributes.includes(name)) }),
    ...(Object.keys(membership).length === 0 ? {} : { indexes: membership }),
  };
}

type Querying = { readonly op: string; readonly index?: string };
type Where = Readonly<Record<string, KeyCondition>>;

/** A table on its way: both designs, and its entities. */
interface Way {
  readonly before: TableDesign;
  readonly after: TableDesign;
  readonly pairs: readonly Pair[];
}

/** The patterns of the new design; where `asOld` says so, they use the old keys and indexes, if callers give values for them. */
function patternsOf(way: Way, asOld: (pattern: Querying) => boolean): NonNullable<TableDesign['patterns']> {
  const patterns = Object.entries(way.after.patterns ?? {}).map(([name, pattern]) => {
    const was = way.before.patterns?.[name];
    return [name, asOld(pattern as Querying) ? oldPattern(way, pattern, was) : pattern];
  });
  return Object.fromEntries(patterns);
}

function oldPattern(way: Way, pattern: PatternDesign, was: PatternDesign | undefined): PatternDesign {
  switch (pattern.op) {
    case 'get':
    case 'query':
      return oldRead(way, pattern, was);
    case 'scan': {
      const { index: _, ...rest } = pattern;
      return was?.op === 'scan' && was.index !== undefined ? { ...rest, index: was.index } : rest;
    }
    case 'batchGet': {
      const keys = Object.entries(pattern.keys).map(([name, where]) => [name, oldWhere(way, where, pattern.returns)]);
      return { ...pattern, keys: Object.fromEntries(keys) };
    }
    case 'transaction':
    case 'batchWrite': {
      const steps = Object.entries(pattern.steps).map(([name, step]) => [name, oldStep(way, step as TransactionStep)]);
      return { ...pattern, steps: Object.fromEntries(steps) };
    }
    default:
      return oldStep(way, pattern as TransactionStep) as PatternDesign;
  }
}

function oldRead(way: Way, pattern: GetPattern | QueryPattern, was: PatternDesign | undefined): PatternDesign {
  const renamed = Object.assign({}, ...way.pairs.map((pair) => pair.renamed));
  const old = was?.op === pattern.op ? renamedWhere(was.where, renamed) : undefined;
  if (old === undefined || !isGiven(old, pattern.where)) {
    return { ...pattern, where: oldWhere(way, pattern.where, pattern.returns) } as PatternDesign;
  }
  const { index: _, ...rest } = pattern as PatternDesign & Querying;
  const { index } = was as Querying;
  return { ...rest, where: old, ...(index === undefined ? {} : { index }) } as PatternDesign;
}

function oldStep(way: Way, step: TransactionStep): TransactionStep {
  if (!('where' in step)) return step;
  return { ...step, where: oldWhere(way, step.where, [step.entity]) as KeyTemplates };
}

/** A key condition under the old keys: where it is an entity's new key template, the old one takes its place. */
function oldWhere({ before, after, pairs }: Way, where: Where, entities: readonly string[]): Where {
  const role: Readonly<Record<string, string | undefined>> = {
    [after.key.partition]: before.key.partition,
    ...(after.key.sort === undefined ? {} : { [after.key.sort]: before.key.sort }),
  };
  const old = Object.entries(where).flatMap(([name, condition]): [string, KeyCondition][] => {
    const now = Object.hasOwn(role, name) ? role[name] : name;
    if (now === undefined) return [];
    const own = pairs.find(
      (pair) => entities.includes(pair.name) && (pair.is.keys?.[name] ?? `<${name}>`) === condition,
    );
    if (own?.was === undefined) return [[now, condition]];
    return [[now, renamedText(own.was.keys?.[now] ?? `<${now}>`, own.renamed)]];
  });
  return Object.fromEntries(old);
}

function renamedWhere(where: Where, renamed: Readonly<Record<string, string>>): Where {
  const text = (template: string) => renamedText(template, renamed);
  const renamedCondition = (condition: KeyCondition): KeyCondition =>
    typeof condition === 'string'
      ? text(condition)
      : (Object.fromEntries(
          Object.entries(condition).map(([how, bound]) => [how, Array.isArray(bound) ? bound.map(text) : text(bound)]),
        ) as unknown as KeyCondition);
  return Object.fromEntries(Object.entries(where).map(([name, condition]) => [name, renamedCondition(condition)]));
}

/** Whether the parameters of the new condition include those of the old one. */
function isGiven(old: Where, now: Where): boolean {
  const parameters = (where: Where) =>
    Object.values(where)
      .flatMap((condition) => (typeof condition === 'string' ? [condition] : Object.values(condition).flat()))
      .flatMap(holesIn);
  const given = parameters(now);
  return parameters(old).every((name) => given.includes(name));
}

function holesIn(text: string): readonly string[] {
  return partsOf(template(text)).map(({ name }) => name);
}

/** A key template with the new names of attributes. */
function renamedText(text: string, renamed: Readonly<Record<string, string>>): string {
  return withNames(text, (name) => (Object.hasOwn(renamed, name) ? (renamed[name] as string) : name));
}
