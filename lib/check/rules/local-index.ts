import { DYNAMODB } from '../../blueprint/clouds';
import { isMultiAttribute } from '../../blueprint/table';
import type { TableRule } from '../finding';
import { atIndex, atTable } from '../places';

const causes = {
  'too-many': 'the table has more local indexes than DynamoDB allows',
  'other-partition': 'a local index has another partition key than the table',
  'several-attributes': 'a local index has a key of several attributes',
  'no-sort': 'a local index has no sort key, or the table has none',
  'collection-size':
    'a table with a local index holds at most 10 GB of each partition, and cannot be rid of it without being replaced (a note)',
} as const;

type Cause = keyof typeof causes;

export const localIndex: TableRule<'local-index', Cause> = {
  id: 'local-index',
  severity: 'error',
  why: 'A local index is another order of the same partitions, as old as the table: DynamoDB makes no other.',
  causes,
  *check({ design, plan }) {
    const local = plan.indexes.filter((index) => index.local);
    if (local.length === 0) return;
    const most = DYNAMODB.localIndexes;
    if (local.length > most) {
      yield {
        ...atTable(design, 'indexes', { count: local.length }),
        cause: 'too-many',
        message: `${local.length} local indexes, and a table has at most ${most}`,
        fix: 'let entities share a sort key, or make one of them global: leave out local, and give it a partition key',
      };
    }
    const { partition, sort } = plan.key;
    let isSound = local.length <= most;
    for (const index of local) {
      const [own] = index.partitionBy;
      const order = index.sortBy[0];
      isSound &&= own.name === partition.name && order !== undefined && sort !== undefined && !isMultiAttribute(index);
      if (isMultiAttribute(index)) {
        yield {
          ...atIndex(index.name, index.sortBy.length > 1 ? 'sort' : 'partition'),
          cause: 'several-attributes',
          message: 'several attributes are one key only in a global index',
          fix: `name one attribute for each, or leave out local`,
        };
        continue;
      }
      if (own.name !== partition.name) {
        yield {
          ...atIndex(index.name, 'partition', { attribute: own.name, proposed: partition.name }),
          cause: 'other-partition',
          message: `'${own.name}' is not the partition key of the table, which every local index has`,
          fix: `write partition: '${partition.name}', or leave out local`,
        };
      }
      if (order === undefined || sort === undefined) {
        const [who, fix] =
          sort === undefined
            ? ['the table', 'give the table a sort key, or leave out local']
            : ['it', 'give it a sort key: that is the order that it is for'];
        yield { ...atIndex(index.name), cause: 'no-sort', message: `${who} has no sort key`, fix };
      }
    }
    if (!isSound) return;
    yield {
      severity: 'note',
      ...atTable(design, 'indexes', { count: local.length }),
      cause: 'collection-size',
      message: `with ${local.map(({ name }) => name).join(', ')}, all items of one ${partition.name} come to at most 10 GB, indexes included: past that, writes are refused`,
      fix: 'make it a global index if a partition can grow so large; later, that takes a new table',
    };
  },
};
