import { counterpartOf } from '../../blueprint/keys';
import { entitiesNamed, type TableBlueprint } from '../../blueprint/table';
import { isEveryShard, partsOf, shownHole } from '../../blueprint/template-parts';
import { type Hole, shardsOf, type Template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey, atWhere } from '../places';
import { boundsOf, type PatternAccess } from '../subject';

const causes = {
  'every-of-one': 'a key has every shard, and only the partition of a query has',
  'other-shards':
    'a pattern asks for another number of shards than the key is spread over, or the key is not spread at all',
  'spreads-nothing':
    'a key is spread by an attribute that it holds as well, so that all of a kind are in one shard (a warning)',
} as const;

type Cause = keyof typeof causes;

export const shardedKey: TableRule<'sharded-key', Cause> = {
  id: 'sharded-key',
  severity: 'error',
  why: 'What is written to one shard and looked for in others is never found; what is in one shard alone is not spread.',
  causes,
  *check({ plan, accesses }) {
    for (const source of plan.sources) {
      for (const hole of partsOf(source.template).filter((one) => shardsOf(one) !== undefined)) {
        if (isEveryShard(hole)) yield { ...atKey(source), ...ONE_SHARD };
        const plain = partsOf(source.template).find(({ name, format }) => name === hole.name && format === undefined);
        if (plain === undefined) continue;
        const message = `${shownHole(hole)} is the same for every item with this <${plain.name}>: nothing is spread`;
        const fix = `spread by what differs within the key, such as the id of the item`;
        yield { severity: 'warning', ...atKey(source), cause: 'spreads-nothing', message, fix };
      }
    }
    for (const access of accesses) {
      for (const [attribute, bound] of boundsOf(access)) {
        for (const hole of partsOf(bound).filter((one) => shardsOf(one) !== undefined)) {
          const isPartition =
            access.action === 'query' && access.key.partitionBy.some(({ name }) => name === attribute);
          if (isEveryShard(hole) && !isPartition && access.action !== 'put')
            yield { ...atWhere(access, attribute), ...ONE_SHARD };
          else yield* otherShards(plan, access, attribute, bound, hole);
        }
      }
    }
  },
};

const ONE_SHARD: Pick<Found<Cause>, 'cause' | 'message' | 'fix'> = {
  cause: 'every-of-one',
  message: 'every shard is asked only by the partition of a query; an item is in one',
  fix: 'write the attribute that it is spread by: <shard(id, 16)>',
};

function* otherShards(
  plan: TableBlueprint,
  access: PatternAccess,
  attribute: string,
  bound: Template,
  hole: Hole,
): Iterable<Found<Cause>> {
  for (const { name, keys } of entitiesNamed(plan, access.entities)) {
    const source = keys.get(attribute);
    const there = source && counterpartOf(bound, hole, source.template);
    if (there === undefined || shardsOf(there) === shardsOf(hole)) continue;
    const message = `${shownHole(hole)} stands where ${name} has ${shownHole(there)}`;
    const fix = 'ask for as many shards as the key has';
    yield { ...atWhere(access, attribute, { entities: [name] }), cause: 'other-shards', message, fix };
    return;
  }
}
