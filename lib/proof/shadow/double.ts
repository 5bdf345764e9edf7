import { isMultiAttribute } from '../../blueprint/outline';
import type { Engine } from '../../dynamodb/engine/engine';
import type { CommandName } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import {
  AWS_TABLE_TYPES,
  type ProvisionedTable,
  readKey,
  type TemplateJson,
  tablesIn,
} from '../../dynamodb/template/tables';
import type { Item } from '../../items/item';
import { DeploymentRefused, type TableResource, type TableUpdate, updateOf } from './update';
import { type Violator, violationOf } from './violators';

/** How long DynamoDB fills an index, and how long TTL must stay as it is after a change, in seconds of the double's own clock. */
export const SECONDS = { backfill: 300, ttl: 3600 } as const;

/**
 * Stands in for DynamoDB and CloudFormation, as strict as they are: it refuses what an embedded engine lets pass. The engine
 * stores and reads the items; time passes only when `pass` is called.
 */
export interface Double {
  readonly send: Send;
  /** Deploys a template over what is deployed; throws, and changes nothing, if CloudFormation or DynamoDB would refuse it. */
  deploy(template: TemplateJson): Promise<void>;
  /** Lets seconds pass. */
  pass(seconds: number): void;
  /** What is not finished yet, in words: an index being filled, TTL being switched. */
  pending(): readonly string[];
  /** The tables as they are, by logical id. */
  tables(): ReadonlyMap<string, DoubleTable>;
  /** The items that have a key of an index but cannot be in it. */
  violators(): Promise<readonly Violator[]>;
  scan(tableName: string): AsyncIterable<Item>;
  /** Removes every table that was made here. */
  end(): Promise<void>;
}

export interface DoubleTable {
  readonly tableName: string;
  readonly resource: TableResource;
  /** The attribute that TTL is on for, whatever the template says. */
  readonly ttl?: string;
}

interface State extends DoubleTable {
  resource: TableResource;
  ttl?: string;
  /** When TTL was changed last. */
  ttlAt: number;
  readonly table: ProvisionedTable;
  /** When each index that is being filled will be ready. */
  readonly filling: Map<string, number>;
}

/**
 * @param lacksMultiAttributeKeys whether the engine does not serve index keys of several attributes: then the engine never gets
 * such an index, and no proof reads it, but the double treats it like any other
 */
