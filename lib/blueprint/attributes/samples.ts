import {
  bare,
  type Check,
  checksOf,
  type Def,
  defOf,
  optionsOf,
  parsedBy,
  type Schema,
  schemaAt,
  shapeOf,
} from './schema';
import { isOneKind, twinOf } from './twins';
import { membersOf } from './unions';

/** A value that a schema accepts, and the parsed value, which the table stores. */
export interface Sample {
  readonly given: unknown;
  readonly stored: unknown;
}

/** Returns some values that a schema accepts; empty if the search finds none, or if the user's own code fails. */
export function samplesOf(schema: Schema): readonly Sample[] {
  const samples: Sample[] = [];
  for (const given of candidates(schema, 0)) {
    const parsed = parsedBy(schema, given);
    if (parsed?.success) samples.push({ given, stored: parsed.data });
    if (samples.length >= ENOUGH) break;
  }
  return samples;
}

/**
 * Finds two values that a schema accepts and that become the same text in a key; undefined if the search finds none.
 */
export function twinsIn(attributes: object, path: readonly string[]): readonly [unknown, unknown] | undefined {
  const schema = schemaAt(attributes as Schema, path);
  // A custom schema without a check accepts anything, but its TypeScript type usually shows the intended values.
  if (!schema || isOneKind(schema) || defOf(bare(schema)).type === 'custom') return undefined;
  const numbers = candidates(schema, 0).flatMap((value) =>
    typeof value === 'string' && String(Number(value)) === value ? [Number(value)] : [value],
  );
  for (const value of [...numbers, ...NUMBERS].flatMap((one) => [
    one,
    ...(Number.isInteger(one) ? [BigInt(one as number)] : []),
  ])) {
    const parsed = parsedBy(schema, value);
    const twin = parsed?.success ? twinOf(schema, parsed.data) : undefined;
    if (parsed?.success && twin !== undefined) return [parsed.data, twin];
  }
  return undefined;
}

/** Whether a schema validates asynchronously, because it contains a promise or because the user's own code is async. */
export function isAsynchronous(schema: Schema): boolean {
  if (isBuiltIn(defOf(schema))) return false;
  let answer = awaited.get(schema);
  if (answer === undefined) {
    answer = candidates(schema, 0).some((value) => parsedBy(schema, value, 'awaited') === 'awaited');
    awaited.set(schema, answer);
  }
  return answer;
}

/** Whether only zod's own code validates values, as in most schemas. */
function isBuiltIn(def: Def): boolean {
  const isOwn = (part: Def | Check) => 'fn' in part;
  return SCALARS.has(def.type) && !isOwn(def) && checksOf(def).every((one) => CHECKS.has(one.check) && !isOwn(one));
}

const SCALARS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'bigint', 'date', 'enum', 'literal']);

const CHECKS: ReadonlySet<string> = new Set([
  ...['less_than', 'greater_than', 'multiple_of', 'number_format', 'bigint_format', 'string_format'],
  ...['max_length', 'min_length', 'length_equals', 'max_size', 'min_size', 'size_equals', 'overwrite'],
]);

/** Caches the result, because many attributes share a schema, and testing a schema takes dozens of parses. */
const awaited = new WeakMap<Schema, boolean>();

const ENOUGH = 8;
const DEEP = 6;

/** Strings in the most common formats. */
const TEXTS: readonly string[] = [
  'a',
  'abc',
  'Abc Def',
  '1',
  '2026-01-31',
  '2026-01-31T12:00:00.000Z',
  '2026-01-31T12:00:00Z',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00+02:00',
  '12:00',
  '12:00:00',
  'P1D',
  'someone@example.com',
  'https://example.com/a',
  '01890f3e-7b1c-7cc0-98c4-dc0c0c07398f',
  '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  'V1StGXR8_Z5jdHi6B-myT',
  'cjld2cjxh0000qzrmn831i7rn',
  'tz4a98xxat96iws9zmbrgj3a',
  '9m4e2mr0ui3e8a215n4g',
  '2naeRjTrrHJAkfd3tOuEjw90WCA',
  '192.168.0.1',
  '2001:db8::1',
  '+4915112345678',
  'true',
  'false',
  '{"a":1}',
  'abcd',
  'ab-cd',
  'AB',
  'example.com',
];
const NUMBERS: readonly number[] = [1, 0, 10, -1, 0.5, 100, 2026, 1_767_225_600];
const ANYTHING: readonly unknown[] = ['a', 1, true, new Uint8Array([1]), {}, []];

