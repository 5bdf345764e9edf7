import type { SchemaData } from '../../blueprint/attributes/data';
import { canonical } from '../canonical';
import { checksIncluded } from './checks';
import { type Comparison, holdsRef, within } from './inclusion';
import { ANYTHING, takes } from './rebuild';
import { all, BY_CODE, type Inclusion, inside, no, unknown, YES } from './verdict';

/** Compares two schemas of objects, records, lists, sets or maps. Returns undefined for any other pair of types. */
export function mapsIncluded(comparison: Comparison, a: SchemaData, b: SchemaData): Inclusion | undefined {
  const compared = COMPARED[`${a.type} ${b.type}`]?.(comparison, a, b);
  return compared && all([...compared, checksIncluded({ ...a, format: undefined }, { ...b, format: undefined })]);
}

type Compare = (comparison: Comparison, a: SchemaData, b: SchemaData) => Iterable<Inclusion>;

const COMPARED: Readonly<Record<string, Compare>> = {
  'object object': objects,
  'object record': objectInRecord,
  'record object': recordInObject,
  'record record': records,
  'array array': (comparison, a, b) => [elements(comparison, a.element, b.element)],
  'tuple array': (comparison, { items = [], rest }, { element }) =>
    [...items, ...(rest === undefined ? [] : [rest])].map((item) => elements(comparison, item, element)),
  'tuple tuple': tuples,
  'set set': (comparison, a, b) => [elements(comparison, a.valueType, b.valueType)],
  'map map': (comparison, a, b) => [
    elements(comparison, a.keyType, b.keyType),
    elements(comparison, a.valueType, b.valueType),
  ],
};

function elements(comparison: Comparison, a: SchemaData = ANYTHING, b: SchemaData = ANYTHING): Inclusion {
  return inside('[]', within(comparison, a, b));
}

function* objects(comparison: Comparison, a: SchemaData, b: SchemaData): Iterable<Inclusion> {
  const [ofA, ofB] = [a.shape ?? {}, b.shape ?? {}];
  for (const [name, wanted] of Object.entries(ofB)) {
    const given = own(ofA, name);
    if (given !== undefined) yield inside(name, present(comparison, given, wanted));
    else {
      yield inside(name, absent(wanted));
      if (isOpen(a)) yield inside(name, within(comparison, a.catchall as SchemaData, wanted));
    }
  }
  if (b.catchall === undefined) return;
  for (const [name, given] of Object.entries(ofA)) {
    if (own(ofB, name) === undefined) yield inside(name, within(comparison, given, b.catchall));
  }
  if (isOpen(a)) yield within(comparison, a.catchall as SchemaData, b.catchall);
}

/** Whether items may have attributes that the schema does not name. */
export function isOpen({ catchall }: SchemaData): boolean {
  return catchall !== undefined && catchall.type !== 'never';
}

function own(shape: Readonly<Record<string, SchemaData>>, name: string): SchemaData | undefined {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/**
 * Compares the schemas of an attribute that both objects have. If the attribute may be left out, the wanted schema must
 * accept `undefined` as well as a missing attribute.
 */
function present(comparison: Comparison, given: SchemaData, wanted: SchemaData): Inclusion {
  const inclusion = within(comparison, given, wanted);
  return mayBeAbsent(given) ? all([inclusion, absent(wanted)]) : inclusion;
}

/** Whether zod accepts an object in which an attribute with this schema is missing. */
export function absent(wanted: SchemaData): Inclusion {
  // A `ref` always refers to the container that encloses it, and the schema of a container never accepts a missing
  // value.
  if (wanted.type === 'ref') return no('it is required');
  const text = canonical(wanted);
  const isCode = /"code":|"type":"(?:transform|custom)"/.test(text);
  if (LENIENT.has(wanted.type)) return (wanted.checks ?? []).length > 0 ? BY_CODE : YES;
  if (isCode && !FIRM.has(wanted.type)) return BY_CODE;
  return mayBeAbsent(wanted) ? YES : no('it is required');
}

/** Schema types that accept `undefined`, whatever schema they wrap. */
const LENIENT: ReadonlySet<string> = new Set(['optional', 'default', 'prefault', 'catch']);

/** Schema types that never accept `undefined`. */
const FIRM: ReadonlySet<string> = new Set(['string', 'number', 'object', 'record', 'array', 'tuple', 'nonoptional']);

/** Whether zod lets an attribute with this schema be left out. */
export function mayBeAbsent(schema: SchemaData): boolean {
  if (holdsRef(schema)) return LENIENT.has(schema.type);
  return takes({ type: 'object', shape: { it: { ...schema, checks: [] } } }, {});
}

function* objectInRecord(comparison: Comparison, a: SchemaData, b: SchemaData): Iterable<Inclusion> {
  const { keyType = ANYTHING, valueType = ANYTHING } = b;
  if (isListed(keyType) || b.mode !== undefined) {
    yield unknown('the object may have keys that the record does not accept');
    return;
  }
  for (const [name, given] of Object.entries(a.shape ?? {})) {
    yield within(comparison, { type: 'literal', values: [name] }, keyType);
    yield inside(name, within(comparison, given, valueType));
  }
  if (!isOpen(a)) return;
  yield within(comparison, { type: 'string' }, keyType);
  yield within(comparison, a.catchall as SchemaData, valueType);
}

function* recordInObject(comparison: Comparison, a: SchemaData, b: SchemaData): Iterable<Inclusion> {
  const { valueType = ANYTHING } = a;
  if (a.mode !== undefined) {
    yield unknown('a loose record may contain other entries');
    return;
  }
  for (const [name, wanted] of Object.entries(b.shape ?? {})) {
    yield inside(name, absent(wanted));
    yield inside(name, within(comparison, valueType, wanted));
  }
  if (b.catchall !== undefined) yield within(comparison, valueType, b.catchall);
}

function* records(comparison: Comparison, a: SchemaData, b: SchemaData): Iterable<Inclusion> {
  const [ofA, ofB] = [a.keyType ?? ANYTHING, b.keyType ?? ANYTHING];
  if (a.mode !== undefined || b.mode !== undefined) {
    yield unknown('a loose record may contain other entries');
    return;
  }
  // A record whose schema lists its keys must contain all of them, unless it is a partial record.
  if (isListed(ofB) && !b.partial) {
    const names = new Set((ofA.values ?? []).map((value) => canonical(value)));
    const missing = (ofB.values ?? []).find((value) => !names.has(canonical(value)));
    if (missing !== undefined || a.partial) yield no('some of the keys may be missing');
  }
  yield within(comparison, ofA, ofB);
  yield elements(comparison, a.valueType, b.valueType);
}

function isListed({ values, type }: SchemaData): boolean {
  return values !== undefined || type === 'union';
}

function* tuples(comparison: Comparison, a: SchemaData, b: SchemaData): Iterable<Inclusion> {
  const [ofA, ofB] = [a.items ?? [], b.items ?? []];
  if (ofA.length < ofB.length || [...ofA, ...ofB].some(mayBeAbsent)) {
    yield ofA.length < ofB.length && !ofB.some(mayBeAbsent) && a.rest === undefined
      ? no('it has too few elements')
      : unknown('it may have too few elements');
    return;
  }
  for (const [i, given] of ofA.entries()) {
    const wanted = ofB[i] ?? b.rest;
    yield wanted === undefined ? no('it has too many elements') : inside(`[${i}]`, within(comparison, given, wanted));
  }
  if (a.rest === undefined) return;
  yield b.rest === undefined ? no('it may have too many elements') : elements(comparison, a.rest, b.rest);
}
