import type { StateStore } from '../../evolve/migration/run/store';
import type { Connection } from '../engine/connection';

/** The table that records the progress of migrations, separate from the tables of designs. */
export const STATE_TABLE = 'tablewright-migrations';

/**
 * Opens the table that stores the states of migrations. If the table is missing, creates it if `make` is true, and
 * otherwise returns undefined.
 */
export async function dynamoStates(
  { core, client }: Connection,
  name = STATE_TABLE,
  make = false,
): Promise<StateStore | undefined> {
  const input = { TableName: name };
  const isMissing = (error: Error) => error.name === 'ResourceNotFoundException';
  const found = await client.send(new core.DescribeTableCommand(input)).catch((error: Error) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
  if (found === undefined && !make) return undefined;
  if (found === undefined) {
    const create = {
      ...input,
      BillingMode: 'PAY_PER_REQUEST' as const,
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' as const }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }],
    };
    // Another runner may have created the table first.
    await client.send(new core.CreateTableCommand(create)).catch((error: Error) => {
      if (error.name !== 'ResourceInUseException') throw error;
    });
  }
  if (found?.Table?.TableStatus !== 'ACTIVE')
    await core.waitUntilTableExists({ client, maxWaitTime: 300, minDelay: 1 }, input);
  return {
    name,
    async load(id) {
      const { Item } = await client.send(
        new core.GetItemCommand({ ...input, Key: { id: { S: id } }, ConsistentRead: true }),
      );
      return Item === undefined ? undefined : { value: Item.state?.S ?? '', version: Item.version?.N ?? '' };
    },
    async save(id, value, version) {
      const next = String(Number(version ?? 0) + 1);
      const Item = { id: { S: id }, state: { S: value }, version: { N: next } };
      const condition =
        version === undefined
          ? { ConditionExpression: 'attribute_not_exists(id)' }
          : { ConditionExpression: 'version = :v', ExpressionAttributeValues: { ':v': { N: version } } };
      try {
        await client.send(new core.PutItemCommand({ ...input, Item, ...condition }));
        return next;
      } catch (error) {
        if ((error as Error).name === 'ConditionalCheckFailedException') return undefined;
        throw error;
      }
    },
  };
}