function candidates(schema: Schema, depth: number): readonly unknown[] {
  if (depth > DEEP) return [];
  const def = defOf(schema);
  const inner = (part: Schema | undefined | null) => (part ? candidates(part, depth + 1) : []);
  switch (def.type) {
    case 'string':
      return [...TEXTS, ...textsFor(def)];
    case 'template_literal':
      return [templateText(def, depth), ...TEXTS];
    case 'number':
    case 'int':
      return [...NUMBERS, ...boundsOf(def), ...(def.coerce ? TEXTS : [])];
    case 'bigint':
      return [1n, 0n, 10n];
    case 'boolean':
      return [true, false];
    case 'date':
      return [new Date(0), ...(def.coerce ? TEXTS : [])];
    case 'enum':
      return Object.values(def.entries ?? {}).slice(0, 4);
    case 'literal':
      return (def.values ?? []).slice(0, 4);
    case 'object':
      return membersOf(schema).flatMap((member) => objects(member, depth));
    case 'record':
      return [...pairs(def, depth).map(([key, value]) => ({ [String(key)]: value })), {}];
    case 'map':
      return [...pairs(def, depth).map((pair) => new Map([pair])), new Map()];
    case 'set':
      return [
        ...inner(def.valueType)
          .slice(0, 2)
          .map((value) => new Set([value])),
        new Set(),
      ];
    case 'array':
      return [
        ...inner(def.element)
          .slice(0, 2)
          .map((value) => [value]),
        [],
      ];
    case 'tuple':
      return [(def.items ?? []).map((item) => firstOf(item, depth))];
    case 'union':
      return optionsOf(def).flatMap((option) => firstFew(option, depth));
    case 'intersection':
      return [Object.assign({}, firstOf(def.left, depth), firstOf(def.right, depth)), ...inner(def.left)];
    case 'lazy':
      return inner(def.getter?.());
    case 'pipe':
      return def.in && defOf(def.in).type === 'transform' ? [...inner(def.out), ...TEXTS, ...NUMBERS] : inner(def.in);
    case 'null':
      return [null];
    case 'nan':
      return [Number.NaN];
    case 'symbol':
      return [Symbol.iterator];
    case 'file':
      return [new File(['a'], 'a.txt')];
    case 'undefined':
    case 'void':
      return [undefined];
    default:
      return def.innerType ? inner(def.innerType) : ANYTHING;
  }
}

/** Returns the first candidate that the schema accepts. */
function firstOf(schema: Schema | undefined, depth: number): unknown {
  return schema && firstFew(schema, depth)[0];
}

function firstFew(schema: Schema, depth: number): readonly unknown[] {
  const few: unknown[] = [];
  for (const value of candidates(schema, depth + 1)) {
    if (parsedBy(schema, value)?.success) few.push(value);
    if (few.length >= 2) break;
  }
  return few;
}

/** Returns two objects: one with all members, and one with only the required members. */
function objects(schema: Schema, depth: number): readonly unknown[] {
  const members = Object.entries(shapeOf(schema)).map(
    ([name, member]) => [name, firstOf(member, depth), member] as const,
  );
  const whole = members.filter(([, value]) => value !== undefined).map(([name, value]) => [name, value] as const);
  const needed = members.filter(([, , member]) => parsedBy(member, undefined)?.success !== true);
  return [Object.fromEntries(whole), Object.fromEntries(needed.map(([name, value]) => [name, value] as const))];
}

function pairs({ keyType, valueType }: Def, depth: number): readonly (readonly [unknown, unknown])[] {
  const [key, value] = [firstOf(keyType, depth), firstOf(valueType, depth)];
  return key === undefined || value === undefined ? [] : [[key, value]];
}

/** Returns strings with the lengths, prefixes, suffixes and contents that a schema requires. */
function textsFor(def: Def): readonly string[] {
  const checks = checksOf(def);
  const lengths = checks.flatMap(({ length, minimum, maximum }) => [length, minimum, maximum].filter(isLength));
  const found = lengths.flatMap((length) => ['a', 'A', '1'].map((character) => character.repeat(length)));
  const { prefix = '' } = checks.find((check) => check.prefix !== undefined) ?? {};
  const { suffix = '' } = checks.find((check) => check.suffix !== undefined) ?? {};
  const { includes = '' } = checks.find((check) => check.includes !== undefined) ?? {};
  if (prefix + suffix + includes === '') return found;
  const fillers = ['a', '1', 'aaaaaaaaaaaa', ...found];
  return [`${prefix}${includes}${suffix}`, ...fillers.map((filler) => `${prefix}${filler}${includes}${suffix}`)];
}

function isLength(length: number | undefined): length is number {
  return length !== undefined && length <= 1_000;
}

function boundsOf(def: Def): readonly number[] {
  return checksOf(def).flatMap(({ value }) => (typeof value === 'number' ? [value, value + 1, value - 1] : []));
}

function templateText({ parts = [] }: Def, depth: number): string {
  return parts
    .map((part) => (typeof part === 'object' && part !== null ? firstOf(part as Schema, depth) : part))
    .map(String)
    .join('');
}

/**
 * Returns the kinds of values that a table stores at a path, judging from samples: `string`, `number`, `bytes`, `date`,
 * …
 */
export function storedKinds(attributes: object, path: readonly string[]): ReadonlySet<string> {
  const at = schemaAt(attributes as Schema, path);
  if (!at) return new Set();
  const values = samplesOf(at).map(({ stored }) => stored);
  // A string schema with a pattern may have no sample, but its values are still strings.
  const listed = (defOf(bare(at)).options ?? []).map((option) => defOf(bare(option)).type).filter(isScalar);
  return new Set([...values.filter((value) => value !== undefined && value !== null).map(nameOf), ...listed]);
}

function isScalar(type: string): boolean {
  return type === 'string' || type === 'number' || type === 'boolean';
}

function nameOf(value: unknown): string {
  if (value instanceof Uint8Array) return 'bytes';
  return typeof value === 'object' && value !== null
    ? (value.constructor?.name ?? 'object').toLowerCase()
    : typeof value;
}
