import { createHash } from 'node:crypto';
import { AZURE_TABLES } from '../../blueprint/clouds';
import type { TableOutline } from '../../blueprint/outline';
import { KeyError } from '../../design/template';
import type { Migration, Move } from '../../evolve';
import { EvolutionError } from '../../evolve/lock/read';
import { isForeign, isMade } from '../../evolve/migration/outcome';
import type { Act, Done, Lacking, Page, Read, Store } from '../../evolve/migration/run/store';
import { type Item, ItemError } from '../../items/item';
import { patiently } from '../backup/retry';
import { AS_STORED, type AzureCall, listCall } from '../calls';
import type { Entity, Property, RawEntity } from '../edm';
import type { AzureDatabase } from '../engine/database';
import { keysOf } from '../entity';
import { codeOf } from '../errors';
import { propertiesOf } from '../resent';
import { itemBetween, KEYS, MARK, type Mark, markIn, propertiesFor, storedIn } from './items';

export interface AzureStoreOptions {
  readonly database: Pick<AzureDatabase, 'send' | 'name'>;
  readonly migration: Pick<Migration, 'sides'>;
  /** The deployed name of each table, keyed by the table's name in the system. @default - the names in the system */
  readonly names?: Readonly<Record<string, string>>;
  /** The maximum number of entities in a page. @default 500 */
  readonly pageSize?: number;
}

const { partition: PARTITION, sort: ROW } = AZURE_TABLES.key;

const CONFLICT: Done = { kind: 'conflict', consumed: 2 };

/**
 * Reads and changes the items of a migration in Azure Tables. Every change to an existing item passes the ETag that was
 * read.
 */
