import type { SchemaData } from '../blueprint/attributes/data';
import type { IndexDesign } from '../design/table';
import { projectionOf } from './physical';

/** A table in a NoSQL Workbench model. */
export interface WorkbenchTable {
  readonly TableName: string;
  readonly KeyAttributes: WorkbenchKey;
  readonly NonKeyAttributes?: readonly WorkbenchAttribute[];
  readonly TableFacets?: readonly Facet[];
  readonly GlobalSecondaryIndexes?: readonly {
    readonly IndexName: string;
    readonly KeyAttributes: WorkbenchKey;
    readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
  }[];
  readonly TableData?: readonly unknown[];
}

export interface WorkbenchAttribute {
  readonly AttributeName: string;
  readonly AttributeType: string;
}

interface WorkbenchKey {
  readonly PartitionKey: WorkbenchAttribute;
  readonly SortKey?: WorkbenchAttribute;
}

export interface Facet {
  readonly FacetName: string;
  readonly KeyAttributeAlias?: { readonly PartitionKeyAlias?: string; readonly SortKeyAlias?: string };
  readonly TableData?: readonly unknown[];
  readonly NonKeyAttributes?: readonly string[];
}

export function keyOf({ PartitionKey, SortKey }: WorkbenchKey): { readonly partition: string; readonly sort?: string } {
  return { partition: PartitionKey.AttributeName, ...(SortKey && { sort: SortKey.AttributeName }) };
}

export function indexOf({
  KeyAttributes,
  Projection,
}: NonNullable<WorkbenchTable['GlobalSecondaryIndexes']>[number]): IndexDesign {
  return { ...keyOf(KeyAttributes), ...projectionOf(Projection?.ProjectionType, Projection?.NonKeyAttributes) };
}

const TYPES: Readonly<Record<string, SchemaData>> = {
  S: { type: 'string' },
  N: { type: 'number' },
  B: { type: 'custom', class: 'Uint8Array' },
  BOOL: { type: 'boolean' },
  NULL: { type: 'null' },
  M: { type: 'object', shape: {}, catchall: { type: 'unknown' } },
  L: { type: 'array', element: { type: 'any' } },
  SS: { type: 'set', valueType: { type: 'string' } },
  NS: { type: 'set', valueType: { type: 'number' } },
  BS: { type: 'set', valueType: { type: 'custom', class: 'Uint8Array' } },
};

/** Returns the schema for a DynamoDB type. */
export function typeOf(type: string): SchemaData {
  return TYPES[type] ?? { type: 'any' };
}
