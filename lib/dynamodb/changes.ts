import { type EntityOutline, keyOf, outline, type TableOutline } from '../blueprint/outline';
import type { Item as EntityItem } from '../design/infer';
import { nearest } from '../design/names';
import { isObject, show } from '../design/show';
import type { TableDesign } from '../design/table';
import { assertTable } from '../items/given';
import { entityOf, type Item, ItemError, readItem, showKey } from '../items/item';
import type { UnknownPolicy } from '../items/result';
import { plainItem, type Stored } from './attribute-values';

/** The details of a change that a handler receives in addition to the items. */
export interface Change {
  /**
   * The ID of the event. A redelivered event has the same ID, so a handler can skip events that it has already handled.
   */
  readonly id?: string;
  /**
   * The position of the change among all changes to the item, as a string of digits. A later change has a longer string
   * or, if the lengths are equal, a string that sorts later lexicographically.
   */
  readonly sequence?: string;
  /** Whether TTL removed the item. */
  readonly expired: boolean;
  /** The approximate time of the change, in seconds since 1970. */
  readonly at?: number;
  /** The stream record itself. */
  readonly record: StreamRecord;
}

type Handled<T> = (item: T, change: Change) => unknown;

/** The handlers for changes to items of one entity. */
export interface EntityChanges<T> {
  readonly inserted?: Handled<T>;
  readonly modified?: (item: T, before: T, change: Change) => unknown;
  readonly removed?: Handled<T>;
}

/** Handlers, keyed by entity. Changes to entities without handlers are ignored. */
export type ChangeHandlers<D extends TableDesign> = {
  readonly [E in keyof D['entities']]?: EntityChanges<EntityItem<D, E>>;
};

export interface ChangeOptions {
  /**
   * How to handle a record whose entity is unknown or whose item does not fit the design. A function receives the item
   * and the error; `'throw'` makes the record fail, so that Lambda redelivers it.
   * @default - logs a warning and continues with the next record
   */
  readonly onUnknown?: UnknownPolicy;
  /** Called with the error that made a record fail. @default - console.error logs it */
  readonly onFailure?: (error: unknown, record: StreamRecord) => void;
}

/** A record of a table's stream, as a Lambda receives it. */
export interface StreamRecord {
  readonly eventID?: string | undefined;
  readonly eventName?: string | undefined;
  readonly userIdentity?: { readonly type?: string | undefined; readonly principalId?: string | undefined } | undefined;
  readonly dynamodb?:
    | {
        readonly ApproximateCreationDateTime?: number | undefined;
        readonly SequenceNumber?: string | undefined;
        readonly Keys?: Readonly<Record<string, object>> | undefined;
        readonly NewImage?: Readonly<Record<string, object>> | undefined;
        readonly OldImage?: Readonly<Record<string, object>> | undefined;
      }
    | undefined;
}

/**
 * The handler's response to Lambda: with `reportBatchItemFailures`, Lambda redelivers only the failed record and the
 * records after it.
 */
export interface StreamResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/**
 * Creates a Lambda handler that passes the changes in a table's stream to the handlers of each entity. The handler
 * processes one record after another and stops at the first failure; Lambda redelivers the failed record and all later
 * records.
 */
