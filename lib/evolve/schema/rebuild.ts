import { z } from 'zod';
import type { CheckData, Pattern, Scalar, SchemaData } from '../../blueprint/attributes/data';
import { isObject } from '../../design/show';
import { EvolutionError } from '../lock/read';

type Check = z.core.CheckFn<never> | z.core.$ZodCheck<never>;

/**
 * Rebuilds a zod schema from its data. Code cannot be restored: a refinement accepts every value, and a transform
 * accepts and returns anything.
 */
export function rebuild(data: SchemaData): z.ZodType {
  return make(data, { root: data, made: new Map() });
}

/** Whether the schema that the data describes accepts a value. */
export function takes(data: SchemaData, value: unknown): boolean {
  try {
    return rebuild(data).safeParse(value).success;
  } catch {
    // Zod throws if the two sides of an intersection convert a value differently.
    return false;
  }
}

interface Rebuilding {
  readonly root: SchemaData;
  readonly made: Map<SchemaData, z.ZodType>;
}

function make(data: SchemaData, within: Rebuilding): z.ZodType {
  const before = within.made.get(data);
  if (before !== undefined) return before;
  if (data.type === 'ref') {
    const target = targetOf(within.root, data.to ?? []);
    return z.lazy(() => make(target, within));
  }
  const bare = MAKERS[data.type]?.(data, (part) => make(part, within)) ?? z.any();
  const checks = (data.checks ?? []).flatMap(checkOf);
  const whole = checks.length === 0 ? bare : bare.check(...(checks as never[]));
  within.made.set(data, whole);
  return whole;
}

/** Returns the data that a `ref` refers to. */
export function targetOf(root: SchemaData, to: readonly string[]): SchemaData {
  let at: unknown = root;
  for (const step of to) at = (at as Readonly<Record<string, unknown>> | undefined)?.[step];
  if (!isObject(at))
    throw new EvolutionError(
      `the lock refers to ${to.join('.')}, but does not contain it; restore the lock, or write it again`,
    );
  return at as unknown as SchemaData;
}

type Maker = (data: SchemaData, inner: (part: SchemaData) => z.ZodType) => z.ZodType;

export const ANYTHING: SchemaData = { type: 'any' };

const MAKERS: Readonly<Record<string, Maker>> = {
  string: (data) => (data.coerce ? z.coerce.string() : formOf(data)),
  number: ({ coerce, format }) => (coerce ? z.coerce.number() : format === undefined ? z.number() : numberOf(format)),
  bigint: ({ coerce }) => (coerce ? z.coerce.bigint() : z.bigint()),
  boolean: ({ coerce }) => (coerce ? z.coerce.boolean() : z.boolean()),
  date: ({ coerce }) => (coerce ? z.coerce.date() : z.date()),
  null: () => z.null(),
  undefined: () => z.undefined(),
  void: () => z.void(),
  nan: () => z.nan(),
  never: () => z.never(),
  any: () => z.any(),
  unknown: () => z.unknown(),
  enum: ({ values = [] }) => z.enum(Object.fromEntries(values.map((value) => [String(value), value as string]))),
  literal: ({ values = [] }) => z.literal(values.map(unpacked) as string[]),
  template_literal: ({ pieces = [] }, inner) =>
    z.templateLiteral(pieces.map((part) => (isSchema(part) ? inner(part) : unpacked(part))) as string[]),
  object: ({ shape = {}, catchall }, inner) => {
    const entries = Object.entries(shape);
    // The fields are built lazily, since an object may contain itself.
    const lazily = Object.defineProperties(
      {},
      Object.fromEntries(entries.map(([name, part]) => [name, { enumerable: true, get: () => inner(part) }])),
    );
    const object = z.object(lazily as Record<string, z.ZodType>);
    return catchall === undefined ? object : object.catchall(inner(catchall));
  },
  array: ({ element = ANYTHING }, inner) => z.array(inner(element)),
  tuple: ({ items = [], rest }, inner) => {
    const tuple = z.tuple(items.map(inner) as [z.ZodType, ...z.ZodType[]]);
    return rest === undefined ? tuple : tuple.rest(inner(rest));
  },
  record: ({ keyType = ANYTHING, valueType = ANYTHING, partial, mode }, inner) => {
    const key = inner(keyType) as z.ZodString;
    if (partial) return z.partialRecord(key, inner(valueType));
    return mode === 'loose' ? z.looseRecord(key, inner(valueType)) : z.record(key, inner(valueType));
  },
  map: ({ keyType = ANYTHING, valueType = ANYTHING }, inner) => z.map(inner(keyType), inner(valueType)),
  set: ({ valueType = ANYTHING }, inner) => z.set(inner(valueType)),
  union: ({ options = [], mode, discriminator }, inner) => {
    const made = options.map(inner);
    if (discriminator !== undefined) return z.discriminatedUnion(discriminator, made as [z.ZodObject]);
    return mode === 'xor' ? z.xor(made) : z.union(made);
  },
  intersection: ({ left = ANYTHING, right = ANYTHING }, inner) => z.intersection(inner(left), inner(right)),
  optional: ({ innerType = ANYTHING }, inner) => z.optional(inner(innerType)),
  nullable: ({ innerType = ANYTHING }, inner) => z.nullable(inner(innerType)),
  nonoptional: ({ innerType = ANYTHING }, inner) => z.nonoptional(inner(innerType)),
  readonly: ({ innerType = ANYTHING }, inner) => z.readonly(inner(innerType)),
  // A default is filled in before an item is written, so only older items lack the attribute.
  default: ({ innerType = ANYTHING, default: value }, inner) =>
    value === undefined ? z.optional(inner(innerType)) : z._default(inner(innerType), JSON.parse(value)),
  prefault: ({ innerType = ANYTHING, default: value }, inner) =>
    value === undefined ? z.optional(inner(innerType)) : z.prefault(inner(innerType), JSON.parse(value)),
  lazy: ({ innerType = ANYTHING }, inner) => z.lazy(() => inner(innerType)),
  pipe: ({ in: from = ANYTHING, out = ANYTHING, code }, inner) =>
    code !== undefined || [from, out].some(({ type }) => type === 'transform') ? z.any() : inner(from).pipe(inner(out)),
  custom: (data) => (data.class === 'Uint8Array' ? z.instanceof(Uint8Array) : z.any()),
};

