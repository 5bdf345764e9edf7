import { type Check, type Def, defOf, listedValues, type Schema } from './schema';
import { writtenSchema } from './unions';

/**
 * A schema as plain data that can be stored, compared and read back. The data is derived from zod's own definitions,
 * since a JSON Schema would silently drop refinements. The user's code appears only as a digest, which shows whether
 * the code was edited.
 */
export interface SchemaData extends Options {
  /** Zod's name for the type of the schema, or `ref` for a recursive schema. */
  readonly type: string;
  /** The path from the outermost schema to the schema that a `ref` refers to. */
  readonly to?: readonly string[];
  readonly coerce?: true;
  readonly innerType?: SchemaData;
  readonly in?: SchemaData;
  readonly out?: SchemaData;
  readonly left?: SchemaData;
  readonly right?: SchemaData;
  readonly shape?: Readonly<Record<string, SchemaData>>;
  readonly catchall?: SchemaData;
  readonly keyType?: SchemaData;
  readonly valueType?: SchemaData;
  readonly element?: SchemaData;
  readonly items?: readonly SchemaData[];
  readonly rest?: SchemaData;
  readonly options?: readonly SchemaData[];
  /**
   * The attribute that tells the members of a union apart. For a union, `shape` contains the attributes of all members.
   */
  readonly discriminator?: string;
  readonly pieces?: readonly (SchemaData | Scalar)[];
  /** The values of an enum or a literal. */
  readonly values?: readonly Scalar[];
  readonly checks?: readonly CheckData[];
  /**
   * The default value or the `catch` value, as JSON.
   * @default - the schema has neither, or computes the value at run
   * time
   */
  readonly default?: string;
  /** The digest of the user's own code in the schema. */
  readonly code?: string;
}

/** One check on a value, such as a bound, a format or a refinement. */
export interface CheckData extends Options {
  readonly check: string;
  readonly code?: string;
}

/** The options of a schema or a check, under zod's own names. */
interface Options {
  readonly format?: string;
  readonly version?: string;
  readonly precision?: number;
  readonly offset?: true;
  readonly local?: true;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly value?: Scalar;
  readonly inclusive?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly size?: number;
  readonly partial?: true;
  readonly mode?: string;
  readonly class?: string;
  readonly pattern?: Pattern;
  readonly hostname?: Pattern;
  readonly protocol?: Pattern;
}

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A JSON value, or a stand-in for a value that JSON cannot represent. */
export type Scalar =
  | string
  | number
  | boolean
  | null
  | { readonly bigint: string }
  | { readonly date: string }
  | { readonly undefined: true };

/** Converts a schema to data. @param digest computes the digest of a function's text */
export function dataOf(schema: Schema, digest: (code: string) => string): SchemaData {
  return within(schema, { digest, path: [], at: new Map() });
}

interface Walk {
  readonly digest: (code: string) => string;
  readonly path: readonly string[];
  /** The enclosing schemas, with their paths. */
  readonly at: ReadonlyMap<Schema, readonly string[]>;
}

const ONE = ['innerType', 'in', 'out', 'left', 'right', 'catchall', 'keyType', 'valueType', 'element', 'rest'] as const;
const SEVERAL = ['items', 'options'] as const;

function within(schema: Schema, walk: Walk): SchemaData {
  const before = walk.at.get(schema);
  if (before !== undefined) return { type: 'ref', to: before };
  const def = defOf(schema);
  const at = new Map(walk.at).set(schema, walk.path);
  const inner = (part: Schema, ...step: readonly string[]) =>
    within(part, { ...walk, at, path: [...walk.path, ...step] });
  // The `innerType` of a lazy schema is the schema that its getter returns.
  if (def.type === 'lazy' && def.getter !== undefined)
    return { type: 'lazy', innerType: inner(def.getter(), 'innerType') };
  const { discriminator } = def;
  // For a union, `options` lists the members, and `shape` contains the attributes of all members.
  const type = discriminator === undefined ? def.type : 'union';
  const data: Record<string, unknown> = { type, ...optionsIn(def), ...codeIn(schema, def, walk.digest) };
  if (def.coerce === true) data.coerce = true;
  if ('defaultValue' in def) data.default = constantOf(() => def.defaultValue);
  if ('catchValue' in def) data.default = constantOf(() => fallbackOf(def.catchValue));
  const { inclusive } = def as Def & { readonly inclusive?: boolean };
  // In a `z.xor`, exactly one option must accept the value.
  if (def.type === 'union' && inclusive === false && discriminator === undefined) data.mode = 'xor';
  const isNested = walk.path.length > 0 && walk.path.every((step) => step === 'options' || /^\d+$/.test(step));
  if (def.members !== undefined || isNested) data.discriminator = discriminator;
  for (const name of ONE) {
    const part = def[name];
    if (part) data[name] = inner(part, name);
  }
  for (const name of SEVERAL) {
    const parts = defOf(writtenSchema(schema))[name];
    if (parts) data[name] = parts.map((part, i) => inner(part, name, String(i)));
  }
  if (def.shape !== undefined) {
    const names = Object.keys(def.shape).sort();
    data.shape = Object.fromEntries(names.map((name) => [name, inner(def.shape?.[name] as Schema, 'shape', name)]));
  }
  if (def.type === 'enum') data.values = [...(listedValues(def) ?? [])].sort(byText).map(scalar);
  if (def.type === 'literal') data.values = [...(def.values ?? [])].sort(byText).map(scalar);
  if (def.parts !== undefined) {
    data.pieces = def.parts.map((part, i) => (isSchema(part) ? inner(part, 'pieces', String(i)) : scalar(part)));
  }
  const own = (def.checks ?? []).filter(({ _zod }) => _zod.def.check !== 'union');
  const checks = own.map((check) => checkData(check, walk.digest));
  if (checks.length > 0) data.checks = checks;
  return data as unknown as SchemaData;
}

