import type { Scalar, SchemaData } from '../../blueprint/attributes/data';
import { canonical, same } from '../canonical';
import { checksIncluded } from './checks';
import { takes, targetOf, unpacked } from './rebuild';
import { mapsIncluded } from './structures';
import { all, any, type Inclusion, no, unknown, YES } from './verdict';

/** Two schemas that are compared, seen from the outermost ones, which a `ref` leads back to. */
export interface Comparison {
  readonly from: SchemaData;
  readonly to: SchemaData;
  /** What is being compared further out: a schema that holds itself would be compared forever. */
  readonly assumed: Map<SchemaData, Set<SchemaData>>;
}

/**
 * Whether every value that one schema stores is one that the other takes. `yes` is never wrong; what only code, or the
 * meaning of a regular expression, could tell is `unknown`.
 */
export function included(from: SchemaData, to: SchemaData): Inclusion {
  return within({ from, to, assumed: new Map() }, from, to);
}

export function within(comparison: Comparison, given: SchemaData, wanted: SchemaData): Inclusion {
  const a = given.type === 'ref' ? targetOf(comparison.from, given.to ?? []) : given;
  const b = wanted.type === 'ref' ? targetOf(comparison.to, wanted.to ?? []) : wanted;
  const assumed = comparison.assumed.get(a) ?? new Set();
  if (assumed.has(b)) return YES;
  comparison.assumed.set(a, assumed.add(b));
  const result = compare(comparison, a, b);
  // What was assumed holds only while it is not refuted.
  if (result.verdict !== 'yes') assumed.delete(b);
  return result;
}

