/**
 * A schema from zod or zod/mini. The library uses a schema's own data and parser, so that it does not load zod. This
 * file contains what requests need at run time; `facts.ts` contains what only the check needs.
 */
export interface Schema {
  readonly _zod: { readonly def: Def; readonly pattern?: RegExp; run(payload: Payload, context: object): unknown };
  safeParse(value: unknown): Parsed;
}

export type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Issues };

/** The internal payload of zod's parser. */
interface Payload {
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

interface Issues {
  readonly issues: readonly Issue[];
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly expected?: string;
  readonly values?: readonly unknown[];
}

/** The fields of zod's definitions that this code reads; each kind of schema has only some of these fields. */
export interface Def extends Form {
  readonly type: string;
  readonly coerce?: boolean;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly transform?: unknown;
  readonly getter?: () => Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly element?: Schema;
  readonly items?: readonly Schema[];
  readonly rest?: Schema | null;
  readonly left?: Schema;
  readonly right?: Schema;
  readonly partial?: boolean;
  readonly options?: readonly Schema[];
  readonly discriminator?: string;
  /** The members of a union that `unions.ts` turned into an object. Zod's own definitions have no such field. */
  readonly members?: readonly Schema[];
  readonly parts?: readonly unknown[];
  readonly pattern?: RegExp;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly defaultValue?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** A format may be a separate schema (`z.iso.date()`) or a check on a string schema (`z.string().date()`). */
export interface Form {
  readonly format?: string;
  readonly version?: string;
  readonly precision?: number | null;
  readonly offset?: boolean;
  readonly local?: boolean;
}

export interface Check extends Form {
  readonly check: string;
  readonly prefix?: string;
  readonly suffix?: string;
  readonly includes?: string;
  readonly pattern?: RegExp;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly size?: number;
  readonly tx?: (text: string) => string;
}

/** The kind of value that a table stores. */
export type Kind = 'string' | 'number' | 'boolean' | 'binary' | 'map' | 'list' | 'other';

export function defOf(schema: Schema): Def {
  return schema._zod.def;
}

/** Returns the attributes of an object schema, with their schemas; empty for any other schema. */
export function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  return defOf(schema).shape ?? {};
}

/** Whether the object schema keeps undeclared attributes: a loose object, or an object with a catchall. */
export function isOpen(schema: Schema): boolean {
  const { catchall } = defOf(schema);
  return catchall !== undefined && defOf(catchall).type !== 'never';
}

/**
 * Whether the object schema has no checks of its own, so that it accepts every combination of values that its
 * attributes accept.
 */
export function isPlainObject(schema: Schema): boolean {
  const { type, checks = [] } = defOf(schema);
  return type === 'object' && checks.length === 0;
}

/**
 * Removes optional and similar wrappers, and follows each pipe to its end. The result is the innermost schema, which
 * parses a stored value last.
 */
export function bare(schema: Schema): Schema {
  let at = schema;
  // The limit ends the loop for a schema that contains only itself.
  for (let depth = 0; depth < DEEP; depth++) {
    const { type, innerType, out, getter, options } = defOf(at);
    const inner =
      innerType ??
      (type === 'pipe' ? out : type === 'lazy' ? getter?.() : options === undefined ? undefined : onlyOption(options));
    if (inner === undefined) return at;
    at = inner;
  }
  return at;
}

const DEEP = 64;

/** Returns the options of a union, except null and undefined. */
export function optionsOf({ options = [] }: Def): readonly Schema[] {
  return options.filter((option) => !NOTHING.has(defOf(option).type));
}

const NOTHING: ReadonlySet<string> = new Set(['null', 'undefined', 'void']);

function onlyOption(options: readonly Schema[]): Schema | undefined {
  const some = optionsOf({ type: 'union', options });
  return some.length === 1 ? some[0] : undefined;
}

/**
 * Returns the schema at a path through maps and lists; undefined if no value can be there, and null if any value can be
 * there.
 */
export function schemaAt(schema: Schema, path: readonly string[]): Schema | undefined | null {
  let at: Schema | undefined | null = schema;
  for (const step of path) {
    at = memberOf(bare(at), step);
    if (at === undefined || at === null) return at;
  }
  return at;
}

function memberOf(schema: Schema, step: string): Schema | undefined | null {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      if (def.shape !== undefined && Object.hasOwn(def.shape, step)) return def.shape[step];
      return isOpen(schema) ? def.catchall : undefined;
    case 'record':
      return listedKeys(def)?.includes(step) === false ? undefined : def.valueType;
    case 'intersection':
      return memberOfAny([def.left, def.right], step);
    case 'array':
    case 'tuple':
      // The step is `[0]`, or `[<line>]` if the caller passes the list position.
      return /^\[(\d+|<.+>)]$/.test(step)
        ? (def.element ?? def.items?.[step.slice(1, -1) as unknown as number] ?? def.rest ?? undefined)
        : undefined;
    case 'union':
      return memberOfAny(optionsOf(def), step);
    default:
      return UNKNOWN.has(def.type) ? null : undefined;
  }
}

