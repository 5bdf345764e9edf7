import { type EntityOutline, keyOf, outline, type TableOutline } from '../blueprint/outline';
import type { Item as EntityItem } from '../design/infer';
import { nearest } from '../design/names';
import { isObject, show } from '../design/show';
import type { TableDesign } from '../design/table';
import { assertTable } from '../items/given';
import { entityOf, type Item, ItemError, readItem, showKey } from '../items/item';
import type { UnknownPolicy } from '../items/result';
import { plainItem, type Stored } from './attribute-values';

/** What is known about a change besides the items. */
export interface Change {
  /** The ID of the event. A retry has the same ID, so that a handler can skip what it has already done. */
  readonly id?: string;
  /** The position in the order of changes to one item: a later change has more digits, or is greater as text. */
  readonly sequence?: string;
  /** Whether the item was removed because it expired. */
  readonly expired: boolean;
  /** Roughly when the change happened, in seconds since 1970. */
  readonly at?: number;
  /** The record in the stream. */
  readonly record: StreamRecord;
}

type Handled<T> = (item: T, change: Change) => unknown;

/** The handlers for changes to items of one entity. */
export interface EntityChanges<T> {
  readonly inserted?: Handled<T>;
  readonly modified?: (item: T, before: T, change: Change) => unknown;
  readonly removed?: Handled<T>;
}

/** Handlers by entity; changes to other entities are ignored. */
export type ChangeHandlers<D extends TableDesign> = {
  readonly [E in keyof D['entities']]?: EntityChanges<EntityItem<D, E>>;
};

export interface ChangeOptions {
  /**
   * What happens to a record that the design does not know, or whose items do not fit it: a function receives it, or
   * `'throw'` makes it fail, so that Lambda retries it. @default - a warning, and the handler continues with the next
   * record
   */
  readonly onUnknown?: UnknownPolicy;
  /** Called with the reason why a record failed. @default - console.error logs it */
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
 * The response of a Lambda, which keeps Lambda from redelivering records already handled (`reportBatchItemFailures`).
 */
export interface StreamResponse {
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/**
 * The handler of a Lambda that follows a table's stream, entity by entity. It handles one record after the other, and stops at
 * the first failure: Lambda redelivers that record and the ones after it.
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
      throw new ItemError(
        `changes of '${design.name}': the event has no list of Records; let a DynamoDB stream call it`,
      );
    }
    const odd = Records.findIndex((record) => !isObject(record));
    if (odd !== -1) {
      const got = `record ${odd + 1} of ${Records.length} must be an object, got: ${show(Records[odd])}`;
      throw new ItemError(`changes of '${design.name}': ${got}; let a DynamoDB stream call it`);
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
  // If the entity changed, one item was removed and another was inserted.
  if (before !== undefined) await handlers[before.entity.name]?.removed?.(before.item(), change);
  if (now !== undefined) await handlers[now.entity.name]?.inserted?.(now.item(), change);
}

interface Known {
  readonly entity: EntityOutline;
  item(): Item;
}

/** An item and its entity, known by its type or its keys; validated only if there is a handler for it. */
function read(table: TableOutline, handlers: Readonly<Record<string, unknown>>, image: Item): Known {
  const entity = entityOf(table, image, table.entities);
  if (entity === undefined) throw new ItemError(`the item ${showKey(table, image)} is unknown to the design`);
  const item = Object.hasOwn(handlers, entity.name) ? readItem(table, entity, image) : {};
  return { entity, item: () => item };
}

/** Refuses a stream with only keys or only new images, because handlers get whole items. */
function assertImages(table: TableOutline, { eventName, dynamodb }: StreamRecord, images: Images): void {
  const isWhole =
    (eventName === 'INSERT' || images.before !== undefined) && (eventName === 'REMOVE' || images.now !== undefined);
  if (isWhole) return;
  const keys = imageOf(dynamodb?.Keys) ?? {};
  const at = keyOf(table.key).some(({ name }) => keys[name] === undefined) ? 'a record' : showKey(table, keys);
  throw new ItemError(`${at}: the stream does not hold the whole item; set it to new and old images`);
}

interface Images {
  readonly now: Item | undefined;
  readonly before: Item | undefined;
}

function imageOf(stored: Readonly<Record<string, object>> | undefined): Item | undefined {
  return stored && plainItem(stored as Readonly<Record<string, Stored>>);
}

function warn(_: Item, reason: ItemError): void {
  console.warn(`a change was skipped: ${reason.message}`);
}

function log(error: unknown): void {
  console.error(error);
}
