import type { Access } from '../blueprint/accesses';
import { entitiesNamed, type TableOutline } from '../blueprint/outline';
import type { ScanPattern } from '../design/pattern';
import { readCursor } from '../items/cursor';
import { type Item, ItemError } from '../items/item';
import { addFilter, applyOptions, type Builder, cursorKeys, fetches, type ReadOptions, WHOLE } from './read';

/** The options for one call of a scan. */
export interface ScanOptions extends Omit<ReadOptions, 'order'> {
  /** The segment that this call reads, counted from 0; requires `segments`. @default - the call reads all segments */
  readonly segment?: number | undefined;
  /** The number of segments into which the scan is split, so that callers can read them in parallel. @default - one */
  readonly segments?: number | undefined;
  /**
   * The capacity units per second that `.all()`, `.pages()`, `.first()` and `.count()` may use, across all segments. If
   * a page uses more, the next page waits.
   * @default - no limit
   */
  readonly unitsPerSecond?: number | undefined;
}

export function scanBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  { returns, index: IndexName, filter, pageSize, consistent }: ScanPattern,
  { key }: Access,
): Builder {
  if (key === undefined) throw new ItemError(`${name} can never work: run the check, which says why`);
  const entities = entitiesNamed(table, returns);
  const index = table.indexes.find(({ name }) => name === IndexName);
  const isFetched = index !== undefined && fetches(table, index, entities);
  return (parameters, options = {}) => {
    const input: Item = { TableName: tableName };
    if (IndexName !== undefined) input.IndexName = IndexName;
    if (isFetched) input.Select = WHOLE;
    if (pageSize !== undefined) input.Limit = pageSize;
    if (consistent) input.ConsistentRead = true;
    if (filter !== undefined) {
      const values: Item = {};
      input.ExpressionAttributeValues = values;
      addFilter(input, filter, entities, parameters);
      // A filter that contains only tests such as `exists` has no values, and DynamoDB refuses an empty map.
      if (Object.keys(values).length === 0) delete input.ExpressionAttributeValues;
    }
    if (options.order !== undefined) throw new ItemError(`${name}: a scan has no order; leave 'order' out, or query`);
    applyOptions(input, name, options, index);
    applySegment(input, name, options as ScanOptions);
    applyPace(input, name, options as ScanOptions);
    if (options.cursor !== undefined)
      input.ExclusiveStartKey = readCursor(name, cursorKeys(table, { key }), options.cursor);
    return input;
  };
}

/** The maximum number of segments of a scan. */
const SEGMENTS = 1_000_000;

function applySegment(input: Item, name: string, { segment, segments }: ScanOptions): void {
  if (segment === undefined && segments === undefined) return;
  if (!isWhole(segments, 1, SEGMENTS) || !isWhole(segment, 0, segments - 1)) {
    const got = `segment ${JSON.stringify(segment)} of ${JSON.stringify(segments)}`;
    throw new ItemError(
      `${name}: segments must be a whole number from 1 to ${SEGMENTS}, and segment from 0 to segments - 1, got: ${got}`,
    );
  }
  input.Segment = segment;
  input.TotalSegments = segments;
}

/** Asks DynamoDB to report the capacity that each page consumes, which determines how long the next page must wait. */
function applyPace(input: Item, name: string, { unitsPerSecond }: ScanOptions): void {
  if (unitsPerSecond === undefined) return;
  if (!Number.isFinite(unitsPerSecond) || unitsPerSecond <= 0) {
    const got = JSON.stringify(unitsPerSecond);
    throw new ItemError(`${name}: unitsPerSecond must be a number greater than 0, such as 25, got: ${got}`);
  }
  input.ReturnConsumedCapacity = 'TOTAL';
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
}