const UNKNOWN: ReadonlySet<string> = new Set(['any', 'unknown', 'custom', 'transform']);

/** If several schemas define the member, the result is null, which means unknown. */
function memberOfAny(schemas: readonly (Schema | undefined)[], step: string): Schema | undefined | null {
  const found = schemas
    .map((schema) => schema && memberOf(bare(schema), step))
    .filter((member) => member !== undefined);
  return found.length < 2 ? found[0] : null;
}

/** Returns the keys of a record, if the schema lists the keys. */
export function listedKeys({ keyType }: Def): readonly unknown[] | undefined {
  return keyType && listedValues(defOf(keyType));
}

/** Whether an item may lack the value at a path, or have null there. */
export function mayLack(schema: Schema, path: readonly string[]): boolean {
  // A nonexistent path is treated as required, since other code reports such paths.
  if (schemaAt(schema, path) === undefined) return false;
  let at: Schema = schema;
  return path.some((step) => {
    const holder = defOf(bare(at));
    const member = memberOf(bare(at), step);
    if (member === undefined || member === null) return true;
    const isLoose =
      (holder.type === 'record' && (holder.partial === true || listedKeys(holder) === undefined)) ||
      holder.type === 'union' ||
      holder.type === 'array' ||
      member === holder.catchall;
    at = member;
    return isLoose || mayBeNothing(member);
  });
}

/** Types of schemas that never accept null or undefined. */
const SOMETHING: ReadonlySet<string> = new Set([
  ...['string', 'number', 'int', 'bigint', 'boolean', 'enum', 'template_literal', 'date', 'file'],
  ...['object', 'record', 'array', 'tuple', 'set', 'map'],
]);

function mayBeNothing(schema: Schema): boolean {
  const { type, in: from, out, innerType } = defOf(schema);
  if (SOMETHING.has(type)) return false;
  if (type === 'nullable') return true;
  if (type === 'optional' && innerType !== undefined && SOMETHING.has(defOf(innerType).type)) return true;
  if (type === 'pipe' && from !== undefined && out !== undefined) {
    // The output of a transform is unknown. This code assumes that a transform never turns a value into null or
    // undefined.
    return mayBeNothing(defOf(out).type === 'transform' ? from : out);
  }
  return type !== 'transform' && [undefined, null].some((value) => isNothing(parsedBy(schema, value)));
}

/** Whether the schema accepts a missing value. */
export function takesNothing(schema: Schema): boolean {
  const { type, coerce } = defOf(schema);
  return (coerce === true || !SOMETHING.has(type)) && parsedBy(schema, undefined)?.success !== false;
}

/** Whether the schema accepts a value; false if the schema's own code fails or is async. */
export function takes(schema: Schema, value: unknown): boolean {
  return parsedBy(schema, value)?.success === true;
}

/**
 * Parses a value. Returns undefined if the schema's own code throws, and `awaited` if that code is async. `safeParse`
 * would throw in both cases, and could leave an unhandled promise rejection behind.
 */
export function parsedBy<A = undefined>(schema: Schema, value: unknown, awaited?: A): Parsed | A | undefined {
  try {
    const result = schema._zod.run({ value, issues: [] }, { async: true });
    if (result instanceof Promise) {
      result.catch(() => undefined);
      return awaited;
    }
    const { value: data, issues } = result as Payload;
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  } catch {
    return undefined;
  }
}

