import { defOf, type Schema } from './schema';

/** A schema nested in another schema, or the outermost schema itself. */
export interface Content {
  /**
   * The path of the nested schema: the attribute's name for each step into a map, and `[]` for each step into a list.
   * The path of the outermost schema is empty.
   */
  readonly path: readonly string[];
  /** Zod's name for the type of the schema: `string`, `set`, `transform`, … */
  readonly type: string;
  /** Whether the schema coerces values of other types. */
  readonly coerced: boolean;
}

/** Yields a schema and every schema nested in it, visiting a recursive schema once. */
export function contentsOf(schema: Schema): Iterable<Content> {
  return within(schema, [], new Set());
}

/** Whether the schema contains a transform, which may change a value. */
export function isTransformed(schema: Schema): boolean {
  for (const { type } of contentsOf(schema)) if (type === 'transform') return true;
  return false;
}

const MOST = 20_000;
const DEEP = 64;

function* within(schema: Schema, path: readonly string[], seen: Set<Schema>): Iterable<Content> {
  // Without these limits, a lazy schema that creates a new schema on every call would make this walk endless.
  if (seen.has(schema) || seen.size > MOST || path.length > DEEP) return;
  seen.add(schema);
  const def = defOf(schema);
  yield { path, type: def.type, coerced: def.coerce === true };
  // A codec is a pipe with additional transforms.
  if (def.type === 'pipe' && def.transform !== undefined) yield { path, type: 'transform', coerced: false };
  for (const [name, part] of Object.entries(def.shape ?? {})) yield* within(part, [...path, name], seen);
  const here = [def.innerType, def.in, def.out, def.left, def.right, def.getter?.(), ...(def.options ?? [])];
  for (const part of here) if (part) yield* within(part, path, seen);
  const inside = [def.element, def.valueType, def.keyType, def.rest, def.catchall, ...(def.items ?? [])];
  for (const part of inside) if (part) yield* within(part, [...path, '[]'], seen);
}
