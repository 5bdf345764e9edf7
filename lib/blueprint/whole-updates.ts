import type { UpdatePattern } from '../design/pattern';
import type { Hole } from '../design/template';
import { indexKeys, isWithin, overlaps, settle, toldBy } from './index-keys';
import type { EntityOutline, TableOutline } from './outline';
import { changeFaults, isCopy, type Touched, touchedBy, touches, type UpdateFault } from './updates';

/**
 * All that is wrong with an update, for the check. What only shows in all of it together is not in the requests: the engine
 * refuses it, or the values of a call decide it.
 */
export function updateFaults(table: TableOutline, entity: EntityOutline, step: UpdatePattern): readonly UpdateFault[] {
  const touched = touchedBy(step);
  if (touched.length === 0 && !step.upsert) return [{ cause: 'nothing-changed', place: '', attributes: [] }];
  const single = changeFaults(table, entity, step);
  const isMoved = single.some(({ cause }) => cause === 'primary-key');
  return [...single, ...changedTwice(touched), ...(isMoved ? [] : halfKeys(table, entity, step, touched))];
}

/** DynamoDB refuses to do two things to one attribute, or to a map and to what is in it. */
function changedTwice(touched: readonly Touched[]): readonly UpdateFault[] {
  return touched.flatMap(({ place, attribute }, i): readonly UpdateFault[] => {
    const other = touched.slice(0, i).find((before) => overlaps(before.attribute, attribute));
    return other === undefined ? [] : [{ cause: 'changed-twice', place, attributes: [attribute], other }];
  });
}

/** An index key of which the update changes a part and cannot know the rest, even if all is given that can be. */
function halfKeys(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  touched: readonly Touched[],
): readonly UpdateFault[] {
  const { set = {}, remove = [], upsert = false } = step;
  const given = Object.keys(set).filter((path) => !isCopy(set[path]));
  const told = toldBy(table, entity, step);
  const isIn = (paths: readonly string[]) => (hole: Hole) => paths.some((path) => isWithin(hole.name, path));
  const indexes = indexKeys(table, entity);
  const { half } = settle(
    indexes,
    {
      touched: touched.map(({ attribute }) => attribute),
      isKnown: (hole) => told.has(hole.name) || isIn(given)(hole),
      isGone: isIn(remove),
    },
    upsert,
  );
  if (half === undefined) return [];
  const { key, missing } = half;
  // The change that is to blame may be of the other key of the same index.
  const index = indexes.find((keys) => keys.includes(key)) ?? [];
  const other = touched.find(({ attribute }) => index.some((source) => touches(source, attribute)));
  const attributes = [...new Set(missing.map(({ name }) => name))];
  return [{ cause: 'half-key', place: other?.place ?? 'set', attributes, key, ...(other && { other }) }];
}
