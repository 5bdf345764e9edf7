import { createHash } from 'node:crypto';
import type { SystemDesign } from '../../design/system';
import { writeWhole } from '../../files/write';
import { listCall } from '../calls';
import type { RawEntity } from '../edm';
import type { AzureEngine } from '../engine/azure-tables';
import { propertiesIn } from '../entity';
import type { EntityLine, Header, StoredEntity, Trailer } from './file';
import { patiently, type RetryOptions } from './retry';

export interface ExportOptions extends RetryOptions {
  /** Called after every page. @default - nothing is called */
  readonly progress?: (table: string, entities: number) => void;
}

/**
 * Writes all tables of an Azure system to a file, page by page. The file gets its name only when it is whole. Tables are read
 * one after the other: what is written in the meantime may or may not be in the file.
 */
export async function exportTables(
  engine: Pick<AzureEngine, 'send'>,
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
    const tables = Object.keys(system.tables);
    const header: Header = {
      tablewright: 'export',
      version: 1,
      system: system.name,
      exportedAt: new Date().toISOString(),
      tables,
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

async function* pagesOf(
  engine: Pick<AzureEngine, 'send'>,
  table: string,
  retry: RetryOptions,
): AsyncIterable<readonly StoredEntity[]> {
  let continuationToken: string | undefined;
  do {
    const page = { maxPageSize: 1000, ...(continuationToken === undefined ? {} : { continuationToken }) };
    const output = await patiently(retry, () => engine.send(table, listCall({}, page)));
    yield (output.entities ?? []).map(storedOf);
    continuationToken = output.continuationToken;
  } while (continuationToken !== undefined);
}

/** Leaves out what the service adds: an import gets a new ETag and a new Timestamp. */
function storedOf(raw: RawEntity): StoredEntity {
  const stored: Record<string, StoredEntity[string]> = {
    PartitionKey: raw.partitionKey as string,
    RowKey: raw.rowKey as string,
  };
  for (const [name, property] of propertiesIn(raw)) {
    const { type, value } = property as { type: string; value: string };
    stored[name] = type === 'String' ? value : (property as StoredEntity[string]);
  }
  return stored;
}
