import { DYNAMODB } from '../../blueprint/clouds';
import { isMultiAttribute } from '../../blueprint/table';
import type { TableRule } from '../findings/finding';
import { atIndex, atTable } from '../findings/place';

const causes = {
  'too-many': 'the table has more local indexes than DynamoDB allows',
  'other-partition': 'the partition key of a local index is not that of the table',
  'several-attributes': 'a local index has a key of several attributes',
  'no-sort': 'a local index has no sort key, or the table has none',
  'collection-size':
    'with a local index, a partition is limited to 10 GB, and removing the index means replacing the table (a note)',
} as const;

type Cause = keyof typeof causes;

export const localIndex: TableRule<'local-index', Cause> = {
  id: 'local-index',
  severity: 'error',
  why: "A local index sorts the table's own partitions differently, and is created with the table: DynamoDB allows nothing else.",
  causes,
  *check(table) {
    const local = table.indexes.filter((index) => index.local);
    if (local.length === 0) return;
    const most = DYNAMODB.localIndexes;
    if (local.length > most) {
      yield {
        ...atTable(table, 'indexes', { count: local.length }),
        cause: 'too-many',
        message: `${local.length} local indexes, but a table has at most ${most}`,
        fix: 'let entities share a sort key, or make one of them global: leave out local, and give it a partition key',
      };
    }
    const { partition, sort } = table.key;
    let isSound = local.length <= most;
    for (const index of local) {
      const [own] = index.partitionBy;
      const order = index.sortBy[0];
      isSound &&= own.name === partition.name && order !== undefined && sort !== undefined && !isMultiAttribute(index);
      if (isMultiAttribute(index)) {
        yield {
          ...atIndex(index.name, index.sortBy.length > 1 ? 'sort' : 'partition'),
          cause: 'several-attributes',
          message: 'only a global index has keys of several attributes',
          fix: `name one attribute for each, or leave out local`,
        };
        continue;
      }
      if (own.name !== partition.name) {
        yield {
          ...atIndex(index.name, 'partition', { attribute: own.name, proposed: partition.name }),
          cause: 'other-partition',
          message: `'${own.name}' is not the partition key of the table, which every local index has`,
          fix: `leave out local, or write partition: '${partition.name}'`,
          edits: [{ path: `${atIndex(index.name).path}.local` }],
        };
      }
      if (order === undefined || sort === undefined) {
        const [who, fix] =
          sort === undefined
            ? ['the table', 'give the table a sort key, or leave out local']
            : ['it', 'give it the sort key that it should sort by'];
        yield { ...atIndex(index.name), cause: 'no-sort', message: `${who} has no sort key`, fix };
      }
    }
    if (!isSound) return;
    yield {
      severity: 'note',
      ...atTable(table, 'indexes', { count: local.length }),
      cause: 'collection-size',
      message: `with ${local.map(({ name }) => name).join(', ')}, all items with the same ${partition.name} take at most 10 GB, indexes included: beyond that, writes are refused`,
      fix: 'make it a global index if a partition can grow that large: changing it later takes a new table',
    };
  },
};
