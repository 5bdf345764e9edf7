import { createHash } from 'node:crypto';
import type { SystemDesign } from '../../design/system';
import { writeWhole } from '../../files/write';
import type { RetryOptions } from '../../items/retry';
import { listCall } from '../calls';
import type { RawEntity } from '../edm';
import type { AzureDatabase } from '../engine/database';
import { unmarked } from '../engine/names';
import { propertiesIn } from '../entity';
import { azureTables, transactionsTable } from '../equivalents/tables';
import { type EntityLine, type Header, isProperty, type StoredEntity, type Trailer } from './file';
import { patiently } from './retry';

export interface ExportOptions extends RetryOptions {
  /** Called after every page. @default - the export reports no progress */
  readonly progress?: (table: string, entities: number) => void;
}

/**
 * Writes all tables of a system on Azure to a file, page by page. The file gets its final name only once it is
 * complete. The export reads one table after another, so it may miss concurrent writes. For a DynamoDB system, the file
 * contains either all writes of a multi-partition transaction or none of them.
 */
export async function exportTables(
  engine: Pick<AzureDatabase, 'send'>,
  system: SystemDesign,
  file: string,
  { progress, ...retry }: ExportOptions = {},
): Promise<Trailer> {
  return writeWhole(file, async (append) => {
    const hash = createHash('sha256');
    const write = (text: string) => {
      hash.update(text);
      return append(text);
    };
    const tables = exportedTables(system);
    const header: Header = {
      tablewright: 'export',
      version: 1,
      system: system.name,
      exportedAt: new Date().toISOString(),
      tables,
      ...(system.cloud === 'aws' && { designedFor: system.cloud }),
    };
    await write(`${JSON.stringify(header)}\n`);
    const entities: [table: string, count: number][] = [];
    for (const table of tables) {
      let count = 0;
      for await (const page of pagesOf(engine, table, retry)) {
        await write(page.map((entity) => `${JSON.stringify({ table, entity } satisfies EntityLine)}\n`).join(''));
        count += page.length;
        progress?.(table, count);
      }
      entities.push([table, count]);
    }
    const trailer: Trailer = { entities: Object.fromEntries(entities), sha256: hash.digest('hex') };
    await append(`${JSON.stringify(trailer)}\n`);
    return trailer;
  });
}

/**
 * Returns the tables to export. For a DynamoDB system, the export leaves out indexes, and reads the transaction records
 * last, because the records contain the rows of every transaction that commits during the export.
 */
function exportedTables(system: SystemDesign): readonly string[] {
  if (system.cloud === 'azure') return Object.keys(system.tables);
  const own = azureTables(system).filter(({ index, isMirror }) => index === undefined && !isMirror);
  return [...own.map(({ name }) => name), transactionsTable(system)];
}

async function* pagesOf(
  engine: Pick<AzureDatabase, 'send'>,
  table: string,
  retry: RetryOptions,
): AsyncIterable<readonly StoredEntity[]> {
  let continuationToken: string | undefined;
  do {
    const page = { maxPageSize: 1000, ...(continuationToken === undefined ? {} : { continuationToken }) };
    const output = await patiently(retry, () => engine.send(table, listCall({}, page)));
    yield (output.entities ?? []).map((raw) => storedOf(table, raw));
    continuationToken = output.continuationToken;
  } while (continuationToken !== undefined);
}

/** Leaves out the ETag and the Timestamp, which the service recreates on import. */
function storedOf(table: string, raw: RawEntity): StoredEntity {
  const { partitionKey: PartitionKey, rowKey: RowKey } = raw as { partitionKey: string; rowKey: string };
  const properties = propertiesIn(raw).map(([name, property]): [string, StoredEntity[string]] => {
    if (!isProperty(property)) throw unrestorable(`property '${unmarked(name)}'`, table, PartitionKey, RowKey);
    return [unmarked(name), typeof property !== 'string' && property.type === 'String' ? property.value : property];
  });
  // Unlike assignment, `fromEntries` keeps every property name, even `__proto__`.
  const stored = Object.fromEntries([['PartitionKey', PartitionKey], ['RowKey', RowKey], ...properties]);
  if (Object.keys(stored).length !== properties.length + 2)
    throw unrestorable('a property name', table, PartitionKey, RowKey);
  return stored;
}

function unrestorable(what: string, table: string, partition: string, row: string): Error {
  const place = `the entity with PartitionKey ${JSON.stringify(partition)} and RowKey ${JSON.stringify(row)}`;
  return new Error(
    `${table}: ${what} of ${place} cannot be exported without loss; nothing was exported. Change or delete it, and export again`,
  );
}
