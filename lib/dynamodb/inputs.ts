/** The inputs of the SDK's document client, as plain types that do not depend on the SDK. */

/** The value of an attribute in an item. */
export type Value = string | number | bigint | boolean | null | Uint8Array | Value[] | { [name: string]: Value };

export type Values = Record<string, Value>;

interface OfTable {
  TableName: string;
}

interface Expressed {
  ExpressionAttributeNames?: Record<string, string>;
  ExpressionAttributeValues?: Values;
}

interface Conditional extends OfTable, Expressed {
  ConditionExpression?: string;
}

export interface GetInput extends OfTable {
  Key: Values;
  ConsistentRead?: boolean;
}

export interface QueryInput extends OfTable, Expressed {
  IndexName?: string;
  KeyConditionExpression: string;
  FilterExpression?: string;
  ProjectionExpression?: string;
  ScanIndexForward?: boolean;
  Limit?: number;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Values;
}

export interface ScanInput extends Omit<QueryInput, 'KeyConditionExpression' | 'ScanIndexForward'> {
  Segment?: number;
  TotalSegments?: number;
}

export interface BatchGetInput {
  RequestItems: Record<string, { Keys: Values[]; ConsistentRead?: boolean }>;
}

export interface TransactGetInput {
  TransactItems: { Get: Omit<GetInput, 'ConsistentRead'> }[];
}

export interface PutInput extends Conditional {
  Item: Values;
  ReturnValues?: 'ALL_OLD';
}

export interface UpdateInput extends Conditional {
  Key: Values;
  UpdateExpression: string;
  ReturnValues?: 'ALL_OLD' | 'ALL_NEW';
}

export interface DeleteInput extends Conditional {
  Key: Values;
  ReturnValues?: 'ALL_OLD';
}

export interface TransactWriteInput {
  TransactItems: {
    Put?: Omit<PutInput, 'ReturnValues'>;
    Update?: Omit<UpdateInput, 'ReturnValues'>;
    Delete?: Omit<DeleteInput, 'ReturnValues'>;
    ConditionCheck?: Omit<DeleteInput, 'ReturnValues'> & { ConditionExpression: string };
  }[];
}

export interface BatchWriteInput {
  RequestItems: Record<string, ({ PutRequest: { Item: Values } } | { DeleteRequest: { Key: Values } })[]>;
}

/** The input type of each `op` of a pattern. */
export interface Inputs {
  readonly get: GetInput;
  /**
   * The input of the request that reads the guard. `next` turns the output of that request into the input that reads
   * the item.
   */
  readonly find: GetInput;
  readonly query: QueryInput;
  readonly scan: ScanInput;
  readonly batchGet: BatchGetInput;
  readonly transactGet: TransactGetInput;
  readonly put: PutInput;
  readonly update: UpdateInput;
  readonly delete: DeleteInput;
  readonly release: DeleteInput;
  readonly transaction: TransactWriteInput;
  readonly batchWrite: BatchWriteInput;
}
