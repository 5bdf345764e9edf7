/**
 * What a schema of zod says, classic or mini: read from its own data and asked through its own parser, so that zod is not
 * loaded for it. All that the runtime needs is here; what only the check asks is in `facts.ts`.
 */
export interface Schema {
  readonly _zod: { readonly def: Def; readonly pattern?: RegExp; run(payload: Payload, context: object): unknown };
  safeParse(value: unknown): Parsed;
}

export type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: Issues };

/** What zod's own parser works on. */
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

/** The fields of zod's definitions that are read; each kind of schema has some of them. */
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
  readonly parts?: readonly unknown[];
  readonly pattern?: RegExp;
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly defaultValue?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** A form may be a schema of its own (`z.iso.date()`) or a check on another (`z.string().date()`). */
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
  readonly tx?: (text: string) => string;
}

/** What a value is, as a table keeps it. */
export type Kind = 'string' | 'number' | 'boolean' | 'binary' | 'map' | 'list' | 'other';

export function defOf(schema: Schema): Def {
  return schema._zod.def;
}

/** The attributes of an object, by name. */
export function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  return defOf(schema).shape ?? {};
}

/** Whether it keeps what it does not name: a loose object, or one with a catch-all. */
export function isOpen(schema: Schema): boolean {
  const { catchall } = defOf(schema);
  return catchall !== undefined && defOf(catchall).type !== 'never';
}

/** Whether it takes whatever its attributes take, and does not ask how they go together. */
export function isPlainObject(schema: Schema): boolean {
  const { type, checks = [] } = defOf(schema);
  return type === 'object' && checks.length === 0;
}

/** Without what says that it may be left out, and after every pipe: the schema that a stored value has passed last. */
export function bare(schema: Schema): Schema {
  let at = schema;
  // One that holds nothing but itself has no end.
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

/** The options of a union that are not null or undefined. */
export function optionsOf({ options = [] }: Def): readonly Schema[] {
  return options.filter((option) => !NOTHING.has(defOf(option).type));
}

const NOTHING: ReadonlySet<string> = new Set(['null', 'undefined', 'void']);

function onlyOption(options: readonly Schema[]): Schema | undefined {
  const some = optionsOf({ type: 'union', options });
  return some.length === 1 ? some[0] : undefined;
}

/** The schema at a path of maps and lists: undefined where nothing can be there, null where anything can. */
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
      // `[0]`, or `[<line>]` in a list of any length, which the caller gives.
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

/** Where several have it, each in its own way, nothing is said. */
function memberOfAny(schemas: readonly (Schema | undefined)[], step: string): Schema | undefined | null {
  const found = schemas
    .map((schema) => schema && memberOf(bare(schema), step))
    .filter((member) => member !== undefined);
  return found.length < 2 ? found[0] : null;
}

/** The keys of a record, where they are listed. */
export function listedKeys({ keyType }: Def): readonly unknown[] | undefined {
  return keyType && listedValues(defOf(keyType));
}

/** Whether an item can be without what is at a path, or have null there. */
export function mayLack(schema: Schema, path: readonly string[]): boolean {
  // Of what is not there at all, nothing is said: that is a fault of its own.
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

/** Kinds that never let a null or undefined through. */
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
    // What a function makes cannot be told: it is taken to make something of something.
    return mayBeNothing(defOf(out).type === 'transform' ? from : out);
  }
  return type !== 'transform' && [undefined, null].some((value) => isNothing(parsedBy(schema, value)));
}

/** Whether the schema takes it that nothing is given. */
export function takesNothing(schema: Schema): boolean {
  const { type, coerce } = defOf(schema);
  return (coerce === true || !SOMETHING.has(type)) && parsedBy(schema, undefined)?.success !== false;
}

/** Whether the schema takes a value; one that cannot be asked is taken not to. */
export function takes(schema: Schema, value: unknown): boolean {
  return parsedBy(schema, value)?.success === true;
}

/** The result for a value: undefined if the schema cannot be asked, because its own code fails or is async. */
export function parsedBy(schema: Schema, value: unknown): Parsed | undefined {
  const parsed = parsedOrAwaited(schema, value);
  return parsed === 'awaited' ? undefined : parsed;
}

/** The same, told apart where the answer is not there at once. `safeParse` would throw, and leave behind a promise that nobody catches. */
export function parsedOrAwaited(schema: Schema, value: unknown): Parsed | 'awaited' | undefined {
  try {
    const result = schema._zod.run({ value, issues: [] }, { async: true });
    if (result instanceof Promise) {
      result.catch(() => undefined);
      return 'awaited';
    }
    const { value: data, issues } = result as Payload;
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  } catch {
    return undefined;
  }
}

/** The same in a request: what fails on a value is a fault of that value, and of no other. */
export function outcomeOf(schema: Schema, value: unknown): Parsed {
  try {
    return schema.safeParse(value);
  } catch (error) {
    return {
      success: false,
      error: { issues: [{ path: [], message: `its schema fails: ${(error as Error)?.message}` }] },
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

/** Every value of an enum, of literals, or of a union of them; undefined where they are not listed. */
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

/** A numeric TypeScript enum also holds its names, by number. */
function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([name, value]) => (numbers.has(Number(name)) ? [] : [value]));
}

/** The form of a string, wherever the schema says it. */
export function formOf(def: Def): Form | undefined {
  return def.type === 'string' ? [def, ...checksOf(def)].find(({ format }) => format !== undefined) : undefined;
}

export function checksOf(def: Def): readonly Check[] {
  return (def.checks ?? []).map((check) => check._zod.def);
}

/** Whether it is a string and nothing more is said of it, as of most attributes. */
export function isPlainString(schema: Schema): boolean {
  const { type, checks, format, coerce } = defOf(schema);
  return type === 'string' && coerce !== true && format === undefined && (checks === undefined || checks.length === 0);
}

/** The beginning of a string as the schema would write it: in lower case, where it says so. */
export function normalised(schema: Schema, text: string): string {
  return checksOf(defOf(bare(schema))).reduce((before, { check, tx }) => {
    const after = check === 'overwrite' ? tx?.(before) : undefined;
    // What is cut off or added at the end is not the same beginning.
    return after?.length === before.length ? after : before;
  }, text);
}

/** What is wrong with a value, in one line. */
export function issueText({ issues }: Issues): string {
  return issues.map((issue) => [...issue.path.map(String), told(issue)].join(': ')).join('; ');
}

/** Without a locale, as `zod/mini` is by default, every message is this one, which says nothing. */
function told({ message, expected, values }: Issue): string {
  if (message !== 'Invalid input') return message;
  if (values !== undefined) return `expected ${values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return expected === undefined ? message : `expected ${expected}`;
}
