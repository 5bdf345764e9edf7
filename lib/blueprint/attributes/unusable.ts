import { isAsynchronous } from './samples';
import { type Check, checksOf, type Def, defOf, type Schema, shapeOf } from './schema';

/** An attribute, or a value nested in an attribute, whose schema makes every write fail. */
export interface Unusable {
  readonly path: readonly string[];
  readonly why: 'takes-nothing' | 'asynchronous';
}

/** Lists the parts of a schema that provably reject every value, or that validate asynchronously. */
export function unusableIn(schema: Schema): readonly Unusable[] {
  return [...within(schema, [], new Set())];
}

const DEEP = 12;

function* within(schema: Schema, path: readonly string[], around: Set<Schema>): Iterable<Unusable> {
  if (around.has(schema) || around.size > DEEP) return;
  around.add(schema);
  const def = defOf(schema);
  if (def.type === 'object') {
    for (const [name, member] of Object.entries(shapeOf(schema))) yield* within(member, [...path, name], around);
    if (checksOf(def).length > 0 && isAsynchronous(schema)) yield { path, why: 'asynchronous' };
  } else if (takesNothingAtAll(schema, new Set())) yield { path, why: 'takes-nothing' };
  else if (isAsynchronous(schema)) yield { path, why: 'asynchronous' };
  around.delete(schema);
}

/** Whether the schema's definition proves that it rejects every value. Never runs the user's own code. */
function takesNothingAtAll(schema: Schema, around: Set<Schema>): boolean {
  if (around.has(schema) || around.size > DEEP) return false;
  around.add(schema);
  const def = defOf(schema);
  const inner = (part: Schema | null | undefined) => part != null && takesNothingAtAll(part, around);
  const found = isContradiction(def) || isEmptyKind(def, inner);
  around.delete(schema);
  return found;
}

function isEmptyKind(def: Def, inner: (part: Schema | null | undefined) => boolean): boolean {
  switch (def.type) {
    case 'never':
      return true;
    case 'enum':
      return Object.keys(def.entries ?? {}).length === 0;
    case 'literal':
      return def.values?.length === 0;
    case 'union':
      return (def.options ?? []).every(inner);
    case 'object':
      return Object.values(def.shape ?? {}).some(inner);
    case 'tuple':
      return (def.items ?? []).some(inner);
    case 'array':
      return inner(def.element) && checksOf(def).some(({ minimum = 0, length = 0 }) => minimum > 0 || length > 0);
    case 'intersection':
      return inner(def.left) || inner(def.right) || areApart(def.left, def.right);
    case 'pipe':
      return inner(def.in) || inner(def.out);
    case 'lazy':
      return inner(def.getter?.());
    case 'readonly':
    case 'nonoptional':
      return inner(def.innerType);
    default:
      return false;
  }
}

const SIMPLE: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'array', 'object', 'date', 'bigint']);

function areApart(left: Schema | undefined, right: Schema | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [defOf(left).type, defOf(right).type];
  return one !== other && SIMPLE.has(one) && SIMPLE.has(other);
}

/**
 * Whether the checks contradict each other: bounds that no value meets, or two prefixes or two suffixes that no string
 * can have at once.
 */
function isContradiction(def: Def): boolean {
  const checks = checksOf(def);
  if (checks.length < 2) return false;
  const lengths = checks.flatMap(({ length }) => (length === undefined ? [] : [length]));
  const least = Math.max(...lengths, ...checks.map(({ minimum }) => minimum ?? 0));
  const most = Math.min(...lengths, ...checks.map(({ maximum }) => maximum ?? Number.POSITIVE_INFINITY));
  return least > most || isNoNumber(checks) || haveNoCommon(checks);
}

function isNoNumber(checks: readonly Check[]): boolean {
  const bounds = (kind: string) =>
    checks.filter((check) => check.check === kind && typeof check.value === 'number') as readonly (Check & {
      readonly value: number;
    })[];
  return bounds('greater_than').some((low) =>
    bounds('less_than').some(
      (high) => low.value > high.value || (low.value === high.value && !(low.inclusive && high.inclusive)),
    ),
  );
}

function haveNoCommon(checks: readonly Check[]): boolean {
  const among = (texts: readonly (string | undefined)[], fits: (long: string, short: string) => boolean) => {
    const given = texts.filter((text) => text !== undefined);
    return given.some((one) => given.some((other) => one.length >= other.length && !fits(one, other)));
  };
  return (
    among(
      checks.map(({ prefix }) => prefix),
      (long, short) => long.startsWith(short),
    ) ||
    among(
      checks.map(({ suffix }) => suffix),
      (long, short) => long.endsWith(short),
    )
  );
}
