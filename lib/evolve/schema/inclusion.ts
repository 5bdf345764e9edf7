import type { Scalar, SchemaData } from '../../blueprint/attributes/data';
import { withArticle } from '../../design/show';
import { canonical, same } from '../canonical';
import { checksIncluded, limitsOf } from './checks';
import { ANYTHING, takes, targetOf, unpacked } from './rebuild';
import { mapsIncluded } from './structures';
import { all, any, BY_CODE, type Inclusion, no, unknown, YES } from './verdict';

/** The two root schemas of a comparison. A `ref` refers to a part of its root schema. */
export interface Comparison {
  readonly from: SchemaData;
  readonly to: SchemaData;
  /**
   * The pairs of schemas that are being compared. Each pair is assumed to fit, which ends the recursion if a schema
   * contains itself.
   */
  readonly assumed: Map<SchemaData, Set<SchemaData>>;
}

/**
 * Whether the second schema accepts every value that is stored with the first schema. `yes` is never wrong; `unknown`
 * means that the answer depends on code or on the strings that a regular expression matches.
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
  // The assumption was wrong, so no later comparison may rely on it.
  if (result.verdict !== 'yes') assumed.delete(b);
  return result;
}

function compare(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion {
  // Equal data means equal schemas, unless the data contains a `ref`: then the root schemas must be equal too.
  if (same(a, b) && (!holdsRef(a) || same(comparison.from, comparison.to))) return YES;
  const alternatives = outputs(comparison, a);
  return all(alternatives.map((output) => alternative(comparison, output, b)));
}

export function holdsRef(data: SchemaData): boolean {
  return canonical(data).includes('"type":"ref"');
}

const UNDEFINED: SchemaData = { type: 'undefined' };
const NULL: SchemaData = { type: 'null' };

/** Returns schemas without unions that together describe every value that is stored with the given schema. */
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
      // Follow a `ref` only to a container: a union that directly contains itself would recurse forever.
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

/**
 * Returns the intersection of two plain objects as one object. For anything else, returns a schema that accepts any
 * value.
 */
function merged(comparison: Comparison, { left = ANYTHING, right = ANYTHING }: SchemaData): SchemaData {
  const sides = [left, right].map((side) => outputs(comparison, side));
  const [a, b] = sides.map(([first, ...more]) => (more.length === 0 ? first : undefined));
  const isPlain = (side: SchemaData | undefined) => side?.type === 'object' && side.catchall === undefined;
  if (a === undefined || b === undefined || !isPlain(a) || !isPlain(b)) return ANYTHING;
  const shape: Record<string, SchemaData> = { ...a.shape };
  for (const [name, part] of Object.entries(b.shape ?? {})) {
    const other = shape[name];
    shape[name] = other === undefined || same(other, part) ? part : { type: 'intersection', left: other, right: part };
  }
  return { type: 'object', shape };
}

/** Whether schema `b` accepts every value of the alternative `a`. */
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
      if (b.code !== undefined || [first, out].some(isRewriting))
        return unknown('code turns it into a different value');
      return all([within(comparison, a, first), inner(out)]);
    case 'union':
      return all([unionIncluded(comparison, a, b), ownChecks(a, b)]);
    case 'intersection':
      if ([left, right].some(isRewriting))
        return unknown('the two sides of the intersection may turn it into different values');
      return all([within(comparison, a, left), within(comparison, a, right), ownChecks(a, b)]);
    case 'ref':
      return within(comparison, a, b);
    default:
      return plain(comparison, a, b);
  }
}

/** Whether a schema may return a value that differs from its input. */
function isRewriting(schema: SchemaData): boolean {
  return /"(?:type":"(?:transform|default|prefault|catch)"|check":"overwrite"|coerce":true)/.test(canonical(schema));
}

function unionIncluded(comparison: Comparison, a: SchemaData, { options = [], mode }: SchemaData): Inclusion {
  if (mode === 'xor') return unknown('exactly one option must accept it, but several might');
  const taken = (given: SchemaData) =>
    any(
      options.map((option) => within(comparison, given, option)),
      `none of the options accepts ${describe(given)}`,
    );
  if (a.values === undefined) return taken(a);
  return all(a.values.map((value) => taken({ type: 'literal', values: [value] })));
}

/**
 * Compares the checks that belong to a wrapper or a union itself. These checks are code, and only identical code is
 * certain to accept the same values.
 */
function ownChecks(a: SchemaData, { checks = [] }: SchemaData): Inclusion {
  const missing = checks.filter((check) => !(a.checks ?? []).some((own) => same(own, check)));
  return missing.length === 0 ? YES : BY_CODE;
}

/** Compares two schemas without alternatives. */
function plain(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion {
  if (a.values !== undefined) return valuesIncluded(a.values, b);
  if (a.type === 'any' || a.type === 'unknown') return no(`it may be anything, not only ${describe(b)}`);
  if (b.values !== undefined && a.type === 'undefined')
    return no(`a missing value is not one of ${b.values.map(shown).join(', ')}`);
  if (b.values !== undefined) return no(`it may be ${describe(a)} other than ${b.values.map(shown).join(', ')}`);
  if (a.type === 'template_literal' && b.type === 'string') {
    const free = b.format === undefined && (b.checks ?? []).length === 0;
    return free ? YES : unknown("a template literal might not pass the string's checks");
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
    return isSame ? ownChecks(a, b) : BY_CODE;
  }
  if (a.type === 'template_literal') return unknown('two template literals cannot be compared');
  return checksIncluded(a, b);
}

function coerced({ type, format, checks = [] }: SchemaData): Inclusion {
  const takesAll = type === 'boolean' || (type === 'string' && format === undefined && checks.length === 0);
  return takesAll ? YES : unknown(`it is converted to ${withArticle(type)}, and the conversion may fail`);
}

/** Tries the listed values one by one. The answer is certain unless the schema contains code. */
function valuesIncluded(values: readonly Scalar[], to: SchemaData): Inclusion {
  const refused = values.find((value) => !takes(to, unpacked(value)));
  if (refused !== undefined) return no(`${shown(refused)} is not ${describe(to)}`);
  return canonical(to).includes('"code":') ? BY_CODE : YES;
}

export function describe({ type, values, format, class: name }: SchemaData): string {
  if (values !== undefined)
    return values.length === 1 ? shown(values[0] as Scalar) : `one of ${values.map(shown).join(', ')}`;
  if (type === 'undefined') return 'nothing';
  const word = name ?? (format === 'safeint' ? 'whole number' : (format ?? type));
  return type === 'null' ? 'null' : withArticle(word);
}

/** Describes two schemas. If they would have the same description, adds their limits. */
export function describeBoth(one: SchemaData, other: SchemaData): readonly [string, string] {
  const whole = (schema: SchemaData) => {
    const limits = limitsOf(schema);
    return schema.type === 'string' && limits.length > 0 ? limits.join(', ') : [describe(schema), ...limits].join(', ');
  };
  const brief = [describe(one), describe(other)] as const;
  return brief[0] === brief[1] ? [whole(one), whole(other)] : brief;
}

/** Formats a value for a message, with quotes around a string. */
export function shown(value: Scalar): string {
  const plain = unpacked(value);
  return typeof plain === 'string' ? `'${plain}'` : String(plain);
}
