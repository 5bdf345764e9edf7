import { type TemplateJson, type TemplateTable, tablesIn } from '../../lib/dynamodb/template/tables';
import type { Item } from '../../lib/items/item';
import { type Authorization, readingsOf } from './iam';
import { ACCOUNT, keyArnOf, REGION } from './policies';
import type { Recorded } from './recorder';

export const tableArn = (name: string) => `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${name}`;

/**
 * Returns the authorizations that DynamoDB requests from IAM before it executes a request. The key attributes come from
 * the template alone.
 */
export function authorizationsOf(template: TemplateJson, { command, input }: Pick<Recorded, 'command' | 'input'>) {
  const tables = new Map(tablesIn(template).map((table) => [table.name, table]));
  const tableNamed = (name: unknown) => {
    const found = tables.get(name as string);
    if (found === undefined) throw new Error(`the template has no table '${name}'`);
    return found;
  };
  switch (command) {
    case 'Get':
      return [keyed('GetItem', tableNamed(input.TableName), [input.Key])];
    case 'Put':
      return [keyed('PutItem', tableNamed(input.TableName), [input.Item])];
    case 'Update':
      return [keyed('UpdateItem', tableNamed(input.TableName), [input.Key])];
    case 'Delete':
      return [keyed('DeleteItem', tableNamed(input.TableName), [input.Key])];
    case 'Query':
      return [queried(tableNamed(input.TableName), input)];
    case 'Scan': {
      const { IndexName } = input;
      const resource = `${input.TableName}${IndexName === undefined ? '' : `/index/${IndexName}`}`;
      return [authorization('Scan', tableArn(resource), [])];
    }
    case 'BatchGet':
      return Object.entries(input.RequestItems as Record<string, { Keys: Item[] }>).map(([name, { Keys }]) =>
        keyed('BatchGetItem', tableNamed(name), Keys),
      );
    case 'BatchWrite':
      return Object.entries(input.RequestItems as Record<string, Record<string, Item>[]>).map(([name, writes]) =>
        keyed(
          'BatchWriteItem',
          tableNamed(name),
          writes.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key),
        ),
      );
    case 'TransactGet':
      return inBothReadings(
        (input.TransactItems as Record<'Get', Item>[]).map(({ Get }) =>
          keyed('GetItem', tableNamed(Get.TableName), [Get.Key]),
        ),
      );
    case 'TransactWrite':
      return inBothReadings(
        (input.TransactItems as Record<string, Item>[]).map((item) => {
          const [[part, inner] = ['', {}]] = Object.entries(item);
          const action = part === 'ConditionCheck' ? 'ConditionCheckItem' : `${part}Item`;
          return keyed(action, tableNamed(inner.TableName), [inner.Item ?? inner.Key]);
        }),
      );
  }
}

/**
 * DynamoDB may ask IAM about each item separately, or about all items with the same action and table at once. A policy
 * must allow the items either way.
 */
function inBothReadings(items: readonly Authorization[]): readonly Authorization[] {
  const all = readingsOf(items).flat();
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

function keyed(action: string, table: TemplateTable, keys: readonly unknown[]): Authorization {
  const values = keys.map((key) => String((key as Item)[table.key.partitionBy[0].name]));
  return authorization(action, tableArn(table.name as string), values);
}

function queried(table: TemplateTable, input: Item): Authorization {
  const index = table.indexes.find(({ name }) => name === input.IndexName);
  if (input.IndexName !== undefined && index === undefined) throw new Error(`no index ${input.IndexName}`);
  const names = input.ExpressionAttributeNames as Record<string, string>;
  const values = input.ExpressionAttributeValues as Item;
  const equalities = [...(input.KeyConditionExpression as string).matchAll(/(#\w+) = (:\w+)/g)];
  const partition = equalities.find(([, name]) => names[name as string] === (index ?? table.key).partitionBy[0].name);
  if (partition === undefined) throw new Error(`a query without a partition: ${input.KeyConditionExpression}`);
  const resource = tableArn(`${table.name}${index === undefined ? '' : `/index/${index.name}`}`);
  return authorization('Query', resource, [String(values[partition[2] as string])]);
}

function authorization(action: string, resource: string, leadingKeys: readonly string[]): Authorization {
  return { action: `dynamodb:${action}`, resource, context: { 'dynamodb:LeadingKeys': leadingKeys } };
}

/**
 * Returns the authorizations that DynamoDB requests from KMS on the caller's behalf, if the template gives the table
 * its own KMS key.
 */
export function keyAuthorizations(
  template: TemplateJson,
  { action, resource }: Authorization,
): readonly Authorization[] {
  const arn = keyArnOf(template, /table\/([^/]+)/.exec(resource)?.[1] as string);
  if (arn === undefined) return [];
  const isWrite = /:(Put|Update|Delete|BatchWrite)Item$/.test(action);
  const context = { 'kms:ViaService': `dynamodb.${REGION}.amazonaws.com` };
  return (isWrite ? ['kms:Decrypt', 'kms:Encrypt'] : ['kms:Decrypt']).map((action) => ({
    action,
    resource: arn,
    context,
  }));
}
