import type { $ZodObject, $ZodType } from 'zod/v4/core';

/** What a schema says of one attribute; read from zod's own data, so that zod is not loaded for it. */
export interface AttributeFacts {
  readonly kind: 'string' | 'number' | 'boolean' | 'binary' | 'map' | 'list' | 'other';
  /** Whether an item can be without it (or have null there). */
  readonly optional: boolean;
  /** Every value it can have, where they are listed. */
  readonly values?: readonly (string | number)[];
  /** The form of a string: `datetime`, `date`, `uuid`, `email`, … */
  readonly format?: string;
  /** The text that a string always begins with, where the schema says so. */
  readonly prefix?: string;
  /** The version of a UUID, where the schema asks for one: `v7`. */
  readonly version?: string;
  /** Digits after the second, where a timestamp always has as many. */
  readonly precision?: number;
  /** Whether a timestamp may be in any zone, or in none. */
  readonly zoned?: boolean;
  /** Bounds of a number, or of a string's length. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  /** Whether it is a JavaScript Date, which no table stores. */
  readonly isDate?: boolean;
}

const known = new WeakMap<$ZodObject, Map<string, AttributeFacts | undefined>>();

/** The facts of the attribute at a path, or undefined where the schema has none there; found once. */
export function attributeAt(schema: $ZodObject, path: readonly string[]): AttributeFacts | undefined {
  let facts = known.get(schema);
  if (facts === undefined) {
    facts = new Map();
    known.set(schema, facts);
  }
  // An attribute may have a dot in its name, but hardly this.
  const name = path.length === 1 ? (path[0] as string) : path.join('\u0000');
  const found = facts.get(name);
  if (found !== undefined || facts.has(name)) return found;
  const looked = lookUp(schema, path);
  facts.set(name, looked);
  return looked;
}

function lookUp(schema: $ZodObject, path: readonly string[]): AttributeFacts | undefined {
  if (path.length === 1 && isPlainText(schemaAt(defOf(schema), path[0] as string))) return REQUIRED_TEXT;
  let at = defOf(schema);
  let optional = false;
  for (const step of path) {
    const inner = schemaAt(at, step);
    if (inner === undefined) return undefined;
    const bare = unwrap(defOf(inner));
    optional ||= bare.optional || mayLack(at);
    at = bare.def;
  }
  return { ...factsOf(at), optional };
}

const REQUIRED_TEXT: AttributeFacts = { kind: 'string', optional: false };

/** Whether it is a text and nothing more is said of it, as of most attributes. */
function isPlainText(schema: $ZodType | undefined): boolean {
  if (schema === undefined) return false;
  const { type, checks, format } = defOf(schema);
  return type === 'string' && checks === undefined && format === undefined;
}

/** The names of an object's own attributes. */
export function attributeNames(schema: $ZodObject): readonly string[] {
  return Object.keys(schema._zod.def.shape);
}

/** The names in the map at a path; none where there is no such map, or anything may be in it. */
export function namesWithin(schema: $ZodObject, path: readonly string[]): readonly string[] {
  let def = defOf(schema);
  for (const step of path) {
    const inner = schemaAt(def, step);
    if (inner === undefined) return [];
    def = unwrap(defOf(inner)).def;
  }
  return Object.keys(def.shape ?? {});
}

/** How a schema takes what it is given. */
export interface Intake {
  /** Whether it refuses to be given nothing. */
  readonly required: boolean;
  /** Whether it takes a value as it is: what is no such value is refused, and not made into one. */
  readonly exact: boolean;
}

/** How the schema at a path takes a value, or undefined where there is none; nothing is claimed where it takes more than a look. */
export function intakeAt(schema: $ZodObject, path: readonly string[]): Intake | undefined {
  let at: $ZodType | undefined = schema;
  for (const step of path) {
    at = at && schemaAt(unwrap(defOf(at)).def, step);
  }
  return at && intakeOf(defOf(at));
}

const OPEN: Intake = { required: false, exact: false };

