import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isObject } from '../design/show';
import type { IndexDesign } from '../design/table';
import { plainItem, type Stored } from '../dynamodb/attribute-values';
import { dynamoDbClient } from '../dynamodb/engine/connection';
import { type KeyProperties, readKeys } from '../dynamodb/template/tables';
import { fileProblem } from '../files/problem';
import type { Item } from '../items/item';
import { type Description, type Remark, unreadable } from './description';
import { describedItems } from './items';
import { frameOf } from './physical';

export interface LiveOptions {
  /** @default - AWS, with the SDK's default credentials and region */
  readonly endpoint?: string;
  /** The number of read units that the sample may use; the last page may exceed this limit. */
  readonly units: number;
  readonly note: (text: string) => void;
}

const SEGMENTS = 4;
const PAGE = 50;
const MOST_ITEMS = 2_000;

/**
 * Describes a live table from its definition and a sample of its items. Never writes to the table, and stops sampling
 * once it has used `units` read units.
 */
export async function fromLiveTable(name: string, { endpoint, units, note }: LiveOptions): Promise<Description> {
  const { core, client, shown } = await dynamoDbClient(endpoint);
  try {
    const { Table } = await client.send(new core.DescribeTableCommand({ TableName: name })).catch((error: Error) => {
      if (error.name !== 'ResourceNotFoundException') throw error;
      throw unreadable(`${shown} has no table '${name}', and there is no file with this name`);
    });
    const { TimeToLiveDescription: ttl } = await client.send(new core.DescribeTimeToLiveCommand({ TableName: name }));
    const items: Item[] = [];
    let used = 0;
    let complete = true;
    for (let Segment = 0; Segment < SEGMENTS; Segment++) {
      let start: Record<string, never> | undefined;
      do {
        if (used >= (units * (Segment + 1)) / SEGMENTS || items.length >= (MOST_ITEMS * (Segment + 1)) / SEGMENTS) {
          complete = false;
          break;
        }
        const page = await client.send(
          new core.ScanCommand({
            TableName: name,
            ...{ Segment, TotalSegments: SEGMENTS, Limit: PAGE, ReturnConsumedCapacity: 'TOTAL' },
            ...(start && { ExclusiveStartKey: start }),
          }),
        );
        used += page.ConsumedCapacity?.CapacityUnits ?? 0;
        items.push(...(page.Items ?? []).map((item) => plainItem(item as never)));
        start = page.LastEvaluatedKey as Record<string, never> | undefined;
      } while (start !== undefined);
    }
    note(`${name}: read ${items.length} items${complete ? ' (the whole table)' : ''} with ${used} read units`);
    const frame = frameOf(readKeys(Table as KeyProperties));
    const isOn = /^ENABL/.test(String(ttl?.TimeToLiveStatus));
    return describedItems({ name, ...frame, ...(isOn && { ttl: String(ttl?.AttributeName) }), items, complete });
  } finally {
    client.destroy();
  }
}

/**
 * Reads a folder that contains an export to S3, or a file of JSON lines.
 * @param key the key attributes, for files that do not state them
 */
export function fromItemFiles(path: string, key?: readonly string[]): Description {
  const { name, files } = filesOf(path);
  const lines = files.flatMap((file) => linesOf(file).map((line, i) => itemOf(line, `'${file}', line ${i + 1}`)));
  const items = lines.flatMap(({ item }) => (item === undefined ? [] : [item]));
  if (items.length === 0) throw unreadable(`'${path}' has no items`);
  const stated = key ?? lines.find(({ keys }) => keys !== undefined)?.keys;
  const names = stated ?? guessedKey(items);
  if (names === undefined)
    throw unreadable(
      `'${path}' does not state the table's primary key; pass the key attributes, for example: --key PK,SK`,
    );
  const missing = names.find((one) => items.some((item) => item[one] === undefined));
  if (missing !== undefined)
    throw unreadable(`'${path}' has items without '${missing}', so '${missing}' cannot be a key attribute`);
  const [partition = '', sort] = names;
  const indexes = guessedIndexes(items);
  const described = describedItems({
    ...{ name, key: { partition, ...(sort !== undefined && { sort }) }, indexes, items, complete: true },
  });
  const remarks: Remark[] = [
    ...(stated === undefined ? [guess([name, 'key'], 'the items do not show which attributes form the key')] : []),
    ...Object.keys(indexes).map((index) => guess([name, 'indexes', index], 'guessed from attribute names')),
  ];
  return { ...described, remarks: [...described.remarks, ...remarks] };
}

