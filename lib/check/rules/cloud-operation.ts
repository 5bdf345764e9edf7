import { type AbilityCause, type AbilityFault, faultsOnAzure, faultsOnDynamoDb } from '../../blueprint/abilities';
import type { TableRule } from '../findings/finding';
import { atPattern } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes: Readonly<Record<AbilityCause, string>> = {
  'one-at-a-time': 'Azure Tables has no batchGet and no transactGet',
  'one-table': "a system's pattern reaches several tables, but a request to Azure Tables reaches only one table",
  'no-index': 'Azure Tables has no indexes to query',
  'one-partition':
    'a query reads every shard or a list of partitions, but an Azure Tables query reads only one partition',
  'ascending-only': 'Azure Tables cannot read in descending order',
  'page-size': 'pageSize is larger than Azure Tables allows, or not a valid number of items',
  'no-such-test':
    'a filter has a test that Azure Tables does not support; Azure Tables can only compare a property with a value',
  'inside-map': 'a filter or an update reaches inside a map or a list, which Azure Tables stores as one string',
  'etag-alone': 'a write has a condition, but Azure Tables can check only the ETag',
  'reads-in-batch': 'a transaction tests an item that it does not write, which an Azure batch cannot do',
  'no-addition': 'Azure Tables cannot add to a number',
  'no-removal': 'Azure Tables cannot remove an attribute',
  'no-copy': 'Azure Tables cannot copy one attribute to another',
  'new-item-unchanged': 'a put has `unchanged: true`, but creates a new item',
  'batch-delete-unchanged':
    'a delete in a transaction has `unchanged: true`, but an Azure batch deletes entities without checking their ETags',
  'batch-size': 'a transaction has too many items for an Azure batch',
  'no-batch-write': 'Azure Tables has no batchWrite',
  'fixed-steps':
    'the caller decides how many steps a transaction has, but an Azure batch has exactly the steps that the pattern lists',
  'no-unique':
    'a unique value needs a guard in a separate partition, which an Azure batch cannot write together with the item',
  'nothing-returned': 'a write has `returns`, but Azure Tables returns only the ETag of a written item',
  'no-etag': 'a write has `unchanged: true`, which needs an ETag, but DynamoDB has no ETags',
};

export const cloudOperation: TableRule<'cloud-operation', AbilityCause> = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud refuses some operations that the other cloud supports.',
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

/** Whether another rule already reports the fault: in a system for Azure, `azure-tables` reports each index once. */
function isSaidElsewhere({ cause }: AbilityFault, { cloud }: TableUnderCheck): boolean {
  return cloud === 'azure' && cause === 'no-index';
}
