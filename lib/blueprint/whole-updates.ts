import type { Assignment, Condition, Test, UpdatePattern } from '../design/pattern';
import { isWithin, overlaps, type Part, stepsOf } from '../design/template';
import { listForm } from './attributes/lists';
import { kindOf, mayLack, type Schema, schemaAt } from './attributes/schema';
import { decisiveTests } from './conditions';
import { answerTo, type ComparedTo, type Question, questionsAbout, UNKNOWN } from './implied';
import { type Change, type IndexKeys, indexKeys, isCopy, settle, type Told, toldBy } from './index-keys';
import { isConstant, type MembershipTest } from './membership';
import type { EntityOutline, TableOutline } from './outline';
import { narrow } from './unions';
import { changeFaults, type Touched, touchedBy, touches, type UpdateFault } from './updates';

/**
 * Lists every fault of an update, for the check. Requests skip the faults about the whole update: either the engine
 * itself refuses such an update, or the fault depends on the call's values.
 */
export function updateFaults(table: TableOutline, whole: EntityOutline, step: UpdatePattern): readonly UpdateFault[] {
  const entity = narrow(step, whole);
  const touched = touchedBy(step);
  if (touched.length === 0 && !step.upsert) return [{ cause: 'nothing-changed', place: '', attributes: [] }];
  const single = changeFaults(table, entity, step);
  const isMoved = single.some(({ cause }) => cause === 'primary-key');
  return [
    ...single,
    ...changedTwice(touched),
    ...notLists(entity, step),
    ...(step.upsert ? [] : insideOptional(entity, step, touched, single)),
    ...(isMoved ? [] : halfKeys(table, entity, step, touched)),
  ];
}

/**
 * Lists writes into a map that may not exist. DynamoDB refuses such a write, unless a condition ensures that the map
 * exists.
 */
function insideOptional(
  { schema }: EntityOutline,
  { condition = {} }: UpdatePattern,
  touched: readonly Touched[],
  refused: readonly UpdateFault[],
) {
  const isHeld = (path: string) =>
    decisiveTests(condition).some(([held]) => isWithin(held, path)) ||
    touched.some(({ attribute }) => attribute === path);
  const seen = new Set<string>();
  return touched.flatMap(({ place, field, attribute }): readonly UpdateFault[] => {
    const holder = holderOf(attribute);
    if (holder === '' || field === 'remove' || seen.has(holder) || isHeld(holder)) return [];
    if (refused.some(({ place: at }) => at === place) || !mayLackIn(schema, attribute, holder)) return [];
    seen.add(holder);
    return [{ cause: 'map-may-lack', place, attributes: [attribute] }];
  });
}

/**
 * Whether a map on the path may be missing. An update fails anyway if a list element does not exist, so only the maps
 * inside the element matter.
 */
function mayLackIn(schema: Schema, path: string, holder: string): boolean {
  const end = path.lastIndexOf(']') + 1;
  const rest = holder.slice(end).replace(/^\./, '');
  const element = end === 0 ? schema : schemaAt(schema, stepsOf(path.slice(0, end)));
  return !!element && rest !== '' && mayLack(element, stepsOf(rest));
}

/** Returns the path of the map or list that a path leads into; empty for a top-level attribute. */
export function holderOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[.[][^.[]*$/)));
}

/** Lists changes that append to something other than a list. */
function notLists({ schema }: EntityOutline, { set = {} }: UpdatePattern): readonly UpdateFault[] {
  return Object.entries(set).flatMap(([attribute, assignment]): readonly UpdateFault[] => {
    if (!isCopy(assignment) || !('append' in assignment || 'prepend' in assignment)) return [];
    const at = schemaAt(schema, stepsOf(attribute));
    const isOther = at && (listForm(at, 'set') !== undefined || !['list', 'other'].includes(kindOf(at)));
    return isOther ? [{ cause: 'not-a-list', place: `set.${attribute}`, attributes: [attribute] }] : [];
  });
}

/** DynamoDB refuses an update that changes one attribute twice, or a map together with a value inside the map. */
function changedTwice(touched: readonly Touched[]): readonly UpdateFault[] {
  return touched.flatMap(({ place, attribute }, i): readonly UpdateFault[] => {
    const other = touched.slice(0, i).find((before) => overlaps(before.attribute, attribute));
    return other === undefined ? [] : [{ cause: 'changed-twice', place, attributes: [attribute], other }];
  });
}

/**
 * Lists the faults that would make an update leave a wrong index key. If a call that passes every value has no such
 * fault, also considers calls that omit an optional value of the condition.
 */
function halfKeys(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  touched: readonly Touched[],
): readonly UpdateFault[] {
  const found = halfKey(table, entity, step, touched);
  if (found !== undefined) return [found];
  return optionalTests(step.condition ?? {}).flatMap((name): readonly UpdateFault[] => {
    const { [name]: operand, ...condition } = step.condition ?? {};
    const without = halfKey(table, entity, { ...step, condition }, touched, 'least');
    // The caller may also omit all optional assignments. If the fault disappears in this case, it is ignored.
    const least = { ...step, condition, set: Object.fromEntries(alwaysSet(step)) };
    if (without === undefined || halfKey(table, entity, least, touchedBy(least), 'least') === undefined) return [];
    return [{ ...without, cause: 'optional-test', place: `condition.${name}`, attributes: [name] }];
  });
}

