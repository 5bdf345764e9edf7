import { type EntityOutline, entityNamed, type KeyBlueprint, keyOf, outline } from '../blueprint/outline';
import { partsOf } from '../blueprint/template-parts';
import type { QueryPattern, ScanPattern, Write } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { template, valueAt } from '../design/template';
import { callOf, inPattern, placed } from '../items/calls';
import type { SharedClientOptions } from '../items/client';
import { readCursor, writeCursor } from '../items/cursor';
import { type Item, ItemError, makeItem, readItem } from '../items/item';
import { keyBuilder, keyValue } from '../items/parameters';
import { readItems } from '../items/read';
import type { UnknownPolicy } from '../items/result';
import { type Seal, sealOf } from '../items/sealed-cursor';
import { type Reporting, reporting } from '../items/unknown';
import { keyTexts } from './find';
import { shown } from './operations';
import { checkUpdate, type RawUpdate } from './raw-update';
import { cursorKeys } from './read';
import { type CommandName, refuseUnwritten } from './requests';
import { type Send, type Sender, senderOf } from './sending';
import { refuseTooLarge } from './sizes';
import type { PreparedWrite } from './write';

/** The options of one raw read. */
export interface RawReadOptions {
  /** The cursor of the previous page. @default - the call reads the first page */
  readonly cursor?: string | undefined;
  /**
   * How to handle an item that does not fit the design: `'throw'`, or a function that receives the item.
   * @default - the setting in the options of `raw`
   */
  readonly onUnknown?: UnknownPolicy | undefined;
}

/** A table that receives raw requests. */
export interface RawTable {
  readonly design: TableDesign;
  readonly sender: Sender;
  /**
   * Sends a request without describing it in the design's terms. `equivalents` needs that description, so raw requests
   * cannot run on Azure.
   */
  readonly through: Send;
  readonly policy: Reporting;
  readonly seal: Seal | undefined;
}

export function rawTable(
  design: TableDesign,
  tableName: string,
  send: Send,
  options: SharedClientOptions<CommandName>,
): RawTable {
  return {
    design,
    sender: senderOf(outline(design), tableName, send, options),
    through: (command, input) => send(command, input),
    policy: reporting(options),
    seal: options.cursors && sealOf(options.cursors),
  };
}

/** Renders an entity's key in the table or in an index. */
export function keyIn(raw: RawTable, name: string, values: object, index?: string): Item {
  const { table, tableName } = raw.sender;
  return inPattern(tableName, 'key', () => {
    const entity = entityIn(raw, name);
    const key = indexIn(raw, index);
    const rendered: Item = {};
    for (const attribute of keyOf(key)) {
      const source = entity.keys.get(attribute.name);
      if (source === undefined) throw new ItemError(`${name} is not in ${index}: it has no ${attribute.name}`);
      const isMissing = partsOf(source.template).some(({ path }) => (valueAt(values, path) ?? undefined) === undefined);
      if (isMissing && key.sortBy.includes(attribute)) break;
      rendered[attribute.name] = keyValue(table, [entity], attribute, template(source.template.text))(values);
    }
    return rendered;
  });
}

/** Sends a query or a scan, and reads the page as a pattern would. */
export function readRaw(
  raw: RawTable,
  name: string,
  pattern: QueryPattern | ScanPattern,
  given: Item,
  options?: RawReadOptions,
): Promise<unknown> {
  const { sender, through, policy } = raw;
  const { table, tableName } = sender;
  const command = pattern.op === 'query' ? 'Query' : 'Scan';
  const keys = () => cursorKeys(table, { key: indexIn(raw, given.IndexName as string | undefined) });
  const make = (cursor: string | undefined): Item => {
    for (const entity of pattern.returns) entityIn(raw, entity);
    refuseOwn(given);
    const start = cursor === undefined ? {} : { ExclusiveStartKey: readCursor(name, keys(), cursor) };
    return { ...given, TableName: tableName, ...start };
  };
  return called(raw, name, command, options, make, (input, onUnknown) =>
    sender.sent(
      ...([name, command, input] as const),
      (output, seen) => {
        const items = (output.Items ?? []) as Item[];
        const page = readItems(table, { tableName, name }, pattern, items, readItem, policy(seen, onUnknown));
        const last = output.LastEvaluatedKey as Item | undefined;
        return last === undefined ? page : { ...page, cursor: writeCursor(name, keys(), last) };
      },
      { through },
    ),
  );
}

export function putRaw(raw: RawTable, name: string, entity: string, values: object, given: Item): Promise<unknown> {
  const replace = given.ConditionExpression !== undefined;
  return writeRaw(raw, name, { op: 'put', entity, replace }, values, given, (own, { table }) => ({
    Item: makeItem(table, own, values),
    ...(!replace && keyCondition(table.key, 'attribute_not_exists', given)),
  }));
}

export function updateRaw(raw: RawTable, name: string, entity: string, values: object, given: Item): Promise<unknown> {
  return writeRaw(raw, name, { op: 'update', entity, where: {} }, values, given, (own, { table }) => {
    checkUpdate(table, own, given as unknown as RawUpdate);
    // Without this condition, an update of a missing item would create an incomplete item.
    const condition = keyCondition(table.key, 'attribute_exists', given);
    return { ...keyOfItem(raw, own, values), ...condition, ReturnValues: 'ALL_NEW' };
  });
}