export function strictDouble(engine: Engine, lacksMultiAttributeKeys = false): Double {
  const deployed = new Map<string, State>();
  /** Tables that a deployment retained, with their items, and that belong to no stack. */
  const orphans: string[] = [];
  let now = 0;
  const given = (resource: TableResource) => (lacksMultiAttributeKeys ? withoutMultiAttributeKeys(resource) : resource);
  const named = (tableName: unknown) => [...deployed.values()].find((state) => state.tableName === tableName);

  async function create(logicalId: string, resource: TableResource): Promise<void> {
    const [tableName] = await engine.provision({ Resources: { [logicalId]: given(resource) } });
    const hasTtl = resource.Properties?.TimeToLiveSpecification?.Enabled === true;
    deployed.set(
      logicalId,
      stateOf(logicalId, resource, { tableName: tableName as string, ...(hasTtl && { at: now }) }),
    );
  }

  async function remove(logicalId: string): Promise<void> {
    const { tableName, resource } = deployed.get(logicalId) as State;
    deployed.delete(logicalId);
    if (String(resource.DeletionPolicy).startsWith('Retain')) orphans.push(tableName);
    else await engine.drop(tableName);
  }

  async function update(logicalId: string, resource: TableResource, change: TableUpdate): Promise<void> {
    const state = deployed.get(logicalId) as State;
    if (change.kind === 'replace') {
      await create(`${logicalId} `, resource);
      await remove(logicalId);
      deployed.set(logicalId, deployed.get(`${logicalId} `) as State);
      deployed.delete(`${logicalId} `);
      return;
    }
    const TableName = state.tableName;
    const next = stateOf(logicalId, resource, { ...state, at: state.ttlAt });
    const { AttributeDefinitions } = given(resource).Properties ?? {};
    const isGiven = (table: TableResource, index: string) =>
      given(table).Properties?.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === index) === true;
    const alterIndex = (indexUpdate: object) =>
      engine.alter({ table: { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [indexUpdate] } });
    if (change.create !== undefined) {
      const { IndexName, KeySchema, Projection } = change.create;
      if (isGiven(resource, IndexName)) await alterIndex({ Create: { IndexName, KeySchema, Projection } });
      next.filling.set(IndexName, now + SECONDS.backfill);
    }
    if (change.remove !== undefined && isGiven(state.resource, change.remove))
      await alterIndex({ Delete: { IndexName: change.remove } });
    if (change.stream !== undefined) {
      const StreamViewType = change.stream ?? undefined;
      const StreamSpecification = { StreamEnabled: change.stream !== null, StreamViewType };
      await engine.alter({ table: { TableName, StreamSpecification } });
    }
    const ttl = ttlAfter(state, resource);
    if (ttl !== state.ttl) {
      const AttributeName = ttl ?? state.ttl;
      await engine.alter({
        ttl: { TableName, TimeToLiveSpecification: { AttributeName, Enabled: ttl !== undefined } },
      });
      next.ttlAt = now;
    }
    deployed.set(logicalId, { ...next, ...(ttl === undefined ? { ttl: undefined } : { ttl }) });
  }

  /** Refuses what depends on the clock: an index is being filled, or TTL was changed less than an hour ago. */
  function refuseByClock(logicalId: string, resource: TableResource, change: TableUpdate): void {
    const state = deployed.get(logicalId) as State;
    const filling = fillingIn(state, now);
    const touched = change.kind === 'replace' ? undefined : (change.create?.IndexName ?? change.remove);
    if (filling.length > 0 && touched !== undefined) {
      throw new DeploymentRefused(
        logicalId,
        `index ${touched} cannot be created or deleted while ${filling[0]} is CREATING`,
      );
    }
    const ttl = ttlAfter(state, resource);
    if (ttl === state.ttl) return;
    if (ttl !== undefined && state.ttl !== undefined) {
      throw new DeploymentRefused(logicalId, `TTL is active on ${state.ttl}, and cannot be on ${ttl} before it is off`);
    }
    if (now - state.ttlAt < SECONDS.ttl) {
      throw new DeploymentRefused(logicalId, 'TTL was changed less than an hour ago');
    }
  }

  const guarded = guardOf(engine.send, named, () => now);

  return {
    send: guarded,
    async deploy(template) {
      const resources = Object.entries(template.Resources ?? {}).filter(([, { Type }]) =>
        AWS_TABLE_TYPES.includes(Type),
      );
      const changes = resources.flatMap(([logicalId, resource]) => {
        const state = deployed.get(logicalId);
        return state === undefined
          ? []
          : [{ logicalId, resource, change: updateOf(logicalId, state.resource, resource) }];
      });
      for (const { logicalId, resource, change } of changes) refuseByClock(logicalId, resource, change);
      const gone = [...deployed.keys()].filter((id) => !resources.some(([logicalId]) => logicalId === id));
      for (const id of gone) refuseProtected(id, deployed.get(id) as State);
      for (const [logicalId, resource] of resources) if (!deployed.has(logicalId)) await create(logicalId, resource);
      for (const { logicalId, resource, change } of changes) await update(logicalId, resource, change);
      for (const id of gone) await remove(id);
    },
    pass: (seconds) => {
      now += seconds;
    },
    pending: () =>
      [...deployed.values()].flatMap((state) => [
        ...fillingIn(state, now).map((index) => `index ${index} of ${state.tableName} is CREATING`),
        ...(now - state.ttlAt < SECONDS.ttl
          ? [`TTL of ${state.tableName} is ${state.ttl === undefined ? 'DISABLING' : 'ENABLING'}`]
          : []),
      ]),
    tables: () => deployed,
    async violators() {
      const found: Violator[] = [];
      for (const { tableName, table } of deployed.values()) {
        for await (const item of engine.scan(tableName)) found.push(...violationsOf(table, item));
      }
      return found;
    },
    scan: (tableName) => engine.scan(tableName),
    async end() {
      for (const tableName of [...[...deployed.values()].map((state) => state.tableName), ...orphans]) {
        await engine.drop(tableName);
      }
      deployed.clear();
    },
  };
}

/** A table without the indexes whose keys have several attributes, and without the attribute types that only these need. */
function withoutMultiAttributeKeys(resource: TableResource): TableResource {
  const { GlobalSecondaryIndexes = [], AttributeDefinitions = [], ...rest } = resource.Properties ?? {};
  const kept = GlobalSecondaryIndexes.filter(({ KeySchema }) => !isMultiAttribute(readKey(KeySchema)));
  const keyed = [rest, ...kept, ...(rest.LocalSecondaryIndexes ?? [])].flatMap(({ KeySchema = [] }) => KeySchema);
  const names = keyed.map(({ AttributeName }) => AttributeName);
  return {
    ...resource,
    Properties: {
      ...rest,
      AttributeDefinitions: AttributeDefinitions.filter(({ AttributeName }) => names.includes(AttributeName)),
      ...(kept.length === 0 ? {} : { GlobalSecondaryIndexes: kept }),
    },
  };
}

