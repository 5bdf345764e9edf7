import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Send } from '../../dynamodb/sending';
import type { Item } from '../../items/item';

/** Thrown instead of writing an item that is in the other place: under the other key, or in the other table. */
export class Elsewhere extends Error {
  public override readonly name = 'Elsewhere';
}

/** The place that a write does not go to: the new place for a write to the old one, and vice versa. */
export interface Other {
  readonly tableName: string;
  /** The partition key attribute. */
  readonly partition: string;
  /** The keys of the items in the place that the request writes to. */
  readonly own: readonly Item[];
  /** The keys of the same items in the other place. */
  readonly keys: readonly Item[];
  /** Whether items move to the other place, rather than from it. */
  readonly isNext: boolean;
}

type Writes = readonly Record<string, Item>[];

interface Refusal extends Error {
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Item }[];
}

/** The maximum number of attempts at a write while transactions on the same item conflict with it. */
const ATTEMPTS = 8;

/**
 * Sends the writes of one call only if none of their items are in the other place. A put, or an update that may create
 * its item, would succeed wherever the item is, so it becomes a transaction, which checks both places atomically.
 */
export function guarding(send: Send, other: Other, isUpsert: boolean): Send {
  const { tableName: TableName, partition, keys } = other;
  const isThere = async () => {
    const found = await Promise.all(keys.map((Key) => send('Get', { TableName, Key, ConsistentRead: true })));
    return found.some(({ Item: item }) => item !== undefined);
  };
  const isHere = async ({ TableName: own }: Item) => {
    const [Key] = other.own;
    return (await send('Get', { TableName: own, Key, ConsistentRead: true })).Item !== undefined;
  };
  const looking = async (error: Error): Promise<never> => {
    if (error.name === FAILED_ALONE && (await isThere())) throw new Elsewhere();
    throw error;
  };
  /** Performs all writes, or none if one of the items is in the other place. */
  const together = async (writes: Writes, input: Item = {}): Promise<Item> => {
    // DynamoDB rejects a transaction that contains the same item twice.
    const isWritten = (key: Item) =>
      writes
        .flatMap((write) => Object.values(write))
        .some((write) => write.TableName === TableName && isAt(write, key));
    const checks = keys
      .filter((key) => !isWritten(key))
      .map((Key) => ({ ConditionCheck: { TableName, Key, ...absent(partition) } }));
    for (let attempt = 1; ; attempt++) {
      try {
        return await send('TransactWrite', { ...input, TransactItems: [...writes, ...checks] });
      } catch (error) {
        const codes = ((error as Refusal).CancellationReasons ?? []).map(({ Code }) => Code);
        if (codes.slice(writes.length).includes(FAILED)) throw new Elsewhere();
        // The conflicting transaction is most likely moving the item.
        if (!codes.includes(CONFLICT) || codes.includes(FAILED) || attempt === ATTEMPTS) throw error;
        await sleep(Math.random() * 5 * 2 ** attempt);
      }
    }
  };
  const alone = (kind: string, input: Item) =>
    together([{ [kind]: input }]).catch((error: Refusal) => {
      throw asIfAlone(error);
    });
  return async (command, input) => {
    switch (command) {
      case 'TransactWrite':
        return together(input.TransactItems as Writes, input);
      case 'BatchWrite':
        return together(batched(input));
      case 'Put':
      case 'Update': {
        const isBlind = command === 'Put' || isUpsert;
        if (isBlind && input.ReturnValues === undefined) return alone(command, input);
        if (!isBlind && !other.isNext) return send(command, input);
        // The write must return values, and a transaction cannot return any, so the write is sent alone. If the item is
        // here now, the write gets the condition that the item still exists.
        if (isBlind && (await isThere())) throw new Elsewhere();
        return send(command, isBlind && (await isHere(input)) ? existing(input, other) : input).catch(looking);
      }
      case 'Delete': {
        if (!other.isNext) return send(command, input);
        const { Attributes, ...output } = await send(command, { ...input, ReturnValues: 'ALL_OLD' }).catch(looking);
        // A delete of a missing item succeeds, but the item may be missing only because it has just moved.
        if (Attributes === undefined && (await isThere())) throw new Elsewhere();
        return input.ReturnValues === undefined ? output : { ...output, ...(Attributes ? { Attributes } : {}) };
      }
      default:
        return send(command, input);
    }
  };
}

const FAILED = 'ConditionalCheckFailed';
const FAILED_ALONE = 'ConditionalCheckFailedException';
const CONFLICT = 'TransactionConflict';

function absent(partition: string) {
  return { ConditionExpression: 'attribute_not_exists(#k)', ExpressionAttributeNames: { '#k': partition } };
}

function isAt({ Key, Item: item }: Item, key: Item): boolean {
  const written = (Key ?? item) as Item;
  return Object.entries(key).every(([name, value]) => isDeepStrictEqual(written[name], value));
}

/** Adds to a write the condition that its item must exist. */
function existing(input: Item, { own: [key = {}] }: Other): Item {
  const { ConditionExpression: condition, ExpressionAttributeNames: names } = input;
  const exists = 'attribute_exists(#own)';
  return {
    ...input,
    ConditionExpression: condition === undefined ? exists : `(${condition}) AND ${exists}`,
    ExpressionAttributeNames: { ...(names as object), '#own': Object.keys(key)[0] },
  };
}

function batched({ RequestItems }: Item): Writes {
  const tables = Object.entries(RequestItems as Record<string, Record<string, Item>[]>);
  return tables.flatMap(([TableName, requests]) =>
    requests.map(
      ({ PutRequest, DeleteRequest }): Record<string, Item> =>
        PutRequest === undefined ? { Delete: { TableName, ...DeleteRequest } } : { Put: { TableName, ...PutRequest } },
    ),
  );
}

/** Returns the error that the write would have caused outside a transaction. */
function asIfAlone(error: Refusal): Error {
  const [reason] = error.CancellationReasons ?? [];
  const { Code, Item: item } = reason ?? {};
  if (Code !== FAILED && Code !== CONFLICT) return error;
  const { $metadata } = error as { $metadata?: object };
  const name = Code === FAILED ? FAILED_ALONE : 'TransactionConflictException';
  return Object.assign(new Error(error.message, { cause: error }), { name, $metadata, ...(item && { Item: item }) });
}
