import { type Index, namesOf, type Table } from './catalogue';
import { NO_PARTS, type Parts, partsOf } from './parts';
import { invalid, Refusal } from './refusal';
import { checkAttributes } from './rules/items';
import {
  checkIndexValue,
  checkItemKeys,
  checkPrimaryKey,
  checkStartKey,
  type KeyTest,
  keyTestOf,
  legacyKeyTest,
} from './rules/keys';
import { checkBatchEntry, checkOptions, checkReadOptions, checkTableName } from './rules/options';
import { checkKeyTargets, targetsOf } from './rules/paths';
import { checkReadAttributes } from './rules/projections';
import { cancellation, entriesOf, reasonFor } from './rules/transactions';
import type { Assigned } from './syntax';
import type { Attributes, Body, Value } from './values';

/** Finds a table by its name. If this function is undefined, no tables are known and only expressions are checked. */
export type Tables = ((name: string) => Table | undefined) | undefined;

/** One write or read from a request, after it has been checked. */
export interface Checked {
  readonly input: Body;
  readonly parts: Parts;
  readonly table?: Table;
  readonly index?: Index;
  readonly keyTest?: KeyTest;
}

/** The legacy parameters that expressions have replaced; both DynamoDB and the engine still accept them. */
const LEGACY = ['AttributesToGet', 'AttributeUpdates', 'Expected', 'KeyConditions', 'QueryFilter', 'ScanFilter'];

/**
 * Refuses a request that DynamoDB would refuse, as far as that can be decided without reading items. Returns the writes
 * and reads in the request.
 */
export function checkRequest(operation: string, input: Body, tables?: Tables): readonly Checked[] {
  switch (operation) {
    case 'GetItem':
    case 'DeleteItem':
    case 'PutItem':
    case 'UpdateItem':
      return [checkOne(operation, input, tables)];
    case 'Query':
    case 'Scan':
      return [checkRead(operation, input, tables)];
    case 'TransactWriteItems':
      return checkTransaction(input, tables);
    case 'TransactGetItems':
      return ((input.TransactItems ?? []) as readonly { Get?: Body }[]).map(({ Get }) => {
        if (Get === undefined)
          throw invalid("Value null at 'transactItems' failed to satisfy constraint: Member must not be null");
        return checkOne('GetItem', Get, tables);
      });
    case 'BatchGetItem':
      return Object.entries((input.RequestItems ?? {}) as Readonly<Record<string, Body>>).map(([TableName, given]) => {
        const [parts, table] = [partsOf(given), tableNamed(TableName, tables)];
        for (const key of (given.Keys ?? []) as readonly Attributes[])
          if (table !== undefined) checkPrimaryKey(table, key);
        return { input: given, parts, ...(table && { table }) };
      });
    case 'BatchWriteItem':
      for (const [name, writes] of Object.entries((input.RequestItems ?? {}) as Readonly<Record<string, Body[]>>)) {
        const table = tableNamed(name, tables);
        for (const entry of writes) {
          const { PutRequest, DeleteRequest } = entry;
          checkBatchEntry(entry);
          if (PutRequest !== undefined) checkItem((PutRequest as Body).Item as Attributes, table);
          if (DeleteRequest !== undefined && table !== undefined)
            checkPrimaryKey(table, (DeleteRequest as Body).Key as Attributes);
        }
      }
  }
  return [];
}

function checkTransaction(input: Body, tables: Tables): readonly Checked[] {
  const entries = entriesOf(input).map(({ action, input: entry }) => {
    if (action === 'ConditionCheck' && typeof entry.ConditionExpression !== 'string')
      throw invalid('The expression can not be empty;');
    if (action === 'Update' && typeof entry.UpdateExpression !== 'string')
      throw invalid('Invalid UpdateExpression: The expression can not be empty;');
    return { action, entry };
  });
  const problems = new Map<number, Refusal>();
  const checked = entries.map(({ action, entry }, i) => {
    try {
      return checkOne(action === 'ConditionCheck' ? 'DeleteItem' : `${action}Item`, entry, tables);
    } catch (error) {
      if (!(error instanceof Refusal && error.cancels)) throw error;
      problems.set(i, error);
      return { input: entry, parts: NO_PARTS };
    }
  });
  if (problems.size > 0) throw cancellation(checked.map((_, i) => reasonFor(problems.get(i))));
  return checked;
}