const FORMS: Readonly<Record<string, (data: SchemaData) => z.ZodType>> = {
  email: ({ pattern }) => z.email(pattern && { pattern: regular(pattern) }),
  uuid: ({ version }) => z.uuid(version === undefined ? undefined : { version: version as 'v4' }),
  guid: () => z.guid(),
  url: ({ hostname, protocol }) =>
    z.url({
      ...(hostname && { hostname: regular(hostname) }),
      ...(protocol && { protocol: regular(protocol) }),
    }),
  datetime: ({ precision, offset, local }) => z.iso.datetime({ precision, offset, local }),
  date: () => z.iso.date(),
  time: ({ precision }) => z.iso.time({ precision }),
  duration: () => z.iso.duration(),
  emoji: () => z.emoji(),
  nanoid: () => z.nanoid(),
  cuid: () => z.cuid(),
  cuid2: () => z.cuid2(),
  ulid: () => z.ulid(),
  xid: () => z.xid(),
  ksuid: () => z.ksuid(),
  ipv4: () => z.ipv4(),
  ipv6: () => z.ipv6(),
  cidrv4: () => z.cidrv4(),
  cidrv6: () => z.cidrv6(),
  base64: () => z.base64(),
  base64url: () => z.base64url(),
  e164: () => z.e164(),
  jwt: () => z.jwt(),
};

function formOf(data: SchemaData): z.ZodType {
  const form = data.format === undefined ? undefined : FORMS[data.format];
  if (form !== undefined) return form(data);
  return data.pattern === undefined ? z.string() : z.stringFormat(data.format ?? 'regex', regular(data.pattern));
}

function numberOf(format: string): z.ZodType {
  if (format === 'int32') return z.int32();
  if (format === 'uint32') return z.uint32();
  if (format === 'float32') return z.float32();
  return format === 'float64' ? z.float64() : z.int();
}

/** Makes a check from its data. Returns an empty list for code and for unknown checks. */
function checkOf(data: CheckData): readonly Check[] {
  const { check, value, inclusive, minimum = 0, maximum = 0, length = 0, size = 0 } = data;
  const bound = value === undefined ? 0 : (unpacked(value) as number);
  const made: Readonly<Record<string, () => unknown>> = {
    greater_than: () => (inclusive ? z.gte(bound) : z.gt(bound)),
    less_than: () => (inclusive ? z.lte(bound) : z.lt(bound)),
    multiple_of: () => z.multipleOf(bound),
    min_length: () => z.minLength(minimum),
    max_length: () => z.maxLength(maximum),
    length_equals: () => z.length(length),
    min_size: () => z.minSize(minimum),
    max_size: () => z.maxSize(maximum),
    size_equals: () => z.size(size),
    number_format: () => numberOf(data.format ?? 'safeint'),
    string_format: () => formCheck(data),
  };
  const found = made[check]?.();
  return found === undefined ? [] : [found as Check];
}

function formCheck(data: CheckData): unknown {
  const { format, prefix, suffix, includes, pattern } = data;
  if (prefix !== undefined) return z.startsWith(prefix);
  if (suffix !== undefined) return z.endsWith(suffix);
  if (includes !== undefined) return z.includes(includes);
  if (format === 'lowercase') return z.lowercase(undefined);
  if (format === 'uppercase') return z.uppercase(undefined);
  if (format === 'regex' && pattern !== undefined) return z.regex(regular(pattern));
  return format === undefined ? undefined : FORMS[format]?.({ ...data, type: 'string' });
}

function regular({ source, flags }: Pattern): RegExp {
  return new RegExp(source, flags);
}

export function unpacked(value: Scalar): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('bigint' in value) return BigInt(value.bigint);
  return 'date' in value ? new Date(value.date) : undefined;
}

function isSchema(part: SchemaData | Scalar): part is SchemaData {
  return typeof part === 'object' && part !== null && 'type' in part;
}