/** Parses a value in a request. If the schema's own code throws, returns the error as an issue. */
export function outcomeOf(schema: Schema, value: unknown): Parsed {
  try {
    return schema.safeParse(value);
  } catch (error) {
    return {
      success: false,
      error: { issues: [{ path: [], message: `the schema throws: ${(error as Error)?.message}` }] },
    };
  }
}

function isNothing(parsed: Parsed | undefined): boolean {
  return parsed?.success === true && (parsed.data ?? undefined) === undefined;
}

const KINDS: Readonly<Record<string, Kind>> = {
  string: 'string',
  template_literal: 'string',
  number: 'number',
  int: 'number',
  bigint: 'number',
  boolean: 'boolean',
  object: 'map',
  record: 'map',
  array: 'list',
  tuple: 'list',
  custom: 'binary',
};

export function kindOf(schema: Schema): Kind {
  const def = defOf(bare(schema));
  const values = listedValues(def);
  const kinds = new Set(
    values?.map((value) => typeof value as Kind) ??
      (def.type === 'union' ? optionsOf(def).map(kindOf) : [KINDS[def.type] ?? 'other']),
  );
  return kinds.size === 1 ? (kinds.values().next().value as Kind) : 'other';
}

/**
 * Returns every value of an enum, a literal, or a union of enums and literals; undefined if the schema does not list
 * its values.
 */
export function listedValues(def: Def): readonly (string | number)[] | undefined {
  const listed =
    def.type === 'enum'
      ? enumValues(def.entries ?? {})
      : def.type === 'literal'
        ? (def.values ?? [])
        : def.type === 'union'
          ? optionsOf(def).flatMap((option): readonly unknown[] => listedValues(defOf(bare(option))) ?? [undefined])
          : [undefined];
  return listed.every((value) => typeof value === 'string' || typeof value === 'number') ? listed : undefined;
}

/**
 * Returns the values of an enum. Leaves out the reverse mapping from numbers to names that a numeric TypeScript enum
 * contains.
 */
function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([name, value]) => (numbers.has(Number(name)) ? [] : [value]));
}

/** Returns the format of a string, as stated by the schema itself or by one of its checks. */
export function formOf(def: Def): Form | undefined {
  return def.type === 'string' ? [def, ...checksOf(def)].find(({ format }) => format !== undefined) : undefined;
}

export function checksOf(def: Def): readonly Check[] {
  return (def.checks ?? []).map((check) => check._zod.def);
}

/** Whether the schema is a string without checks, as is the case for most attributes. */
export function isPlainString(schema: Schema): boolean {
  const { type, checks, format, coerce } = defOf(schema);
  return type === 'string' && coerce !== true && format === undefined && (checks === undefined || checks.length === 0);
}

/** Applies the schema's conversions, such as `toLowerCase()`, to the prefix `text`. */
export function normalised(schema: Schema, text: string): string {
  return checksOf(defOf(bare(schema))).reduce((before, { check, tx }) => {
    const after = check === 'overwrite' ? tx?.(before) : undefined;
    // Ignores conversions that change the length of the prefix, such as trimming or padding.
    return after?.length === before.length ? after : before;
  }, text);
}

/** Formats the issues with a value as one line. */
export function issueText({ issues }: Issues): string {
  return issues.map((issue) => [...issue.path.map(String), told(issue)].join(': ')).join('; ');
}

/** Without a locale (the default in `zod/mini`), every message is the uninformative text "Invalid input". */
function told({ message, expected, values }: Issue): string {
  if (message !== 'Invalid input') return message;
  if (values !== undefined) return `expected ${values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return expected === undefined ? message : `expected ${expected}`;
}

/** Whether a definition accepts only whole numbers. */
export function isWhole(def: Def): boolean {
  if (def.type === 'bigint') return true;
  return def.type === 'number' && [def, ...checksOf(def)].some(({ format }) => format?.includes('int'));
}

/** Whether a schema accepts only whole numbers, ignoring optional and similar wrappers. */
export function isWholeNumber(schema: Schema): boolean {
  return isWhole(defOf(bare(schema)));
}
