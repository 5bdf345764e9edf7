import { DYNAMODB } from '../../blueprint/clouds';
import { isMultiAttribute } from '../../blueprint/table';
import type { TableRule } from '../findings/finding';
import { atIndex, atTable } from '../findings/place';

const causes = {
  'too-many': 'the table has more local indexes than DynamoDB allows',
  'other-partition': "the partition key of a local index differs from the table's",
  'several-attributes': 'a local index has a multi-attribute key',
  'no-sort': 'a local index or its table has no sort key',
  'collection-size':
    'a local index limits each partition to 10 GB, and cannot be removed without replacing the table (a note)',
} as const;

type Cause = keyof typeof causes;

export const localIndex: TableRule<'local-index', Cause> = {
  id: 'local-index',
  severity: 'error',
  why: "A local index must have the table's partition key and a different sort key, and DynamoDB can create it only together with the table.",
  causes,
  *check(table) {
    const local = table.indexes.filter((index) => index.local);
    if (local.length === 0) return;
    const most = DYNAMODB.localIndexes;
    if (local.length > most) {
      yield {
        ...atTable(table, 'indexes', { count: local.length }),
        cause: 'too-many',
        message: `the table has ${local.length} local indexes, but DynamoDB allows at most ${most}`,
        fix: "let entities share a local index, or make an index global: remove 'local', and give the index a partition key",
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
          message: 'a local index cannot have a multi-attribute key',
          fix: `use a single attribute for each key, or remove 'local'`,
        };
        continue;
      }
      if (own.name !== partition.name) {
        yield {
          ...atIndex(index.name, 'partition', { attribute: own.name, proposed: partition.name }),
          cause: 'other-partition',
          message: `the partition key of a local index must be the table's partition key, not '${own.name}'`,
          fix: `remove 'local', or write partition: '${partition.name}'`,
          edits: [{ path: `${atIndex(index.name).path}.local` }],
        };
      }
      if (order === undefined || sort === undefined) {
        const [who, fix] =
          sort === undefined
            ? ['the table', "give the table a sort key, or remove 'local'"]
            : ['the local index', 'give the index a sort key'];
        yield { ...atIndex(index.name), cause: 'no-sort', message: `${who} has no sort key`, fix };
      }
    }
    if (!isSound) return;
    yield {
      severity: 'note',
      ...atTable(table, 'indexes', { count: local.length }),
      cause: 'collection-size',
      message: `a local index (${local.map(({ name }) => name).join(', ')}) limits each partition to 10 GB, local indexes included, and DynamoDB refuses writes beyond this limit`,
      fix: 'if a partition can grow beyond 10 GB, use a global index now, because changing the index later requires a new table',
    };
  },
};
