import type { SchemaData } from '../blueprint/attributes/data';
import { isObject } from '../design/show';

/**
 * Returns the narrowest schema that accepts these values and is likely to accept future ones. Recognizes a string
 * format only if several distinct values have it.
 */
export function schemaOf(values: readonly unknown[]): SchemaData {
  const present = values.filter((value) => value !== null);
  const kinds = new Map<string, unknown[]>();
  for (const value of present) {
    const kind = kindOf(value);
    kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  }
  const schemas = [...kinds].map(([kind, group]) => schemaOfKind(kind, group));
  const [one, ...more] = schemas;
  const schema: SchemaData =
    one === undefined ? { type: 'any' } : more.length === 0 ? one : { type: 'union', options: schemas };
  return present.length < values.length && one !== undefined ? { type: 'nullable', innerType: schema } : schema;
}

/** Derives the schema of maps; attributes that only some maps have are optional. */
export function shapeOf(maps: readonly Readonly<Record<string, unknown>>[], isOpen: boolean): SchemaData {
  const names = [...new Set(maps.flatMap((map) => Object.keys(map)))];
  const shape = names.map((name) => {
    const values = maps.flatMap((map) => (Object.hasOwn(map, name) && map[name] !== undefined ? [map[name]] : []));
    const schema = schemaOf(values);
    return [name, values.length === maps.length ? schema : optional(schema)] as const;
  });
  return { type: 'object', shape: Object.fromEntries(shape), ...(isOpen && { catchall: { type: 'unknown' } }) };
}

export function optional(innerType: SchemaData): SchemaData {
  return innerType.type === 'optional' ? innerType : { type: 'optional', innerType };
}

/** The schema of a string in a key. Such a string cannot be empty. */
export const KEY_TEXT: SchemaData = { type: 'string', checks: [{ check: 'min_length', minimum: 1 }] };

/**
 * The schema of an attribute that is part of a key.
 * @param padded whether the key pads the attribute's number to a fixed width
 */
export function inKey(schema: SchemaData, padded: boolean): SchemaData {
  if (schema.type === 'optional' || schema.type === 'default')
    return { ...schema, innerType: inKey(schema.innerType ?? { type: 'any' }, padded) };
  if (schema.type === 'number' && padded && schema.checks === undefined)
    return { type: 'number', format: 'safeint', checks: [{ check: 'greater_than', value: 0, inclusive: true }] };
  return schema.type === 'string' && schema.format === undefined && schema.checks === undefined ? KEY_TEXT : schema;
}

function kindOf(value: unknown): string {
  if (value instanceof Set) return 'set';
  if (value instanceof Uint8Array) return 'binary';
  if (Array.isArray(value)) return 'list';
  return typeof value;
}

function schemaOfKind(kind: string, values: readonly unknown[]): SchemaData {
  switch (kind) {
    case 'string':
      return textOf(values as readonly string[]);
    case 'number':
    case 'boolean':
    case 'bigint':
      return { type: kind };
    case 'binary':
      return { type: 'custom', class: 'Uint8Array' };
    case 'list':
      return { type: 'array', element: schemaOf(values.flatMap((value) => value as unknown[])) };
    case 'set':
      return { type: 'set', valueType: schemaOf(values.flatMap((value) => [...(value as Set<unknown>)])) };
    default:
      return values.every(isObject) ? shapeOf(values, true) : { type: 'any' };
  }
}

/** The minimum number of distinct values from which a format is recognized. */
const ENOUGH = 3;

const FORMS: readonly (readonly [RegExp, SchemaData])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, { type: 'string', format: 'datetime', precision: 3 }],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, { type: 'string', format: 'datetime', precision: 0 }],
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/, { type: 'string', format: 'datetime' }],
  [/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { type: 'string', format: 'date' }],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { type: 'string', format: 'guid' }],
  [/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, { type: 'string', format: 'ulid' }],
];

function textOf(values: readonly string[]): SchemaData {
  const isForm = new Set(values).size >= ENOUGH;
  const form = isForm ? FORMS.find(([pattern]) => values.every((value) => pattern.test(value))) : undefined;
  return form?.[1] ?? { type: 'string' };
}
