import { counterpartOf } from '../../blueprint/keys';
import { entitiesNamed, type TableBlueprint } from '../../blueprint/table';
import { isEveryShard, partsOf, shownPart } from '../../blueprint/template-parts';
import { shardsOf } from '../../design/formats';
import type { Part, Template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atKey, atWhere } from '../findings/place';
import { boundsOf, type PatternAccess } from '../table-under-check';

const causes = {
  'every-of-one': 'a key refers to every shard, but only the partition key of a query may do so',
  'other-shards': 'a pattern and the key have different numbers of shards, or the key has no shards',
  'spreads-nothing':
    'the shard depends on an attribute that the key also contains, so all items with the same value of this attribute are in one shard (a warning)',
} as const;

type Cause = keyof typeof causes;

export const shardedKey: TableRule<'sharded-key', Cause> = {
  id: 'sharded-key',
  severity: 'error',
  why: 'A read of the wrong shard never finds the item, and a key that puts all items into one shard does not spread the load.',
  causes,
  *check(table) {
    for (const source of table.sources) {
      for (const ours of partsOf(source.template).filter((part) => shardsOf(part) !== undefined)) {
        if (isEveryShard(ours)) yield { ...atKey(source), ...ONE_SHARD };
        const plain = partsOf(source.template).find(({ name, format }) => name === ours.name && format === undefined);
        if (plain === undefined) continue;
        const message = `${shownPart(ours)} is the same for every item with the same <${plain.name}>, so the shards do not spread the load`;
        const fix = `shard by an attribute that differs between these items, such as their id`;
        yield { severity: 'warning', ...atKey(source), cause: 'spreads-nothing', message, fix };
      }
    }
    for (const access of table.accesses) {
      for (const [attribute, bound] of boundsOf(access)) {
        for (const ours of partsOf(bound).filter((part) => shardsOf(part) !== undefined)) {
          const isPartition =
            access.action === 'query' && access.key.partitionBy.some(({ name }) => name === attribute);
          if (isEveryShard(ours) && !isPartition && access.action !== 'put')
            yield { ...atWhere(access, attribute), ...ONE_SHARD };
          else yield* otherShards(table, access, attribute, bound, ours);
        }
      }
    }
  },
};

const ONE_SHARD: Pick<Found<Cause>, 'cause' | 'message' | 'fix'> = {
  cause: 'every-of-one',
  message: 'each item is in one shard, so only the partition key of a query can refer to every shard',
  fix: 'specify the attribute that selects the shard: <shard(id, 16)>',
};

function* otherShards(
  table: TableBlueprint,
  access: PatternAccess,
  attribute: string,
  bound: Template,
  part: Part,
): Iterable<Found<Cause>> {
  for (const { name, keys } of entitiesNamed(table, access.entities)) {
    const source = keys.get(attribute);
    const there = source && counterpartOf(bound, part, source.template);
    if (there === undefined || shardsOf(there) === shardsOf(part)) continue;
    const message = `the pattern has ${shownPart(part)} where the key of ${name} has ${shownPart(there)}`;
    const shards = shardsOf(there);
    const proposed = shards !== undefined && isEveryShard(part) ? `<shard(${shards})>` : shownPart(there);
    const fix = `write ${proposed}, as in the key`;
    const place = atWhere(access, attribute, { entities: [name], proposed });
    const edits = [{ path: place.path, replace: [shownPart(part), proposed] as const }];
    yield { ...place, cause: 'other-shards', message, fix, edits };
    return;
  }
}
