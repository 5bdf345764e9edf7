import type { UpdatePattern } from '../design/pattern';
import { type Hole, stepsOf } from '../design/template';
import { mayLack, type Schema, schemaAt } from './attributes/schema';
import { decisiveTests } from './conditions';
import { indexKeys, isCopy, isWithin, overlaps, settle, type Told, toldBy } from './index-keys';
import { asStored, isConstant, type MembershipTest, toldOfTest } from './membership';
import type { EntityOutline, TableOutline } from './outline';
import { changeFaults, type Touched, touchedBy, touches, type UpdateFault } from './updates';

/**
 * Every fault of an update, for the check. Requests do not look for those that only the whole update shows: the engine
 * refuses them, or the values of a call decide.
 */
export function updateFaults(table: TableOutline, entity: EntityOutline, step: UpdatePattern): readonly UpdateFault[] {
  const touched = touchedBy(step);
  if (touched.length === 0 && !step.upsert) return [{ cause: 'nothing-changed', place: '', attributes: [] }];
  const single = changeFaults(table, entity, step);
  const isMoved = single.some(({ cause }) => cause === 'primary-key');
  return [
    ...single,
    ...changedTwice(touched),
    ...(step.upsert ? [] : insideOptional(entity, step, touched)),
    ...(isMoved ? [] : halfKeys(table, entity, step, touched)),
  ];
}

/** Writes into a map that may not exist, which DynamoDB refuses; a condition can make sure that it does. */
function insideOptional({ schema }: EntityOutline, { condition = {} }: UpdatePattern, touched: readonly Touched[]) {
  const isHeld = (path: string) =>
    decisiveTests(condition).some(([held]) => isWithin(held, path)) ||
    touched.some(({ attribute }) => attribute === path);
  const seen = new Set<string>();
  return touched.flatMap(({ place, field, attribute }): readonly UpdateFault[] => {
    const holder = holderOf(attribute);
    if (holder === '' || field === 'remove' || seen.has(holder) || isHeld(holder)) return [];
    if (!mayLackIn(schema, attribute, holder)) return [];
    seen.add(holder);
    return [{ cause: 'map-may-lack', place, attributes: [attribute] }];
  });
}

/** Whether a map on the path may be missing. A list's element exists, or the update fails anyway: only maps in it may be. */
function mayLackIn(schema: Schema, path: string, holder: string): boolean {
  const end = path.lastIndexOf(']') + 1;
  const rest = holder.slice(end).replace(/^\./, '');
  const element = end === 0 ? schema : schemaAt(schema, stepsOf(path.slice(0, end)));
  return !!element && rest !== '' && mayLack(element, stepsOf(rest));
}

/** The map or the list that a path leads into; empty if it leads into none. */
export function holderOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[.[][^.[]*$/)));
}

/** DynamoDB refuses to do two things to one attribute, or to a map and to what is in it. */
function changedTwice(touched: readonly Touched[]): readonly UpdateFault[] {
  return touched.flatMap(({ place, attribute }, i): readonly UpdateFault[] => {
    const other = touched.slice(0, i).find((before) => overlaps(before.attribute, attribute));
    return other === undefined ? [] : [{ cause: 'changed-twice', place, attributes: [attribute], other }];
  });
}

/** An index key that the update changes in part and whose rest it cannot know, even if every value is given. */
function halfKeys(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  touched: readonly Touched[],
): readonly UpdateFault[] {
  const { set = {}, remove = [], upsert = false } = step;
  const given = Object.keys(set).filter((path) => !isCopy(set[path]));
  const known = toldBy(table, entity, step);
  const isIn = (paths: readonly string[]) => (hole: Hole) => paths.some((path) => isWithin(hole.name, path));
  const indexes = indexKeys(table, entity);
  const { half, undecided } = settle(
    indexes,
    {
      touched: touched.map(({ attribute }) => attribute),
      isKnown: (hole) => known.has(hole.name) || isIn(given)(hole),
      isGone: isIn(remove),
      holds: (test) => canHold(entity, step, touched, known.get(test.name), test),
    },
    upsert,
  );
  const index = undecided?.index ?? indexes.find(({ keys }) => keys.some((key) => key === half?.key));
  if (index === undefined) return [];
  // The change to blame may be to the other key of the index, or to an attribute that decides whether the item is in it.
  const other = touched.find(
    ({ attribute }) =>
      index.keys.some((source) => touches(source, attribute)) ||
      index.membership.some(({ name }) => overlaps(attribute, name)),
  );
  const about = { place: other?.place ?? 'set', ...(other && { other }), index: index.name };
  if (half === undefined) return [{ cause: 'undecided', attributes: undecided?.missing ?? [], ...about }];
  const attributes = [...new Set(half.missing.map(({ name }) => name))];
  return [{ cause: 'half-key', attributes, key: half.key, ...about }];
}

/** Whether an item can be in an index after the update, as far as one attribute decides it; a value from the caller may fit. */
function canHold(
  entity: EntityOutline,
  { set = {}, condition = {} }: UpdatePattern,
  touched: readonly Touched[],
  known: Told | undefined,
  test: MembershipTest,
): boolean | undefined {
  const change = touched.find(({ attribute }) => overlaps(attribute, test.name));
  const operand =
    change === undefined ? known && ('operand' in known ? known.operand : '<given>') : set[change.attribute];
  if (change?.field === 'remove') return false;
  if (change?.field === 'add' || change?.field === 'subtract' || isCopy(operand)) return undefined;
  if (operand === undefined) return toldOfTest(entity, condition, test);
  const isWhole = change === undefined || change.attribute === test.name;
  if (!isWhole || !isConstant(operand)) return true;
  return test.values.some((value) => value === asStored(entity, test, operand));
}