/** Returns the attributes that a condition tests only if the caller passes a value. */
function optionalTests(condition: Condition): readonly string[] {
  return decisiveTests(condition).flatMap(([name, test]) => (isOptional(test) ? [name] : []));
}

function alwaysSet({ set = {} }: UpdatePattern): readonly [string, Assignment][] {
  return Object.entries(set).filter(([, assignment]) => !isOptional(assignment));
}

function isOptional(test: Test | Assignment): boolean {
  return /<[^<>]*\?>/.test(JSON.stringify(test));
}

/**
 * @param caller what to assume about the caller's values: `most` assumes that they keep the item in the index, so that
 * the update needs the most other values; `least` assumes that they do not, so that it needs the fewest
 */
function halfKey(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  touched: readonly Touched[],
  caller: 'most' | 'least' = 'most',
): UpdateFault | undefined {
  const { upsert = false } = step;
  const indexes = indexKeys(table, entity);
  const { half, undecided } = settle(indexes, changeOf(table, entity, step, touched, indexes, caller), upsert);
  const { index } = half ?? undecided ?? {};
  if (index === undefined) return undefined;
  // The conflicting change may affect a different key of the index, or an attribute that decides whether the item is in
  // the index.
  const other = touched.find(
    ({ attribute }) =>
      index.keys.some((source) => touches(source, attribute)) ||
      index.membership.some(({ name }) => overlaps(attribute, name)),
  );
  const about = { place: other?.place ?? 'set', ...(other && { other }), index: index.name };
  if (half !== undefined) {
    const attributes = [...new Set(half.missing.map(({ name }) => name))];
    return { cause: 'half-key', attributes, key: half.key, ...about };
  }
  const missing = undecided?.missing ?? [];
  const attributes = [...new Set(missing.map(({ name }) => name))];
  return { cause: missing.some((one) => 'values' in one) ? 'undecided' : 'may-lack', attributes, ...about };
}

/**
 * Returns what is known about an update before a call supplies values. Where the item's membership in an index depends
 * on these values, assumes that the item is in the index (`most`) or that it is not (`least`).
 */
function changeOf(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  touched: readonly Touched[],
  indexes: readonly IndexKeys[],
  caller: 'most' | 'least',
): Change {
  const { set = {}, condition = {} } = step;
  const known = toldBy(table, entity, step);
  const asked = questionsAbout(entity.schema, indexes);
  const comparedTo: ComparedTo = (path, _, operand) =>
    isConstant(operand) ? asStored(entity, path, operand) : UNKNOWN;
  const answer = (about: Part | MembershipTest) => answerTo(asked.get(about) as Question, condition, comparedTo);
  const changeTo = ({ name }: Part | MembershipTest) => touched.find(({ attribute }) => overlaps(attribute, name));
  return {
    touched: touched.map(({ attribute }) => attribute),
    isKnown: (part) => {
      const change = changeTo(part);
      if (change === undefined) return known.has(part.name);
      return change.field === 'set' && !isCopy(set[change.attribute]);
    },
    has: (part, isAfter) => {
      const change = isAfter ? changeTo(part) : undefined;
      if (change !== undefined) return change.field !== 'remove' && set[change.attribute] !== null;
      return known.has(part.name) || answer(part);
    },
    holds: (test, isAfter) => {
      const change = changeTo(test);
      if (!isAfter && change !== undefined) return answer(test);
      const holds = holdsAfter(entity, set, change, known.get(test.name), test);
      return holds === 'caller' ? caller === 'most' : (holds ?? (change ? undefined : answer(test)));
    },
  };
}

/**
 * Whether an attribute keeps an item in an index after the update; 'caller' if this depends on the caller's values, and
 * undefined if it depends on the condition.
 */
function holdsAfter(
  entity: EntityOutline,
  set: NonNullable<UpdatePattern['set']>,
  change: Touched | undefined,
  known: Told | undefined,
  test: MembershipTest,
): boolean | 'caller' | undefined {
  if (change?.field === 'remove') return false;
  const told = known && ('operand' in known ? known.operand : '<given>');
  const operand = change === undefined ? told : set[change.attribute];
  if (operand === undefined || isCopy(operand)) return undefined;
  const isWhole = change === undefined || change.attribute === test.name;
  if (!isWhole || !isConstant(operand)) return 'caller';
  return test.values.includes(asStored(entity, test.name, operand) as never);
}

/** Returns the stored form of a constant, as parsed by its schema. */
function asStored({ schema }: EntityOutline, path: string, constant: unknown): unknown {
  const parsed = schemaAt(schema, stepsOf(path))?.safeParse(constant);
  return parsed?.success ? parsed.data : constant;
}