function intakeOf(def: Def): Intake {
  if (def.coerce === true || def.type === 'catch') return OPEN;
  if (def.type === 'union') {
    const options = (def.options ?? []).map((option) => intakeOf(defOf(option)));
    return { required: options.every(({ required }) => required), exact: options.every(({ exact }) => exact) };
  }
  if (def.innerType !== undefined) {
    const inner = intakeOf(defOf(def.innerType));
    const required = def.type === 'nonoptional' || (inner.required && !MAY_LACK.has(def.type));
    return { required: required && inner.exact, exact: inner.exact };
  }
  const isLiteral = def.type === 'enum' || (def.type === 'literal' && def.values?.includes(undefined) === false);
  return isLiteral || (def.type !== 'custom' && def.type in KINDS) ? { required: true, exact: true } : OPEN;
}

const MAY_LACK: ReadonlySet<string> = new Set(['optional', 'default', 'prefault']);

/** The fields of zod's definitions that are read here; each kind of schema has some of them. */
interface Def extends Form {
  readonly type: string;
  readonly coerce?: boolean;
  readonly innerType?: $ZodType;
  readonly out?: $ZodType;
  readonly getter?: () => $ZodType;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly keyType?: $ZodType;
  readonly valueType?: $ZodType;
  readonly partial?: boolean;
  readonly options?: readonly $ZodType[];
  readonly parts?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** A form may be a schema of its own (`z.iso.date()`) or a check on another (`z.string().date()`). */
interface Form {
  readonly format?: string;
  readonly version?: string;
  readonly precision?: number | null;
  readonly offset?: boolean;
  readonly local?: boolean;
}

interface Check extends Form {
  readonly check: string;
  readonly prefix?: string;
  readonly pattern?: RegExp;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
}

function defOf(schema: $ZodType): Def {
  return schema._zod.def as unknown as Def;
}

function schemaAt(def: Def, step: string): $ZodType | undefined {
  if (def.type === 'record') return keysOf(def)?.includes(step) === false ? undefined : def.valueType;
  return def.shape !== undefined && Object.hasOwn(def.shape, step) ? def.shape[step] : undefined;
}

/** A record holds every key only where its keys are listed. */
function mayLack(def: Def): boolean {
  return def.type === 'record' && (def.partial === true || keysOf(def) === undefined);
}

function keysOf({ keyType }: Def): readonly unknown[] | undefined {
  return keyType === undefined ? undefined : valuesOf(defOf(keyType));
}

/** Wrappers that give a value where there is none, whatever is inside them. */
const FILLED: ReadonlySet<string> = new Set(['nonoptional', 'default', 'prefault']);

function unwrap(outer: Def): { def: Def; optional: boolean } {
  let def = outer;
  let optional = false;
  let filled = false;
  for (;;) {
    filled ||= FILLED.has(def.type);
    if (def.type === 'nullable' || (def.type === 'optional' && !filled)) optional = true;
    const inner = def.innerType ?? (def.type === 'pipe' ? def.out : def.type === 'lazy' ? def.getter?.() : undefined);
    if (inner === undefined) break;
    def = defOf(inner);
  }
  if (def.options === undefined) return { def, optional };
  const rest = withoutNothing(def, def.options);
  return { def: rest.def, optional: optional || rest.optional };
}

/** A union with null or undefined is the rest of it, and optional. */
function withoutNothing(def: Def, options: readonly $ZodType[]): { def: Def; optional: boolean } {
  const some = options.filter((option) => !['null', 'undefined'].includes(defOf(option).type));
  const optional = some.length < options.length || some.some((option) => unwrap(defOf(option)).optional);
  const only = some.length === 1 ? some[0] : undefined;
  return { def: only === undefined ? { ...def, options: some } : unwrap(defOf(only)).def, optional };
}

const KINDS: Readonly<Record<string, AttributeFacts['kind']>> = {
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

function factsOf(def: Def): Omit<AttributeFacts, 'optional'> {
  const values = valuesOf(def);
  if (values !== undefined) return { kind: kindOfValues(values), values };
  const kind = def.type === 'union' ? kindOfUnion(def.options ?? []) : (KINDS[def.type] ?? 'other');
  return { kind, ...formOf(def), ...prefixOf(def), ...boundsOf(def), ...(def.type === 'date' ? { isDate: true } : {}) };
}

/** The listed values of an enum, of literals, or of a union of them. */
function valuesOf(def: Def): readonly (string | number)[] | undefined {
  const listed =
    def.type === 'enum'
      ? enumValues(def.entries ?? {})
      : def.type === 'literal'
        ? (def.values ?? [])
        : def.type === 'union'
          ? (def.options ?? []).flatMap(
              (option): readonly unknown[] => valuesOf(unwrap(defOf(option)).def) ?? [undefined],
            )
          : [undefined];
  return listed.every((value) => typeof value === 'string' || typeof value === 'number') ? listed : undefined;
}

/** A numeric TypeScript enum also holds its names, by number. */
function enumValues(entries: Readonly<Record<string, string | number>>): readonly (string | number)[] {
  const numbers = new Set(Object.values(entries).filter((value) => typeof value === 'number'));
  return Object.entries(entries).flatMap(([name, value]) => (numbers.has(Number(name)) ? [] : [value]));
}

function kindOfValues(values: readonly unknown[]): AttributeFacts['kind'] {
  const kinds = new Set(values.map((value) => typeof value));
  return kinds.size > 1 ? 'other' : kinds.has('number') ? 'number' : 'string';
}

function kindOfUnion(options: readonly $ZodType[]): AttributeFacts['kind'] {
  const kinds = new Set(options.map((option) => factsOf(unwrap(defOf(option)).def).kind));
  return kinds.size === 1 ? ([...kinds][0] as AttributeFacts['kind']) : 'other';
}

function formOf(def: Def): Pick<AttributeFacts, 'format' | 'version' | 'precision' | 'zoned'> {
  const form = def.type === 'string' ? [def, ...checksOf(def)].find(({ format }) => format !== undefined) : undefined;
  if (form?.format === undefined) return {};
  if (form.format !== 'datetime') {
    return { format: form.format, ...(form.version === undefined ? {} : { version: form.version }) };
  }
  const zoned = form.offset === true || form.local === true;
  return { format: form.format, zoned, ...(typeof form.precision === 'number' ? { precision: form.precision } : {}) };
}

/** `z.string().startsWith('usr_')`, `z.string().regex(/^usr_/)` and `z.templateLiteral(['usr_', z.string()])` say it. */
function prefixOf(def: Def): Pick<AttributeFacts, 'prefix'> {
  const [first] = def.type === 'template_literal' ? (def.parts ?? []) : [];
  if (typeof first === 'string' && first !== '') return { prefix: first };
  for (const { format, prefix, pattern } of def.type === 'string' ? checksOf(def) : []) {
    const begins = format === 'starts_with' ? prefix : format === 'regex' ? literalStart(pattern) : undefined;
    if (begins) return { prefix: begins };
  }
  return {};
}

/** The plain characters that all matches begin with; none where that takes more than a look. */
function literalStart(pattern: RegExp | undefined): string | undefined {
  if (pattern === undefined || pattern.flags.includes('i') || pattern.source.includes('|')) return undefined;
  return /^\^((?:[\w:@-](?![*?+{]))+)/.exec(pattern.source)?.[1];
}

function boundsOf(def: Def): Pick<AttributeFacts, 'minimum' | 'maximum' | 'integer'> {
  const checks = checksOf(def);
  const whole = def.type === 'number' && [def, ...checks].some(({ format }) => format?.includes('int'));
  const integer = whole || def.type === 'bigint';
  const lower: number[] = [];
  const upper: number[] = [];
  for (const { check, value, inclusive, minimum, maximum, length } of checks) {
    const bound = typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
    const next = integer && !inclusive;
    if (check === 'greater_than' && bound !== undefined) lower.push(next ? Math.floor(bound) + 1 : bound);
    if (check === 'less_than' && bound !== undefined) upper.push(next ? Math.ceil(bound) - 1 : bound);
    lower.push(...[minimum, length].filter((size) => size !== undefined));
    upper.push(...[maximum, length].filter((size) => size !== undefined));
  }
  return {
    ...(integer ? { integer } : {}),
    ...(lower.length === 0 ? {} : { minimum: Math.max(...lower) }),
    ...(upper.length === 0 ? {} : { maximum: Math.min(...upper) }),
  };
}

function checksOf(def: Def): readonly Check[] {
  return (def.checks ?? []).map((check) => check._zod.def);
}
