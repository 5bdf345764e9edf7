import { ANY, AS_STORED } from '../azure-tables/calls';
import { client as azureClient } from '../azure-tables/client';
import type { Entity } from '../azure-tables/edm';
import type { AzureEngine } from '../azure-tables/engine/azure-tables';
import { entityOfItem, itemOfEntity } from '../azure-tables/entity';
import type { TerraformJson } from '../azure-tables/terraform';
import { tableNameOf } from '../blueprint/names';
import { type EntityOutline, keyOf, outline } from '../blueprint/outline';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { client } from '../dynamodb/client';
import { isReading, unitsOf } from '../dynamodb/commands';
import type { Engine } from '../dynamodb/engine/engine';
import type { Send } from '../dynamodb/sending';
import type { TemplateJson } from '../dynamodb/template/tables';
import type { Item } from '../items/item';
import type { Page } from '../items/result';

/** A pattern, as a function. */
export type Run = (
  values: object,
  options?: { cursor?: string; etag?: string; limit?: number },
) => Promise<Item | Page<Item> | undefined>;

/** Called with every request and its result. */
export interface Counter {
  /** @param limit how many items the request asks for at most, where it says so */
  sent(isRead: boolean, limit?: number): void;
  consumed(units: number): void;
  /** @param items as they are stored, or as an index or a selection has them */
  found(items: readonly Item[]): void;
}

/** A cloud, as far as a proof needs it. */
export interface Venue {
  /** Makes the synthesized tables; returns their names. */
  provision(): Promise<readonly string[]>;
  /** Removes a table, if it exists. */
  drop(tableName: string): Promise<void>;
  /** The name in the cloud of a table of the design. */
  nameOf(table: string): string;
  patterns(design: TableDesign, tableName: string, counter: Counter): Readonly<Record<string, Run>>;
  /** Puts an item as it is; throws if its key is taken. */
  put(design: TableDesign, tableName: string, entity: EntityOutline, item: Item): Promise<unknown>;
  /** Puts several items at once, all or none; it does not say which one is refused. */
  putAll?(design: TableDesign, tableName: string, items: readonly Item[]): Promise<unknown>;
  /** An item as it is read back. */
  stored(design: TableDesign, entity: EntityOutline, item: Item): Item;
  /** Everything that a table holds, in the form of the engine. */
  contents(design: TableDesign, tableName: string): Promise<Contents>;
  /** Puts back what a table held, over whatever has its key by now. */
  restore(tableName: string, held: Item): Promise<unknown>;
  /** Removes what a table holds. */
  remove(design: TableDesign, tableName: string, held: Item): Promise<unknown>;
}

/** What a table holds, by key. */
export type Contents = ReadonlyMap<string, Item>;

/** Where a system is proved: on the engine of its cloud, on the tables that would be deployed. */
export function venueOf(
  system: SystemDesign,
  engine: Engine | AzureEngine,
  template: TemplateJson | TerraformJson,
  environment: string,
): Venue {
  const isAzure = 'cloud' in engine;
  if (isAzure !== (system.cloud === 'azure')) {
    throw new Error(
      `system '${system.name}' is for the cloud '${system.cloud}', but the engine ${engine.name} is for another`,
    );
  }
  return isAzure
    ? azureVenue(engine, template as TerraformJson)
    : dynamoDbVenue(engine, template as TemplateJson, (table) => tableNameOf(system, environment, table));
}