export function deleteRaw(raw: RawTable, name: string, entity: string, values: object, given: Item): Promise<unknown> {
  return writeRaw(raw, name, { op: 'delete', entity, where: {} }, values, given, (own) => keyOfItem(raw, own, values));
}

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete' } as const;

type RawWrite = Write & { readonly op: keyof typeof PARTS };

/** Sends a write; `inputOf` returns the fields that the design adds to the caller's input. */
function writeRaw(
  raw: RawTable,
  name: string,
  step: RawWrite,
  values: object,
  given: Item,
  inputOf: (entity: EntityOutline, sender: Sender) => Item,
): Promise<unknown> {
  const { sender, through } = raw;
  const { table, tableName } = sender;
  const part = PARTS[step.op];
  const make = (): PreparedWrite => {
    const entity = entityIn(raw, step.entity);
    refuseOwn(given);
    refuseUnwritten(step.op, entity);
    const input = { ...given, TableName: tableName, ...inputOf(entity, sender) };
    const write = { name, part, step, table, values, input };
    refuseTooLarge(name, [write]);
    return shown(write);
  };
  return called(raw, name, part, {}, make, (write) =>
    sender.sent(
      ...([name, part, write.input] as const),
      ({ Attributes: item }) => item && readUpdated(raw, name, entityIn(raw, step.entity), item as Item),
      { writes: [write], through },
    ),
  );
}

/** Builds a request and sends it. If the request cannot be built, also reports the error to the observer. */
function called<Made>(
  { sender, seal }: RawTable,
  name: string,
  command: CommandName,
  options: RawReadOptions | undefined,
  make: (cursor: string | undefined) => Made,
  send: (made: Made, onUnknown: UnknownPolicy | undefined) => Promise<unknown>,
): Promise<unknown> {
  const { tableName } = sender;
  const refuse = (refusal: unknown) =>
    sender.observed<never>(name, command, () => Promise.reject(placed(tableName, name, refusal)));
  const call = callOf<RawReadOptions, Made>(
    { tableName, name, seal, refuse },
    {
      make(_, { cursor }) {
        if (typeof name !== 'string' || name === '' || sender.table.patterns.some((pattern) => pattern.name === name))
          throw new ItemError(`a raw request needs a name no pattern uses, got: ${JSON.stringify(name)}`);
        return make(cursor);
      },
      send: (made, { onUnknown }) => send(made, onUnknown),
    },
  );
  return call({}, options);
}

function readUpdated({ sender }: RawTable, name: string, entity: EntityOutline, item: Item): Item {
  try {
    return readItem(sender.table, entity, item);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ItemError(
      `${sender.tableName}: ${name}: the update succeeded, but the item no longer fits the design: ${reason}`,
    );
  }
}

function entityIn({ design, sender }: RawTable, name: string): EntityOutline {
  const entity = Object.hasOwn(design.entities, name) ? entityNamed(sender.table, name) : undefined;
  if (entity !== undefined) return entity;
  const all = Object.keys(design.entities).join(', ');
  throw new ItemError(`'${name}' is not an entity of '${design.name}'; it has ${all}`);
}

function indexIn({ sender: { table } }: RawTable, name: string | undefined): KeyBlueprint {
  const index = name === undefined ? table.key : table.indexes.find((one) => one.name === name);
  if (index !== undefined) return index;
  const all = table.indexes.map((one) => one.name).join(', ') || 'none';
  throw new ItemError(`'${name}' is not an index of '${table.name}'; it has ${all}`);
}

function keyOfItem({ sender: { table } }: RawTable, entity: EntityOutline, values: object): Item {
  return { Key: keyBuilder(table, keyTexts(entity), [entity])(values) };
}

const OWN: readonly string[] = [
  ...['TableName', 'Key', 'Item', 'ExclusiveStartKey', 'ProjectionExpression', 'Select', 'ReturnValues'],
];

/** Refuses fields that `raw` itself sets, and fields that would make items incomplete. */
function refuseOwn(input: Item): void {
  const field = OWN.find((name) => input[name] !== undefined);
  if (field === undefined) return;
  const because =
    field === 'ExclusiveStartKey'
      ? 'pass the `cursor` option instead'
      : '`raw` itself sets the table, the keys and the returned attributes';
  throw new ItemError(`leave out ${field}: ${because}`);
}

/** A placeholder that cannot collide with the caller's placeholders. */
const PARTITION = '#tablewright_key';

/** Combines the caller's condition with a test of whether the item exists. */
function keyCondition({ partitionBy }: KeyBlueprint, test: string, given: Item): Item {
  const { ConditionExpression: own, ExpressionAttributeNames: names } = given;
  const exists = `${test}(${PARTITION})`;
  return {
    ConditionExpression: own === undefined ? exists : `(${own}) AND ${exists}`,
    ExpressionAttributeNames: { ...(names as object), [PARTITION]: partitionBy[0].name },
  };
}
