import { entityNamed, type KeySource, keysIn, type TableBlueprint } from '../../blueprint/table';
import { partsOf, partsOfKey } from '../../blueprint/template-parts';
import { holdsWhole, type Part } from '../../design/template';

/**
 * Returns the parts of a sort key that order the items of a partition, in the table or an index. Leaves out parts that
 * the partition key also contains, because they have the same value throughout the partition.
 */
export function sortingParts(table: TableBlueprint, { entity: name, attribute, template }: KeySource): readonly Part[] {
  const entity = entityNamed(table, name);
  const keys = [table.key, ...table.indexes].filter(({ sortBy }) => sortBy.some((sorted) => sorted.name === attribute));
  const partitions = keys
    .filter((key) => entity !== undefined && keysIn(entity, key) !== undefined)
    .map(({ partitionBy }) => partitionBy.flatMap((held) => partsOfKey(entity, held.name)));
  const isFixed = (part: Part, partition: readonly Part[]) =>
    partition.some((other) => other.name === part.name && holdsWhole(other));
  return partsOf(template).filter((part) => partitions.some((partition) => !isFixed(part, partition)));
}