export function changes<D extends TableDesign>(
  design: D,
  handlers: ChangeHandlers<D>,
  { onUnknown = warn, onFailure = log }: ChangeOptions = {},
): (event: { readonly Records: readonly StreamRecord[] }) => Promise<StreamResponse> {
  assertTable(design, 'changes');
  const table = outline(design);
  const known = table.entities.map(({ name }) => name);
  for (const name of Object.keys(handlers).filter((entity) => !known.includes(entity))) {
    const meant = nearest(name, known);
    throw new Error(
      `'${name}' is not an entity of '${design.name}'; ${meant === undefined ? `use one of ${known.join(', ')}` : `write ${meant}`}`,
    );
  }
  const byEntity = handlers as Readonly<Record<string, EntityChanges<Item> | undefined>>;
  return async (event) => {
    const { Records } = event ?? {};
    if (!Array.isArray(Records)) {
      throw new ItemError(`changes to '${design.name}': the event has no Records; pass a DynamoDB stream event`);
    }
    const odd = Records.findIndex((record) => !isObject(record));
    if (odd !== -1) {
      const got = `record ${odd + 1} of ${Records.length} must be an object, got: ${show(Records[odd])}`;
      throw new ItemError(`changes to '${design.name}': ${got}; pass a DynamoDB stream event`);
    }
    for (const record of Records as readonly StreamRecord[]) {
      try {
        await handle(table, byEntity, record, onUnknown);
      } catch (error) {
        onFailure(error, record);
        return { batchItemFailures: [{ itemIdentifier: record.dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  };
}

async function handle(
  table: TableOutline,
  handlers: Readonly<Record<string, EntityChanges<Item> | undefined>>,
  record: StreamRecord,
  policy: UnknownPolicy,
): Promise<void> {
  const { eventID: id, userIdentity, dynamodb = {} } = record;
  const { ApproximateCreationDateTime: at, SequenceNumber: sequence } = dynamodb;
  const expired = userIdentity?.type === 'Service' && userIdentity.principalId === 'dynamodb.amazonaws.com';
  const change: Change = { ...(id && { id }), ...(sequence && { sequence }), expired, ...(at && { at }), record };
  const images = { now: imageOf(dynamodb.NewImage), before: imageOf(dynamodb.OldImage) };
  let now: Known | undefined;
  let before: Known | undefined;
  try {
    assertImages(table, record, images);
    now = images.now && read(table, handlers, images.now);
    before = images.before && read(table, handlers, images.before);
  } catch (error) {
    if (!(error instanceof ItemError) || policy === 'throw') throw error;
    policy(images.now ?? images.before ?? imageOf(dynamodb.Keys) ?? {}, error);
    return;
  }
  if (now !== undefined && now.entity === before?.entity) {
    await handlers[now.entity.name]?.modified?.(now.item(), before.item(), change);
    return;
  }
  // A write that turns an item into a different entity is handled as a removal and an insertion.
  if (before !== undefined) await handlers[before.entity.name]?.removed?.(before.item(), change);
  if (now !== undefined) await handlers[now.entity.name]?.inserted?.(now.item(), change);
}

interface Known {
  readonly entity: EntityOutline;
  item(): Item;
}

/** Identifies an item's entity by the item's type or keys. Validates the item only if the entity has a handler. */
function read(table: TableOutline, handlers: Readonly<Record<string, unknown>>, image: Item): Known {
  const entity = entityOf(table, image, table.entities);
  if (entity === undefined) throw new ItemError(`the item ${showKey(table, image)} is unknown to the design`);
  const item = Object.hasOwn(handlers, entity.name) ? readItem(table, entity, image) : {};
  return { entity, item: () => item };
}

/** Refuses records from a stream that omits old or new images, because handlers receive the whole old and new items. */
function assertImages(table: TableOutline, { eventName, dynamodb }: StreamRecord, images: Images): void {
  const isWhole =
    (eventName === 'INSERT' || images.before !== undefined) && (eventName === 'REMOVE' || images.now !== undefined);
  if (isWhole) return;
  const keys = imageOf(dynamodb?.Keys) ?? {};
  const at = keyOf(table.key).some(({ name }) => keys[name] === undefined) ? 'a record' : showKey(table, keys);
  throw new ItemError(`${at}: the stream lacks whole items; set its view type to NEW_AND_OLD_IMAGES`);
}

interface Images {
  readonly now: Item | undefined;
  readonly before: Item | undefined;
}

function imageOf(stored: Readonly<Record<string, object>> | undefined): Item | undefined {
  return stored && plainItem(stored as Readonly<Record<string, Stored>>);
}

function warn(_: Item, reason: ItemError): void {
  console.warn(`skipped a change: ${reason.message}`);
}

function log(error: unknown): void {
  console.error(error);
}
