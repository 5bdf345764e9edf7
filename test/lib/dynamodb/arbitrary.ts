import type { $ZodType } from 'zod/v4/core';
import { keyText } from '../../support/arbitraries';
import fc from '../../support/fuzz';

/** The fields of zod's schema definitions that the generators use; each kind of schema has only some of them. */
interface Def {
  readonly type: string;
  readonly format?: string;
  readonly precision?: number;
  readonly local?: boolean;
  readonly innerType?: $ZodType;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly element?: $ZodType;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
  readonly options?: readonly $ZodType[];
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

interface Check {
  readonly check: string;
  readonly format?: string;
  readonly value?: number;
  readonly inclusive?: boolean;
  readonly length?: number;
  readonly pattern?: RegExp;
}

const moments = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2099-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Generates strings in the formats that the systems' schemas require; the strings never contain the key separator. */
const FORMS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  date: moments.map((moment) => moment.slice(0, 10)),
  time: moments.map((moment) => moment.slice(11, 16)),
  email: fc.stringMatching(/^[a-z0-9]{1,12}\.[a-z]{1,8}@[a-z]{1,12}\.[a-z]{2,5}$/),
  uuid: fc.uuid(),
  guid: fc.uuid(),
  url: fc.webUrl(),
};

/**
 * Generates values that match a schema. It supports only the kinds of schema that the systems use, and sometimes omits
 * optional values. Every generated string is valid in keys, so that no request refuses a value unless a test expects
 * it.
 */
export function valuesOf(schema: Pick<$ZodType, '_zod'>): fc.Arbitrary<unknown> {
  const def = schema._zod.def as unknown as Def;
  const checks = [def as Partial<Check>, ...(def.checks ?? []).map((check) => check._zod.def)];
  switch (def.type) {
    case 'object':
      return objectsOf(def.shape ?? {});
    case 'optional':
    case 'default':
      return valuesOf(def.innerType as $ZodType);
    case 'nullable':
      return fc.option(valuesOf(def.innerType as $ZodType), { nil: null });
    case 'array':
      return fc.array(valuesOf(def.element as $ZodType), { maxLength: 3 });
    case 'record':
      return fc.dictionary(keyText, fc.jsonValue(), { maxKeys: 3, noNullPrototype: true }).map(storable);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(def.values ?? []));
    case 'union':
      return fc.oneof(...(def.options ?? []).map(valuesOf));
    case 'unknown':
    case 'any':
      return fc.jsonValue().map((value) => storable({ value }).value);
    case 'boolean':
      return fc.boolean();
    case 'number':
      return numbersOf(checks);
    case 'string':
      return textOf(def, checks);
    default:
      throw new Error(`no values are made of ${def.type}; teach this file how`);
  }
}

function objectsOf(shape: Readonly<Record<string, $ZodType>>): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape).map(([name, schema]) => [name, valuesOf(schema)] as const);
  const required = Object.entries(shape).filter(([, schema]) => schema._zod.optin !== 'optional');
  return fc.record(Object.fromEntries(fields), { requiredKeys: required.map(([name]) => name), noNullPrototype: true });
}

function numbersOf(checks: readonly Partial<Check>[]): fc.Arbitrary<number> {
  const bounds = (kind: string) => checks.filter(({ check }) => check === kind).map(({ value = 0 }) => value);
  const [min, max] = [Math.max(-1e6, ...bounds('greater_than')), Math.min(1e6, ...bounds('less_than'))];
  if (checks.some(({ format }) => format?.includes('int'))) return fc.integer({ min, max });
  const minExcluded = checks.some(({ check, inclusive }) => check === 'greater_than' && inclusive === false);
  return fc.double({ min, max, minExcluded, noNaN: true }).map((number) => number + 0);
}

function textOf({ format, precision, local }: Def, checks: readonly Partial<Check>[]): fc.Arbitrary<string> {
  if (format === 'datetime') {
    const end = precision === 0 ? 19 : 23;
    return moments.map((moment) => moment.slice(0, end) + (local ? '' : 'Z'));
  }
  const form = FORMS[format ?? ''];
  const pattern = checks.find((check) => check.format === 'regex')?.pattern;
  // The generated text is lowercase. If the pattern rejects it, the first letter becomes uppercase.
  if (form !== undefined)
    return form.map((text) => (pattern?.test(text) === false ? text.replace(/[a-z]/, (c) => c.toUpperCase()) : text));
  const length = checks.find(({ check }) => check === 'length_equals')?.length;
  if (length !== undefined) return fc.string({ minLength: length, maxLength: length, unit: fc.constantFrom('A', '7') });
  return pattern === undefined ? keyText : fc.stringMatching(new RegExp(pattern.source));
}

/** Removes values that cannot be stored: JSON has no negative zero, and zod removes `__proto__`. */
function storable(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value), (name, inner) => (name === '__proto__' ? undefined : inner));
}