function dynamoDbVenue(engine: Engine, template: TemplateJson, nameOf: (table: string) => string): Venue {
  const sends = new Map<Counter, Send>();
  /** The same `send` for all tables, since one client sends a transaction over several. */
  const sendingTo = (counter: Counter) => {
    const send: Send =
      sends.get(counter) ??
      (async (command, input) => {
        counter.sent(isReading(command), (input as Item).Limit as number | undefined);
        const output = await engine.send(command, input);
        counter.consumed(unitsOf(output.ConsumedCapacity));
        counter.found(itemsIn(output));
        return output;
      });
    sends.set(counter, send);
    return send;
  };
  return {
    provision: () => engine.provision(template),
    drop: (tableName) =>
      engine.drop(tableName).catch((error: Error) => {
        if (error.name !== 'ResourceNotFoundException') throw error;
      }),
    nameOf,
    patterns: (design, tableName, counter) =>
      client(design, tableName, sendingTo(counter), { onUnknown: 'throw' }) as unknown as Readonly<Record<string, Run>>,
    put: (design, tableName, _, item) => engine.send('Put', newItem(design, tableName, item)),
    putAll: (design, tableName, items) =>
      engine.send('TransactWrite', {
        TransactItems: items.map((item) => ({ Put: newItem(design, tableName, item) })),
      }),
    stored: (_, __, item) => item,
    contents: async (design, tableName) => {
      const held = new Map<string, Item>();
      for await (const item of engine.scan(tableName)) held.set(JSON.stringify(keyOfItem(design, item)), item);
      return held;
    },
    restore: (tableName, held) => engine.send('Put', { TableName: tableName, Item: held }),
    remove: (design, tableName, held) => engine.send('Delete', { TableName: tableName, Key: keyOfItem(design, held) }),
  };
}

/** A put that overwrites nothing. */
function newItem(design: TableDesign, tableName: string, item: Item): Item {
  return {
    TableName: tableName,
    Item: item,
    ConditionExpression: 'attribute_not_exists(#0)',
    ExpressionAttributeNames: { '#0': outline(design).key.partitionBy[0].name },
  };
}

function keyOfItem(design: TableDesign, item: Item): Item {
  return Object.fromEntries(keyOf(outline(design).key).map(({ name }) => [name, item[name]]));
}

/** On Azure each environment has its own account, in which tables have the names of the design. */
function azureVenue(engine: AzureEngine, stack: TerraformJson): Venue {
  return {
    provision: () => engine.provision(stack),
    drop: (tableName) => engine.drop(tableName),
    nameOf: (table) => table,
    patterns: (design, tableName, counter) =>
      azureClient(
        design,
        tableName,
        async (table, call) => {
          counter.sent(
            ['getEntity', 'listEntities'].includes(call.method),
            'page' in call ? call.page.maxPageSize : undefined,
          );
          const output = await engine.send(table, call);
          const entities = output.entity === undefined ? (output.entities ?? []) : [output.entity];
          counter.found(entities.map((entity) => itemOfEntity(outline(design), entity)));
          return output;
        },
        { onUnknown: 'throw' },
      ) as unknown as Readonly<Record<string, Run>>,
    put: (_, tableName, entity, item) =>
      engine.send(tableName, { method: 'createEntity', args: [entityOfItem(entity, item)] }),
    // Azure Tables does not store null, for example.
    stored: (design, entity, item) => itemOfEntity(outline(design), entityOfItem(entity, item)),
    contents: async (_, tableName) => {
      const held = new Map<string, Item>();
      for await (const page of engine.table(tableName).listEntities(AS_STORED).byPage())
        for (const entity of page as Entity[]) {
          // The service sets these; no write can restore them.
          const { etag: _, timestamp: __, ...rest } = entity as Entity & Item;
          held.set(JSON.stringify([entity.partitionKey, entity.rowKey]), rest);
        }
      return held;
    },
    restore: (tableName, held) => engine.send(tableName, { method: 'upsertEntity', args: [held as Entity, 'Replace'] }),
    remove: (_, tableName, held) => {
      const { partitionKey, rowKey } = held as Entity;
      return engine.send(tableName, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: ANY }] });
    },
  };
}

/** The items in the output of any read. */
function itemsIn({ Item: item, Items: items = [], Responses: batch = {} }: Item): readonly Item[] {
  return [item ?? [], items, Object.values(batch as object)].flat(2) as readonly Item[];
}
