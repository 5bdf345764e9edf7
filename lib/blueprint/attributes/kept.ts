import { contentsOf } from './contents';
import { isPlain, isPlainType } from './plain';
import { samplesOf } from './samples';
import { type Def, defOf, parsedBy, type Schema, shapeOf } from './schema';

/** The outcome of storing a valid value in DynamoDB and reading the value back. */
export type Fate =
  /** The document client refuses to store the value. */
  | 'refused'
  /** The schema refuses the value that was read. */
  | 'unread'
  /** The value that was read differs from the stored value. */
  | 'changed'
  | 'kept';

/**
 * An attribute, or a value nested in an attribute, that does not always survive the round trip to DynamoDB and back.
 */
export interface Loss {
  readonly path: readonly string[];
  /** Zod's name for the type of the attribute. */
  readonly type: string;
  readonly fate: Exclude<Fate, 'kept'>;
  /** Which values are lost: all, some, the default, or only an empty set. */
  readonly extent: 'always' | 'sometimes' | 'default' | 'empty';
}

/**
 * Lists the parts of a schema whose values DynamoDB cannot store, or does not always return unchanged. Most schemas are
 * plain and have no such parts.
 */
export function lossesOf(schema: Schema): readonly Loss[] {
  return isPlain(schema) ? [] : [...within(schema, [], new Set())];
}

const DEEP = 12;

/** @param around the enclosing schemas, which stop the walk at a recursive schema */
function* within(schema: Schema, path: readonly string[], around: ReadonlySet<Schema>): Iterable<Loss> {
  if (isPlain(schema) || around.has(schema) || around.size > DEEP) return;
  const inside = new Set(around).add(schema);
  const def = defOf(schema);
  const { type, innerType, element } = def;
  if (type === 'object') {
    for (const [name, member] of Object.entries(shapeOf(schema))) yield* within(member, [...path, name], inside);
  } else if (type === 'array' && element) yield* within(element, [...path, '[]'], inside);
  else if (type === 'record' && def.valueType) yield* within(def.valueType, [...path, '[]'], inside);
  else if (innerType !== undefined && (type === 'optional' || type === 'nullable' || type === 'readonly'))
    yield* within(innerType, path, inside);
  else if (type === 'default' && innerType !== undefined) {
    const inner = [...within(innerType, path, inside)];
    const unset = inner.some(({ extent }) => extent === 'always') ? [] : [...byDefault(schema, innerType, path)];
    yield* unset.length > 0 ? inner.filter(({ extent }) => extent !== 'empty') : inner;
    yield* unset;
  } else if (type === 'lazy') {
    const meant = def.getter?.();
    if (meant !== undefined) yield* within(meant, path, inside);
  } else if (type === 'custom') yield* custom(schema, path);
  else if (!OPEN.has(type)) yield* judged(schema, def, path);
}

/** Types whose possible values are unknown. */
const OPEN: ReadonlySet<string> = new Set(['never', 'void', 'promise']);

/** Values that no table stores, but that the user's own code may require. */
const ODD: readonly unknown[] = [new Date(0), new Map(), () => undefined, Symbol.iterator, /a/, new Error('a')];

/**
 * Reports a loss if a `z.custom` schema rejects all usual values, but accepts one of the `ODD` values, and this value
 * does not survive the round trip.
 */
function* custom(schema: Schema, path: readonly string[]): Iterable<Loss> {
  if (samplesOf(schema).length > 0) return;
  const odd = ODD.find((value) => parsedBy(schema, value)?.success === true);
  const fate = odd === undefined ? 'kept' : fateOf(schema, odd);
  const type = odd instanceof Date ? 'date' : odd instanceof Map ? 'map' : typeof odd;
  if (fate !== 'kept') yield { path, type, fate, extent: 'always' };
}

function* byDefault(schema: Schema, inner: Schema, path: readonly string[]): Iterable<Loss> {
  const parsed = parsedBy(schema, undefined);
  const fate = parsed?.success ? fateOf(schema, parsed.data) : 'kept';
  if (fate !== 'kept') yield { path, type: defOf(inner).type, fate, extent: 'default' };
}

function* judged(schema: Schema, { type }: Def, path: readonly string[]): Iterable<Loss> {
  // A union of plain types always survives the round trip, so it needs no samples.
  if (
    type === 'union' &&
    [...contentsOf(schema)].every((content) => isPlainType(content.type) || content.type === type)
  )
    return;
  const fates = samplesOf(schema)
    .filter(({ stored }) => !isNothing(stored))
    .map(({ stored }) => ({ isEmpty: isEmpty(stored), fate: fateOf(schema, stored) }));
  const full = fates.filter(({ isEmpty }) => !isEmpty);
  const lost = full.find(({ fate }) => fate !== 'kept');
  if (lost !== undefined) {
    const extent = full.every(({ fate }) => fate !== 'kept') ? 'always' : 'sometimes';
    yield { path, type, fate: lost.fate as Loss['fate'], extent };
    return;
  }
  const empty = fates.find(({ isEmpty, fate }) => isEmpty && fate !== 'kept');
  if (empty !== undefined) yield { path, type, fate: empty.fate as Loss['fate'], extent: 'empty' };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return (value instanceof Set || value instanceof Map) && value.size === 0;
}

function fateOf(schema: Schema, stored: unknown): Fate {
  let read: unknown;
  try {
    read = asRead(stored);
  } catch {
    return 'refused';
  }
  const parsed = parsedBy(schema, read);
  if (parsed === undefined) return 'kept';
  if (!parsed.success) return 'unread';
  return isSame(parsed.data, stored) ? 'kept' : 'changed';
}

/** Returns a value as the document client would read it back; throws if the client refuses to store the value. */
function asRead(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return value;
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(asRead);
  if (value instanceof Set) {
    const kinds = new Set(Array.from(value, (element) => (typeof element === 'bigint' ? 'number' : typeof element)));
    const [kind] = kinds;
    if (kinds.size !== 1 || (kind !== 'string' && kind !== 'number' && ![...value].every(isBytes))) throw REFUSED;
    return new Set(Array.from(value, asRead));
  }
  if (value instanceof Map)
    return Object.fromEntries(Array.from(value, ([key, member]) => [String(key), asRead(member)]));
  const prototype = typeof value === 'object' && value !== null ? Object.getPrototypeOf(value) : undefined;
  if (prototype !== Object.prototype && prototype !== null) throw REFUSED;
  const entries = Object.entries(value as object).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, asRead(member)]));
}

const REFUSED = new Error('refused');

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every((element) => b.has(element));
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  const names = Object.keys(a);
  const [x, y] = [a, b] as readonly Readonly<Record<string, unknown>>[];
  return names.length === Object.keys(b).length && names.every((name) => isSame(x?.[name], y?.[name]));
}
