import type { Body } from './values';

export interface KeyAttribute {
  readonly name: string;
  readonly type: string;
}

/** The key of a table or an index; an index can have several partition attributes and several sort attributes. */
export interface Key {
  readonly partition: readonly KeyAttribute[];
  readonly sort: readonly KeyAttribute[];
}

export interface Index {
  readonly name: string;
  readonly isLocal: boolean;
  readonly key: Key;
  /** The attributes that the index projects, keys included; undefined if the index projects all attributes. */
  readonly projected?: ReadonlySet<string>;
  /** The time, on the front's clock, at which the engine finishes filling or removing the index. */
  readonly busyUntil: number;
  readonly isLeaving: boolean;
}

/** What the front knows about a table, from the requests that created and changed it. */
export interface Table {
  readonly name: string;
  readonly key: Key;
  readonly indexes: ReadonlyMap<string, Index>;
  readonly types: ReadonlyMap<string, string>;
  readonly ttl?: { readonly attribute: string; readonly isOn: boolean; readonly changedAt: number };
  readonly stream?: string;
}

export type IndexInput = {
  readonly IndexName: string;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
};

/** Returns the table that a CreateTable input describes. */
export function tableOf(input: Body): Table {
  const types = typesOf(input);
  const key = keyOf(input.KeySchema as IndexInput['KeySchema'], types);
  const local = (input.LocalSecondaryIndexes ?? []) as readonly IndexInput[];
  const global = (input.GlobalSecondaryIndexes ?? []) as readonly IndexInput[];
  return {
    name: input.TableName as string,
    key,
    types,
    indexes: new Map([
      ...local.map((index) => [index.IndexName, indexOf(index, true, key, types, 0)] as const),
      ...global.map((index) => [index.IndexName, indexOf(index, false, key, types, 0)] as const),
    ]),
    ...streamOf(input),
  };
}

/** Reads a table's TTL from the output of DescribeTimeToLive, which does not report when TTL last changed. */
export function ttlOf({ TimeToLiveStatus, AttributeName }: Body): Pick<Table, 'ttl'> {
  if (typeof AttributeName !== 'string') return {};
  return { ttl: { attribute: AttributeName, isOn: TimeToLiveStatus === 'ENABLED', changedAt: 0 } };
}

export function streamOf({ StreamSpecification }: Body): { stream?: string } {
  const { StreamEnabled, StreamViewType } = (StreamSpecification ?? {}) as Body;
  return StreamEnabled === true ? { stream: String(StreamViewType) } : {};
}

export function typesOf({ AttributeDefinitions = [] }: Body): ReadonlyMap<string, string> {
  const definitions = AttributeDefinitions as readonly { AttributeName: string; AttributeType: string }[];
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]));
}

export function indexOf(
  { IndexName, KeySchema, Projection = {} }: IndexInput,
  isLocal: boolean,
  tableKey: Key,
  types: Table['types'],
  busyUntil: number,
): Index {
  const key = keyOf(KeySchema, types);
  const { ProjectionType = 'ALL', NonKeyAttributes = [] } = Projection;
  return {
    name: IndexName,
    isLocal,
    key,
    ...(ProjectionType === 'ALL'
      ? {}
      : { projected: new Set([...namesOf(tableKey), ...namesOf(key), ...NonKeyAttributes]) }),
    busyUntil,
    isLeaving: false,
  };
}

export function namesOf({ partition, sort }: Key): readonly string[] {
  return [...partition, ...sort].map(({ name }) => name);
}

function keyOf(schema: IndexInput['KeySchema'], types: Table['types']): Key {
  const of = (kind: string) =>
    schema
      .filter(({ KeyType }) => KeyType === kind)
      .map(({ AttributeName: name }) => ({ name, type: types.get(name) ?? 'S' }));
  return { partition: of('HASH'), sort: of('RANGE') };
}