export function azureStore({ database, migration, names = {}, pageSize = 500 }: AzureStoreOptions): Store {
  const nameOf = (table: string) => (Object.hasOwn(names, table) ? (names[table] as string) : table);
  const send = (table: string, call: AzureCall) =>
    patiently({}, () => database.send(nameOf(table), call)).catch((error: unknown) => {
      if (codeOf(error) !== 'TableNotFound') throw error;
      throw new EvolutionError(
        `table '${nameOf(table)}' does not exist at ${database.name}; pass the deployed name of '${table}': --table ${table}=<its name>`,
      );
    });
  const get = async (table: string, { partitionKey, rowKey }: Keys) =>
    (await send(table, { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] })).entity;
  const readOf = (table: string, raw: RawEntity): Read => {
    const { before, after } = migration.sides(table);
    return { item: itemBetween(before, after, raw), version: raw };
  };
  const afterOf = (table: string): TableOutline => {
    const { before, after } = migration.sides(table);
    return (after ?? before) as TableOutline;
  };
  const replace = (table: string, keys: Keys, properties: Record<string, Property>, etag: string) =>
    send(table, { method: 'updateEntity', args: [{ ...keys, ...properties } as Entity, 'Replace', { etag }] });

  async function update(
    table: string,
    read: Read,
    { entity, set, removed }: Extract<Act, { kind: 'update' }>,
  ): Promise<Done> {
    const raw = read.version as RawEntity;
    const properties = propertiesFor(afterOf(table), entity, set, { item: read.item, raw });
    // A merge cannot remove a property, so a change that removes a property replaces the whole entity.
    const gone = [
      ...removed,
      ...Object.keys(set).filter((name) => !KEYS.includes(name) && !Object.hasOwn(properties, name)),
    ];
    if (gone.length === 0) {
      const entityToMerge = { ...keysIn(raw), ...properties } as Entity;
      await send(table, { method: 'updateEntity', args: [entityToMerge, 'Merge', { etag: raw.etag as string }] });
    } else {
      const kept = Object.entries(storedIn(raw)).filter(([name]) => !gone.includes(name));
      await replace(table, keysIn(raw), { ...Object.fromEntries(kept), ...properties }, raw.etag as string);
    }
    return { kind: 'done', consumed: 1 };
  }

  /**
   * Moves an item by copying, verifying and deleting. If the process stops between these steps, the next run continues.
   */
  async function move(table: string, read: Read, act: Move): Promise<Done> {
    const raw = read.version as RawEntity;
    const keys = keysOf(act.item);
    const properties = propertiesFor(afterOf(act.table), act.entity, act.item, { item: read.item, raw });
    const hash = hashOf(properties);
    const mark: Mark = {
      from: [table, raw.partitionKey as string, raw.rowKey as string],
      etag: raw.etag as string,
      hash,
    };
    const copy = { ...properties, [MARK]: JSON.stringify(mark) };
    const isNew = await send(act.table, { method: 'createEntity', args: [{ ...keys, ...copy } as Entity] }).then(
      () => true,
      (error: unknown) => {
        if (statusOf(error) !== 409) throw error;
        return false;
      },
    );
    if (!isNew) {
      const there = await get(act.table, keys);
      if (there === undefined) return CONFLICT;
      const verdict = twinOf(there, mark);
      if (verdict === 'other') return refused(keys);
      if (verdict === 'stale') await replace(act.table, keys, copy, there.etag as string);
    }
    const copied = await get(act.table, keys);
    // Anything other than the copy is a conflict. A copy that a newer release has since changed still counts as the
    // copy.
    if (copied === undefined || twinOf(copied, mark) !== 'copy') return CONFLICT;
    const there = await settle(act.table, copied, mark, await get(table, keysIn(raw)));
    if (there === undefined) return CONFLICT;
    const { partitionKey, rowKey } = keysIn(raw);
    try {
      await send(table, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: raw.etag as string }] });
    } catch (error) {
      // If the original was deleted in the meantime, the copy must be deleted too.
      if (statusOf(error) === 404 && there[MARK] !== undefined && hashOf(storedIn(there)) === hash)
        await removeCopy(act.table, there);
      throw error;
    }
    await unmark(act.table, there);
    return { kind: 'done', consumed: 7 };
  }

  /**
   * Marks a verified copy as settled if the original has not changed; removes the copy if the original no longer
   * exists.
   */
  async function settle(
    table: string,
    copy: RawEntity,
    mark: Mark,
    original: RawEntity | undefined,
  ): Promise<RawEntity | undefined> {
    const found = markIn(copy);
    if (found === undefined || found.isSettled) return copy;
    if (original === undefined) await removeCopy(table, copy);
    if (original?.etag !== mark.etag) return undefined;
    const settled = { ...storedIn(copy), [MARK]: JSON.stringify({ ...mark, isSettled: true }) };
    const { etag } = await replace(table, keysIn(copy), settled, copy.etag as string);
    return { ...copy, ...settled, etag };
  }

  async function removeCopy(table: string, copy: RawEntity): Promise<void> {
    const { partitionKey, rowKey } = keysIn(copy);
    await send(table, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: copy.etag as string }] });
  }

  /** Writes an item derived from another item. On a conflict, the write fails, and the run retries it. */
  async function make({ made: { table, entity, item }, there }: Lacking): Promise<void> {
    const raw = (there?.version ?? {}) as RawEntity;
    const properties = propertiesFor(afterOf(table), entity, item, { item: there?.item ?? {}, raw });
    const whole = { ...keysOf(item), ...properties } as Entity;
    await send(
      table,
      there === undefined
        ? { method: 'createEntity', args: [whole] }
        : { method: 'updateEntity', args: [whole, 'Merge', { etag: raw.etag as string }] },
    );
  }

  /**
   * Writes the items derived from an item. Azure has no transactions across tables, so if the original was deleted in
   * the meantime, removes the derived items that this call created.
   */
  async function making(table: string, read: Read, lacking: readonly Lacking[]): Promise<boolean> {
    const raw = read.version as RawEntity;
    for (const item of lacking) await make(item);
    const now = await get(table, keysIn(raw));
    if (now?.etag === raw.etag) return true;
    for (const { made, there } of now === undefined ? lacking : []) {
      const own = there === undefined ? await get(made.table, keysOf(made.item)) : undefined;
      if (own === undefined) continue;
      const { partitionKey, rowKey } = keysIn(own);
      await send(made.table, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: own.etag as string }] });
    }
    return false;
  }

  /** Removes the mark from a finished copy without overwriting concurrent changes. */
  async function unmark(table: string, first: RawEntity): Promise<RawEntity | undefined> {
    let there: RawEntity | undefined = first;
    while (there?.[MARK] !== undefined) {
      const keys = keysIn(there);
      const isDone = await replace(table, keys, storedIn(there), there.etag as string).then(
        () => true,
        (error: unknown) => {
          if (statusOf(error) !== 412 && statusOf(error) !== 404) throw error;
          return false;
        },
      );
      there = await get(table, keys);
      if (isDone) break;
    }
    return there;
  }

  return {
    nameOf,
    async page({ table, segment }, from): Promise<Page> {
      // Azure has no parallel scan, so only segment 0 returns items.
      if (segment > 0) return { items: [], consumed: 0 };
      const page = { maxPageSize: pageSize, ...(typeof from === 'string' ? { continuationToken: from } : {}) };
      const { entities = [], continuationToken } = await send(table, listCall({}, page));
      const items = entities.map((raw) => readOf(table, raw));
      return { items, ...(continuationToken === undefined ? {} : { next: continuationToken }), consumed: 1 };
    },
    async again(table, read) {
      const raw = await get(table, keysIn(read.version as RawEntity));
      return raw === undefined ? { consumed: 1 } : { read: readOf(table, raw), consumed: 1 };
    },
    async find(table, key) {
      const raw = await get(table, keysOf(key));
      return raw === undefined ? { consumed: 1 } : { read: readOf(table, raw), consumed: 1 };
    },
    async mend(table, read) {
      const raw = read.version as RawEntity;
      const mark = markIn(raw);
      if (mark === undefined) return { read, consumed: 0 };
      const [source, partitionKey, rowKey] = mark.from;
      // If the original still exists, the run completes the copy when it reaches the original.
      if ((await get(source, { partitionKey, rowKey })) !== undefined) return { read, consumed: 1 };
      if (!mark.isSettled) {
        // The original was deleted before the copy replaced it.
        await removeCopy(table, raw).catch((error: unknown) => {
          if (statusOf(error) !== 412 && statusOf(error) !== 404) throw error;
        });
        return { consumed: 2 };
      }
      const there = await unmark(table, raw);
      return there === undefined ? { consumed: 3 } : { read: readOf(table, there), consumed: 3 };
    },
    async lacking(made) {
      const lacking: Lacking[] = [];
      for (const wanted of made) {
        const raw = await get(wanted.table, keysOf(wanted.item));
        const there = raw && readOf(wanted.table, raw);
        if (there === undefined) lacking.push({ made: wanted });
        else if (!isMade(there.item, wanted.item)) lacking.push({ made: wanted, there });
      }
      return { lacking, consumed: made.length };
    },
    async act(table, read, act, _, lacking = []) {
      const raw = read.version as RawEntity;
      const { partitionKey, rowKey } = keysIn(raw);
      const foreign = lacking.find(({ made, there }) => isForeign(afterOf(made.table), there?.item, made.item));
      if (foreign !== undefined) return refused(keysOf(foreign.made.item));
      try {
        if (lacking.length > 0 && !(await making(table, read, lacking))) return CONFLICT;
        if (act.kind === 'unchanged') return { kind: 'done', consumed: lacking.length + 1 };
        if (act.kind === 'update') return await update(table, read, act);
        if (act.kind === 'move') return await move(table, read, act);
        await send(table, { method: 'deleteEntity', args: [partitionKey, rowKey, { etag: raw.etag as string }] });
        return { kind: 'done', consumed: 1 };
      } catch (error) {
        const status = statusOf(error);
        if (status === 412 || status === 404 || status === 409) return CONFLICT;
        // An error in one entity must not stop the migration of the others.
        if (status === 400 || status === 413 || error instanceof ItemError || error instanceof KeyError)
          return { kind: 'refused', consumed: 1, why: (error as Error).message };
        throw error;
      }
    },
    estimate: async () => undefined,
    shown: (_, item: Item) => KEYS.map((name) => `${name} ${JSON.stringify(item[name])}`).join(', '),
  };
}

