import { isTransformed } from './contents';
import { isWhole } from './numbers';
import {
  bare,
  checksOf,
  type Def,
  defOf,
  formOf,
  isOpen,
  isPlainString,
  type Kind,
  kindOf,
  listedValues,
  mayLack,
  optionsOf,
  parsedBy,
  type Schema,
  schemaAt,
  shapeOf,
  takes,
  takesNothing,
} from './schema';

/** What a schema says of one attribute. */
export interface AttributeFacts {
  readonly kind: Kind;
  /** Whether an item can be without it (or have null there). */
  readonly optional: boolean;
  /** Every value it can have, where they are listed. */
  readonly values?: readonly (string | number)[];
  /** The form of a string: `datetime`, `date`, `uuid`, `email`, … */
  readonly format?: string;
  /** The text that a string always begins with, where the schema says so. */
  readonly prefix?: string;
  /** The regular expressions that a string matches, each with its flags after it. */
  readonly patterns?: readonly (readonly [source: string, flags: string])[];
  /** The letters that a string never has, because it is written in the other case. */
  readonly lacks?: 'upper' | 'lower';
  /** The version of a UUID, where the schema asks for one: `v7`. */
  readonly version?: string;
  /** Digits after the second, where a timestamp always has as many. */
  readonly precision?: number;
  /** The digits after the second that a timestamp may have, where it is a union of such forms: the usual one first. */
  readonly precisions?: readonly number[];
  /** Whether a timestamp may be in any zone, or in none. */
  readonly zoned?: boolean;
  /** Bounds of a number, or of a string's length. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  /** Whether it is a JavaScript Date, which no table stores. */
  readonly isDate?: boolean;
}

/** A schema as a design has it, whichever flavour of zod it comes from. */
type Attributes = Schema | { readonly _zod: { readonly def: object } };

/** What a value is as a schema: told by what is read of it, so that a second copy of zod is no trouble. */
export function schemaKind(value: unknown): 'object' | 'other' | 'zod-3' | undefined {
  const { _zod, _def } = Object(value) as { _zod?: { def?: { shape?: unknown } }; _def?: unknown };
  const shape = _zod?.def?.shape;
  if (typeof shape === 'object' && shape !== null) return 'object';
  if (_zod !== undefined) return 'other';
  return _def === undefined ? undefined : 'zod-3';
}

