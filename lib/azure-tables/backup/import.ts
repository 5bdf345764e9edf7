import { AZURE_TABLES } from '../../blueprint/clouds';
import type { SystemDesign } from '../../design/system';
import type { RetryOptions } from '../../items/retry';
import { type BatchAction, listCall } from '../calls';
import type { Entity } from '../edm';
import type { AzureDatabase } from '../engine/database';
import { marked } from '../engine/names';
import { makeWhole } from '../equivalents/protocol/restore';
import { textLiteral } from '../filter';
import { entitiesIn, type Header, type StoredEntity, type Trailer, verified } from './file';
import { patiently } from './retry';

export interface ImportOptions extends RetryOptions {
  /**
   * How to treat existing entities: 'empty' fails if there are any, 'resume' keeps them, and 'overwrite' replaces them.
   * @default 'empty'
   */
  readonly into?: 'empty' | 'resume' | 'overwrite';
  /**
   * The design of a DynamoDB system; the import rebuilds its indexes.
   * @default - the file comes from a system designed for Azure
   */
  readonly system?: SystemDesign | undefined;
  /** Called after every batch. @default - the import reports no progress */
  readonly progress?: (done: number, total: number) => void;
}

export interface Imported {
  readonly header: Header;
  readonly trailer: Trailer;
  /** The number of entities that the import wrote. */
  readonly written: number;
  /** The number of existing entities that the import kept. */
  readonly kept: number;
}

/** Thrown if the tables are missing or not empty, or if the design does not match the file. */
export class TargetError extends Error {
  public override readonly name = 'TargetError';
}

type Target = Pick<AzureDatabase, 'send' | 'tables' | 'name'>;

/**
 * The maximum number of batches in flight. Many batches are small, because each covers a single partition, so they run
 * concurrently.
 */
const AT_ONCE = 8;

/** Verifies the whole exported file, and then restores its entities. */
export async function importTables(
  engine: Target,
  file: string,
  { into = 'empty', progress, system, ...retry }: ImportOptions = {},
): Promise<Imported> {
  const { header, trailer } = await verified(file);
  assertDesign(header, system);
  await assertTarget(engine, header, into, retry);
  const total = Object.values(trailer.entities).reduce((sum, count) => sum + count, 0);
  let [written, kept] = [0, 0];
  const underway = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const { table, entities } of batchesIn(file)) {
    const batch = patiently(retry, () => write(engine, table, entities, into))
      .then((count) => {
        written += count;
        kept += entities.length - count;
        progress?.(written + kept, total);
      })
      .catch((error) => failures.push(error))
      .then(() => void underway.delete(batch));
    underway.add(batch);
    if (underway.size >= AT_ONCE) await Promise.race(underway);
    if (failures.length > 0) break;
  }
  await Promise.all(underway);
  if (failures.length > 0) throw interrupted(failures[0] as Error, written + kept, total);
  if (system !== undefined) await makeWhole(system, engine.send, Date.parse(header.exportedAt));
  return { header, trailer, written, kept };
}

/** Refuses to restore the items of a DynamoDB system without its design, or with a different design. */
function assertDesign({ system: name, designedFor }: Header, system: SystemDesign | undefined): void {
  if (designedFor === undefined && system === undefined) return;
  if (designedFor !== undefined && system?.name === name) return;
  const got = system === undefined ? 'no design' : `the design of '${system.name}'`;
  const fix =
    designedFor === undefined ? 'leave out the system' : `pass the system '${name}' or its file, and --on azure`;
  throw new TargetError(`the file contains the items of '${name}', but the import was given ${got}; ${fix}`);
}

function interrupted(error: Error & Refusal, done: number, total: number): Error {
  const reason = error.message.split('\n')[0];
  return new Error(`the import stopped after ${done} of ${total} entities (${reason}); ${adviceFor(error)}`, {
    cause: error,
  });
}

/** The fields that identify an error from the service. */
interface Refusal {
  readonly statusCode?: number;
  readonly code?: string;
}

/** Says what to do next. Resuming helps only if the same request can succeed later. */
function adviceFor({ statusCode, code }: Refusal): string {
  if (code === 'InvalidDuplicateRow')
    return 'the file contains a duplicate entity, so importing it again would fail: export again, and import the new file with --overwrite';
  if (statusCode === 409)
    return 'another program is writing the same entities: stop it, then import with --overwrite to restore the entities from the file';
  if (statusCode === 400)
    return 'the service rejects an entity in the file, and would reject it again: export again, and import the new file with --overwrite';
  return 'import the same file with --resume to continue';
}

