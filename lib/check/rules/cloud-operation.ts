import { type AbilityCause, type AbilityFault, faultsOnAzure, faultsOnDynamoDb } from '../../blueprint/abilities';
import { hasAzureKeys } from '../../blueprint/clouds';
import type { TableRule } from '../finding';
import { atPattern } from '../places';
import type { TableUnderCheck } from '../subject';

const causes: Readonly<Record<AbilityCause, string>> = {
  'one-at-a-time': 'Azure Tables have no batchGet',
  'no-index': 'Azure Tables have no indexes to query',
  'one-partition': 'a query on Azure reads every shard',
  'ascending-only': 'Azure Tables cannot read in descending order',
  'page-size': 'a page is larger than Azure Tables allow, or not a number of items',
  'no-such-test': 'a filter on Azure does more than compare with a value',
  'inside-map': 'a filter or an update on Azure reaches inside a map or a list',
  'etag-alone': 'Azure Tables have no conditions',
  'reads-in-batch': 'a transaction on Azure requires an item that it does not write',
  'no-addition': 'Azure Tables cannot add to a number',
  'no-removal': 'Azure Tables cannot remove an attribute',
  'no-copy': 'Azure Tables cannot copy one attribute to another',
  'new-item-unchanged': 'a put of a new item says unchanged',
  'batch-delete-unchanged': 'a delete in a transaction on Azure says unchanged',
  'batch-size': 'a transaction has too many items for an Azure batch',
  'no-batch-write': 'Azure Tables have no batchWrite',
  'fixed-steps': 'a transaction on Azure lets the caller decide the number of steps',
  'nothing-returned': 'Azure Tables return nothing for a write',
  'no-etag': 'a write on DynamoDB says unchanged, which needs an ETag',
};

export const cloudOperation: TableRule<'cloud-operation', AbilityCause> = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud can do things the other cannot: such a request would be refused when it is sent.',
  causes,
  *check(table) {
    const faultsOf = cloudOf(table) === 'azure' ? faultsOnAzure : faultsOnDynamoDb;
    for (const pattern of table.plan.patterns) {
      for (const fault of faultsOf(pattern)) {
        if (isSaidElsewhere(fault, table)) continue;
        const { step, field, place, value, cause, message, fix } = fault;
        yield { ...atPattern({ name: pattern.name, step }, field, place, { value }), cause, message, fix };
      }
    }
  },
};

/** The cloud of a table; a table without a system is for Azure if its keys have Azure's names. */
export function cloudOf({ design, cloud, system }: TableUnderCheck): TableUnderCheck['cloud'] {
  return system === undefined && hasAzureKeys(design) ? 'azure' : cloud;
}

/** In a system for Azure, `azure-portability` says this of the table, and for those who only think of moving there. */
function isSaidElsewhere({ cause }: AbilityFault, { cloud }: TableUnderCheck): boolean {
  return cloud === 'azure' && (cause === 'no-index' || cause === 'ascending-only' || cause === 'batch-size');
}
