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
  /** Digits after the second, where a timestamp always has as many. */
  readonly precision?: number;
  /** Whether a timestamp may be in any zone, or in none. */
  readonly zoned?: boolean;
  /** Bounds of a number, or of a string's length. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
}

/** The facts of the attribute at a path, or undefined where the schema has none there. */
export function attributeAt(schema: $ZodObject, path: readonly string[]): AttributeFacts | undefined {
  let at: Def | undefined = defOf(schema);
  let optional = false;
  for (const step of path) {
    const inner: $ZodType | undefined = at?.shape?.[step] ?? (at?.type === 'record' ? at.valueType : undefined);
    if (inner === undefined) return undefined;
    const bare = unwrap(defOf(inner));
    optional ||= bare.optional;
    at = bare.def;
  }
  return at === undefined ? undefined : { ...factsOf(at), optional };
}

/** The names of an object's own attributes. */
export function attributeNames(schema: $ZodObject): readonly string[] {
  return Object.keys(schema._zod.def.shape);
}

/** The fields of zod's definitions that are read here; each kind of schema has some of them. */
interface Def {
  readonly type: string;
  readonly innerType?: $ZodType;
  readonly out?: $ZodType;
  readonly getter?: () => $ZodType;
  readonly shape?: Readonly<Record<string, $ZodType>>;
  readonly valueType?: $ZodType;
  readonly options?: readonly $ZodType[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly format?: string;
  readonly precision?: number | null;
  readonly offset?: boolean;
  readonly local?: boolean;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

interface Check {
  readonly check: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly format?: string;
}

function defOf(schema: $ZodType): Def {
  return schema._zod.def as unknown as Def;
}

function unwrap(outer: Def): { def: Def; optional: boolean } {
  let def = outer;
  let optional = false;
  for (;;) {
    if (def.type === 'optional' || def.type === 'nullable') optional = true;
    if (def.type === 'nonoptional') optional = false;
    const inner = def.innerType ?? (def.type === 'pipe' ? def.out : def.type === 'lazy' ? def.getter?.() : undefined);
    if (inner === undefined) return { def, optional };
    def = defOf(inner);
  }
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
  if (values !== undefined) return { kind: values.every((v) => typeof v === 'number') ? 'number' : 'string', values };
  const kind = def.type === 'union' ? kindOfUnion(def.options ?? []) : (KINDS[def.type] ?? 'other');
  return { kind, ...formOf(def), ...boundsOf(def) };
}

/** The listed values of an enum, of literals, or of a union of them. */
function valuesOf(def: Def): readonly (string | number)[] | undefined {
  const listed =
    def.type === 'enum'
      ? Object.values(def.entries ?? {})
      : def.type === 'literal'
        ? (def.values ?? [])
        : def.type === 'union'
          ? (def.options ?? []).flatMap((option) => valuesOf(unwrap(defOf(option)).def) ?? [])
          : [undefined];
  return listed.every((value) => typeof value === 'string' || typeof value === 'number') ? listed : undefined;
}

function kindOfUnion(options: readonly $ZodType[]): AttributeFacts['kind'] {
  const kinds = new Set(options.map((option) => factsOf(unwrap(defOf(option)).def).kind));
  return kinds.size === 1 ? ([...kinds][0] as AttributeFacts['kind']) : 'other';
}

function formOf(def: Def): Pick<AttributeFacts, 'format' | 'precision' | 'zoned'> {
  const format = def.format ?? def.checks?.find((check) => check._zod.def.check === 'string_format')?._zod.def.format;
  if (format !== 'datetime') return format === undefined ? {} : { format };
  const zoned = def.offset === true || def.local === true;
  return { format, zoned, ...(typeof def.precision === 'number' ? { precision: def.precision } : {}) };
}

function boundsOf(def: Def): Pick<AttributeFacts, 'minimum' | 'maximum' | 'integer'> {
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  const integer = [def, ...checks].some(({ format }) => format?.includes('int'));
  const bounds: { minimum?: number; maximum?: number; integer?: boolean } = integer ? { integer } : {};
  for (const { check, value, inclusive, minimum, maximum, length } of checks) {
    const step = inclusive || !integer ? 0 : 1;
    if (check === 'greater_than' && typeof value === 'number') bounds.minimum = value + step;
    if (check === 'less_than' && typeof value === 'number') bounds.maximum = value - step;
    if (check === 'min_length') bounds.minimum = minimum;
    if (check === 'max_length') bounds.maximum = maximum;
    if (check === 'length_equals') bounds.minimum = bounds.maximum = length;
  }
  return bounds;
}
