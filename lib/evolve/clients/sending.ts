import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { isReading } from '../../dynamodb/commands';
import type { CommandName } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import { entityOf, type Item } from '../../items/item';
import { mapValues } from '../plan/edits';
import { type Renamed, testingOld, updatingBoth } from './both-names';
import { inForm } from './in-form';
import { type Place as PlaceOf, renamedIn, storedIn } from './under-way';

type Place = PlaceOf<Send>;

/**
 * Sends the requests of one release. Writes items that both releases can read, and converts the items it reads to the
 * release's own form.
 */
export function sendingIn(place: Place): Send {
  const { send, tableName, phase } = place;
  const table = outline(place.form);
  const isOwn = (input: Item) => input.TableName === tableName;
  const sending = async (command: CommandName, input: Item): Promise<Item> => {
    // From the switch on, stored items have the new form. A read then only has to leave out items of removed entities,
    // and old keys from items of open entities.
    if (phase.code.reads === 'new' && !place.removes && !place.isOpen && isReading(command))
      return send(command, input);
    const isPlain = phase.code.writes === 'new';
    switch (command) {
      case 'TransactGet':
        return readTogether(place, table, input, await send(command, input));
      case 'Query':
      case 'Scan': {
        const output = await send(command, isPlain ? input : queried(place, input));
        return readBack(place, table, output, !isPlain && isPartial(table, input));
      }
      case 'Get':
      case 'BatchGet':
        return readBack(place, table, await send(command, input));
      case 'TransactWrite': {
        const items = (input.TransactItems as Record<string, Item>[]).map((item) =>
          mapValues(item, (write) => (isOwn(write) ? written(place, table, write) : write)),
        );
        return send(command, isPlain ? input : { ...input, TransactItems: items });
      }
      case 'BatchWrite':
        return send(command, isPlain ? input : { ...input, RequestItems: batchOf(place, table, input) });
      case 'Put':
      case 'Update':
      case 'Delete':
        return readBack(place, table, await send(command, isPlain ? input : written(place, table, input)));
    }
  };
  // A transaction may span several tables that change.
  return Object.assign(sending, { over: { send, wrap: (under: Send) => sendingIn({ ...place, send: under }) } });
}

function batchOf(place: Place, table: TableOutline, { RequestItems }: Item): Item {
  const batch = RequestItems as Record<string, { PutRequest?: { Item: Item } }[]>;
  const own = (batch[place.tableName] ?? []).map((request) => {
    if (request.PutRequest === undefined) return request;
    const { Item } = written(place, table, { Item: request.PutRequest.Item }) as { Item: Item };
    return { PutRequest: { Item } };
  });
  return { ...batch, ...(Object.hasOwn(batch, place.tableName) ? { [place.tableName]: own } : {}) };
}

/**
 * Returns a write that sets a renamed attribute under both names, but tests it only under the old name, which every
 * item has.
 */
function written(place: Place, table: TableOutline, input: Item): Item {
  const { transition, phase, form } = place;
  const { Item: item, Key } = input as { Item?: Item; Key?: Item };
  const entity = entityOf(table, (item ?? Key) as Item, table.entities);
  if (entity === undefined) return input;
  const renamed = renamedIn(transition, entity.name);
  const tested = phase.code.reads === 'new' || Object.keys(renamed).length === 0 ? input : testingOld(input, renamed);
  if (item === undefined) {
    const { old, now } = transition.exclusive.get(entity.name) ?? { old: [], now: [] };
    const both = updatingBoth(tested, renamed);
    return form === transition.old ? withoutStale(both, old, now) : withoutStale(both, now, old);
  }
  return { ...tested, Item: storedIn(place, entity.name, item) };
}

/**
 * If an update sets an index key that only its own form has, also removes the index keys that only the other form has,
 * because they would become stale.
 */
function withoutStale(input: Item, own: readonly string[], others: readonly string[]): Item {
  const { UpdateExpression: text, ExpressionAttributeNames: names } = input as UpdateInput;
  const isSet = Object.values(names ?? {}).some((name) => own.includes(name));
  if (text === undefined || others.length === 0 || !isSet) return input;
  const stale = others.map((name, i) => [`#stale${i}`, name] as const);
  const list = stale.map(([placeholder]) => placeholder).join(', ');
  return {
    ...input,
    UpdateExpression: /\bREMOVE /.test(text) ? text.replace(/\bREMOVE /, `REMOVE ${list}, `) : `${text} REMOVE ${list}`,
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(stale) },
  };
}

