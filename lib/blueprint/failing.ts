const DEEP = 12;
const MOST = 20_000;

/**
 * Finds the path of the first value in a design that throws when it is read. The path is empty if reading the design
 * itself throws, or if the search finds nothing.
 */
export function whereItFails(design: unknown): string {
  const seen = new Set<unknown>();
  const look = (value: unknown, path: readonly string[]): readonly string[] | undefined => {
    if (typeof value !== 'object' || value === null || seen.has(value) || path.length > DEEP || seen.size > MOST)
      return undefined;
    seen.add(value);
    let names: readonly string[];
    try {
      names = namesIn(value);
    } catch {
      return path;
    }
    for (const name of names) {
      try {
        const found = look(memberOf(value, name), [...path, name]);
        if (found !== undefined) return found;
      } catch {
        return [...path, name];
      }
    }
    return undefined;
  };
  // A path inside a schema is shortened to the attribute that the schema describes.
  const path = look(design, []) ?? [];
  return path.filter((name) => !SCHEMA.has(name)).join('.');
}

const SCHEMA: ReadonlySet<string> = new Set(['_zod', 'def', 'shape', 'innerType', 'getter', 'options', 'in', 'out']);

/**
 * Lists the members to search. In a schema, only the definition is searched, since many of the other members refer back
 * to the schema.
 */
function namesIn(value: object): readonly string[] {
  if ('_zod' in value) return ['_zod'];
  if ('def' in value && 'bag' in value) return ['def'];
  return Object.keys(value);
}

/** Calls the getter of a `z.lazy` schema, because only the getter creates the inner schema. */
function memberOf(value: object, name: string): unknown {
  const member = (value as Readonly<Record<string, unknown>>)[name];
  return name === 'getter' && typeof member === 'function' ? member() : member;
}

/** Formats a thrown error as one line. */
export function reasonOf(error: unknown): string {
  try {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return line.slice(0, 120);
  } catch {
    return 'the thrown value cannot be shown';
  }
}
