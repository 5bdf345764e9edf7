import type { TableDesign } from '../design/table';
import { type IndexBlueprint, type KeyAttribute, type KeyBlueprint, keyOf, outline } from './outline';

/**
 * A table in its cloud, described as plain data that a lock can store and a plan can list. A `PhysicalTable` is derived
 * from a design, a template or the description of a deployed table, and contains only the facts that this source
 * states.
 */
export interface PhysicalTable {
  /** The name of the table in its cloud. */
  readonly name?: string;
  /** The logical id in the template. A different logical id means a different table. */
  readonly logicalId?: string;
  /** CloudFormation's type for the resource. */
  readonly type?: string;
  readonly key: KeyBlueprint;
  readonly indexes: readonly IndexBlueprint[];
  /** The attribute that holds the time when an item expires. */
  readonly ttl?: string;
  /**
   * The attribute for which TTL is switched off. A deployment must specify this attribute until TTL is switched on for
   * a different attribute.
   */
  readonly ttlOff?: string;
  /** The view type of the table's stream; null if the table has no stream. */
  readonly stream?: string | null;
  /** The regions of the table's replicas. */
  readonly replicas?: readonly string[];
  readonly billing?: 'on-demand' | 'provisioned';
  /** How many days point-in-time recovery covers in every region; 0 if it is off. */
  readonly recoveryPeriodInDays?: number;
  readonly encryption?: 'aws-owned' | 'aws-managed' | 'customer-managed';
  readonly deletionProtection?: boolean;
  /** Whether the table is retained when its stack is deleted. */
  readonly retained?: boolean;
  /** Whether the table refuses unencrypted requests, at least in its own region. */
  readonly tlsOnly?: boolean;
}

/** The tables of a system at one point in time, keyed by their names in the system. */
export type PhysicalTables = Readonly<Record<string, PhysicalTable>>;

/** Returns the physical table that a design requires. */
export function physicalTable(design: TableDesign): PhysicalTable {
  const { key, indexes, ttl } = outline(design);
  return withIndexes({ key, indexes: [], ...(ttl === undefined ? {} : { ttl }) }, indexes.map(asData));
}

/** Returns an index as data. Sorts the projected names, since their order does not matter. */
function asData({ name, partitionBy, sortBy, projection, local }: IndexBlueprint): IndexBlueprint {
  const copied = typeof projection === 'string' ? projection : [...projection].sort();
  return { name, partitionBy, sortBy, projection: copied, ...(local ? { local } : {}) };
}

/** Replaces the indexes of a table. Sorts the new indexes by name, so that two equal tables are also equal as data. */
export function withIndexes(table: PhysicalTable, indexes: readonly IndexBlueprint[]): PhysicalTable {
  return { ...table, indexes: [...indexes].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

export function indexNamed({ indexes }: Pick<PhysicalTable, 'indexes'>, name: string): IndexBlueprint | undefined {
  return indexes.find((index) => index.name === name);
}

/** Returns every attribute that is a key of the table or of an index, without duplicates. */
export function keyAttributesOf({ key, indexes }: Pick<PhysicalTable, 'key' | 'indexes'>): readonly KeyAttribute[] {
  return [...new Map([key, ...indexes].flatMap(keyOf).map((attribute) => [attribute.name, attribute])).values()];
}

/** Returns the facts about a table that a design does not state, because they come from its deployment. */
export function deploymentOf({ name, logicalId, type, replicas, stream }: PhysicalTable): Partial<PhysicalTable> {
  const known = Object.entries({ name, logicalId, type, replicas, stream });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}