/** The path of an attribute named `__proto__`, at any depth: zod makes a prototype of its value, so that it is never stored. */
export function unkeptAttribute(attributes: Attributes, depth = 0): string | undefined {
  // What holds itself has no end, and may be another schema each time that it is asked for.
  if (depth > DEEP) return undefined;
  const schema = bare(attributes as Schema);
  const { element, valueType, options = [] } = defOf(schema);
  for (const [name, member] of Object.entries(shapeOf(schema))) {
    const inner = name === '__proto__' ? '' : unkeptAttribute(member, depth + 1);
    if (inner !== undefined) return inner === '' ? name : `${name}.${inner}`;
  }
  for (const part of [element, valueType, ...options]) {
    const inner = part && unkeptAttribute(part, depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

const DEEP = 6;

const known = new WeakMap<object, Map<string, AttributeFacts | undefined>>();

/** The facts of the attribute at a path, or undefined where the schema has none there; found once. */
export function attributeAt(attributes: Attributes, path: readonly string[]): AttributeFacts | undefined {
  let facts = known.get(attributes);
  if (facts === undefined) {
    facts = new Map();
    known.set(attributes, facts);
  }
  // An attribute may have a dot in its name, but hardly this.
  const name = path.length === 1 ? (path[0] as string) : path.join('\u0000');
  const found = facts.get(name);
  if (found !== undefined || facts.has(name)) return found;
  const looked = lookUp(attributes as Schema, path);
  facts.set(name, looked);
  return looked;
}

function lookUp(schema: Schema, path: readonly string[]): AttributeFacts | undefined {
  const at = schemaAt(schema, path);
  if (at === undefined) return undefined;
  if (at === null) return ANYTHING;
  if (path.length === 1 && isPlainString(at)) return REQUIRED_TEXT;
  if (path.length === 1 && isOptionalString(at)) return OPTIONAL_TEXT;
  return factsOf(at, mayLack(schema, path));
}

const REQUIRED_TEXT: AttributeFacts = { kind: 'string', optional: false };
const OPTIONAL_TEXT: AttributeFacts = { kind: 'string', optional: true };
const ANYTHING: AttributeFacts = { kind: 'other', optional: true };

function isOptionalString(schema: Schema): boolean {
  const { type, innerType, checks } = defOf(schema);
  return type === 'optional' && innerType !== undefined && isPlainString(innerType) && !checks?.length;
}

/** Whether it is a string, and nothing is asked of it. */
export function isAnyText(facts: AttributeFacts): boolean {
  return facts === REQUIRED_TEXT || facts === OPTIONAL_TEXT;
}

/** The names of an object's own attributes. */
export function attributeNames(attributes: Attributes): readonly string[] {
  return Object.keys(shapeOf(attributes as Schema));
}

/** The names in the map at a path; none where there is no such map, or anything may be in it. */
export function namesWithin(attributes: Attributes, path: readonly string[]): readonly string[] {
  const at = schemaAt(attributes as Schema, path);
  return at === undefined || at === null ? [] : Object.keys(shapeOf(bare(at)));
}

/** Whether the schema names what is at a path, and does not merely leave room for it as an open one does. */
export function isDeclared(attributes: Attributes, path: readonly string[]): boolean {
  return path.every((step, i) => {
    const holder = schemaAt(attributes as Schema, path.slice(0, i));
    return !holder || !isOpen(bare(holder)) || Object.hasOwn(shapeOf(bare(holder)), step);
  });
}

/** How a schema takes what it is given. */
export interface Intake {
  /** Whether it refuses to be given nothing. */
  readonly required: boolean;
  /** Whether it takes a value as it is: what is not such a value is refused, and not made into one. */
  readonly exact: boolean;
}

/** How the schema at a path takes a value, or undefined where there is none. */
export function intakeAt(attributes: Attributes, path: readonly string[]): Intake | undefined {
  const at = schemaAt(attributes as Schema, path);
  return at ? { required: !takesNothing(at), exact: isExact(at) } : undefined;
}

/** Whether null is a value that the schema at a path takes, and not only what is left out. */
export function takesNull(attributes: Attributes, path: readonly string[]): boolean {
  const at = schemaAt(attributes as Schema, path);
  return at !== undefined && at !== null && takes(at, null);
}

/** Whether a value of the attribute at a path can be this one: the schema takes it, and makes no other of it. */
export function keepsValue(attributes: Attributes, path: readonly string[], value: unknown): boolean {
  const at = schemaAt(attributes as Schema, path);
  if (!at) return true;
  const parsed = parsedBy(at, value);
  // Code of the schema's own that fails, or is async, tells nothing.
  return parsed === undefined || (parsed.success && parsed.data === value);
}

/** Whether code of the user's own makes the value at a path. */
export function isMade(attributes: Attributes, path: readonly string[]): boolean {
  const at = schemaAt(attributes as Schema, path);
  return at !== undefined && at !== null && isTransformed(at);
}

/** Whether the schema of an entity asks for more than each attribute alone tells. */
export function isRefined(attributes: Attributes): boolean {
  return checksOf(defOf(attributes as Schema)).some(({ check }) => check === 'custom');
}

/** Nothing is claimed where it takes more than a look. */
function isExact(schema: Schema): boolean {
  const { type, coerce, innerType, options } = defOf(schema);
  if (coerce === true || type === 'catch') return false;
  if (innerType !== undefined) return isExact(innerType);
  if (type === 'union') return (options ?? []).every(isExact);
  return EXACT.has(type);
}

const EXACT: ReadonlySet<string> = new Set([
  ...['string', 'template_literal', 'number', 'int', 'bigint', 'boolean', 'enum', 'literal'],
  ...['object', 'record', 'array', 'tuple'],
]);

function factsOf(schema: Schema, optional: boolean): AttributeFacts {
  const def = defOf(bare(schema));
  const kind = kindOf(schema);
  const values = listedValues(def);
  if (values !== undefined) return { kind, optional, values };
  // Assigned and not spread: V8 gives an object that is made of spreads a hidden class of its own.
  return Object.assign(
    { kind, optional },
    formFacts(def),
    prefixOf(def),
    patternsOf(bare(schema)),
    caseOf(def),
    boundsOf(def),
    def.type === 'date' ? { isDate: true } : undefined,
  );
}

function formFacts(def: Def): Pick<AttributeFacts, 'format' | 'version' | 'precision' | 'precisions' | 'zoned'> {
  if (def.type === 'union') return formsFacts(optionsOf(def).map((option) => formFacts(defOf(bare(option)))));
  const form = formOf(def);
  if (form?.format === undefined) return {};
  if (form.format !== 'datetime') {
    return { format: form.format, ...(form.version === undefined ? {} : { version: form.version }) };
  }
  const zoned = form.offset === true || form.local === true;
  return { format: form.format, zoned, ...(typeof form.precision === 'number' ? { precision: form.precision } : {}) };
}

/** A time in UTC that may have one of several forms is one all the same. */
function formsFacts(
  forms: readonly Pick<AttributeFacts, 'format' | 'precision' | 'zoned'>[],
): Pick<AttributeFacts, 'format' | 'precisions' | 'zoned'> {
  const precisions = forms.flatMap(({ format, precision, zoned }) =>
    format === 'datetime' && !zoned && precision !== undefined ? [precision] : [],
  );
  return precisions.length < forms.length ? {} : { format: 'datetime', zoned: false, precisions };
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

/** Forms have their expressions with them; those of some say no more than that it is a string. */
function patternsOf(schema: Schema): Pick<AttributeFacts, 'patterns'> {
  const def = defOf(schema);
  if (def.type === 'template_literal') {
    const { pattern } = schema._zod;
    return pattern === undefined ? {} : { patterns: [[pattern.source, pattern.flags]] };
  }
  const patterns: (readonly [string, string])[] = [];
  if (def.type !== 'string' || KNOWN_FORMS.has(formOf(def)?.format ?? '')) return {};
  for (const { pattern } of [def, ...checksOf(def)]) {
    if (pattern !== undefined) patterns.push([pattern.source, pattern.flags]);
  }
  return patterns.length === 0 ? {} : { patterns };
}

/** What is said about these elsewhere. */
const KNOWN_FORMS: ReadonlySet<string> = new Set(['datetime', 'date', 'uuid', 'guid', 'ulid']);

/** `toLowerCase()` writes over what it is given. */
function caseOf(def: Def): Pick<AttributeFacts, 'lacks'> {
  const writes = checksOf(def).flatMap(({ check, tx }) => (check === 'overwrite' && tx !== undefined ? [tx] : []));
  if (writes.length === 0) return {};
  const written = (text: string) => {
    try {
      return writes.reduce((before, tx) => tx(before), text);
    } catch {
      // Code of the user's own says nothing where it fails.
      return text;
    }
  };
  if (written('aAzZ') === 'aazz') return { lacks: 'upper' };
  return written('aAzZ') === 'AAZZ' ? { lacks: 'lower' } : {};
}

function boundsOf(def: Def): Pick<AttributeFacts, 'minimum' | 'maximum' | 'integer'> {
  const checks = checksOf(def);
  const integer = isWhole(def);
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
