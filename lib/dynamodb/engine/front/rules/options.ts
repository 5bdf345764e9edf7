import { invalid } from '../refusal';
import type { Body } from '../values';

const MOST_SEGMENTS = 1_000_000;

/** The names that DynamoDB allows for tables and indexes. */
const NAME = /^[A-Za-z0-9_.-]{3,255}$/;

/** Refuses option values that DynamoDB does not accept for an operation. */
export function checkOptions(operation: string, input: Body): void {
  const { ReturnValues, ReturnValuesOnConditionCheckFailure } = input;
  checkOperator(input);
  if (ReturnValuesOnConditionCheckFailure !== undefined)
    member(ReturnValuesOnConditionCheckFailure, 'returnValuesOnConditionCheckFailure', ['ALL_OLD', 'NONE']);
  if (ReturnValues === undefined) return;
  member(ReturnValues, 'returnValues', ['ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW']);
  if (operation !== 'UpdateItem' && ReturnValues !== 'ALL_OLD' && ReturnValues !== 'NONE')
    throw invalid('Return values set to invalid value');
}

/** Refuses a page size or a segment that DynamoDB does not allow. */
export function checkReadOptions(input: Body): void {
  const { Limit, Segment, TotalSegments } = input;
  checkOperator(input);
  if (typeof Limit === 'number' && Limit < 1) throw invalid('Limit must be greater than or equal to 1');
  if (typeof TotalSegments === 'number' && TotalSegments > MOST_SEGMENTS)
    throw constraint(
      String(TotalSegments),
      'totalSegments',
      `Member must have value less than or equal to ${MOST_SEGMENTS}`,
    );
  if (typeof Segment === 'number' && Segment < 0)
    throw constraint(String(Segment), 'segment', 'Member must have value greater than or equal to 0');
}

/** Refuses a ConditionalOperator if there are no conditions to combine. */
function checkOperator({ ConditionalOperator, Expected, QueryFilter, ScanFilter }: Body): void {
  if (ConditionalOperator !== undefined && (Expected ?? QueryFilter ?? ScanFilter) === undefined)
    throw invalid('ConditionalOperator cannot be used without Filter or Expected');
}

/** Refuses a name that DynamoDB does not allow for a table. */
export function checkTableName(name: string): void {
  if (!NAME.test(name))
    throw invalid(
      "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    );
}

/** Refuses a batch entry that contains both a put and a delete. */
export function checkBatchEntry({ PutRequest, DeleteRequest }: Body): void {
  if (PutRequest !== undefined && DeleteRequest !== undefined)
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
}

function member(value: unknown, place: string, allowed: readonly string[]): void {
  if (!allowed.includes(value as string))
    throw constraint(String(value), place, `Member must satisfy enum value set: [${allowed.join(', ')}]`);
}

export function constraint(value: string, place: string, rule: string) {
  return invalid(`1 validation error detected: Value '${value}' at '${place}' failed to satisfy constraint: ${rule}`);
}
