import { isDeepStrictEqual } from 'node:util';
import { hasKeys, isRead } from '../../blueprint/accesses';
import { isOpen } from '../../blueprint/attributes/schema';
import { counterpartOf } from '../../blueprint/keys';
import { type KeySource, keyOf, type PatternBlueprint } from '../../blueprint/outline';
import { hasParts, partsOf, partsOfKey } from '../../blueprint/template-parts';
import { guardsOf } from '../../blueprint/unique';
import type { GetPattern, KeyCondition, QueryPattern, ScanPattern } from '../../design/pattern';
import { match, type Template, template, valueAt, withParts } from '../../design/template';
import { type Item, makeItem } from '../../items/item';
import { isPage } from '../../items/result';
import { plain } from '../stage';
import type { Known, Model } from './model';

/** A pattern of a release, as a function. */
export type Call = (values: object, options?: { cursor?: string; etag?: string }) => Promise<unknown>;

/** A way to find an item: a pattern, and the values to call it with. */
export interface Way {
  readonly pattern: string;
  readonly values: Item;
  readonly select?: readonly string[];
}

/** Returns every read with which a design must find an item; the read's values come from the item's keys. */
export function waysTo({ table, entity, values }: Known): readonly Way[] {
  const stored = makeItem(table, entity, values);
  return table.patterns.flatMap((pattern) => {
    const { design, name } = pattern;
    if (!isRead(design) || hasKeys(design) || !design.returns.includes(entity.name)) return [];
    if ((design.op === 'query' || design.op === 'scan') && (design.filter !== undefined || design.unexpired)) return [];
    if (design.op === 'find') {
      const guard = guardsOf(table, entity).find(({ guards: { unique } }) => unique === design.unique);
      const own =
        guard && Object.fromEntries(guard.guards.values.map((path) => [path, valueAt(values, path.split('.'))]));
      return own === undefined ? [] : [{ pattern: name, values: own }];
    }
    const given = valuesFor({ table, entity, values }, pattern, design, stored);
    const select = 'select' in design && design.select !== undefined ? { select: design.select } : {};
    return given === undefined ? [] : [{ pattern: name, values: given, ...select }];
  });
}

/**
 * Returns the values with which a pattern finds an item; undefined if the pattern cannot find it, or if the values are
 * unknown.
 */
function valuesFor(
  { table, entity: { keys: sources }, values }: Known,
  { accesses }: PatternBlueprint,
  design: GetPattern | QueryPattern | ScanPattern,
  stored: Item,
): Item | undefined {
  const key = accesses[0]?.key ?? table.key;
  // An item without one of the index's keys is not in the index.
  if (keyOf(key).some(({ name }) => stored[name] === undefined)) return undefined;
  const given: Item = {};
  for (const [name, condition] of Object.entries(design.op === 'scan' ? {} : design.where)) {
    const value = stored[name];
    const own =
      sources.get(name)?.natural === true && typeof value !== 'string'
        ? naturally(condition, value)
        : matched(condition, String(value), table.separator, sources.get(name));
    if (own === undefined) return undefined;
    for (const [slot, part] of Object.entries(own)) {
      // A caller passes a piece of a timestamp, such as its date, under the timestamp's name. Two different pieces
      // cannot be passed under the same name.
      const [parameter = slot, format] = slot.split(':');
      // The client itself queries every shard.
      if (format === 'every') continue;
      const value =
        format === 'lower' || format === 'upper' ? ownValue(condition, parameter, sources.get(name), values) : part;
      if (Object.hasOwn(given, parameter) && String(given[parameter]) !== String(value)) return undefined;
      given[parameter] = value;
    }
  }
  const each = design.op === 'query' ? design.each : undefined;
  if (each === undefined) return given;
  return Object.hasOwn(given, each) ? { ...given, [each]: [given[each]] } : undefined;
}

/** The value of the attribute that a parameter represents. The key may contain this value in upper or lower case. */
function ownValue(condition: KeyCondition, parameter: string, source: KeySource | undefined, values: Item): unknown {
  const texts = typeof condition === 'string' ? [condition] : Object.values(condition).flat();
  for (const asked of texts.map((text) => template(String(text)))) {
    const part = partsOf(asked).find(({ name }) => name === parameter);
    const path = part && source && counterpartOf(asked, part, source.template)?.path;
    if (path !== undefined) return valueAt(values, path);
  }
  return undefined;
}

function naturally(condition: KeyCondition, value: unknown): Item | undefined {
  if (typeof condition !== 'string') return undefined;
  const [part] = partsOf(template(condition));
  return part === undefined ? undefined : { [part.name]: value };
}

function matched(
  condition: KeyCondition,
  key: string,
  separator: string,
  source: KeySource | undefined,
): Item | undefined {
  if (typeof condition === 'string') return match(spelled(condition, source), key, separator);
  if ('between' in condition) {
    // A range includes both of its bounds, so a range of one key is enough to find an item.
    const [from, to] = condition.between.map((bound) => match(spelled(bound, source), key, separator));
    return from && to && { ...from, ...to };
  }
  if (!('beginsWith' in condition)) return undefined;
  const prefix = spelled(condition.beginsWith, source);
  if (!hasParts(prefix)) return key.startsWith(condition.beginsWith) ? {} : undefined;
  for (let end = key.length; end > 0; end = key.lastIndexOf(separator, end - 1)) {
    const values = match(prefix, key.slice(0, end), separator) ?? match(prefix, key.slice(0, end + 1), separator);
    if (values !== undefined) return values;
  }
  return undefined;
}

