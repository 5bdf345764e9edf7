import type { CheckData, Scalar, SchemaData } from '../../blueprint/attributes/data';
import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { areApart } from '../../blueprint/languages/texts';
import type { AttributesSchema } from '../../design/attributes';
import { withArticle } from '../../design/show';
import { same } from '../canonical';
import { rebuild, takes, unpacked } from './rebuild';
import { all, BY_CODE, type Inclusion, no, unknown, YES } from './verdict';

/** Whether every value that passes one schema's checks also passes the checks of another schema of the same type. */
export function checksIncluded(from: SchemaData, to: SchemaData): Inclusion {
  const wanted = checksOf(to);
  if (same(checksOf(from), wanted)) return YES;
  const given = outgoing(from);
  const rewritten = wanted.findIndex(({ check }) => check === 'overwrite');
  const direct = rewritten === -1 ? wanted : wanted.slice(0, rewritten);
  const rest = rewritten === -1 ? [] : wanted.slice(rewritten + 1);
  const inclusion = all([
    ...direct.map((check) => implied(check, given, from)),
    ...rest.map(() => unknown('a check that follows a rewrite cannot be compared')),
  ]);
  if (inclusion.verdict !== 'unknown' || rewritten !== -1 || !areStringsApart(from, to)) return inclusion;
  return no(`${shownForm(from)} is never ${shownForm(to)}`);
}

/** Whether it is certain that no string fits both schemas. Uses the same facts about strings as the design check. */
function areStringsApart(from: SchemaData, to: SchemaData): boolean {
  const isPlain = ({ type, coerce, checks = [] }: SchemaData) =>
    type === 'string' && !coerce && checks.every(({ check }) => check !== 'overwrite');
  const both = [from, to];
  if (!both.every(isPlain) || both.every((data) => takes(data, ''))) return false;
  return areApart(factsOf(from), factsOf(to));
}

function factsOf(data: SchemaData): AttributeFacts | undefined {
  return attributeAt(rebuild({ type: 'object', shape: { it: data } }) as unknown as AttributesSchema, ['it']);
}

/** Returns the checks of a schema. Treats the format of a string or a number as a check. */
function checksOf({ type, format, checks = [], ...options }: SchemaData): readonly CheckData[] {
  if (format === undefined) return checks;
  const { version, precision, offset, local, pattern, hostname, protocol, code } = options;
  const own = { format, version, precision, offset, local, pattern, hostname, protocol, code };
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return [{ check: type === 'string' ? 'string_format' : 'number_format', ...known }, ...checks];
}

/**
 * Returns the checks that a stored value is certain to pass. A check that comes before a rewrite says nothing about the
 * stored value.
 */
function outgoing(schema: SchemaData): readonly CheckData[] {
  const checks = checksOf(schema);
  return checks.slice(checks.findLastIndex(({ check }) => check === 'overwrite') + 1);
}

function implied(wanted: CheckData, given: readonly CheckData[], { type }: SchemaData): Inclusion {
  if (given.some((check) => same(check, wanted))) return YES;
  switch (wanted.check) {
    case 'min_length':
    case 'min_size':
      return sized(least(given) >= (wanted.minimum ?? 0), given, `at least ${wanted.minimum}`);
    case 'max_length':
    case 'max_size':
      return sized(most(given) <= (wanted.maximum ?? 0), given, `at most ${wanted.maximum}`);
    case 'length_equals':
    case 'size_equals': {
      const size = wanted.length ?? wanted.size ?? 0;
      return sized(least(given) >= size && most(given) <= size, given, `exactly ${size}`);
    }
    case 'greater_than':
      return bounded(wanted, given, type, 1);
    case 'less_than':
      return bounded(wanted, given, type, -1);
    case 'multiple_of':
      return given.some(({ check, value }) => check === 'multiple_of' && isMultiple(value, wanted.value))
        ? YES
        : no(`not every number is a multiple of ${shown(wanted.value)}`);
    case 'number_format':
      return given.some(({ check, format }) => check === 'number_format' && isNarrower(format, wanted.format))
        ? YES
        : no(`not every number has the format ${wanted.format}`);
    case 'string_format':
      return formed(wanted, given);
    default:
      return wanted.code === undefined ? unknown(`the check '${wanted.check}' cannot be compared`) : BY_CODE;
  }
}

/**
 * Returns whether a required length is guaranteed. If it is not guaranteed but the schema has a format, the answer is
 * unknown, because the format may imply a length.
 */
function sized(holds: boolean, given: readonly CheckData[], what: string): Inclusion {
  if (holds) return YES;
  const formed = given.some(({ check }) => check === 'string_format');
  return formed ? unknown(`its format might not ensure a length of ${what}`) : no(`its length is not always ${what}`);
}

function least(given: readonly CheckData[]): number {
  const sizes = given.map(({ check, minimum, length, size, prefix, suffix, includes }) => {
    if (check === 'min_length' || check === 'min_size') return minimum ?? 0;
    return length ?? size ?? (prefix ?? suffix ?? includes ?? '').length;
  });
  return Math.max(0, ...sizes);
}

function most(given: readonly CheckData[]): number {
  const sizes = given.map(({ check, maximum, length, size }) => {
    if (check === 'max_length' || check === 'max_size') return maximum ?? Number.POSITIVE_INFINITY;
    return length ?? size ?? Number.POSITIVE_INFINITY;
  });
  return Math.min(Number.POSITIVE_INFINITY, ...sizes);
}

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
};

