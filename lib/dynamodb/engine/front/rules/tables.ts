import { type Index, type IndexInput, indexOf, namesOf, streamOf, type Table, typesOf } from '../catalogue';
import { invalid, invalidParameter, Refusal } from '../refusal';
import { type Body, hasDuplicates } from '../values';

const MOST_PROJECTED = 100;

/**
 * Durations in milliseconds, on the front's clock: the time that the engine takes to fill an index, and the minimum
 * time between two changes to TTL.
 */
export const DURATION = { index: 30, ttl: 3_600_000 } as const;

/** Refuses indexes whose projections DynamoDB would refuse. */
export function checkProjections(indexes: readonly IndexInput[], already = 0): void {
  let total = already;
  for (const { Projection: { ProjectionType, NonKeyAttributes } = {} } of indexes) {
    if (NonKeyAttributes === undefined || NonKeyAttributes === null) {
      if (ProjectionType === 'INCLUDE')
        throw invalidParameter('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
      continue;
    }
    if (ProjectionType !== 'INCLUDE')
      throw invalidParameter(`ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`);
    if (NonKeyAttributes.length === 0) throw invalidParameter('NonKeyAttributes must not be empty');
    if (hasDuplicates(NonKeyAttributes)) throw invalidParameter('NonKeyAttributes contains duplicates');
    total += NonKeyAttributes.length;
  }
  if (total > MOST_PROJECTED)
    throw invalidParameter(
      `Total number of projected attributes across all indexes cannot exceed ${MOST_PROJECTED}; found ${total}`,
    );
}

export function projectedCount(table: Table): number {
  return [...table.indexes.values()].reduce(
    (count, { projected, key }) =>
      count + (projected === undefined ? 0 : projected.size - new Set([...namesOf(table.key), ...namesOf(key)]).size),
    0,
  );
}

/**
 * Returns the table after an UpdateTable request. Refuses a second index change while another is in progress, a changed
 * attribute type, and a second stream.
 */
export function updatedTable(table: Table, input: Body, now: number): Table {
  const changes = (input.GlobalSecondaryIndexUpdates ?? []) as readonly {
    readonly Create?: IndexInput;
    readonly Delete?: { readonly IndexName: string };
  }[];
  const structural = changes.filter((change) => change.Create !== undefined || change.Delete !== undefined);
  const isBusy = [...table.indexes.values()].some(({ busyUntil }) => busyUntil > now);
  if (structural.length > 1 || (structural.length === 1 && isBusy))
    throw new Refusal(
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    );
  const types = new Map(table.types);
  for (const [name, type] of typesOf(input)) {
    const known = types.get(name) ?? type;
    if (known !== type)
      throw invalidParameter(
        `Attribute ${name} cannot be redefined with a different type. Existing type: ${known}, provided type: ${type}`,
      );
    types.set(name, type);
  }
  const indexes = new Map<string, Index>(Array.from(table.indexes).filter(([, { isLeaving }]) => !isLeaving || isBusy));
  for (const { Create, Delete } of structural) {
    if (Create !== undefined) {
      checkProjections([Create], projectedCount(table));
      indexes.set(Create.IndexName, indexOf(Create, false, table.key, types, now + DURATION.index));
    }
    const gone = Delete === undefined ? undefined : indexes.get(Delete.IndexName);
    if (gone !== undefined) indexes.set(gone.name, { ...gone, busyUntil: now + DURATION.index, isLeaving: true });
  }
  const { stream, ...rest } = table;
  const wanted = input.StreamSpecification === undefined ? (stream ? { stream } : {}) : streamOf(input);
  if (stream !== undefined && wanted.stream !== undefined && input.StreamSpecification !== undefined)
    throw invalid(`Table already has an enabled stream: TableName: ${table.name}`);
  return { ...rest, types, indexes, ...wanted };
}

/**
 * Returns the table after an UpdateTimeToLive request. Refuses to switch TTL to a different attribute while TTL is on,
 * and refuses a second change within an hour.
 */
export function updatedTtl(table: Table, { TimeToLiveSpecification }: Body, now: number): Table {
  const { AttributeName: attribute, Enabled: isOn } = TimeToLiveSpecification as {
    AttributeName: string;
    Enabled: boolean;
  };
  const { ttl } = table;
  if ((ttl?.isOn ?? false) === isOn) {
    if (!isOn) throw invalid('TimeToLive is already disabled');
    if (ttl?.attribute === attribute) throw invalid('TimeToLive is already enabled');
    throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${ttl?.attribute}`);
  }
  if (ttl?.isOn && ttl.attribute !== attribute)
    throw invalid(`TimeToLive is active on a different AttributeName: current AttributeName is ${ttl.attribute}`);
  if (ttl !== undefined && now - ttl.changedAt < DURATION.ttl)
    throw invalid('Time to live has been modified multiple times within a fixed interval');
  return { ...table, ttl: { attribute, isOn, changedAt: now } };
}

/**
 * Returns a table's description, with the status that DynamoDB would report for an index that is being filled or
 * removed.
 */
export function describedTable(description: Body, { indexes }: Table, now: number): Body {
  const busy = [...indexes.values()].filter(({ busyUntil }) => busyUntil > now);
  if (busy.length === 0) return description;
  const listed = (description.GlobalSecondaryIndexes ?? []) as readonly Body[];
  const leaving = busy.filter(({ isLeaving }) => isLeaving);
  return {
    ...description,
    TableStatus: 'UPDATING',
    GlobalSecondaryIndexes: [
      ...listed.map((index) =>
        busy.some(({ name }) => name === index.IndexName)
          ? { ...index, IndexStatus: 'CREATING', Backfilling: true }
          : index,
      ),
      ...leaving.map(({ name }) => ({ IndexName: name, IndexStatus: 'DELETING' })),
    ],
  };
}

/** Refuses a read of an index that the engine is still filling or removing. */
export function checkReadable(index: Index | undefined, now: number): void {
  if (index === undefined || index.busyUntil <= now) return;
  throw index.isLeaving
    ? invalid(`The table does not have the specified index: ${index.name}`)
    : invalid(`Cannot read from backfilling global secondary index: ${index.name}`);
}
