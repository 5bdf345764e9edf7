import { type AbilityCause, type AbilityFault, faultsOnAzure, faultsOnDynamoDb } from '../../blueprint/abilities';
import type { TableRule } from '../findings/finding';
import { atPattern } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes: Readonly<Record<AbilityCause, string>> = {
  'one-at-a-time': 'Azure Tables have no batchGet and no transactGet',
  'one-table': 'a pattern of the system reaches several tables, but a request to Azure Tables reaches only one',
  'no-index': 'Azure Tables have no indexes to query',
  'one-partition':
    'a query asks for every shard or a list of partitions, but a client of Azure Tables reads one partition',
  'ascending-only': 'Azure Tables cannot read in descending order',
  'page-size': 'pageSize is more than Azure Tables allow, or not a number of items',
  'no-such-test': 'a filter does more than compare with a value, which is all that Azure Tables can do',
  'inside-map': 'a filter or an update reaches inside a map or a list, which Azure Tables store as text',
  'etag-alone': 'Azure Tables test only the ETag, and have no other condition',
  'reads-in-batch': 'a transaction requires an item that it does not write, which an Azure batch cannot do',
  'no-addition': 'Azure Tables cannot add to a number',
  'no-removal': 'Azure Tables cannot remove an attribute',
  'no-copy': 'Azure Tables cannot copy one attribute to another',
  'new-item-unchanged': 'a put has `unchanged: true`, but makes a new item',
  'batch-delete-unchanged':
    'a delete in a transaction has `unchanged: true`, but an Azure batch deletes without an ETag',
  'batch-size': 'a transaction has too many items for an Azure batch',
  'no-batch-write': 'Azure Tables have no batchWrite',
  'fixed-steps':
    'the caller decides how many steps a transaction has, but an Azure batch has exactly the steps that its pattern names',
  'no-unique':
    'a guard keeps a value unique in a partition of its own, which an Azure batch cannot write with the item',
  'nothing-returned': 'Azure Tables return nothing for a write',
  'no-etag': 'a write has `unchanged: true`, which needs an ETag, and DynamoDB has none',
};

export const cloudOperation: TableRule<'cloud-operation', AbilityCause> = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud can do things that the other cannot, and refuses a request that asks for them.',
  causes,
  *check(table) {
    const faultsOf = table.cloud === 'azure' ? faultsOnAzure : faultsOnDynamoDb;
    for (const pattern of table.patterns) {
      for (const fault of faultsOf(pattern)) {
        if (isSaidElsewhere(fault, table)) continue;
        const { step, field, place, value, cause, message, fix } = fault;
        yield { ...atPattern({ name: pattern.name, step }, field, place, { value }), cause, message, fix };
      }
    }
  },
};

/** In a system for Azure, `azure-tables` reports this once, at the index. */
function isSaidElsewhere({ cause }: AbilityFault, { cloud }: TableUnderCheck): boolean {
  return cloud === 'azure' && cause === 'no-index';
}