interface UpdateInput {
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
}

/** Makes a query or scan read whole items, since the new form may need any attribute. */
function queried({ transition, phase }: Place, input: Item): Item {
  // Only a scan without a filter has no attribute names.
  if (phase.code.reads === 'new' || input.ExpressionAttributeNames === undefined) return input;
  const { ProjectionExpression: _, ...whole } = input;
  const renamed = Object.assign({}, ...transition.renamed.values()) as Renamed;
  const used = Object.values(namesIn([whole.KeyConditionExpression, whole.FilterExpression], input));
  const names = { ...(input.ExpressionAttributeNames as Record<string, string>) };
  // DynamoDB rejects unused names.
  for (const [placeholder, name] of Object.entries(names)) if (!used.includes(name)) delete names[placeholder];
  return testingOld({ ...whole, ExpressionAttributeNames: names }, renamed);
}

function namesIn(expressions: readonly unknown[], { ExpressionAttributeNames = {} }: Item): Record<string, string> {
  const placeholders = expressions.flatMap((text) => (typeof text === 'string' ? (text.match(/#\w+/g) ?? []) : []));
  const names = ExpressionAttributeNames as Record<string, string>;
  return Object.fromEntries(placeholders.map((placeholder) => [placeholder, names[placeholder] as string]));
}

/** Converts the items in the output of a request to the form that requests use. */
async function readBack(place: Place, table: TableOutline, output: Item, isPartial = false): Promise<Item> {
  const all = async (items: readonly Item[]) => {
    const read: Item[] = [];
    for (const item of items) {
      const one = await formed(place, table, item, isPartial);
      if (one !== undefined) read.push(one);
    }
    return read;
  };
  const one = async (name: string) =>
    output[name] === undefined ? {} : { [name]: (await all([output[name] as Item]))[0] };
  const { Items, Responses } = output as { Items?: Item[]; Responses?: Record<string, Item[]> | { Item?: Item }[] };
  const batch = async (responses: Record<string, Item[]>) =>
    Object.hasOwn(responses, place.tableName)
      ? { ...responses, [place.tableName]: await all(responses[place.tableName] as Item[]) }
      : responses;
  return {
    ...output,
    ...(await one('Item')),
    ...(await one('Attributes')),
    ...(Items === undefined ? {} : { Items: await all(Items) }),
    ...(Responses === undefined || Array.isArray(Responses) ? {} : { Responses: await batch(Responses) }),
  };
}

/** Converts the items in the output of a TransactGet, which may read several tables. */
async function readTogether(place: Place, table: TableOutline, input: Item, output: Item): Promise<Item> {
  const gets = input.TransactItems as readonly { readonly Get: Item }[];
  const responses = (output.Responses ?? []) as readonly Item[];
  const read = responses.map((response, i) =>
    gets[i]?.Get.TableName === place.tableName ? readBack(place, table, response) : response,
  );
  return { ...output, Responses: await Promise.all(read) };
}

/**
 * Converts an item to the form that requests use. Returns undefined if the item's entity was removed, and returns the
 * item unchanged if the item cannot be converted.
 */
async function formed(place: Place, table: TableOutline, given: Item, isPartial: boolean): Promise<Item | undefined> {
  const stored = isPartial && place.phase.code.reads !== 'new' ? await whole(place, table, given) : given;
  const found = inForm(place, place.table, table, stored);
  if (found.kind === 'gone') return undefined;
  return found.kind === 'item' ? found.item : given;
}

/** Whether a query reads an index that holds only part of each item. */
function isPartial({ indexes }: TableOutline, { IndexName }: Item): boolean {
  return (indexes.find(({ name }) => name === IndexName)?.projection ?? 'all') !== 'all';
}

/** Reads a whole item from the table, because an index may hold only part of it. */
async function whole({ send, tableName }: Place, { key }: TableOutline, item: Item): Promise<Item> {
  const Key = Object.fromEntries(keyOf(key).map(({ name }) => [name, item[name]]));
  return ((await send('Get', { TableName: tableName, Key })).Item as Item | undefined) ?? item;
}
