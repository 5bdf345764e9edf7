import type { CheckData, Scalar, SchemaData } from '../../blueprint/attributes/data';
import { same } from '../canonical';
import { unpacked } from './rebuild';
import { all, type Inclusion, no, unknown, YES } from './verdict';

/** Whether whatever passes the checks of one schema passes those of another of the same type. */
export function checksIncluded(from: SchemaData, to: SchemaData): Inclusion {
  const wanted = checksOf(to);
  if (same(checksOf(from), wanted)) return YES;
  const given = outgoing(from);
  const rewritten = wanted.findIndex(({ check }) => check === 'overwrite');
  const direct = rewritten === -1 ? wanted : wanted.slice(0, rewritten);
  const rest = rewritten === -1 ? [] : wanted.slice(rewritten + 1);
  return all([
    ...direct.map((check) => implied(check, given, from)),
    ...rest.map(() => unknown('what is checked after it is rewritten cannot be told')),
  ]);
}

/** The form of a string or a number is a check like the others. */
function checksOf({ type, format, checks = [], ...options }: SchemaData): readonly CheckData[] {
  if (format === undefined) return checks;
  const { version, precision, offset, local, pattern, hostname, protocol, code } = options;
  const own = { format, version, precision, offset, local, pattern, hostname, protocol, code };
  const known = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return [{ check: type === 'string' ? 'string_format' : 'number_format', ...known }, ...checks];
}

/** What still holds of a value that was stored: not what was checked before it was rewritten. */
function outgoing(schema: SchemaData): readonly CheckData[] {
  const checks = checksOf(schema);
  return checks.slice(checks.findLastIndex(({ check }) => check === 'overwrite') + 1);
}

function implied(wanted: CheckData, given: readonly CheckData[], { type }: SchemaData): Inclusion {
  if (given.some((one) => same(one, wanted))) return YES;
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
      return given.some((one) => one.check === 'multiple_of' && isMultiple(one.value, wanted.value))
        ? YES
        : no(`not every number is a multiple of ${shown(wanted.value)}`);
    case 'number_format':
      return given.some((one) => one.check === 'number_format' && isNarrower(one.format, wanted.format))
        ? YES
        : no(`not every number is ${wanted.format}`);
    case 'string_format':
      return formed(wanted, given);
    default:
      return unknown(
        wanted.code === undefined
          ? `'${wanted.check}' cannot be told`
          : 'it is decided by code, which cannot be compared',
      );
  }
}

/** A form may say more about a length than is known here. */
function sized(holds: boolean, given: readonly CheckData[], what: string): Inclusion {
  if (holds) return YES;
  const formed = given.some(({ check }) => check === 'string_format');
  return formed ? unknown(`whether its form has ${what} cannot be told`) : no(`it need not have ${what}`);
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

/** @param sign 1 for a lower bound, -1 for an upper one */
function bounded(wanted: CheckData, given: readonly CheckData[], type: string, sign: 1 | -1): Inclusion {
  const whole =
    type === 'bigint' || given.some(({ check, format }) => check === 'number_format' && (format ?? '') in RANGES);
  const limit = ordinal(wanted.value);
  const holds = given.some((one) => {
    if (one.check === 'number_format' && one.format !== undefined && one.format in RANGES) {
      const edge = (RANGES[one.format] as readonly [number, number])[sign === 1 ? 0 : 1];
      return reaches(edge, true, limit, wanted.inclusive === true, sign);
    }
    if (one.check !== wanted.check) return false;
    let edge = ordinal(one.value);
    let inclusive = one.inclusive === true;
    // The next whole number, where it can be counted.
    if (whole && typeof edge === 'number' && Number.isSafeInteger(edge) && !inclusive) {
      edge += sign;
      inclusive = true;
    }
    return reaches(edge, inclusive, limit, wanted.inclusive === true, sign);
  });
  return holds ? YES : no(`it need not be ${sign === 1 ? 'above' : 'below'} ${shown(wanted.value)}`);
}

/** Whether all that is beyond one edge is beyond the limit. */
function reaches(edge: Ordinal, inclusive: boolean, limit: Ordinal, limitInclusive: boolean, sign: 1 | -1): boolean {
  if (edge === limit) return limitInclusive || !inclusive;
  return sign === 1 ? edge > limit : edge < limit;
}

type Ordinal = number | bigint;

function ordinal(value: Scalar | undefined): Ordinal {
  const plain = value === undefined ? Number.NaN : unpacked(value);
  return plain instanceof Date ? plain.getTime() : (plain as Ordinal);
}

function isMultiple(of: Scalar | undefined, wanted: Scalar | undefined): boolean {
  const [a, b] = [of, wanted].map((value) => (value === undefined ? Number.NaN : unpacked(value)));
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
    // Code may take everything; what is only a form does not.
    return wanted.code === undefined
      ? no(`not every text is ${described(wanted)}`)
      : unknown('it is decided by code, which cannot be compared');
  }
  const holds = forms.some((one) => {
    const { prefix, suffix, includes, format } = wanted;
    if (prefix !== undefined) return one.prefix?.startsWith(prefix);
    if (suffix !== undefined) return one.suffix?.endsWith(suffix);
    if (includes !== undefined) return [one.prefix, one.suffix, one.includes].some((text) => text?.includes(includes));
    if (format === 'datetime') return one.format === 'datetime' && isDatetimeWithin(one, wanted);
    // A version is a part of all versions; a GUID is a UUID of any kind.
    if (format === 'uuid') return one.format === 'uuid' && wanted.version === undefined;
    return format === 'guid' && one.format === 'uuid';
  });
  return holds ? YES : unknown(`whether ${forms.map(described).join(', ')} is ${described(wanted)} cannot be told`);
}

/** With an offset, or without any zone, a schema takes `Z` all the same. */
function isDatetimeWithin(one: CheckData, wanted: CheckData): boolean {
  const precise = wanted.precision === undefined || wanted.precision === one.precision;
  return precise && (!one.offset || wanted.offset === true) && (!one.local || wanted.local === true);
}

function described({ format, prefix, suffix, includes, version, pattern }: CheckData): string {
  const text = prefix ?? suffix ?? includes;
  if (text !== undefined) return `${format?.replace('_', ' ')} '${text}'`;
  if (format === 'regex' && pattern !== undefined) return `of the form /${pattern.source}/${pattern.flags}`;
  return `a ${format}${version === undefined ? '' : ` ${version}`}`;
}

function shown(value: Scalar | undefined): string {
  return String(value === undefined ? value : unpacked(value));
}
