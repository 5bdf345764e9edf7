import { isLegible } from '../legible';
import { AWS_TABLE_TYPES, type TemplateJson, type TemplateTable, tablesIn } from '../tables';

/** A synthesized stack of the app under review. */
export interface ReviewedStack {
  readonly path: string;
  readonly template: LooseTemplate;
  /**
   * The construct that created each table, keyed by the table's logical id.
   * @default - the CDK construct for the table's resource type
   */
  readonly makers?: ReadonlyMap<string, Maker>;
}

/** The constructs for which there are fixes. */
export type Maker = 'DesignedTable' | 'TableV2' | 'Table' | 'CfnGlobalTable' | 'CfnTable';

/** A template whose content has not been checked. */
export interface LooseTemplate {
  readonly Resources?: Readonly<Record<string, LooseResource>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value?: unknown; readonly Export?: { readonly Name?: unknown } }>
  >;
}

export interface LooseResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface ReviewOptions {
  /**
   * The key that a table must be encrypted with.
   * @default 'kms' - a KMS key that AWS or the customer manages
   */
  readonly encryption?: 'kms' | 'customer-managed';
}

/** A table, together with the whole app, because other stacks may protect or scale the table. */
export interface TableUnderReview {
  readonly logicalId: string;
  readonly isGlobal: boolean;
  readonly resource: LooseResource;
  readonly properties: TableProperties;
  /** The settings of the table; undefined if they are known only at deployment. */
  readonly table?: TemplateTable;
  readonly maker: Maker;
  readonly stack: ReviewedStack;
  readonly app: readonly ReviewedStack[];
  readonly options: ReviewOptions;
}

/** A table whose settings the template spells out, so that rules can review it. */
export interface LegibleTable extends TableUnderReview {
  readonly table: TemplateTable;
}

/** The properties that rules need in addition to the fields of `TemplateTable`. */
export interface TableProperties {
  readonly TableName?: unknown;
  readonly KeySchema?: readonly KeyElement[];
  readonly AttributeDefinitions?: readonly { readonly AttributeName: string; readonly AttributeType: string }[];
  readonly GlobalSecondaryIndexes?: readonly IndexProperties[];
  readonly LocalSecondaryIndexes?: readonly IndexProperties[];
  readonly StreamSpecification?: { readonly StreamViewType?: string };
  readonly MultiRegionConsistency?: unknown;
  readonly Replicas?: readonly ReplicaProperties[];
  readonly Tags?: readonly Tag[];
}

interface ReplicaProperties {
  readonly Tags?: readonly Tag[];
  readonly ReadProvisionedThroughputSettings?: { readonly ReadCapacityAutoScalingSettings?: unknown };
}

export interface Tag {
  readonly Key: string;
  readonly Value: unknown;
}

export interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: string;
}

export interface IndexProperties {
  readonly IndexName: string;
  readonly KeySchema?: readonly KeyElement[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

/** Every table of an app, including tables that rules cannot review. */
export function tablesUnderReview(app: readonly ReviewedStack[], options: ReviewOptions): readonly TableUnderReview[] {
  return app.flatMap((stack) =>
    Object.entries(stack.template.Resources ?? {}).flatMap(([logicalId, resource]): TableUnderReview[] => {
      if (!AWS_TABLE_TYPES.includes(resource.Type)) return [];
      const isGlobal = resource.Type === AWS_TABLE_TYPES[0];
      const { Properties: properties = {} } = resource;
      const table = isLegible(properties) ? provisioned(logicalId, resource) : undefined;
      const maker = stack.makers?.get(logicalId) ?? (isGlobal ? 'TableV2' : 'Table');
      return [{ logicalId, isGlobal, maker, resource, properties, table, stack, app, options }];
    }),
  );
}

function provisioned(logicalId: string, resource: LooseResource): TemplateTable | undefined {
  return tablesIn({ Resources: { [logicalId]: resource } } as TemplateJson)[0];
}

/** All global and local indexes of a table, with their locations in the template. */
export function indexesOf({
  properties,
}: TableUnderReview): readonly (IndexProperties & { readonly location: string })[] {
  return (['GlobalSecondaryIndexes', 'LocalSecondaryIndexes'] as const).flatMap((kind) =>
    (properties[kind] ?? []).map((index, i) => ({ ...index, location: `Properties.${kind}.${i}` })),
  );
}
