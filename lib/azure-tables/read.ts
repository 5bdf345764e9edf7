import { AZURE_TABLES } from '../blueprint/clouds';
import type { GetPattern, KeyCondition, QueryPattern } from '../design/pattern';
import { comparisonOf } from '../dynamodb/expression';
import { entitiesOf, keyBuilder, keyValue } from '../dynamodb/read';
import { CursorError, readCursor, writeCursor } from '../items/cursor';
import { entityOf, ItemError, showKey } from '../items/item';
import type { Item, Plan } from '../items/plan';
import { AS_STORED, type AzureOutput, type GetCall, type ListCall, listCall } from './calls';
import { itemOfEntity, keysOf, legalKey, readEntity } from './entity';
import { keepEtag } from './etag';
import { assertFilterable, filterTests, keyTest } from './filter';
import type { AzureOptions } from './requests';

const { partition: PARTITION, sort: ROW } = AZURE_TABLES.key;

export function getBuilder(plan: Plan, pattern: GetPattern): (values: object) => GetCall {
  const key = keyBuilder(plan, pattern.where, entitiesOf(plan, pattern));
  return (values) => {
    const { partitionKey, rowKey } = keysOf(key(values));
    return { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] };
  };
}

export function queryBuilder(plan: Plan, name: string, pattern: QueryPattern) {
  refuseUnknown(name, pattern);
  const entities = entitiesOf(plan, pattern);
  const { filter = {}, pageSize } = pattern;
  assertFilterable(name, entities, filter);
  const conditions = [PARTITION, ROW].flatMap((attribute) => {
    if (!Object.hasOwn(pattern.where, attribute)) return [];
    const condition = pattern.where[attribute] as KeyCondition;
    const texts = comparisonOf(condition)[1] as readonly string[];
    return [{ attribute, condition, values: texts.map((text) => keyValue(plan, entities, attribute, text)) }];
  });
  const select = pattern.select && [
    ...new Set([PARTITION, ROW, ...(plan.design.typeAttribute === undefined ? [] : [plan.design.typeAttribute])]),
    ...pattern.select.filter((attribute) => !entities.every(({ keyOnly }) => keyOnly.has(attribute))),
  ];
  return (parameters: object, { cursor }: AzureOptions = {}): ListCall => {
    const asked = conditions.map(({ values }) => values.map((value) => String(value(parameters))));
    const partition = legalKey(PARTITION, asked[0]?.[0]);
    const tests = conditions.map(({ attribute, condition }, i) => keyTest(attribute, condition, asked[i] as string[]));
    const filters = [...tests, ...filterTests(entities, filter, parameters)];
    return listCall(
      { filter: filters.join(' and '), ...(select && { select }) },
      {
        ...(pageSize === undefined ? {} : { maxPageSize: pageSize }),
        ...(cursor === undefined ? {} : { continuationToken: tokenIn(name, cursor, partition) }),
      },
    );
  };
}

/** What a read comes to: the items as designed, each with its ETag beside it. */
export function readOutput(
  plan: Plan,
  name: string,
  pattern: GetPattern | QueryPattern,
  call: GetCall | ListCall,
  output: AzureOutput,
  onUnknown?: (item: Item, reason: ItemError) => void,
): unknown {
  if (call.method === 'getEntity') {
    return output.entity === undefined ? undefined : readAll(plan, pattern, [output.entity], onUnknown)[0];
  }
  const items = readAll(plan, pattern, output.entities ?? [], onUnknown);
  const token = output.continuationToken;
  if (token === undefined || token === '') return { items };
  return { items, cursor: writeCursor(name, { [PARTITION]: partitionOf(call), token }) };
}

function readAll(
  plan: Plan,
  pattern: GetPattern | QueryPattern,
  raw: readonly Readonly<Item>[],
  onUnknown?: (item: Item, reason: ItemError) => void,
): readonly Item[] {
  const entities = entitiesOf(plan, pattern);
  const select = 'select' in pattern ? pattern.select : undefined;
  const read: Item[] = [];
  for (const one of raw) {
    const item = itemOfEntity(plan, one);
    try {
      const entity = entityOf(plan, item, entities);
      if (entity === undefined) {
        const returns = pattern.returns.join(', ');
        throw new ItemError(`the entity ${showKey(plan, item)} is none of those that the pattern returns (${returns})`);
      }
      const values = readEntity(plan, entity, item, select);
      keepEtag(values, one.etag);
      read.push(values);
    } catch (error) {
      if (!(error instanceof ItemError) || onUnknown === undefined) throw error;
      onUnknown(item, error);
    }
  }
  return read;
}

/** The partition that a call asks for: its filter begins with it. */
function partitionOf({ args: [{ queryOptions }] }: ListCall): string {
  const [, text = ''] = /^PartitionKey eq '((?:[^']|'')*)'/.exec(queryOptions.filter ?? '') ?? [];
  return text.replaceAll("''", "'");
}

/** A cursor goes on within the partition it came from, and in no other. */
function tokenIn(name: string, cursor: string, partition: string): string {
  const { [PARTITION]: of, token } = readCursor(name, cursor);
  if (of !== partition) throw new CursorError(`the cursor is of ${PARTITION} '${of}', not of '${partition}'`);
  return token as string;
}

function refuseUnknown(name: string, { index, order, pageSize = 1 }: QueryPattern): void {
  if (index !== undefined)
    throw new ItemError(`${name}: Azure Tables have no index; keep a table to look up '${index}' in`);
  if (order === 'descending')
    throw new ItemError(`${name}: Azure Tables read in ascending order only; store a key that falls as time rises`);
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > AZURE_TABLES.pageItems)
    throw new ItemError(`${name}: pageSize must be from 1 to ${AZURE_TABLES.pageItems}, got: ${pageSize}`);
}
