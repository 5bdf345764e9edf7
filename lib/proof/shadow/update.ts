import { isDeepStrictEqual } from 'node:util';
import type { TableProperties, TemplateJson } from '../../dynamodb/template/tables';

/** A table as a template defines it. */
export type TableResource = NonNullable<TemplateJson['Resources']>[string];

/** A stack of tables that deployments create, change and delete in a database. */
export interface Stack<Template> {
  /** Deploys a template as an update; throws and changes nothing if the cloud would refuse the update. */
  deploy(template: Template): Promise<void>;
  has(tableName: string): boolean;
  /** Removes every table that the deployments created. */
  end(): Promise<void>;
}

/** Thrown if CloudFormation or DynamoDB would refuse a deployment. Such a deployment changes nothing. */
export class DeploymentRefused extends Error {
  public override readonly name = 'DeploymentRefused';

  public constructor(
    public readonly table: string,
    reason: string,
  ) {
    super(`table ${table}: ${reason}`);
  }
}

type Index = NonNullable<TableProperties['GlobalSecondaryIndexes']>[number];
type TypedIndex = Index & { readonly types: readonly unknown[] };

/** The changes that a deployment makes to a deployed table. */
export type TableUpdate =
  | { readonly kind: 'replace'; readonly because: string }
  | {
      readonly kind: 'update';
      readonly create?: Index;
      readonly remove?: string;
      readonly stream?: string | null;
    };

/**
 * Returns the changes that a template makes to a table. Throws if the cloud would always refuse these changes. Does not
 * check limits that depend on time.
 */
export function updateOf(logicalId: string, before: TableResource, after: TableResource): TableUpdate {
  const refuse = (reason: string) => new DeploymentRefused(logicalId, reason);
  const [was, is] = [before.Properties ?? {}, after.Properties ?? {}];
  if (before.Type !== after.Type) {
    throw refuse(`CloudFormation cannot change the type of a resource (from ${before.Type} to ${after.Type})`);
  }
  const replaced = replacement(was, is);
  if (replaced !== undefined) {
    if (was.TableName !== undefined && isDeepStrictEqual(was.TableName, is.TableName)) {
      throw refuse(`${replaced}: CloudFormation cannot replace a table that keeps its name (${String(was.TableName)})`);
    }
    return { kind: 'replace', because: replaced };
  }
  const [old, now] = [indexesOf(was), indexesOf(is)];
  for (const [name, index] of now) {
    const known = old.get(name);
    if (known !== undefined && !isSameIndex(known, index)) {
      throw refuse(
        `index ${name}: DynamoDB cannot update its key or projection; create an index with a different name`,
      );
    }
  }
  const created = [...now.keys()].filter((name) => !old.has(name));
  const removed = [...old.keys()].filter((name) => !now.has(name));
  const touched = [...created, ...removed];
  if (touched.length > 1) {
    throw refuse(`more than one index is created or deleted in a single update (${touched.join(', ')})`);
  }
  const regions = changedRegions(was, is);
  if (regions.length > 1) throw refuse(`more than one replica is changed in a single update (${regions.join(', ')})`);
  if (regions.length + touched.length > 1) {
    throw refuse(`a replica (${regions[0]}) and an index (${touched[0]}) are changed in a single update`);
  }
  const [view, next] = [viewOf(was), viewOf(is)];
  if (view !== undefined && next !== undefined && view !== next) {
    throw refuse(`the stream view type is ${view}, and cannot become ${next} until the stream is switched off`);
  }
  return {
    kind: 'update',
    ...(created[0] === undefined ? {} : { create: now.get(created[0]) as Index }),
    ...(removed[0] === undefined ? {} : { remove: removed[0] }),
    ...(view === next ? {} : { stream: next ?? null }),
  };
}

/** The reason why a deployment replaces a table; undefined if the table stays. */
function replacement(was: TableProperties, is: TableProperties): string | undefined {
  if (!isDeepStrictEqual(was.TableName, is.TableName)) return 'its name changes';
  if (!isDeepStrictEqual(was.KeySchema, is.KeySchema)) return 'its key changes';
  if (!isDeepStrictEqual(was.LocalSecondaryIndexes ?? [], is.LocalSecondaryIndexes ?? []))
    return 'its local indexes change';
  const retyped = (was.KeySchema ?? []).find(
    ({ AttributeName }) => typeIn(was, AttributeName) !== typeIn(is, AttributeName),
  );
  return retyped && `the type of its key attribute '${retyped.AttributeName}' changes`;
}

function typeIn({ AttributeDefinitions = [] }: TableProperties, name: string): string | undefined {
  return AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
}

function indexesOf(properties: TableProperties): ReadonlyMap<string, TypedIndex> {
  // A key attribute with a different type is treated as a different key.
  const typed = (index: Index) => ({
    ...index,
    types: index.KeySchema.map(({ AttributeName }) => typeIn(properties, AttributeName)),
  });
  return new Map((properties.GlobalSecondaryIndexes ?? []).map((index) => [index.IndexName, typed(index)]));
}

function isSameIndex(a: TypedIndex, b: TypedIndex): boolean {
  const fixed = ({ KeySchema, Projection, types }: TypedIndex) => ({
    KeySchema,
    types,
    projection: [Projection?.ProjectionType, [...(Projection?.NonKeyAttributes ?? [])].sort()],
  });
  return isDeepStrictEqual(fixed(a), fixed(b));
}

function changedRegions(was: TableProperties, is: TableProperties): readonly string[] {
  const [old, now] = [regionsOf(was), regionsOf(is)];
  return [...now.filter((region) => !old.includes(region)), ...old.filter((region) => !now.includes(region))];
}

function regionsOf({ Replicas = [] }: TableProperties): readonly string[] {
  return Replicas.map(({ Region }) => (typeof Region === 'string' ? Region : JSON.stringify(Region)));
}

function viewOf({ StreamSpecification }: TableProperties): string | undefined {
  return (StreamSpecification as { readonly StreamViewType?: string } | undefined)?.StreamViewType;
}