function stateOf(
  logicalId: string,
  resource: TableResource,
  { tableName, at, filling = new Map() }: { tableName: string; at?: number; filling?: State['filling'] },
): State {
  const [table] = tablesIn({ Resources: { [logicalId]: resource } }) as [ProvisionedTable];
  const ttlAt = at ?? Number.NEGATIVE_INFINITY;
  return { tableName, resource, table, filling: new Map(filling), ttlAt, ...(table.ttl && { ttl: table.ttl }) };
}

/** The attribute that TTL is on for after a deployment; a template without TTL leaves it as it is. */
function ttlAfter({ ttl }: State, { Properties = {} }: TableResource): string | undefined {
  const spec = Properties.TimeToLiveSpecification;
  if (spec === undefined) return ttl;
  if (spec.Enabled === true) return spec.AttributeName;
  return spec.AttributeName === ttl ? undefined : ttl;
}

function fillingIn({ filling }: State, now: number): readonly string[] {
  return [...filling].filter(([, until]) => until > now).map(([index]) => index);
}

function refuseProtected(logicalId: string, { table, resource }: State): void {
  if (!table.deletionProtection || String(resource.DeletionPolicy).startsWith('Retain')) return;
  throw new DeploymentRefused(logicalId, 'it is protected, and cannot be deleted');
}

function violationsOf({ indexes }: ProvisionedTable, item: Item): readonly Violator[] {
  return indexes.flatMap((index) => {
    const why = violationOf(index, item);
    return why === undefined ? [] : [{ index: index.name, item, why }];
  });
}

/** Refuses what DynamoDB refuses: reads of an index that is being filled, and writes of items that an index cannot hold. */
function guardOf(send: Send, named: (table: unknown) => State | undefined, clock: () => number): Send {
  const refuse = (message: string) => Object.assign(new Error(message), { name: 'ValidationException' });
  const check = (state: State | undefined, item: Item | undefined) => {
    const [found] = state === undefined || item === undefined ? [] : violationsOf(state.table, item);
    if (found !== undefined)
      throw refuse(`One or more parameter values were invalid: index ${found.index}: ${found.why}`);
  };
  const read = async ({ TableName, Key }: Item) =>
    (await send('Get', { TableName, Key, ConsistentRead: true })).Item as Item | undefined;
  return async (command: CommandName, input: Item) => {
    if (command === 'Query' || command === 'Scan') {
      const state = named(input.TableName);
      const { IndexName } = input as { IndexName?: string };
      if (state === undefined || IndexName === undefined) return send(command, input);
      if ((state.filling.get(IndexName) ?? 0) > clock()) {
        throw refuse(`Cannot read from backfilling global secondary index: ${IndexName}`);
      }
      const output = await send(command, input);
      const index = state.table.indexes.find(({ name }) => name === IndexName);
      // The engine lets them into the index; DynamoDB does not.
      const there = ((output.Items ?? []) as Item[]).filter((item) => index && violationOf(index, item) === undefined);
      return { ...output, Items: there, Count: there.length };
    }
    const writes = writesIn(command, input);
    for (const { Item: item, TableName } of writes) check(named(TableName), item as Item | undefined);
    const updates = writes.filter(
      (write) => write.UpdateExpression !== undefined && named(write.TableName)?.table.indexes.length,
    );
    const before = await Promise.all(updates.map(read));
    const output = await send(command, input);
    const after = await Promise.all(updates.map(read));
    for (const [i, { TableName }] of updates.entries()) {
      try {
        check(named(TableName), after[i]);
      } catch (error) {
        await undo(send, updates, before);
        throw error;
      }
    }
    return output;
  };
}

/** Every single write of a request. */
function writesIn(command: CommandName, input: Item): readonly Item[] {
  if (command === 'Put' || command === 'Update') return [input];
  if (command === 'TransactWrite')
    return (input.TransactItems as Item[]).flatMap((item) => Object.values(item) as Item[]);
  if (command !== 'BatchWrite') return [];
  return Object.entries(input.RequestItems as Record<string, Item[]>).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest }) => ({ TableName, Item: (PutRequest as Item | undefined)?.Item })),
  );
}

async function undo(send: Send, updates: readonly Item[], before: readonly (Item | undefined)[]): Promise<void> {
  for (const [i, { TableName, Key }] of updates.entries()) {
    const was = before[i];
    if (was === undefined) await send('Delete', { TableName, Key });
    else await send('Put', { TableName, Item: was });
  }
}
