import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Item } from '../../items/item';
import type { Database } from './database';

/**
 * The number of attempts, and the delay between them in milliseconds. The first attempts can fail because the index is
 * eventually consistent.
 */
const PATIENCE = { times: 40, between: 250 } as const;

const answers = new WeakMap<Database, Promise<boolean>>();

/**
 * Tests once, with a scratch table, whether an engine supports multi-attribute index keys. The test is necessary: one
 * engine accepts an index with such a key but refuses every query on it, and another engine returns wrong results.
 */
export function servesMultiAttributeKeys(database: Database): Promise<boolean> {
  const answer = answers.get(database) ?? ask(database);
  answers.set(database, answer);
  return answer;
}

async function ask(database: Database): Promise<boolean> {
  const TableName = `tablewright-probe-${randomUUID()}`;
  try {
    await database.provision(templateOf(TableName));
  } catch (error) {
    // An engine that does not support multi-attribute keys refuses CreateTable with a validation error; any other error
    // proves nothing.
    if ((error as Error).name === 'ValidationException') return false;
    throw error;
  }
  try {
    for (const item of ITEMS) await database.send('Put', { TableName, Item: item });
    for (const { input, expected } of QUESTIONS) {
      if (!(await isAnswered(database, { TableName, IndexName: 'index', ...input }, expected))) return false;
    }
    return true;
  } finally {
    await database.drop(TableName);
  }
}

/** Whether a query eventually finds exactly these items in this order, and never finds other items. */
async function isAnswered(database: Database, input: Item, expected: string): Promise<boolean> {
  for (let time = 0; time < PATIENCE.times; time++) {
    if (time > 0) await setTimeout(PATIENCE.between);
    let found: string;
    try {
      const { Items } = await database.send('Query', input);
      found = (Items as readonly Item[]).map(({ id }) => id).join('');
    } catch (error) {
      if ((error as Error).name === 'ValidationException') return false;
      throw error;
    }
    if (found === expected) return true;
    if (!isWithin(found, expected)) return false;
  }
  return false;
}

/** Whether `found` is a subsequence of `all`. */
function isWithin(found: string, all: string): boolean {
  let at = -1;
  return Array.from(found).every((letter) => {
    at = all.indexOf(letter, at + 1);
    return at !== -1;
  });
}

/**
 * The test items. The numbers in `d` have different lengths, so comparing them as strings would change the order. One
 * item is in a different partition, and another lacks a key attribute.
 */
const ITEMS: readonly Item[] = [
  { id: 'c', a: 'x', b: 'y', c: 'n', d: 10 },
  { id: 'b', a: 'x', b: 'y', c: 'n', d: 9 },
  { id: 'a', a: 'x', b: 'y', c: 'm', d: 100 },
  { id: 'o', a: 'x', b: 'z', c: 'n', d: 9 },
  { id: 'p', a: 'x', c: 'n', d: 9 },
];

const PARTITION = { ':a': 'x', ':b': 'y' };

const QUESTIONS: readonly { readonly input: Item; readonly expected: string }[] = [
  {
    input: { KeyConditionExpression: 'a = :a AND b = :b', ExpressionAttributeValues: PARTITION },
    expected: 'abc',
  },
  {
    input: {
      KeyConditionExpression: 'a = :a AND b = :b AND c = :c AND d > :d',
      ExpressionAttributeValues: { ...PARTITION, ':c': 'n', ':d': 9 },
    },
    expected: 'c',
  },
];

function templateOf(TableName: string) {
  const attribute = (AttributeName: string, AttributeType: 'S' | 'N') => ({ AttributeName, AttributeType });
  const part = (AttributeName: string, KeyType: 'HASH' | 'RANGE') => ({ AttributeName, KeyType });
  const KeySchema = [part('a', 'HASH'), part('b', 'HASH'), part('c', 'RANGE'), part('d', 'RANGE')];
  return {
    Resources: {
      Probe: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: [...['id', 'a', 'b', 'c'].map((name) => attribute(name, 'S')), attribute('d', 'N')],
          KeySchema: [part('id', 'HASH')],
          GlobalSecondaryIndexes: [{ IndexName: 'index', KeySchema, Projection: { ProjectionType: 'ALL' } }],
        },
      },
    },
  } as const;
}
