import type { $ZodObject, $ZodType } from 'zod/v4/core';

/** One schema within another. */
export interface Content {
  /** Where it is: names in maps, `[]` in lists; the schema itself is at []. */
  readonly path: readonly string[];
  /** Zod's name of its type: `string`, `set`, `transform`, … */
  readonly type: string;
  /** Whether anything is made into it. */
  readonly coerced: boolean;
}

/** The fields of zod's definitions that other schemas are in. */
interface Def {
  readonly type: string;
  readonly coerce?: boolean;
  readonly transform?: unknown;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly getter?: () => $ZodType;
  readonly options?: readonly $ZodType[];
  readonly items?: readonly $ZodType[];
  readonly [field: string]: unknown;
}

const SAME_PLACE = ['innerType', 'in', 'out', 'left', 'right'];
const INSIDE = ['element', 'valueType', 'keyType', 'rest', 'catchall'];

/** All that is in the schema of an attribute, itself included; one that holds itself is looked into once. */
export function contentsOf({ _zod }: $ZodObject, attribute: string): Iterable<Content> {
  const schema = _zod.def.shape[attribute];
  return schema === undefined ? [] : within(schema, [], new Set());
}

function* within(schema: $ZodType, path: readonly string[], seen: Set<$ZodType>): Iterable<Content> {
  if (seen.has(schema)) return;
  seen.add(schema);
  const def = schema._zod.def as unknown as Def;
  yield { path, type: def.type, coerced: def.coerce === true };
  // A codec is a pipe that has its transformations in itself.
  if (def.type === 'pipe' && def.transform !== undefined) yield { path, type: 'transform', coerced: false };
  for (const [name, part] of Object.entries(def.shape ?? {})) yield* within(part, [...path, name], seen);
  for (const part of partsOf(def, SAME_PLACE, [def.getter?.(), ...(def.options ?? [])])) {
    yield* within(part, path, seen);
  }
  for (const part of partsOf(def, INSIDE, def.items ?? [])) yield* within(part, [...path, '[]'], seen);
}

function partsOf(def: Def, fields: readonly string[], more: readonly ($ZodType | undefined)[]): readonly $ZodType[] {
  const parts = [...fields.map((field) => def[field] as $ZodType | undefined), ...more];
  return parts.filter((part) => part !== undefined && part !== null);
}