/** A pattern's template. As in a request, each part without a format uses the format that it has in the key. */
export function spelled(text: string, source: KeySource | undefined): Template {
  const asked = template(text);
  if (source === undefined) return asked;
  return withParts(asked, (part) => {
    const format = part.format ?? counterpartOf(asked, part, source.template)?.format;
    return format === undefined ? part : { ...part, format };
  });
}

/** Sends reads with a release's patterns, and sends each read only once. */
export class Reader {
  private readonly found = new Map<string, Promise<readonly Item[] | Error>>();

  public constructor(private readonly calls: Readonly<Record<string, Call>>) {}

  /**
   * Describes what is wrong with a release's read of an item, if anything. The read must return the item once, with the
   * expected values.
   */
  public async faultOf(known: Known, { pattern, values, select }: Way): Promise<string | undefined> {
    const call = `${pattern}(${JSON.stringify(values)})`;
    const found = await this.read(call, pattern, values);
    if (found instanceof Error) return `${call} fails: ${found.name}: ${found.message}`;
    const expected = shown(known, known.values, select);
    const [same, ...more] = found.filter((item) =>
      isDeepStrictEqual(plain(shown(known, item, select, expected)), plain(expected)),
    );
    if (more.length > 0) return `${call} returns it ${more.length + 1} times`;
    if (same !== undefined) return undefined;
    const own = found.find((item) => isSameThing(known, item));
    return own === undefined
      ? `${call} does not return it`
      : `${call} returns it as ${JSON.stringify(own)}, expected ${JSON.stringify(expected)}`;
  }

  /** Describes the fault if the release still returns a deleted item. */
  public async ghostOf(known: Known, { pattern, values }: Way): Promise<string | undefined> {
    const call = `${pattern}(${JSON.stringify(values)})`;
    const found = await this.read(call, pattern, values);
    if (found instanceof Error) return `${call} fails: ${found.name}: ${found.message}`;
    const { typeAttribute } = known.table;
    const isOwn = (item: Item) =>
      typeAttribute === undefined || (item[typeAttribute] ?? known.entity.type) === known.entity.type;
    return found.some((item) => isOwn(item) && isSameThing(known, item, true))
      ? `${call} returns it, although it was deleted`
      : undefined;
  }

  private read(call: string, pattern: string, values: Item): Promise<readonly Item[] | Error> {
    const known = this.found.get(call);
    if (known !== undefined) return known;
    const reading = everything(this.calls[pattern] as Call, values).catch((error: Error) => error);
    this.found.set(call, reading);
    return reading;
  }
}

async function everything(call: Call, values: object): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const output = await call(values, cursor === undefined ? {} : { cursor });
    if (output === undefined) return items;
    if (!isPage<Item>(output)) return [output as Item];
    items.push(...output.items);
    cursor = output.cursor;
  } while (cursor !== undefined);
  return items;
}

/**
 * The attributes to compare: the selected ones, except the type. For an open entity, undeclared attributes of
 * `expected` are included.
 */
function shown({ entity, table }: Known, item: Item, select?: readonly string[], expected: Item = item): Item {
  const loose = isOpen(entity.schema) ? Object.keys(expected) : [];
  const names = [...new Set([...entity.attributes, ...loose])].filter((name) => select?.includes(name) ?? true);
  const values = names.filter((name) => name !== table.typeAttribute && item[name] !== undefined);
  return Object.fromEntries(values.map((name) => [name, item[name]]));
}

/**
 * Whether a returned item has the known item's key, even if other attributes differ. With `isSure`, the item must
 * contain the whole key.
 */
function isSameThing({ table, entity, values }: Known, item: Item, isSure = false): boolean {
  const given = keyOf(table.key).flatMap((key) => partsOfKey(entity, key.name));
  return (
    given.length > 0 &&
    given.every(({ path: [name = ''] }) => (!isSure && item[name] === undefined) || item[name] === values[name])
  );
}

/**
 * Whether a read that finds an item in the old design also finds it in the new design. If the migration changes a
 * value, a request with the new value finds nothing before the backfill. `hasDowns` means that requests use the old
 * value.
 */
export function isSameWay(old: Way, now: Way, hasDowns: boolean): boolean {
  return (
    old.pattern === now.pattern &&
    (hasDowns || isDeepStrictEqual(Object.values(old.values).sort(), Object.values(now.values).sort()))
  );
}

/** The patterns that find different items in the new design than in the old design. */
export function latePatterns({ items }: Model): ReadonlySet<string> {
  const patternsTo = (known: Known) => waysTo(known).map(({ pattern }) => pattern);
  const patterns = items.flatMap(({ old, now }) => {
    if (old === undefined || now === undefined) return [];
    const [was, is] = [patternsTo(old), patternsTo(now)];
    return [...was.filter((name) => !is.includes(name)), ...is.filter((name) => !was.includes(name))];
  });
  return new Set(patterns);
}