async function assertTarget(
  engine: Target,
  { tables }: Header,
  into: ImportOptions['into'],
  retry: RetryOptions,
): Promise<void> {
  const names = await patiently(retry, () => engine.tables());
  const there = new Set(names.map((table) => table.toLowerCase()));
  const missing = tables.filter((table) => !there.has(table.toLowerCase()));
  if (missing.length > 0) {
    throw new TargetError(
      `these tables do not exist at ${engine.name}: ${missing.join(', ')}; create them first, with 'terraform apply'`,
    );
  }
  if (into !== 'empty') return;
  const full: string[] = [];
  for (const table of tables) {
    const call = listCall({ select: ['PartitionKey'] }, { maxPageSize: 1 });
    const { entities = [] } = await patiently(retry, () => engine.send(table, call));
    if (entities.length > 0) full.push(table);
  }
  if (full.length > 0) {
    throw new TargetError(
      `${full.join(', ')} at ${engine.name} already contain entities; import into empty tables, or pass --resume to keep existing entities, or --overwrite to replace them`,
    );
  }
}

interface Batch {
  readonly table: string;
  readonly entities: readonly Entity[];
}

/**
 * Groups consecutive entities of one partition into batches as large as the service allows, with room for the request's
 * overhead.
 */
async function* batchesIn(file: string): AsyncIterable<Batch> {
  let batch: { table: string; entities: Entity[]; bytes: number } | undefined;
  for await (const { table, entity: stored, bytes } of entitiesIn(file)) {
    const entity = entityOf(stored);
    const isFull =
      batch === undefined ||
      batch.table !== table ||
      batch.entities[0]?.partitionKey !== entity.partitionKey ||
      batch.entities.length === AZURE_TABLES.batchItems ||
      batch.bytes + bytes > AZURE_TABLES.batchBytes / 2;
    if (isFull && batch !== undefined) yield batch;
    if (isFull || batch === undefined) batch = { table, entities: [], bytes: 0 };
    batch.entities.push(entity);
    batch.bytes += bytes;
  }
  if (batch !== undefined) yield batch;
}

function entityOf({ PartitionKey, RowKey, ...properties }: StoredEntity): Entity {
  const named = Object.entries(properties).map(([name, value]) => [marked(name), value]);
  return { ...Object.fromEntries(named), partitionKey: PartitionKey as string, rowKey: RowKey as string };
}

/**
 * Writes a batch, and returns the number of entities written. Unless `into` is 'overwrite', adds only missing entities,
 * so a retry is safe.
 */
async function write(
  engine: Target,
  table: string,
  entities: readonly Entity[],
  into: ImportOptions['into'],
): Promise<number> {
  if (into === 'overwrite')
    return send(
      engine,
      table,
      entities.map((entity) => ['upsert', entity, 'Replace']),
    );
  try {
    return await send(
      engine,
      table,
      entities.map((entity) => ['create', entity]),
    );
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode !== 409) throw error;
  }
  // An interrupted run may have written some of the entities, or this run may have written them, but the response was
  // lost.
  const there = await rowsThere(engine, table, entities);
  const missing = entities.filter(({ rowKey }) => !there.has(rowKey));
  if (missing.length > 0)
    await send(
      engine,
      table,
      missing.map((entity) => ['create', entity]),
    );
  return missing.length;
}

async function send(engine: Target, table: string, actions: BatchAction[]): Promise<number> {
  await engine.send(table, { method: 'submitTransaction', args: [actions] });
  return actions.length;
}

async function rowsThere(engine: Target, table: string, entities: readonly Entity[]): Promise<ReadonlySet<string>> {
  const rows = entities.map(({ rowKey }) => rowKey);
  const [first, last] = [rows.reduce((a, b) => (a < b ? a : b)), rows.reduce((a, b) => (a > b ? a : b))];
  const filter = [
    `PartitionKey eq ${textLiteral(entities[0]?.partitionKey as string)}`,
    `RowKey ge ${textLiteral(first)}`,
    `RowKey le ${textLiteral(last)}`,
  ].join(' and ');
  const found = new Set<string>();
  let continuationToken: string | undefined;
  do {
    const page = continuationToken === undefined ? {} : { continuationToken };
    const output = await engine.send(table, listCall({ filter, select: ['RowKey'] }, page));
    for (const { rowKey } of output.entities ?? []) found.add(rowKey as string);
    continuationToken = output.continuationToken;
  } while (continuationToken !== undefined);
  return found;
}
