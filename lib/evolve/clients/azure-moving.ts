import { isDeepStrictEqual } from 'node:util';
import { ANY, AS_STORED, type AzureCall, type AzureOutput } from '../../azure-tables/calls';
import { type ClientOptions, client } from '../../azure-tables/client';
import type { RawEntity } from '../../azure-tables/edm';
import { EntityChanged, EntityExists, EntityMissing } from '../../azure-tables/errors';
import { itemBetween, markIn } from '../../azure-tables/migration/items';
import { azureStore } from '../../azure-tables/migration/store';
import { type RequestOptions, requests, type Written } from '../../azure-tables/requests';
import type { Send } from '../../azure-tables/sender';
import { isRead } from '../../blueprint/accesses';
import type { PatternBlueprint, TableOutline } from '../../blueprint/outline';
import type { Item } from '../../items/item';
import { EvolutionError } from '../lock/read';
import { bring } from '../migration/run/pass';
import { type Place, sendingIn } from './azure-sending';
import { type Call, type Calls, methodsOf, reading } from './two-places';

type Requests = Readonly<Record<string, (values: object, options?: RequestOptions) => AzureCall>>;

interface Keys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** The old and the new keys of a row that a write affects. */
interface Row {
  readonly old: Keys;
  readonly next: Keys;
  /** The transaction step that writes the row. */
  readonly step?: string | undefined;
}

/**
 * The client of a table whose items move from one key, or one table, to another. No batch spans two partitions, so the
 * client copies the item, verifies the copy and deletes the original. A changed ETag, or a second read of the row,
 * reveals that another client wrote the item in the meantime.
 */
export function movingClient(
  target: TableOutline,
  former: Place,
  now: Place,
  writesOld: boolean,
  options: ClientOptions,
): Calls {
  const places = [former, { ...now, send: withoutCopies(former, now) }] as const;
  const [old, next] = places.map((place) =>
    client(place.form, place.tableName, sendingIn(place), options),
  ) as unknown as [Calls, Calls];
  const [oldRequests, nextRequests] = places.map((place) => requests(place.form, place.tableName)) as unknown as [
    Requests,
    Requests,
  ];
  const calls = target.patterns.map((pattern) => {
    const { name, design } = pattern;
    const [inOld, inNext] = [old[name] as Call, next[name] as Call];
    if (isRead(design)) return [name, reading(target, name, design, [former, now], [inOld, inNext])];
    const write = async (values: object = {}, given: RequestOptions = {}): Promise<unknown> => {
      const was = attempt(() => (oldRequests[name] as Requests[string])(values, given));
      // The old place's client rejects the invalid write as usual, so that observers see the rejection.
      if (was === undefined) return inOld(values, given as object);
      const is = attempt(() => (nextRequests[name] as Requests[string])(values, given));
      if (is === undefined) return inNext(values, given as object);
      const rows = rowsOf(pattern, was, is).filter(
        ({ old: a, next: b }) => former.tableName !== now.tableName || !isDeepStrictEqual(a, b),
      );
      const isAt = (place: Place, which: 'old' | 'next') =>
        isThere(
          place,
          rows.map((row) => row[which]),
        );
      if (rows.length === 0) return (writesOld ? inOld : inNext)(values, given as object);
      if (writesOld && !(await isAt(now, 'next'))) {
        const done = await inOld(values, given as object).catch(async (error: unknown) => {
          // Another release may have moved the item in the meantime.
          const isLate = error instanceof EntityMissing || error instanceof EntityChanged;
          if (!isLate || !(await isAt(now, 'next'))) throw error;
          return LATE;
        });
        if (done !== LATE) {
          if (!isBlind(was) || !(await isAt(now, 'next'))) return done;
          if (was.method !== 'deleteEntity') await remove(former, rows[0]?.old as Keys, done as Written);
        }
      }
      const etags = new Map<string | undefined, string>();
      for (const { old: key, next: to, step } of rows) {
        const raw = await rowAt(former, key);
        const etag = step === undefined ? given.etag : given.etags?.[step];
        if (raw === undefined) await removeOrphan(former, now, to);
        else await move(former, now, raw);
        if (raw !== undefined && etag === raw.etag) etags.set(step, await etagOfMoved(former, now, raw, to));
      }
      const done = (await inNext(values, withEtags(given, etags))) as Written;
      if (is.method !== 'createEntity' || !(await isAt(former, 'old'))) return done;
      // A release that writes the old form created the item at the same time.
      await remove(now, rows[0]?.next as Keys, done);
      throw new EntityExists(`${name}: ${former.tableName} has the item under its old key; nothing was written`);
    };
    return [name, Object.assign(write, methodsOf(writesOld ? inOld : inNext))];
  });
  return Object.fromEntries(calls);
}

const LATE = Symbol('another release moved the item');

function attempt<T>(build: () => T): T | undefined {
  try {
    return build();
  } catch {
    return undefined;
  }
}

/**
 * Whether a write at the old place would succeed even if another release had already moved the item: a put would create
 * a duplicate, and a delete would delete nothing.
 */
function isBlind(call: AzureCall): boolean {
  if (call.method === 'deleteEntity') return call.args[2].etag === ANY;
  return call.method === 'createEntity' || call.method === 'upsertEntity';
}

