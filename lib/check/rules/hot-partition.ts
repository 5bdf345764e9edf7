import { type EntityBlueprint, keyOf, type TableBlueprint } from '../../blueprint/table';
import { attributeAt } from '../../design/schema';
import type { Hole } from '../../design/template';
import type { Rule } from '../finding';

/** Up to so many partitions, all traffic meets in a few of them. */
const FEW = 20;

export const hotPartition: Rule = {
  id: 'hot-partition',
  severity: 'warning',
  why: 'A partition serves 3,000 reads and 1,000 writes a second, however large the table.',
  *check({ plan }) {
    for (const { entity, attribute, source, where } of partitionsOf(plan)) {
      const count = possibleValues(entity, source.template.holes);
      if (count > FEW || isFew(plan, entity)) continue;
      const place = source.natural ? `attributes.${attribute}` : `keys.${attribute}`;
      const shown = source.natural ? `the attribute ${attribute}` : `'${source.template.text}'`;
      yield {
        path: `entities.${entity.name}.${place}`,
        message: `${shown} has ${count === 1 ? 'one value' : `${count} values`}: every ${entity.name} ${where} is in ${count === 1 ? 'one partition' : 'few partitions'}`,
        fix: 'add what spreads the load (a tenant, a date, a shard) to the partition key, or acknowledge it with the reason why it stays small',
      };
    }
  },
};

/** Each entity's partition key in the table and in the indexes it is in; one attribute is looked at once. */
function* partitionsOf(plan: TableBlueprint) {
  for (const entity of plan.entities) {
    const seen = new Set<string>();
    for (const key of [plan.key, ...plan.indexes]) {
      const attribute = key.partition.name;
      const source = entity.keys.get(attribute);
      const isIn = key.sort === undefined || entity.keys.has(key.sort.name);
      if (source === undefined || !isIn || seen.has(attribute)) continue;
      seen.add(attribute);
      yield { entity, attribute, source, where: 'name' in key ? `in ${key.name}` : 'of the table' };
    }
  }
}

/** Whether there are only so many items, such as one row of settings: those are not spread by any key. */
function isFew(plan: TableBlueprint, entity: EntityBlueprint): boolean {
  const holes = keyOf(plan.key).flatMap(({ name }) => entity.keys.get(name)?.template.holes ?? []);
  return possibleValues(entity, holes) <= FEW;
}

/** How many keys these parts can make; one that is there twice counts once. */
function possibleValues({ design }: EntityBlueprint, holes: readonly Hole[]): number {
  const counts = new Map<string, number>();
  for (const { name, path, format } of holes) {
    const facts = attributeAt(design.attributes, path);
    const count = facts?.values?.length ?? (facts?.kind === 'boolean' ? 2 : format === 'month' ? 12 : Infinity);
    counts.set(name, Math.max(counts.get(name) ?? 0, count));
  }
  return [...counts.values()].reduce((product, count) => product * count, 1);
}
