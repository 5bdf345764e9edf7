import { entityNamed, type KeySource, keysIn, type TableBlueprint } from '../blueprint/table';
import type { Hole } from '../design/template';

/**
 * The parts of a key that the items of a partition are sorted by: those of a sort key, in the table or an index, which are
 * not the same for all that is in its partition.
 */
export function sortingParts(plan: TableBlueprint, { entity: name, attribute, template }: KeySource): readonly Hole[] {
  const entity = entityNamed(plan, name);
  const partitions = [plan.key, ...plan.indexes]
    .filter(({ sort }) => sort?.name === attribute)
    .filter((key) => entity !== undefined && keysIn(entity, key) !== undefined)
    .map(({ partition }) => entity?.keys.get(partition.name)?.template.holes ?? []);
  const isFixed = (hole: Hole, holes: readonly Hole[]) =>
    holes.some(({ name: other, format }) => other === hole.name && typeof format !== 'string');
  return template.holes.filter((hole) => partitions.some((holes) => !isFixed(hole, holes)));
}