/** @param sign 1 for a lower bound, -1 for an upper bound */
function bounded(wanted: CheckData, given: readonly CheckData[], type: string, sign: 1 | -1): Inclusion {
  const whole =
    type === 'bigint' || given.some(({ check, format }) => check === 'number_format' && (format ?? '') in RANGES);
  const limit = ordinal(wanted.value);
  const holds = given.some((bound) => {
    if (bound.check === 'number_format' && bound.format !== undefined && bound.format in RANGES) {
      const edge = (RANGES[bound.format] as readonly [number, number])[sign === 1 ? 0 : 1];
      return reaches(edge, true, limit, wanted.inclusive === true, sign);
    }
    if (bound.check !== wanted.check) return false;
    let edge = ordinal(bound.value);
    let inclusive = bound.inclusive === true;
    // For integers, above 3 means at least 4.
    if (whole && typeof edge === 'number' && Number.isSafeInteger(edge) && !inclusive) {
      edge += sign;
      inclusive = true;
    }
    return reaches(edge, inclusive, limit, wanted.inclusive === true, sign);
  });
  return holds ? YES : no(`it is not always ${sign === 1 ? 'above' : 'below'} ${shown(wanted.value)}`);
}

/** Whether every number that the bound `edge` allows is also allowed by the bound `limit`. */
function reaches(edge: Ordinal, inclusive: boolean, limit: Ordinal, limitInclusive: boolean, sign: 1 | -1): boolean {
  if (edge === limit) return limitInclusive || !inclusive;
  return sign === 1 ? edge > limit : edge < limit;
}

type Ordinal = number | bigint;

function ordinal(value: Scalar | undefined): Ordinal {
  const plain = value === undefined ? Number.NaN : unpacked(value);
  return plain instanceof Date ? plain.getTime() : (plain as Ordinal);
}

function isMultiple(given: Scalar | undefined, wanted: Scalar | undefined): boolean {
  const [a, b] = [given, wanted].map((value) => (value === undefined ? Number.NaN : unpacked(value)));
  if (typeof a === 'bigint' && typeof b === 'bigint') return b !== 0n && a % b === 0n;
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) && (a as number) % (b as number) === 0;
}

const NARROWER: Readonly<Record<string, readonly string[]>> = {
  safeint: ['safeint', 'int32', 'uint32'],
  float64: ['float64', 'float32'],
};

function isNarrower(given: string | undefined, wanted: string | undefined): boolean {
  return given !== undefined && (given === wanted || (NARROWER[wanted ?? ''] ?? []).includes(given));
}

function formed(wanted: CheckData, given: readonly CheckData[]): Inclusion {
  const forms = given.filter(({ check }) => check === 'string_format');
  if (forms.length === 0) {
    // Every format rejects some strings, but code may accept all of them.
    return wanted.code === undefined ? no(`not every string is ${described(wanted)}`) : BY_CODE;
  }
  const holds = forms.some((form) => {
    const { prefix, suffix, includes, format } = wanted;
    if (prefix !== undefined) return form.prefix?.startsWith(prefix);
    if (suffix !== undefined) return form.suffix?.endsWith(suffix);
    if (includes !== undefined)
      return [form.prefix, form.suffix, form.includes].some((text) => text?.includes(includes));
    if (format === 'datetime') return form.format === 'datetime' && isDatetimeWithin(form, wanted);
    // A UUID of a specific version is also a UUID, and every UUID is a GUID.
    if (format === 'uuid') return form.format === 'uuid' && wanted.version === undefined;
    return format === 'guid' && form.format === 'uuid';
  });
  if (holds) return YES;
  // A datetime schema without a precision accepts every precision, and a UUID schema without a version accepts every
  // version.
  const isLooser = forms.length === 1 && VARIED.has(String(wanted.format)) && forms[0]?.format === wanted.format;
  const why = `${forms.map(described).join(', ')} is not always ${described(wanted)}`;
  return isLooser ? no(why) : unknown(why);
}

/** Formats that have variants, each of which accepts strings that the other variants reject. */
const VARIED: ReadonlySet<string> = new Set(['datetime', 'uuid']);

/**
 * Whether the wanted schema accepts every datetime that the given schema accepts. A schema that accepts offsets or
 * times without a zone also accepts `Z`.
 */
function isDatetimeWithin(given: CheckData, wanted: CheckData): boolean {
  const precise = wanted.precision === undefined || wanted.precision === given.precision;
  return precise && (!given.offset || wanted.offset === true) && (!given.local || wanted.local === true);
}

/** Describes the formats of a string schema. */
function shownForm(schema: SchemaData): string {
  const forms = checksOf(schema).filter(({ check }) => check === 'string_format');
  return forms.length === 0 ? 'such a string' : forms.map(described).join(', ');
}

function described({
  format,
  prefix,
  suffix,
  includes,
  version,
  precision,
  offset,
  local,
  pattern,
}: CheckData): string {
  const text = prefix ?? suffix ?? includes;
  if (text !== undefined) return `${format?.replace('_', ' ')} '${text}'`;
  if (format === 'regex' && pattern !== undefined) return `of the form /${pattern.source}/${pattern.flags}`;
  const variant = [
    ...(version === undefined ? [] : [` ${version}`]),
    ...(precision === undefined ? [] : [` with ${precision} decimals`]),
    ...(offset ? [' with any offset'] : []),
    ...(local ? [' with or without a time zone'] : []),
  ];
  return `${withArticle(String(format))}${variant.join('')}`;
}

/** Describes the formats and the bounds of a schema. */
export function limitsOf(schema: SchemaData): readonly string[] {
  return checksOf(schema).flatMap((one) => {
    if (one.check === 'string_format') return [described(one)];
    if (one.check === 'greater_than') return [`${one.inclusive ? 'at least' : 'above'} ${shown(one.value)}`];
    return one.check === 'less_than' ? [`${one.inclusive ? 'at most' : 'below'} ${shown(one.value)}`] : [];
  });
}

function shown(value: Scalar | undefined): string {
  return String(value === undefined ? value : unpacked(value));
}
