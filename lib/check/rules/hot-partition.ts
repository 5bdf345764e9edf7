import type { AttributeFacts } from '../../blueprint/attributes/facts';
import {
  type EntityBlueprint,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';
import type { Format } from '../../design/template';
import type { TableRule } from '../finding';
import { atKey } from '../places';
import { hasWord } from '../words';

/** Up to so many partitions, all traffic meets in a few of them. */
const FEW = 20;

const causes = {
  'one-value': 'a partition key always has the same value',
  'few-values': 'a partition key has only a few values',
} as const;

type Cause = keyof typeof causes;

export const hotPartition: TableRule<'hot-partition', Cause> = {
  id: 'hot-partition',
  severity: 'warning',
  why: 'A partition serves 3,000 reads and 1,000 writes a second, however large the table.',
  causes,
  *check({ plan }) {
    // Most keys hold something that can be anything, and then there is nothing to count.
    if (!plan.sources.some(isCountable)) return;
    for (const { entity, attribute, source, index } of partitionsOf(plan)) {
      const where = index === undefined ? 'of the table' : `in ${index}`;
      const count = possibleValues([source]);
      if (count > FEW || isFew(plan, entity)) continue;
      const shown = source.natural ? `the attribute ${attribute}` : `'${source.template.text}'`;
      yield {
        ...atKey(source, { index, count }),
        cause: count === 1 ? 'one-value' : 'few-values',
        message: `${shown} has ${count === 1 ? 'one value' : `${count} values`}: every ${entity.name} ${where} is in ${count === 1 ? 'one partition' : 'few partitions'}`,
        fix: 'add what spreads the load (a tenant, an owner, a shard number; a date alone only moves it from day to day) to the partition key, or acknowledge it with the reason why it stays small',
      };
    }
  },
};

function isCountable({ template, facts }: KeySource): boolean {
  return facts.every((one, i) => valuesOf(one, template.holes[i]?.format) < Infinity);
}

/** Each entity's partition key in the table and in the indexes it is in; one attribute is looked at once. */
function* partitionsOf(plan: TableBlueprint) {
  for (const entity of plan.entities) {
    const seen = new Set<string>();
    for (const key of [plan.key, ...plan.indexes] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      const attribute = key.partition.name;
      const source = entity.keys.get(attribute);
      const isIn = key.sort === undefined || entity.keys.has(key.sort.name);
      if (source === undefined || !isIn || seen.has(attribute)) continue;
      seen.add(attribute);
      yield { entity, attribute, source, index: key.name };
    }
  }
}

/** Whether there are only so many items, such as one row of settings: those are not spread by any key. */
function isFew(plan: TableBlueprint, entity: EntityBlueprint): boolean {
  return possibleValues(keyOf(plan.key).flatMap(({ name }) => entity.keys.get(name) ?? [])) <= FEW;
}

/** How many keys these can make; a part that is there twice counts once. */
function possibleValues(sources: readonly KeySource[]): number {
  const counts = new Map<string, number>();
  for (const { template, facts } of sources) {
    for (const [i, { name, format }] of template.holes.entries()) {
      const count = hasWord(name, SPREADING) ? Infinity : valuesOf(facts[i], format);
      counts.set(name, Math.max(counts.get(name) ?? 0, count));
    }
  }
  return [...counts.values()].reduce((product, count) => product * count, 1);
}

/** Parts that are there to spread the load. */
const SPREADING: ReadonlySet<string> = new Set(
  'shard shards sharding bucket slot salt suffix spread stripe segment'.split(' '),
);

function valuesOf(facts: AttributeFacts | undefined, format: Format | undefined): number {
  return facts?.values?.length ?? (facts?.kind === 'boolean' ? 2 : format === 'month' ? 12 : Infinity);
}
