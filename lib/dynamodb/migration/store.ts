import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { keyOf, type TableOutline } from '../../blueprint/outline';
import { EvolutionError, type Migration, type Move } from '../../evolve';
import type { Act, Done, Page, Read, Store } from '../../evolve/migration/run/store';
import { type Item, ItemError, showKey } from '../../items/item';
import { plainItem } from '../attribute-values';
import type { Connection } from '../engine/connection';
import { keptKey, keyFrom, type StoredItem, storedItem, storedValue } from './stored';

export interface DynamoStoreOptions {
  readonly connection: Connection;
  readonly migration: Pick<Migration, 'sides'>;
  /** Names of tables at AWS by their names in the system. @default - they are the same */
  readonly names?: Readonly<Record<string, string>>;
  /** Items of a page, at most: as many are in memory for each segment, and read again after a crash. @default 100 */
  readonly pageSize?: number;
}

/** DynamoDB allows so many operators in an expression; every attribute takes two. */
const MOST_ATTRIBUTES = 149;

/** The tables of a migration in DynamoDB. Items are kept as they came, so that no digit of a number is lost. */
export function dynamoStore({ connection, migration, names = {}, pageSize = 100 }: DynamoStoreOptions): Store {
  const { core, client, shown } = connection;
  const nameOf = (table: string) => (Object.hasOwn(names, table) ? (names[table] as string) : table);
  const outlineOf = (table: string): TableOutline => {
    const { before, after } = migration.sides(table);
    const found = before ?? after;
    if (found === undefined) throw new Error(`there is no table '${table}' in either design`);
    return found;
  };
  const keyIn = (table: string, stored: StoredItem): StoredItem =>
    Object.fromEntries(keyOf(outlineOf(table).key).map(({ name }) => [name, stored[name] as AttributeValue]));
  const told =
    (table: string) =>
    (error: Error): never => {
      if (error.name !== 'ResourceNotFoundException') throw error;
      throw new EvolutionError(
        `there is no table '${nameOf(table)}' at ${shown}; say which one '${table}' is: --table ${table}=<its name>`,
      );
    };
  const target = (table: string, read: Read, names: readonly string[]) => {
    const stored = read.version as StoredItem;
    const all = [...new Set([...Object.keys(stored), ...names])];
    if (all.length > MOST_ATTRIBUTES) {
      throw new ItemError(`it has ${all.length} attributes, but a DynamoDB condition holds at most ${MOST_ATTRIBUTES}`);
    }
    return { key: { TableName: nameOf(table), Key: keyIn(table, stored) }, condition: asRead(stored, all) };
  };

  async function update(
    table: string,
    read: Read,
    { set, removed }: Extract<Act, { kind: 'update' }>,
    names: readonly string[],
  ) {
    const { key, condition } = target(table, read, names);
    const { expression, ExpressionAttributeNames, ExpressionAttributeValues } = condition;
    const values = Object.entries(set).map(([name, value], i) => {
      ExpressionAttributeValues[`:s${i}`] = storedValue(name, value);
      return `${alias(ExpressionAttributeNames, name)} = :s${i}`;
    });
    const gone = removed.map((name) => alias(ExpressionAttributeNames, name));
    const parts = [
      values.length > 0 ? `SET ${values.join(', ')}` : '',
      gone.length > 0 ? `REMOVE ${gone.join(', ')}` : '',
    ];
    return client.send(
      new core.UpdateItemCommand({
        ...key,
        UpdateExpression: parts.filter(Boolean).join(' '),
        ConditionExpression: expression,
        ExpressionAttributeNames,
        ExpressionAttributeValues,
        ReturnConsumedCapacity: 'TOTAL',
      }),
    );
  }

  function removal(table: string, read: Read, names: readonly string[]) {
    const { key, condition } = target(table, read, names);
    const { expression, ...rest } = condition;
    return { ...key, ConditionExpression: expression, ...rest };
  }

  /** Both at once, or neither: the item is never under two keys, and never under none. */
  async function move(table: string, read: Read, act: Move, names: readonly string[]): Promise<Done> {
    const Item = moved(read, act.item);
    const partition = outlineOf(act.table).key.partition.name;
    const Put = {
      TableName: nameOf(act.table),
      Item,
      ConditionExpression: 'attribute_not_exists(#k)',
      ExpressionAttributeNames: { '#k': partition },
    };
    const Delete = removal(table, read, names);
    try {
      const command = new core.TransactWriteItemsCommand({
        TransactItems: [{ Put }, { Delete }],
        ReturnConsumedCapacity: 'TOTAL',
      });
      return { kind: 'done', consumed: unitsOf((await client.send(command)).ConsumedCapacity) };
    } catch (error) {
      const { name, CancellationReasons: [put, gone] = [] } = error as {
        name?: string;
        CancellationReasons?: { Code?: string }[];
      };
      if (name === 'TransactionInProgressException') return CONFLICT;
      if (name !== 'TransactionCanceledException') throw error;
      const isTaken = put?.Code === 'ConditionalCheckFailed' && gone?.Code !== 'ConditionalCheckFailed';
      if (!isTaken) {
        const passing = [put, gone].every(({ Code = 'None' } = {}) => PASSING.has(Code));
        if (passing) return CONFLICT;
        throw error;
      }
      const there = await client.send(
        new core.GetItemCommand({ TableName: Put.TableName, Key: keyIn(act.table, Item), ConsistentRead: true }),
      );
      const twin = there.Item;
      if (twin !== undefined && isDeepStrictEqual(plainItem(twin as never), plainItem(Item as never))) {
        // It is there already, as it is to be: only the old one is left.
        return settled(client.send(new core.DeleteItemCommand({ ...Delete, ReturnConsumedCapacity: 'TOTAL' })));
      }
      if (twin === undefined) return CONFLICT;
      const where = showKey(outlineOf(act.table), act.item);
      return {
        kind: 'refused',
        consumed: 3,
        why: `it should move to ${where}, but another item is already there; remove one of them`,
      };
    }
  }

  return {
    async page({ table, segment, segments }, from, { consistent }): Promise<Page> {
      const output = await client
        .send(
          new core.ScanCommand({
            TableName: nameOf(table),
            Limit: pageSize,
            ConsistentRead: consistent,
            ReturnConsumedCapacity: 'TOTAL',
            // Even one segment of one is another request, which not every engine answers well.
            ...(segments > 1 ? { Segment: segment, TotalSegments: segments } : {}),
            ...(from === undefined ? {} : { ExclusiveStartKey: keyFrom(from) }),
          }),
        )
        .catch(told(table));
      const items = (output.Items ?? []).map((stored) => ({ item: plainItem(stored as never), version: stored }));
      const next = output.LastEvaluatedKey;
      return {
        items,
        ...(next === undefined ? {} : { next: keptKey(next) }),
        consumed: unitsOf(output.ConsumedCapacity),
      };
    },
    async again(table, read) {
      const output = await client.send(
        new core.GetItemCommand({
          TableName: nameOf(table),
          Key: keyIn(table, read.version as StoredItem),
          ConsistentRead: true,
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      const stored = output.Item;
      const consumed = unitsOf(output.ConsumedCapacity);
      return stored === undefined
        ? { consumed }
        : { read: { item: plainItem(stored as never), version: stored }, consumed };
    },
    async act(table, read, act, names) {
      try {
        if (act.kind === 'move') return await move(table, read, act, names);
        if (act.kind === 'update') return await settled(update(table, read, act, names));
        const input = { ...removal(table, read, names), ReturnConsumedCapacity: 'TOTAL' as const };
        return await settled(client.send(new core.DeleteItemCommand(input)));
      } catch (error) {
        const { name, message } = error as Error;
        // What DynamoDB says of one item (it is too large, a key is too long) is no reason to stop for the others.
        if (error instanceof ItemError || name === 'ValidationException')
          return { kind: 'refused', consumed: 1, why: message };
        throw error;
      }
    },
    async estimate(table) {
      const input = { TableName: nameOf(table) };
      const { Table } = await client.send(new core.DescribeTableCommand(input)).catch(() => ({ Table: undefined }));
      return Table?.ItemCount;
    },
    shown: (table, item) => showKey(outlineOf(table), item),
  };
}

const CONFLICT: Done = { kind: 'conflict', consumed: 2 };

/** Reasons of a transaction that are none the next time. */
const PASSING: ReadonlySet<string> = new Set([
  'None',
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

async function settled(sent: Promise<{ readonly ConsumedCapacity?: unknown }>): Promise<Done> {
  try {
    return { kind: 'done', consumed: unitsOf((await sent).ConsumedCapacity) };
  } catch (error) {
    const { name } = error as Error;
    if (name === 'ConditionalCheckFailedException' || name === 'TransactionConflictException')
      return { kind: 'conflict', consumed: 1 };
    throw error;
  }
}

/** An item under its new key; what did not change is as it came. */
function moved({ item, version }: Read, next: Item): StoredItem {
  const stored = version as StoredItem;
  const made: StoredItem = {};
  for (const [name, value] of Object.entries(next)) {
    const old = stored[name];
    const isKept = old !== undefined && isDeepStrictEqual(item[name], value);
    if (isKept) made[name] = old;
    else Object.assign(made, storedItem({ [name]: value }));
  }
  return made;
}

/** That all of these attributes are as they were read: with their values, or not there. */
function asRead(stored: StoredItem, names: readonly string[]) {
  const ExpressionAttributeNames: Record<string, string> = {};
  const ExpressionAttributeValues: StoredItem = {};
  const parts = names.map((name, i) => {
    ExpressionAttributeNames[`#n${i}`] = name;
    const value = stored[name];
    if (value === undefined) return `attribute_not_exists(#n${i})`;
    ExpressionAttributeValues[`:v${i}`] = value;
    return `#n${i} = :v${i}`;
  });
  return { expression: parts.join(' AND '), ExpressionAttributeNames, ExpressionAttributeValues };
}

/** The name under which an expression may speak of an attribute. */
function alias(names: Record<string, string>, name: string): string {
  const known = Object.entries(names).find(([, one]) => one === name)?.[0];
  if (known !== undefined) return known;
  const made = `#n${Object.keys(names).length}`;
  names[made] = name;
  return made;
}

function unitsOf(consumed: unknown): number {
  return [consumed]
    .flat()
    .reduce<number>((sum, one) => sum + ((one as { CapacityUnits?: number })?.CapacityUnits ?? 0), 0);
}