function rowsOf({ design }: PatternBlueprint, was: AzureCall, is: AzureCall): readonly Row[] {
  const steps = design.op === 'transaction' ? Object.keys(design.steps) : [];
  const next = keysIn(is);
  return keysIn(was).map((old, i) => ({
    old,
    next: next[i] as Keys,
    ...(steps[i] === undefined ? {} : { step: steps[i] }),
  }));
}

function keysIn(call: AzureCall): readonly Keys[] {
  const keysOf = ({ partitionKey, rowKey }: Keys): Keys => ({ partitionKey, rowKey });
  switch (call.method) {
    case 'deleteEntity':
      return [{ partitionKey: call.args[0], rowKey: call.args[1] }];
    case 'submitTransaction':
      return call.args[0].map(([, entity]) => keysOf(entity));
    case 'getEntity':
    case 'listEntities':
      return [];
    default:
      return [keysOf(call.args[0])];
  }
}

async function rowAt({ send, tableName }: Place, { partitionKey, rowKey }: Keys): Promise<RawEntity | undefined> {
  return (await send(tableName, { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] })).entity;
}

async function isThere(place: Place, keys: readonly Keys[]): Promise<boolean> {
  for (const key of keys) if ((await rowAt(place, key)) !== undefined) return true;
  return false;
}

/** Deletes the row that was just written, unless another writer has changed the row since. */
async function remove(
  { send, tableName }: Pick<Place, 'send' | 'tableName'>,
  { partitionKey, rowKey }: Keys,
  { etag }: Written,
): Promise<void> {
  if (etag === undefined) return;
  await send(tableName, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag }] }).catch((error: unknown) => {
    if (![404, 412].includes((error as { statusCode?: number }).statusCode ?? 0)) throw error;
  });
}

/** Removes an unfinished copy whose original was deleted; a mover that is still running then gives up. */
async function removeOrphan(former: Place, { send, tableName }: Place, to: Keys): Promise<void> {
  const { entity: raw } = await send(tableName, { method: 'getEntity', args: [to.partitionKey, to.rowKey, AS_STORED] });
  if (raw === undefined || !(await isUnfinished(former, raw))) return;
  await remove({ send, tableName }, to, { etag: raw.etag as string });
}

/** Whether a row is an unfinished copy, which readers ignore because the original is still valid or was deleted. */
async function isUnfinished(former: Place, raw: RawEntity): Promise<boolean> {
  const mark = markIn(raw);
  if (mark === undefined) return false;
  const [, partitionKey, rowKey] = mark.from;
  return !mark.isSettled || (await rowAt(former, { partitionKey, rowKey })) !== undefined;
}

function withEtags(given: RequestOptions, moved: ReadonlyMap<string | undefined, string>): object {
  const own = moved.get(undefined);
  const steps = [...moved].filter(([step]) => step !== undefined);
  return {
    ...given,
    ...(own === undefined ? {} : { etag: own }),
    ...(steps.length === 0 ? {} : { etags: { ...given.etags, ...Object.fromEntries(steps) } }),
  };
}

/**
 * Moves an item the way a migration does: copies the item, verifies the copy, and deletes the original unless it has
 * changed since the read.
 */
async function move({ migration, send, table, tableName }: Place, now: Place, raw: RawEntity): Promise<void> {
  const names = { [table]: tableName, [now.table]: now.tableName };
  const store = azureStore({ database: { send, name: tableName }, migration, names });
  const { before, after } = migration.sides(table);
  const failure = await bring({ store, migration }, table, { item: itemBetween(before, after, raw), version: raw });
  if (failure !== undefined)
    throw new EvolutionError(`an item of ${table} cannot be converted to the new form: ${failure}`);
}

/**
 * Returns the ETag of a moved item. If another writer has changed the item since the move, returns the ETag from before
 * the move, so that the write fails.
 */
async function etagOfMoved({ migration, table }: Place, now: Place, raw: RawEntity, to: Keys): Promise<string> {
  const [old, next] = [migration.sides(table), migration.sides(now.table)];
  const outcome = migration.outcome('fill', table, itemBetween(old.before, old.after, raw));
  const there = await rowAt(now, to);
  const isMoved =
    there !== undefined &&
    outcome.kind === 'move' &&
    isDeepStrictEqual(itemBetween(next.before, next.after, there), withoutNull(outcome.item));
  return (isMoved ? there.etag : raw.etag) as string;
}

/** An item in the form that Azure Tables stores, without null values. */
function withoutNull(item: Item): Item {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined));
}

/** Wraps `send` so that its output leaves out unfinished copies. */
function withoutCopies(former: Place, { send }: Place): Send {
  return async (name, call): Promise<AzureOutput> => {
    const { entity, entities, ...output } = await send(name, call);
    const counted: RawEntity[] = [];
    for (const raw of entities ?? []) if (!(await isUnfinished(former, raw))) counted.push(raw);
    const isCounted = entity !== undefined && !(await isUnfinished(former, entity));
    return {
      ...output,
      ...(isCounted ? { entity } : {}),
      ...(entities === undefined ? {} : { entities: counted }),
    };
  };
}
