/** What requests ask of zod's schemas, through their own parsers and data, so that zod is not loaded for it. */
export interface Schema {
  readonly _zod: { readonly def: Def };
  safeParse(value: unknown): Parsed;
}

export type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Issues };

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly innerType?: Schema;
  readonly valueType?: Schema;
  readonly element?: Schema;
}

interface Issues {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
}

/** The schema at a path of maps: undefined where there is none, null where the schema does not say. */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined | null {
  let at: Schema | undefined | null = schema;
  for (const step of path) {
    const { shape, valueType }: Def = bare(at)._zod.def;
    at = shape === undefined ? (valueType ?? null) : Object.hasOwn(shape, step) ? shape[step] : undefined;
    if (at === undefined || at === null) return at;
  }
  return at;
}

/** Whether an item can be without what is at a path, or have null there. */
export function mayLack(schema: Schema, path: readonly string[]): boolean {
  let at: Schema | undefined = schema;
  return path.some((step) => {
    at = bare(at as Schema)._zod.def.shape?.[step];
    // A record may lack anything, and a transformation may make nothing of anything.
    if (at === undefined || bare(at)._zod.def.type === 'pipe') return true;
    return isNothing(at.safeParse(undefined)) || isNothing(at.safeParse(null));
  });
}

/** The path of something that the schema does not know, and so would drop without a word. */
export function unknownIn(schema: Schema, value: unknown, path = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { shape, catchall, valueType, element } = bare(schema)._zod.def;
  const inner = Array.isArray(value) ? element : valueType;
  if (inner === undefined && shape === undefined) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const at = path === '' ? name : `${path}.${name}`;
    // However open it is, zod drops what has this name.
    if (name === '__proto__') return at;
    const known = inner ?? (shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : catchall);
    const unknown = known === undefined ? at : unknownIn(known, part, at);
    if (unknown !== undefined) return unknown;
  }
  return undefined;
}

/** Whether there is anything in it that could be unknown below its own names. */
export function isDeep(schema: Schema): boolean {
  const { shape, valueType, element } = bare(schema)._zod.def;
  return (shape ?? valueType ?? element) !== undefined;
}

export function isNumber(schema: Schema): boolean {
  return bare(schema)._zod.def.type === 'number';
}

export function show({ issues }: Issues): string {
  return issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');
}

/** Without what says that it may be left out. */
function bare(schema: Schema): Schema {
  let at = schema;
  while (at._zod.def.innerType !== undefined) at = at._zod.def.innerType;
  return at;
}

function isNothing(parsed: Parsed): boolean {
  return parsed.success && (parsed.data ?? undefined) === undefined;
}
