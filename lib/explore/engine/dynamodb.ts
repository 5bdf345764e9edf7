import { BATCH_ITEMS, DYNAMODB } from '../../blueprint/clouds';
import { tableNameOf } from '../../blueprint/names';
import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import {
  blueprint,
  type IndexBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  type TableBlueprint,
} from '../../blueprint/table';
import type { SystemDesign } from '../../design/system';
import { isReading, unitsOf } from '../../dynamodb/commands';
import type { Engine } from '../../dynamodb/engine/engine';
import type { TemplateJson } from '../../dynamodb/template/tables';
import type { Item } from '../../items/item';
import { unservedBy } from '../../proof/unserved';
import { venueOf } from '../../proof/venue';
import type { Explored } from '../system';
import { type Ground, inTurns, type Sent, UNCOUNTED } from './ground';

const ENVIRONMENT = 'explorer';
const BATCH = BATCH_ITEMS.batchWrite;

/** The tables of a system on DynamoDB, made from its design and filled with its items. */
export async function dynamoDbGround({ system, items }: Explored, engine: Engine): Promise<Ground> {
  const tables = Object.keys(system.tables);
  const physical = (table: string) => physicalName(system, table, tables.indexOf(table));
  const names = new Map(tables.map((table) => [physical(table), table]));
  const outlines = new Map(Object.entries(system.tables).map(([table, design]) => [table, outline(design)]));
  let sent: Sent[] = [];
  const recording: Engine = {
    ...engine,
    async send(command, input) {
      const isRead = isReading(command);
      const about = { command, input, isRead, touched: isRead ? [] : touchedBy(input, names, outlines) };
      try {
        const output = await engine.send(command, input);
        const read = isRead ? readBy(input, output, names) : [];
        sent.push({ ...about, units: unitsOf(output.ConsumedCapacity), read });
        return output;
      } catch (error) {
        sent.push({ ...about, read: [] });
        throw error;
      }
    },
  };
  const venue = venueOf(system, recording, templateOf(system, physical), ENVIRONMENT);
  await venue.provision();
  for (const [table, all] of items) {
    const puts = all.stored.map(({ item }) => ({ PutRequest: { Item: item } }));
    const batches = Array.from({ length: Math.ceil(puts.length / BATCH) }, (_, i) =>
      puts.slice(i * BATCH, (i + 1) * BATCH),
    );
    await inTurns(batches, 4, (batch) => engine.send('BatchWrite', { RequestItems: { [physical(table)]: batch } }));
  }
  const unserved = await unservedBy(engine, [system]);
  const refused = Array.from(unserved, ([name, reason]) => {
    // The answer of this engine would not be DynamoDB's.
    const refuse = () => Promise.reject(new Error(`it cannot be run here: ${reason}`));
    return [name, Object.assign(refuse, { all: refuse, pages: refuse, first: refuse, count: refuse })] as const;
  });
  return {
    name: engine.name,
    patterns: Object.assign(
      {},
      ...Object.entries(system.tables).map(([table, design]) => venue.patterns(design, physical(table), UNCOUNTED)),
      Object.fromEntries(refused),
    ),
    sent() {
      const all = sent;
      sent = [];
      return all;
    },
    async get(table, Key) {
      return (await engine.send('Get', { TableName: physical(table), Key, ConsistentRead: true })).Item as
        | Item
        | undefined;
    },
    async restore(table, Key, before) {
      const TableName = physical(table);
      if (before === undefined) await engine.send('Delete', { TableName, Key });
      else await engine.send('Put', { TableName, Item: before.item });
    },
    stop: () => engine.stop(),
  };
}

/** The name that a stack would give the table, unless DynamoDB does not allow it. */
function physicalName(system: SystemDesign, table: string, number: number): string {
  const name = tableNameOf(system, ENVIRONMENT, table);
  return DYNAMODB.name.form.test(name) ? name : `${ENVIRONMENT}-${number}`;
}

/** A template of the tables alone; no pattern depends on anything around them. */
function templateOf({ tables }: SystemDesign, physical: (table: string) => string): TemplateJson {
  const resources = Object.entries(tables).map(([name, design]) => [
    name,
    tableResource(blueprint(design), physical(name)),
  ]);
  return { Resources: Object.fromEntries(resources) };
}

const TYPES = { string: 'S', number: 'N', binary: 'B' } as const;

function tableResource({ key, indexes, keyAttributes }: TableBlueprint, TableName: string) {
  const local = indexes.filter((index) => index.local);
  const global = indexes.filter((index) => !index.local);
  return {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keyAttributes.map(({ name, type }) => ({
        AttributeName: name,
        AttributeType: TYPES[type],
      })),
      KeySchema: schemaOf(key),
      ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global.map(indexOf) }),
      ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local.map(indexOf) }),
    },
  };
}

function indexOf(index: IndexBlueprint) {
  return {
    IndexName: index.name,
    KeySchema: schemaOf(index),
    Projection:
      typeof index.projection === 'string'
        ? { ProjectionType: index.projection === 'all' ? 'ALL' : 'KEYS_ONLY' }
        : { ProjectionType: 'INCLUDE', NonKeyAttributes: index.projection },
  };
}

function schemaOf(key: KeyBlueprint) {
  const part = (KeyType: 'HASH' | 'RANGE', by: readonly KeyAttribute[]) =>
    by.map(({ name }) => ({ AttributeName: name, KeyType }));
  return [...part('HASH', key.partitionBy), ...part('RANGE', key.sortBy)];
}

function readBy(
  input: Item,
  { Item: single, Items: several, Responses: batch }: Item,
  names: ReadonlyMap<string, string>,
) {
  const table = names.get(input.TableName as string);
  if (table === undefined) {
    return Object.entries((batch ?? {}) as Record<string, Item[]>).map(([name, items]) => ({
      table: names.get(name) ?? name,
      items,
    }));
  }
  const items = (several ?? (single === undefined ? [] : [single])) as Item[];
  const index = input.IndexName as string | undefined;
  return [{ table, ...(index === undefined ? {} : { index }), items }];
}

interface WriteInput {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

/** The keys of all items that a request writes. */
function touchedBy(
  input: Item,
  names: ReadonlyMap<string, string>,
  outlines: ReadonlyMap<string, TableOutline>,
): Sent['touched'] {
  const batch = Object.entries((input.RequestItems ?? {}) as Record<string, unknown>).flatMap(([TableName, requests]) =>
    (Array.isArray(requests) ? requests : []).map(({ PutRequest, DeleteRequest }) => ({
      TableName,
      ...(PutRequest ?? DeleteRequest),
    })),
  );
  const steps = ((input.TransactItems ?? []) as Record<string, WriteInput>[]).flatMap((step) =>
    ['Put', 'Update', 'Delete'].flatMap((kind) => step[kind] ?? []),
  );
  return [input as WriteInput, ...steps, ...batch].flatMap((write: WriteInput) => {
    const table = names.get(write.TableName as string);
    const given = write.Item ?? write.Key;
    const plan = table === undefined ? undefined : outlines.get(table);
    if (table === undefined || given === undefined || plan === undefined) return [];
    return [{ table, key: Object.fromEntries(keyOf(plan.key).map(({ name }) => [name, given[name]])) }];
  });
}