/** Fields that only some checks have: the user's own code, or the name and schema of a property. */
interface Held {
  readonly fn?: unknown;
  readonly property?: string;
  readonly schema?: Schema;
}

function checkData(check: NonNullable<Def['checks']>[number], digest: Walk['digest']): CheckData {
  const { def } = check._zod;
  const { fn, tx, property, schema } = def as Check & Held;
  if (schema !== undefined) {
    return { check: def.check, code: digest(JSON.stringify([property, dataOf(schema, digest)])) };
  }
  // `superRefine` stores its function outside the definition.
  const code = tx ?? fn ?? (def.check === 'custom' ? (check._zod as { readonly check?: unknown }).check : undefined);
  return {
    check: def.check,
    ...optionsIn(def),
    ...(typeof code === 'function' ? { code: digest(textOf(code)) } : {}),
  } as CheckData;
}

/** The user's own code in a schema: a transform, `z.custom`, or a custom format. */
function codeIn(schema: Schema, def: Def, digest: Walk['digest']): { code?: string; class?: string } {
  const { fn, transform } = def as Def & { readonly fn?: unknown };
  const code = fn ?? transform;
  const { bag } = schema._zod as { readonly bag?: { readonly Class?: { readonly name?: string } } };
  const name = bag?.Class?.name;
  return {
    ...(typeof code === 'function' ? { code: digest(textOf(code)) } : {}),
    // The code of `z.instanceof` is zod's own and never changes, so only the class name matters.
    ...(name === undefined ? {} : { class: name }),
  };
}

/** The source text of a function, with normalized whitespace. */
function textOf(code: unknown): string {
  return String(code).replace(/\s+/g, ' ').trim();
}

const PLAIN = ['format', 'version', 'prefix', 'suffix', 'includes', 'minimum', 'maximum', 'length', 'size', 'mode'];
const FLAGS = ['offset', 'local', 'inclusive', 'partial'];
const PATTERNS = ['hostname', 'protocol'];
/** Formats whose patterns are not stored, because the format names imply them. */
const NAMED_FORMS = /^(?!regex$|email$|url$)[a-z]/;

function optionsIn(def: object): Record<string, unknown> {
  const given = def as Readonly<Record<string, unknown>>;
  const options: Record<string, unknown> = {};
  for (const name of PLAIN) {
    // A bound may be a bigint, so `scalar` converts it.
    if (given[name] !== undefined && given[name] !== null) options[name] = scalar(given[name]);
  }
  if (typeof given.precision === 'number') options.precision = given.precision;
  for (const name of FLAGS) if (given[name] === true) options[name] = true;
  if (given.value !== undefined) options.value = scalar(given.value);
  for (const name of PATTERNS) if (given[name] instanceof RegExp) options[name] = patternOf(given[name]);
  const { format, pattern } = given;
  const isNamed = typeof format === 'string' && NAMED_FORMS.test(format) && !(given.fn instanceof Function);
  if (pattern instanceof RegExp && !isNamed) options.pattern = patternOf(pattern);
  return options;
}

/**
 * Returns a value as JSON. Returns undefined if the value varies from run to run, because it would change the lock file
 * even though the design is unchanged.
 */
