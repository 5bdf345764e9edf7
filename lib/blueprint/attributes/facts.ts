import { isTransformed } from './contents';
import {
  bare,
  type Check,
  checksOf,
  type Def,
  defOf,
  formOf,
  isOpen,
  isPlainString,
  isWhole,
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
import { membersOf } from './unions';

/** The facts that a schema states about one attribute. */
export interface AttributeFacts {
  readonly kind: Kind;
  /** Whether an item may lack the attribute, or have null as its value. */
  readonly optional: boolean;
  /** Every value that the attribute can have, if the schema lists the values. */
  readonly values?: readonly (string | number)[];
  /** The format of a string attribute: `datetime`, `date`, `uuid`, `email`, … */
  readonly format?: string;
  /** The prefix that every value of a string attribute has, if the schema requires one. */
  readonly prefix?: string;
  /** The regular expressions that a string attribute must match, each with its flags. */
  readonly patterns?: readonly (readonly [source: string, flags: string])[];
  /**
   * The letter case that never occurs in a string attribute, because the schema converts all letters to the other case.
   */
  readonly lacks?: 'upper' | 'lower';
  /** The version of a UUID, if the schema requires one: `v7`. */
  readonly version?: string;
  /** The number of fractional digits in a timestamp, if it is fixed. */
  readonly precision?: number;
  /**
   * If the attribute is a union of timestamp formats, the number of fractional digits in each format, in the order of
   * the union.
   */
  readonly precisions?: readonly number[];
  /** Whether a timestamp may have an offset or lack a time zone; 'utc' if it must end in `Z` or `+00:00`. */
  readonly zoned?: boolean | 'utc';
  /** The bounds of a number, or of the length of a string. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  /** Whether the attribute is a JavaScript Date, which no table stores. */
  readonly isDate?: boolean;
}

/** A schema in a design, from zod or zod/mini. */
type Attributes = Schema | { readonly _zod: { readonly def: object } };

/**
 * Returns the path of an attribute named `__proto__`, at any depth. Zod turns the value of such an attribute into a
 * prototype, so the value is never stored.
 */
export function unkeptAttribute(attributes: Attributes, depth = 0): string | undefined {
  // Stops at a recursive schema, which may create a new object at every level.
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

/** Returns the facts about the attribute at a path; undefined if the schema has no such path. Caches the facts. */
export function attributeAt(attributes: Attributes, path: readonly string[]): AttributeFacts | undefined {
  let facts = known.get(attributes);
  if (facts === undefined) {
    facts = new Map();
    known.set(attributes, facts);
  }
  // An attribute name may contain a dot, but hardly ever the character U+0000.
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

/** Whether the attribute is an unrestricted string. */
export function isAnyText(facts: AttributeFacts): boolean {
  return facts === REQUIRED_TEXT || facts === OPTIONAL_TEXT;
}

/**
 * Returns the names of an entity's top-level attributes. For a union, the result includes the attributes of every
 * member.
 */
export function attributeNames(attributes: Attributes): readonly string[] {
  return [...new Set(membersOf(attributes as Schema).flatMap((member) => Object.keys(shapeOf(member))))];
}

/**
 * Returns the attribute names in the map at a path; empty if there is no map at the path, or if the map may contain
 * anything.
 */
export function namesWithin(attributes: Attributes, path: readonly string[]): readonly string[] {
  const at = schemaAt(attributes as Schema, path);
  return at === undefined || at === null ? [] : Object.keys(shapeOf(bare(at)));
}

/** Whether the schema declares the attribute at a path, rather than merely allowing undeclared attributes. */
export function isDeclared(attributes: Attributes, path: readonly string[]): boolean {
  return path.every((step, i) => {
    const holder = schemaAt(attributes as Schema, path.slice(0, i));
    return !holder || !isOpen(bare(holder)) || Object.hasOwn(shapeOf(bare(holder)), step);
  });
}

/** How a schema treats a given value. */
export interface Intake {
  /** Whether the schema refuses a missing value. */
  readonly required: boolean;
  /** Whether the schema never converts a value: it either accepts a value unchanged or refuses it. */
  readonly exact: boolean;
}

/** How the schema at a path treats a value; undefined if the path does not exist. */
export function intakeAt(attributes: Attributes, path: readonly string[]): Intake | undefined {
  const at = schemaAt(attributes as Schema, path);
  return at ? { required: !takesNothing(at), exact: isExact(at) } : undefined;
}

/** Whether the schema at a path accepts null. */
export function takesNull(attributes: Attributes, path: readonly string[]): boolean {
  const at = schemaAt(attributes as Schema, path);
  return at !== undefined && at !== null && takes(at, null);
}

/** Whether the schema accepts a value for the attribute at a path, and leaves the value unchanged. */
export function keepsValue(attributes: Attributes, path: readonly string[], value: unknown): boolean {
  const at = schemaAt(attributes as Schema, path);
  if (!at) return true;
  const parsed = parsedBy(at, value);
  // If the user's own code fails or is async, the value is treated as accepted.
  return parsed === undefined || (parsed.success && parsed.data === value);
}

/** Whether a transform may change the value at a path. */
export function isMade(attributes: Attributes, path: readonly string[]): boolean {
  const at = schemaAt(attributes as Schema, path);
  return at !== undefined && at !== null && isTransformed(at);
}

/** Whether an entity's schema has a check that spans several attributes. */
export function isRefined(attributes: Attributes): boolean {
  return checksOf(defOf(attributes as Schema)).some(({ check }) => check === 'custom');
}

/** Whether a schema provably never converts a value. */
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
  // This code uses `Object.assign`, because with spread syntax, V8 would create a separate hidden class for every
  // object.
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
  const isZoned = form.offset === true || form.local === true;
  const zoned = isZoned && checksOf(def).some(isUtc) ? 'utc' : isZoned;
  return { format: form.format, zoned, ...(typeof form.precision === 'number' ? { precision: form.precision } : {}) };
}

/** Whether a check accepts only UTC, as in `z.iso.datetime({ offset: true }).regex(/(Z|\+00:00)$/)`. */
function isUtc({ pattern }: Check): boolean {
  return pattern !== undefined && /^\((\?:)?Z\|(\\\+|\[\+\])00:00\)\$$/.test(pattern.source);
}

/** A union of UTC timestamps with different precisions is still treated as a timestamp. */
function formsFacts(
  forms: readonly Pick<AttributeFacts, 'format' | 'precision' | 'zoned'>[],
): Pick<AttributeFacts, 'format' | 'precisions' | 'zoned'> {
  if (forms.length === 0 || !forms.every(({ format, zoned }) => format === 'datetime' && zoned !== true)) return {};
  const precisions = forms.flatMap(({ precision }) => precision ?? []);
  const zoned = forms.some((form) => form.zoned === 'utc') && 'utc';
  return { format: 'datetime', zoned, ...(precisions.length === forms.length ? { precisions } : {}) };
}

/**
 * Returns the prefix that a schema requires, as in `z.string().startsWith('usr_')`, `z.string().regex(/^usr_/)` or
 * `z.templateLiteral(['usr_', z.string()])`.
 */
function prefixOf(def: Def): Pick<AttributeFacts, 'prefix'> {
  const [first] = def.type === 'template_literal' ? (def.parts ?? []) : [];
  if (typeof first === 'string' && first !== '') return { prefix: first };
  for (const { format, prefix, pattern } of def.type === 'string' ? checksOf(def) : []) {
    const begins = format === 'starts_with' ? prefix : format === 'regex' ? literalStart(pattern) : undefined;
    if (begins) return { prefix: begins };
  }
  return {};
}

/**
 * Returns the literal characters with which every match of the expression begins; undefined if they cannot be read from
 * its source.
 */
function literalStart(pattern: RegExp | undefined): string | undefined {
  if (pattern === undefined || pattern.flags.includes('i') || pattern.source.includes('|')) return undefined;
  return /^\^((?:[\w:@-](?![*?+{]))+)/.exec(pattern.source)?.[1];
}

/** Returns the regular expressions that a string must match according to its format and its checks. */
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

/** Formats that `languages/values.ts` describes more precisely than zod's patterns do. */
const KNOWN_FORMS: ReadonlySet<string> = new Set(['datetime', 'date', 'uuid', 'guid', 'ulid']);

/** Returns the letter case that never occurs, because `toLowerCase()` or `toUpperCase()` converts the string. */
function caseOf(def: Def): Pick<AttributeFacts, 'lacks'> {
  const writes = checksOf(def).flatMap(({ check, tx }) => (check === 'overwrite' && tx !== undefined ? [tx] : []));
  if (writes.length === 0) return {};
  const written = (text: string) => {
    try {
      return writes.reduce((before, tx) => tx(before), text);
    } catch {
      // If the user's own code fails, the stored text is unknown.
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