function checkOne(operation: string, input: Body, tables: Tables): Checked {
  checkOptions(operation, input);
  if (operation === 'PutItem') checkAttributes((input.Item ?? {}) as Attributes);
  const parts = LEGACY.some((name) => input[name] !== undefined) ? NO_PARTS : partsOf(input);
  const table = tableNamed(input.TableName as string, tables);
  if (table !== undefined) {
    if (operation === 'PutItem') checkItemKeys(table, input.Item as Attributes);
    else checkPrimaryKey(table, (input.Key ?? {}) as Attributes);
    if (parts.update !== undefined) {
      checkKeyTargets(targetsOf(parts.update), namesOf(table.key));
      checkIndexTargets(table, parts);
    }
  }
  return { input, parts, ...(table && { table }) };
}

/**
 * Refuses an update that sets an index key to an empty value, a value of the wrong type, or a value that is too long.
 */
function checkIndexTargets({ indexes }: Table, { update, values }: Parts): void {
  for (const [[name, ...rest], assigned] of update?.set ?? []) {
    for (const { name: index, key } of indexes.values()) {
      for (const part of ['partition', 'sort'] as const) {
        const attribute = key[part].find((each) => each.name === name);
        if (attribute === undefined || rest.length > 0) continue;
        for (const value of valuesIn(assigned)) checkIndexValue(index, attribute, values[value] as Value, part);
      }
    }
  }
}

/** Returns the names of the values that an assignment can store unchanged. */
function valuesIn(assigned: Assigned): readonly string[] {
  if (assigned.kind === 'value') return [assigned.name];
  return assigned.kind === 'call' && assigned.name === 'if_not_exists'
    ? assigned.operands.flatMap((operand) => valuesIn(operand))
    : [];
}

function checkItem(item: Attributes, table: Table | undefined): void {
  checkAttributes(item);
  if (table !== undefined) checkItemKeys(table, item);
}

function checkRead(operation: 'Query' | 'Scan', input: Body, tables: Tables): Checked {
  checkReadOptions(input);
  const parts = LEGACY.some((name) => input[name] !== undefined) ? NO_PARTS : partsOf(input);
  const table = tableNamed(input.TableName as string, tables);
  if (table === undefined) return { input, parts };
  const index = input.IndexName === undefined ? undefined : table.indexes.get(input.IndexName as string);
  if (input.IndexName !== undefined && index === undefined)
    throw invalid(`The table does not have the specified index: ${input.IndexName}`);
  checkReadAttributes(operation, input, parts, table, index);
  const { keyCondition, values } = parts;
  const { key } = index ?? table;
  const keyTest =
    keyCondition === undefined ? legacyKeyTest(input.KeyConditions, key) : keyTestOf(keyCondition, key, values);
  const start = input.ExclusiveStartKey as Attributes | undefined;
  if (start !== undefined && start !== null) checkStartKey(start, table, index, keyTest);
  return { input, parts, table, ...(index && { index }), ...(keyTest && { keyTest }) };
}

function tableNamed(name: string, tables: Tables): Table | undefined {
  if (tables === undefined) return undefined;
  const plain = name?.startsWith('arn:') ? name.slice(name.lastIndexOf('/') + 1) : name;
  checkTableName(plain);
  const table = tables(plain);
  if (table === undefined)
    throw new Refusal('ResourceNotFoundException', 'Cannot do operations on a non-existent table');
  return table;
}