interface Keys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

function keysIn(raw: RawEntity): Keys {
  return { partitionKey: raw.partitionKey as string, rowKey: raw.rowKey as string };
}

function statusOf(error: unknown): number | undefined {
  return (error as { readonly statusCode?: number } | undefined)?.statusCode;
}

/** Returns a hash of the stored values. The hash does not depend on how the SDK or the service formats the values. */
function hashOf(properties: object): string {
  const entries = [...propertiesOf(properties)].filter(([name]) => name !== MARK).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/**
 * Classifies the entity at the key that an item moves to: the copy, which a newer release may have changed; a stale
 * copy of an earlier version of the item; or a different entity.
 */
function twinOf(there: RawEntity, { from, etag, hash }: Mark): 'copy' | 'stale' | 'other' {
  const now = hashOf(storedIn(there));
  if (now === hash) return 'copy';
  const mark = markIn(there);
  if (mark === undefined || JSON.stringify(mark.from) !== JSON.stringify(from)) return 'other';
  if (mark.etag === etag) return 'copy';
  return mark.hash === now ? 'stale' : 'other';
}

function refused({ partitionKey, rowKey }: Keys): Done {
  const where = `${PARTITION} ${JSON.stringify(partitionKey)}, ${ROW} ${JSON.stringify(rowKey)}`;
  return {
    kind: 'refused',
    consumed: 2,
    why: `the item should move to ${where}, but a different item is already stored there; remove one of the two items`,
  };
}