function guess(path: readonly string[], text: string): Remark {
  return { path, text, unsure: true };
}

/** Returns the table's name and its data files: the files of an export, or the given file itself. */
function filesOf(path: string): { readonly name: string; readonly files: readonly string[] } {
  const plain =
    basename(path)
      .replace(/\.(jsonl?|ndjson|gz)/g, '')
      .replaceAll(/[^\w.-]+/g, '-') || 'table';
  if (!statSync(path).isDirectory()) return { name: plain, files: [path] };
  const folder = exportIn(path);
  if (folder === undefined) throw unreadable(`'${path}' is not a DynamoDB export to S3: it has no manifest-files.json`);
  const manifest = linesOf(join(folder, 'manifest-files.json')).map((line) => String(JSON.parse(line).dataFileS3Key));
  const files = manifest.map((key) => join(folder, 'data', basename(key)));
  const summary = join(folder, 'manifest-summary.json');
  const arn = existsSync(summary) ? String(JSON.parse(readFileSync(summary, 'utf8')).tableArn) : '';
  return { name: /:table\/([^/]+)$/.exec(arn)?.[1] ?? plain, files };
}

/** Finds the folder of the export, at most three levels down. */
export function exportIn(folder: string, depth = 0): string | undefined {
  if (existsSync(join(folder, 'manifest-files.json'))) return folder;
  if (depth === 3) return undefined;
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of inner) {
    const found = exportIn(join(folder, name), depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function linesOf(file: string): readonly string[] {
  try {
    const bytes = readFileSync(file);
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    return text
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '');
  } catch (error) {
    throw fileProblem(error, file, 'read');
  }
}

/** Parses one line of a file in any export format; a deletion has no item. */
function itemOf(line: string, place: string): { readonly item?: Item; readonly keys?: readonly string[] } {
  let read: unknown;
  try {
    read = JSON.parse(line);
  } catch {
    throw unreadable(`${place}: not JSON; each line must contain one item, as in a DynamoDB export`);
  }
  if (!isObject(read)) throw unreadable(`${place}: not an item; each line must be an object`);
  // A full export contains `Item`, and an incremental export contains `Keys` and `NewImage`.
  const { Item: whole, Keys, NewImage } = read;
  const keys = isObject(Keys) ? { keys: Object.keys(Keys) } : {};
  const item = whole ?? NewImage ?? (Keys === undefined ? read : undefined);
  if (!isObject(item)) return keys;
  return { ...keys, item: isStored(item) ? plainItem(item) : { ...item } };
}

/** Whether every value is in DynamoDB's own format. */
export function isStored(item: Readonly<Record<string, unknown>>): item is Readonly<Record<string, Stored>> {
  return Object.values(item).every(
    (value) =>
      isObject(value) &&
      Object.keys(value).length === 1 &&
      /^(S|N|B|BOOL|NULL|M|L|SS|NS|BS)$/.test(Object.keys(value)[0] as string),
  );
}

const PARTITIONS = ['pk', 'partitionkey', 'hashkey', 'hk', '_pk'];
const SORTS = ['sk', 'sortkey', 'rangekey', 'rk', '_sk', 'rowkey'];

function guessedKey(items: readonly Item[]): readonly string[] | undefined {
  const always = Object.keys(items[0] ?? {}).filter((name) => items.every((item) => item[name] !== undefined));
  const partition = always.find((name) => PARTITIONS.includes(name.toLowerCase()));
  const sort = always.find((name) => SORTS.includes(name.toLowerCase()));
  return partition === undefined ? undefined : [partition, ...(sort === undefined ? [] : [sort])];
}

function guessedIndexes(items: readonly Item[]): Readonly<Record<string, IndexDesign>> {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const indexes = names.flatMap((partition) => {
    const [, index, role] = /^(.*?(?:gsi|GSI|gs)_?\d+)_?(pk|PK)$/.exec(partition) ?? [];
    if (index === undefined || role === undefined) return [];
    const sort = names.find((name) => name.toLowerCase() === partition.toLowerCase().replace(/pk$/, 'sk'));
    return [[index.replace(/_$/, ''), { partition, ...(sort !== undefined && { sort }) }] as const];
  });
  return Object.fromEntries(indexes);
}
