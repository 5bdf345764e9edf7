import { type Access, boundsOfRange } from '../blueprint/accesses';
import { AZURE_TABLES } from '../blueprint/clouds';
import { entitiesNamed, type KeyAttribute, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { GetPattern, QueryPattern, ScanPattern } from '../design/pattern';
import { CursorError, damaged, readCursor, writeCursor } from '../items/cursor';
import { type Item, ItemError } from '../items/item';
import { keyBuilder, keyValue } from '../items/parameters';
import { type Reader, readItems } from '../items/read';
import type { Page, UnknownPolicy } from '../items/result';
import { AS_STORED, type AzureOutput, type GetCall, type ListCall, listCall } from './calls';
import { itemOfEntity, keysOf, legalKey, readEntity } from './entity';
import { keepEtag } from './etag';
import { assertFilterable, filterTests, keyTest } from './filter';
import type { RequestOptions } from './requests';

const { partition: PARTITION, sort: ROW } = AZURE_TABLES.key;

export function getBuilder(table: TableOutline, pattern: GetPattern): (values: object) => GetCall {
  const key = keyBuilder(table, pattern.where, entitiesNamed(table, pattern.returns));
  return (values) => {
    const { partitionKey, rowKey } = keysOf(key(values));
    return { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] };
  };
}

export function queryBuilder(table: TableOutline, name: string, pattern: QueryPattern, access: Access) {
  const { partition, sort, range } = access;
  if (partition === undefined) throw new ItemError(`${name}: a query needs the partition; add ${PARTITION} to 'where'`);
  const entities = entitiesNamed(table, pattern.returns);
  const { filter = {}, pageSize } = pattern;
  assertFilterable(name, entities, filter);
  const partitionOf = keyValue(table, entities, table.key.partitionBy[0], partition[0].at);
  const bounds = boundsOfRange(range).map((bound) =>
    keyValue(table, entities, sort as KeyAttribute, bound, range.kind === 'equals' ? 'whole' : 'bound'),
  );
  const select = pattern.select && [
    ...new Set([PARTITION, ROW, ...(table.typeAttribute === undefined ? [] : [table.typeAttribute])]),
    ...pattern.select
      .filter((attribute) => !entities.every(({ design }) => design.keyOnly?.includes(attribute)))
      .map((attribute) => naming.path(entities, attribute)),
  ];
  return (parameters: object, { cursor, limit = pageSize }: RequestOptions = {}): ListCall => {
    assertLimit(name, limit);
    const key = legalKey(PARTITION, String(partitionOf(parameters)));
    const texts = bounds.map((bound) => String(bound(parameters)));
    const filters = [
      keyTest(PARTITION, 'equals', [key]),
      ...(range.kind === 'all' ? [] : [keyTest(ROW, range.kind, texts)]),
      ...filterTests(entities, filter, parameters),
    ];
    return listCall(
      { filter: filters.join(' and '), ...(select && { select }) },
      pageOf(limit, cursor === undefined ? undefined : tokenIn(name, cursor, key)),
    );
  };
}

/** Reads all partitions one after another, because Azure has no parallel scan. */
export function scanBuilder(table: TableOutline, name: string, { returns, filter = {}, pageSize }: ScanPattern) {
  const entities = entitiesNamed(table, returns);
  assertFilterable(name, entities, filter);
  return (parameters: object, options: RequestOptions = {}): ListCall => {
    const { cursor, limit = pageSize } = options;
    if ('segment' in options || 'segments' in options) {
      throw new ItemError(
        `${name}: Azure Tables reads a table from start to end, not in segments; leave out 'segment' and 'segments'`,
      );
    }
    if ('unitsPerSecond' in options)
      throw new ItemError(`${name}: Azure Tables has no capacity units; leave out 'unitsPerSecond', and set a 'limit'`);
    assertLimit(name, limit);
    const filters = filterTests(entities, filter, parameters);
    return listCall(
      filters.length === 0 ? {} : { filter: filters.join(' and ') },
      pageOf(limit, cursor === undefined ? undefined : tokenIn(name, cursor, EVERYWHERE)),
    );
  };
}

/**
 * The partition in a scan's cursor. It is empty because a scan reads all partitions, while a query's partition is never
 * empty.
 */
const EVERYWHERE = '';

function pageOf(maxPageSize: number | undefined, continuationToken: string | undefined): ListCall['page'] {
  return {
    ...(maxPageSize === undefined ? {} : { maxPageSize }),
    ...(continuationToken === undefined ? {} : { continuationToken }),
  };
}

function assertLimit(name: string, limit: number | undefined): void {
  const most = AZURE_TABLES.pageItems;
  if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 1 && limit <= most)) return;
  throw new ItemError(`${name}: limit must be a whole number from 1 to ${most}, got: ${JSON.stringify(limit)}`);
}

/** Returns the result of a read: the items, in the design's types. `etagOf` returns their ETags. */
export function readOutput(
  table: TableOutline,
  place: Reader,
  pattern: GetPattern | QueryPattern | ScanPattern,
  call: GetCall | ListCall,
  output: AzureOutput,
  onUnknown?: UnknownPolicy,
): unknown {
  if (call.method === 'getEntity') {
    return output.entity === undefined
      ? undefined
      : readAll(table, place, pattern, [output.entity], onUnknown).items[0];
  }
  const page = readAll(table, place, pattern, output.entities ?? [], onUnknown);
  const token = output.continuationToken;
  if (token === undefined || token === '') return page;
  return { ...page, cursor: writeCursor(place.name, CURSOR, { [PARTITION]: partitionOf(call), token }) };
}

function readAll(
  table: TableOutline,
  place: Reader,
  pattern: GetPattern | QueryPattern | ScanPattern,
  raw: readonly Readonly<Item>[],
  onUnknown?: UnknownPolicy,
): Page<Item> {
  const etags = new Map<Item, unknown>();
  const items = raw.map((entity) => {
    const item = itemOfEntity(table, entity);
    etags.set(item, entity.etag);
    return item;
  });
  return readItems(
    table,
    place,
    pattern,
    items,
    (_, entity, item, select) => {
      const values = readEntity(table, entity, item, select);
      keepEtag(values, etags.get(item));
      return values;
    },
    onUnknown,
  );
}

/** The contents of a cursor: the partition, and the service's continuation token for that partition. */
const CURSOR: readonly KeyAttribute[] = [
  { name: PARTITION, type: 'string' },
  { name: 'token', type: 'string' },
];

/** The partition that a call reads, taken from the beginning of the filter. */
function partitionOf({ args: [{ queryOptions }] }: ListCall): string {
  const [, text = ''] = /^PartitionKey eq '((?:[^']|'')*)'/.exec(queryOptions.filter ?? '') ?? [];
  return text.replaceAll("''", "'");
}

/** Returns the service's token from a cursor. A cursor is valid only for the partition that it came from. */
function tokenIn(name: string, cursor: string, partition: string): string {
  const { [PARTITION]: own, token } = readCursor(name, CURSOR, cursor);
  // The message does not show the contents of the cursor, which may belong to a different user.
  if (own !== partition) {
    throw new CursorError(`the cursor is from another partition of '${name}'; use the previous page's cursor`);
  }
  if (!isToken(token as string)) throw damaged();
  return token as string;
}

/** Whether a token has the SDK's form; the SDK would reject any other token with a confusing message. */
function isToken(token: string): boolean {
  try {
    const { nextPartitionKey, nextRowKey = '', ...more } = JSON.parse(atob(token));
    return [nextPartitionKey, nextRowKey].every((key) => typeof key === 'string') && Object.keys(more).length === 0;
  } catch {
    return false;
  }
}
