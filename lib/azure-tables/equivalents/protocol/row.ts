import type { EntityOutline } from '../../../blueprint/outline';
import { type Item, ItemError } from '../../../items/item';
import type { Entity, RawEntity } from '../../edm';
import { refuseTooLarge } from '../../entity';
import { columnsFor, itemIn, valueIn } from './values';

/** The state of a row: it represents an item, a deleted item, or an item that a transaction is about to create. */
export type State = 'item' | 'gone' | 'new';

/** The columns that the protocol adds to the rows. */
export const COLUMN = { state: '_state', version: '_version', lock: '_lock', outbox: '_outbox' } as const;

/** The keys of a row. */
export interface RowKeys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** A stale index or mirror row: the name of its Azure table, and its keys. */
export type Target = readonly [table: string, partitionKey: string, rowKey: string];

/** A row as it was read. */
export interface Row extends RowKeys {
  readonly etag: string;
  readonly state: State;
  readonly version: number;
  /** The id of the transaction that is about to change the row, or an empty string. */
  readonly lock: string;
  readonly outbox: readonly Target[];
  /** The item; undefined for a tombstone or a placeholder. */
  readonly item: Item | undefined;
  /** The time at which the service wrote the row, in milliseconds. */
  readonly writtenAt: number;
}

export function rowIn(raw: RawEntity): Row {
  const at = (name: string) => valueIn(raw[name]);
  const state = (at(COLUMN.state) ?? 'item') as State;
  return {
    partitionKey: raw.partitionKey as string,
    rowKey: raw.rowKey as string,
    etag: raw.etag as string,
    state,
    version: Number(at(COLUMN.version) ?? 0),
    lock: (at(COLUMN.lock) ?? '') as string,
    outbox: JSON.parse((at(COLUMN.outbox) as string | undefined) || '[]') as readonly Target[],
    item: state === 'item' ? itemIn(raw) : undefined,
    writtenAt: Date.parse(String(valueIn(raw.timestamp ?? raw.Timestamp) ?? '')),
  };
}

/** The new content of a row. */
export interface Content {
  readonly version: number;
  /** @default - the item is deleted */
  readonly item?: Item | undefined;
  readonly entity?: EntityOutline | undefined;
  readonly outbox?: readonly Target[];
}

/** The maximum length of an outbox; the keys of twenty indexes usually take less. */
const OUTBOX_LENGTH = 30_000;

/** The entity for a row with this content and no lock; throws if Azure Tables would reject the entity. */
export function entityFor({ partitionKey, rowKey }: RowKeys, { version, item, entity, outbox = [] }: Content): Entity {
  const pending = outbox.length === 0 ? '' : JSON.stringify(outbox);
  if (pending.length > OUTBOX_LENGTH)
    throw new ItemError(
      `${entity?.name ?? 'item'}: the keys of its index rows take ${pending.length} characters in total, but are limited to ${OUTBOX_LENGTH}; shorten the keys`,
    );
  const made: Entity = {
    partitionKey,
    rowKey,
    ...(item === undefined ? {} : columnsFor(entity, item)),
    [COLUMN.state]: item === undefined ? 'gone' : 'item',
    [COLUMN.version]: { type: 'Int64', value: String(version) },
    [COLUMN.lock]: '',
    [COLUMN.outbox]: pending,
  };
  refuseTooLarge(entity?.name ?? 'item', made);
  return made;
}

/** A placeholder row for an item that a transaction has yet to create. */
export function placeholder({ partitionKey, rowKey }: RowKeys, lock: string): Entity {
  const version = { type: 'Int64', value: '0' } as const;
  return { partitionKey, rowKey, [COLUMN.state]: 'new', [COLUMN.version]: version, [COLUMN.lock]: lock };
}