function compare(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion {
  // Whatever is in it, nothing changed: what a `ref` in it means is the same only if the whole is.
  if (same(a, b) && (!holdsRef(a) || same(comparison.from, comparison.to))) return YES;
  const alternatives = outputs(comparison, a);
  return all(alternatives.map((one) => alternative(comparison, one, b)));
}

function holdsRef(data: SchemaData): boolean {
  return canonical(data).includes('"type":"ref"');
}

const UNDEFINED: SchemaData = { type: 'undefined' };
const NULL: SchemaData = { type: 'null' };
const ANYTHING: SchemaData = { type: 'any' };

/** What a schema stores, as alternatives that are none of them unions. */
function outputs(comparison: Comparison, schema: SchemaData): readonly SchemaData[] {
  const { innerType = ANYTHING, options = [], out = ANYTHING } = schema;
  const inner = () => outputs(comparison, innerType);
  switch (schema.type) {
    case 'optional':
      return [UNDEFINED, ...inner().filter(({ type }) => type !== 'undefined')];
    case 'nullable':
      return [NULL, ...inner()];
    case 'default':
    case 'nonoptional':
      return inner().filter(({ type }) => type !== 'undefined');
    case 'prefault':
    case 'readonly':
    case 'lazy':
      return inner();
    case 'union':
      return options.flatMap((option) => outputs(comparison, option));
    case 'ref': {
      const target = targetOf(comparison.from, schema.to ?? []);
      // A union that holds itself directly would be followed forever; an object ends it.
      return target.type === 'object' || target.type === 'array' || target.type === 'record' ? [target] : [ANYTHING];
    }
    case 'pipe':
      return schema.code !== undefined || out.type === 'transform' ? [ANYTHING] : outputs(comparison, out);
    case 'intersection':
      return [merged(comparison, schema)];
    case 'catch':
    case 'transform':
      return [ANYTHING];
    default:
      return [schema];
  }
}

/** Two objects that a value must both be are one; of all else, nothing is said. */
function merged(comparison: Comparison, { left = ANYTHING, right = ANYTHING }: SchemaData): SchemaData {
  const sides = [left, right].map((side) => outputs(comparison, side));
  const [a, b] = sides.map(([one, ...more]) => (more.length === 0 ? one : undefined));
  const isPlain = (one: SchemaData | undefined) => one?.type === 'object' && one.catchall === undefined;
  if (a === undefined || b === undefined || !isPlain(a) || !isPlain(b)) return ANYTHING;
  const shape: Record<string, SchemaData> = { ...a.shape };
  for (const [name, part] of Object.entries(b.shape ?? {})) {
    const other = shape[name];
    shape[name] = other === undefined || same(other, part) ? part : { type: 'intersection', left: other, right: part };
  }
  return { type: 'object', shape };
}

/** Whether one alternative is taken. */
function alternative(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion {
  if (a.type === 'never') return YES;
  const { innerType = ANYTHING, in: first = ANYTHING, out = ANYTHING, left = ANYTHING, right = ANYTHING } = b;
  const inner = (target: SchemaData) => all([within(comparison, a, target), ownChecks(a, b)]);
  switch (b.type) {
    case 'any':
    case 'unknown':
      return ownChecks(a, b);
    case 'catch':
      return YES;
    case 'optional':
    case 'default':
    case 'prefault':
      return a.type === 'undefined' ? ownChecks(a, b) : inner(innerType);
    case 'nullable':
      return a.type === 'null' ? ownChecks(a, b) : inner(innerType);
    case 'nonoptional':
      return a.type === 'undefined' ? no('it may be left out') : inner(innerType);
    case 'readonly':
    case 'lazy':
      return inner(innerType);
    case 'pipe':
      if (b.code !== undefined || [first, out].some(isRewriting)) return unknown('code makes another value of it');
      return all([within(comparison, a, first), inner(out)]);
    case 'union':
      return all([unionIncluded(comparison, a, b), ownChecks(a, b)]);
    case 'intersection':
      if ([left, right].some(isRewriting)) return unknown('whether both make the same of it cannot be told');
      return all([within(comparison, a, left), within(comparison, a, right), ownChecks(a, b)]);
    case 'ref':
      return within(comparison, a, b);
    default:
      return plain(comparison, a, b);
  }
}

/** Whether a schema gives back another value than it takes. */
function isRewriting(schema: SchemaData): boolean {
  return /"(?:type":"(?:transform|default|prefault|catch)"|check":"overwrite"|coerce":true)/.test(canonical(schema));
}

function unionIncluded(comparison: Comparison, a: SchemaData, { options = [], mode }: SchemaData): Inclusion {
  if (mode === 'xor') return unknown('whether exactly one of the options takes it cannot be told');
  const one = (given: SchemaData) =>
    any(
      options.map((option) => within(comparison, given, option)),
      `none of the options takes ${describe(given)}`,
    );
  if (a.values === undefined) return one(a);
  return all(a.values.map((value) => one({ type: 'literal', values: [value] })));
}

/** The checks that a wrapper, a union or anything has of its own: code, which only the same code passes. */
function ownChecks(a: SchemaData, { checks = [] }: SchemaData): Inclusion {
  const missing = checks.filter((check) => !(a.checks ?? []).some((own) => same(own, check)));
  return missing.length === 0 ? YES : unknown('it is decided by code, which cannot be compared');
}

/** Neither of them is made of alternatives. */
function plain(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion {
  if (a.values !== undefined) return valuesIncluded(a.values, b);
  if (a.type === 'any' || a.type === 'unknown') return no(`it may be anything, not only ${describe(b)}`);
  if (b.values !== undefined) return no(`it may be another ${a.type} than ${b.values.map(shown).join(', ')}`);
  if (a.type === 'template_literal' && b.type === 'string') {
    const free = b.format === undefined && (b.checks ?? []).length === 0;
    return free ? YES : unknown('whether a template is of a form cannot be told');
  }
  if (b.coerce === true && a.type !== b.type) return coerced(b);
  const maps = mapsIncluded(comparison, a, b);
  if (maps !== undefined) return maps;
  if (a.type !== b.type) {
    const voids = ['undefined', 'void'];
    return voids.includes(a.type) && voids.includes(b.type) ? YES : no(`${describe(a)} is not ${describe(b)}`);
  }
  if (a.type === 'custom') {
    const isSame = a.code === b.code && a.class === b.class;
    return isSame ? ownChecks(a, b) : unknown('it is decided by code, which cannot be compared');
  }
  if (a.type === 'template_literal') return unknown('whether one template is of another cannot be told');
  return checksIncluded(a, b);
}

function coerced({ type, format, checks = [] }: SchemaData): Inclusion {
  const takesAll = type === 'boolean' || (type === 'string' && format === undefined && checks.length === 0);
  return takesAll ? YES : unknown(`what it is as a ${type} cannot be told`);
}

/** Listed values are tried, one by one, where no code decides. */
function valuesIncluded(values: readonly Scalar[], to: SchemaData): Inclusion {
  const refused = values.find((value) => !takes(to, unpacked(value)));
  if (refused !== undefined) return no(`${shown(refused)} is not ${describe(to)}`);
  return canonical(to).includes('"code":') ? unknown('it is decided by code, which cannot be compared') : YES;
}

export function describe({ type, values, format, class: name }: SchemaData): string {
  if (values !== undefined)
    return values.length === 1 ? shown(values[0] as Scalar) : `one of ${values.map(shown).join(', ')}`;
  if (type === 'undefined') return 'nothing';
  const word = name ?? format ?? type;
  return type === 'null' ? 'null' : `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;
}

function shown(value: Scalar): string {
  const plain = unpacked(value);
  return typeof plain === 'string' ? `'${plain}'` : String(plain);
}
