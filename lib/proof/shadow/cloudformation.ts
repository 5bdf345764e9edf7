import type { TableChange } from '../../dynamodb/engine/database';
import { type TemplateJson, tableResources, tablesIn } from '../../dynamodb/template/tables';
import type { StrictDatabase } from './strict';
import { DeploymentRefused, type Stack, type TableResource, type TableUpdate, updateOf } from './update';

interface Deployed {
  readonly tableName: string;
  readonly resource: TableResource;
}

/**
 * The tables of a CloudFormation stack. Each deployment updates the previously deployed tables, and is as strict as
 * CloudFormation.
 */
export interface CloudFormationStack extends Stack<TemplateJson> {
  /** The currently deployed tables, by logical id. */
  tables(): ReadonlyMap<string, Deployed>;
}

export function cloudFormation(database: StrictDatabase): CloudFormationStack {
  const deployed = new Map<string, Deployed>();
  /** Tables that a deployment removed from the stack but retained with their items. */
  const orphans: string[] = [];

  async function create(logicalId: string, resource: TableResource): Promise<void> {
    const [tableName] = await database.provision({ Resources: { [logicalId]: resource } });
    deployed.set(logicalId, { tableName: tableName as string, resource });
  }

  async function discard({ tableName, resource }: Deployed): Promise<void> {
    if (isRetained(resource)) orphans.push(tableName);
    else await database.drop(tableName);
  }

  return {
    async deploy(template) {
      const resources = tableResources(template);
      const updates = resources.flatMap(([logicalId, resource]) => {
        const before = deployed.get(logicalId);
        if (before === undefined) return [];
        const update = updateOf(logicalId, before.resource, resource);
        const changes = update.kind === 'replace' ? undefined : changesOf(database, before.tableName, resource, update);
        return [{ logicalId, before, resource, changes }];
      });
      for (const { logicalId, changes = [] } of updates) {
        const why = changes.map(database.refusalOf).find((refusal) => refusal !== undefined);
        if (why !== undefined) throw new DeploymentRefused(logicalId, why);
      }
      const gone = [...deployed].filter(([id]) => !resources.some(([logicalId]) => logicalId === id));
      for (const [id, { resource }] of gone) refuseProtected(id, resource);
      for (const [logicalId, resource] of resources) if (!deployed.has(logicalId)) await create(logicalId, resource);
      for (const { logicalId, before, resource, changes } of updates) {
        for (const change of changes ?? []) await database.alter(change);
        if (changes !== undefined) deployed.set(logicalId, { ...before, resource });
        else {
          await create(logicalId, resource);
          await discard(before);
        }
      }
      for (const [id, table] of gone) {
        deployed.delete(id);
        await discard(table);
      }
    },
    has: (name) => [...deployed.values()].some(({ tableName }) => tableName === name),
    tables: () => deployed,
    async end() {
      for (const tableName of [...[...deployed.values()].map((table) => table.tableName), ...orphans])
        await database.drop(tableName);
      deployed.clear();
    },
  };
}

/** The requests to DynamoDB that change a table. */
function changesOf(
  database: StrictDatabase,
  TableName: string,
  { Properties = {} }: TableResource,
  { create, remove, stream }: Extract<TableUpdate, { readonly kind: 'update' }>,
): readonly TableChange[] {
  const changes: TableChange[] = [];
  const { AttributeDefinitions: types = [], TimeToLiveSpecification: spec } = Properties;
  if (create !== undefined) {
    const { IndexName, KeySchema, Projection } = create;
    const GlobalSecondaryIndexUpdates = [{ Create: { IndexName, KeySchema, Projection } }];
    const names = KeySchema.map(({ AttributeName }) => AttributeName);
    const AttributeDefinitions = types.filter(({ AttributeName }) => names.includes(AttributeName));
    changes.push({ table: { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates } });
  }
  if (remove !== undefined)
    changes.push({ table: { TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: remove } }] } });
  if (stream !== undefined) {
    const StreamSpecification = { StreamEnabled: stream !== null, StreamViewType: stream ?? undefined };
    changes.push({ table: { TableName, StreamSpecification } });
  }
  // TTL stays unchanged if a template has no TTL, or switches TTL off for a different attribute.
  const ttl = database.ttlOf(TableName);
  const isChanged =
    spec?.Enabled === true ? spec.AttributeName !== ttl : ttl !== undefined && spec?.AttributeName === ttl;
  if (isChanged) changes.push({ ttl: { TableName, TimeToLiveSpecification: spec } });
  return changes;
}

function isRetained({ DeletionPolicy }: TableResource): boolean {
  return String(DeletionPolicy).startsWith('Retain');
}

function refuseProtected(logicalId: string, resource: TableResource): void {
  const [table] = tablesIn({ Resources: { [logicalId]: resource } });
  if (table?.deletionProtection && !isRetained(resource))
    throw new DeploymentRefused(logicalId, 'deletion protection is enabled, so the table cannot be deleted');
}