function constantOf(read: () => unknown): string | undefined {
  const [one, other] = [Date.UTC(2001, 1, 3, 4, 5, 6, 7), Date.UTC(2012, 11, 13, 14, 15, 16, 17)].map((now) =>
    asOf(now, () => JSON.stringify(read(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value))),
  );
  return one === other ? one : undefined;
}

/** Returns the value that `catch` falls back to; undefined if this value depends on the rejected input. */
function fallbackOf(make: unknown): unknown {
  try {
    return (make as (context: object) => unknown)({ value: undefined, issues: [], error: { issues: [] } });
  } catch {
    return undefined;
  }
}

/** Runs a function with a fake clock, and with a `Math.random` that depends only on this clock. */
function asOf<T>(now: number, run: () => T): T {
  const { Date: RealDate } = globalThis;
  const { random } = Math;
  globalThis.Date = class extends RealDate {
    public constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now] : given) as [number]));
    }
    public static override now(): number {
      return now;
    }
  } as DateConstructor;
  Math.random = () => 1 / (now % 1009);
  try {
    return run();
  } finally {
    globalThis.Date = RealDate;
    Math.random = random;
  }
}

function patternOf({ source, flags }: RegExp): Pattern {
  return { source, flags };
}

function scalar(value: unknown): Scalar {
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (value instanceof Date) return { date: value.toISOString() };
  if (value === undefined) return { undefined: true };
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value as Scalar;
}

function byText(a: unknown, b: unknown): number {
  const [one, other] = [`${typeof a} ${String(a)}`, `${typeof b} ${String(b)}`];
  return one < other ? -1 : one > other ? 1 : 0;
}

function isSchema(part: unknown): part is Schema {
  return typeof part === 'object' && part !== null && '_zod' in part;
}

/** A member of an entity's union. An entity without a union has a single member: its own schema. */
export interface Member {
  readonly schema: SchemaData;
  /** For each discriminator, the values that identify an item as this member. */
  readonly values: ReadonlyMap<string, readonly Scalar[]>;
}

/**
 * Returns the attributes that tell the members of an entity's union apart; an empty list if the entity has no union.
 */
export function discriminatorsIn({ discriminator, options = [] }: SchemaData): readonly string[] {
  return discriminator === undefined ? [] : [...new Set([discriminator, ...options.flatMap(discriminatorsIn)])];
}

/**
 * Lists the members of an entity.
 * @param names the discriminators to look at
 * @param nameOf maps an attribute's name to its name in the design that this one is compared with
 */
export function membersIn(
  attributes: SchemaData,
  names: readonly string[],
  nameOf: (attribute: string) => string = (attribute) => attribute,
): readonly Member[] {
  return leavesOf(attributes).map((schema) => {
    const values = names.flatMap((name) => {
      const [, own] = Object.entries(schema.shape ?? {}).find(([attribute]) => nameOf(attribute) === name) ?? [];
      const listed = own && listedIn(own);
      return listed === undefined ? [] : [[name, listed] as const];
    });
    return { schema, values: new Map(values) };
  });
}

/** Returns the object schemas in a union, each with the checks of its enclosing unions. */
function leavesOf(data: SchemaData): readonly SchemaData[] {
  const { discriminator, options = [], checks = [] } = data;
  if (discriminator === undefined) return [data];
  return options.flatMap(leavesOf).map((leaf) => {
    const all = [...(leaf.checks ?? []), ...checks];
    return all.length === 0 ? leaf : { ...leaf, checks: all };
  });
}

function listedIn({ values, innerType, options }: SchemaData): readonly Scalar[] | undefined {
  if (values !== undefined || innerType !== undefined) return values ?? listedIn(innerType as SchemaData);
  const each = options?.map(listedIn);
  return each?.every((listed) => listed !== undefined) ? each.flat() : undefined;
}

/** Whether the discriminators allow an item to match both members. */
export function mayBeSame(one: Member, other: Member): boolean {
  return [...one.values].every(([name, values]) => {
    const others = other.values.get(name);
    return others === undefined || valuesIn(values, others).length > 0;
  });
}

/** Returns the values that `others` also contains. */
export function valuesIn(values: readonly Scalar[], others: readonly Scalar[]): readonly Scalar[] {
  const known = new Set(others.map((value) => JSON.stringify(value)));
  return values.filter((value) => known.has(JSON.stringify(value)));
}

/** Returns the values that `others` does not contain. */
export function valuesLost(values: readonly Scalar[], others: readonly Scalar[]): readonly Scalar[] {
  const kept = valuesIn(values, others);
  return values.filter((value) => !kept.includes(value));
}
