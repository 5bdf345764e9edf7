import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { isReading } from '../../dynamodb/commands';
import type { CommandName } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import { entityOf, type Item } from '../../items/item';
import { type Renamed, testingOld, updatingBoth } from './both-names';
import { inForm } from './in-form';
import { type Place as PlaceOf, renamedIn, storedIn } from './under-way';

type Place = PlaceOf<Send>;

/** Sends requests of a form: what is written is found by both releases, and what is read is brought to the form. */
export function sendingIn(place: Place): Send {
  const { send, tableName, phase } = place;
  const table = outline(place.form);
  const isOwn = (input: Item) => input.TableName === tableName;
  const sending = async (command: CommandName, input: Item): Promise<Item> => {
    // From the switch on, items are as they are; only those whose entity goes are still there.
    if (phase.code.reads === 'new' && !place.removes && isReading(command)) return send(command, input);
    if (command === 'TransactGet') return readTogether(place, table, input, await send(command, input));
    if (phase.code.writes === 'new') return readBack(place, table, await send(command, input));
    switch (command) {
      case 'TransactWrite': {
        const items = (input.TransactItems as Record<string, Item>[]).map((one) =>
          mapValues(one, (write) => (isOwn(write) ? written(place, table, write) : write)),
        );
        return send(command, { ...input, TransactItems: items });
      }
      case 'BatchWrite':
        return send(command, { ...input, RequestItems: batchOf(place, table, input) });
      case 'Query':
      case 'Scan':
        return readBack(place, table, await send(command, queried(place, input)), isPartial(table, input));
      default:
        return readBack(place, table, await send(command, written(place, table, input)));
    }
  };
  // Several tables may be on their way, and be read or written together.
  return Object.assign(sending, { over: { send, wrap: (under: Send) => sendingIn({ ...place, send: under }) } });
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}

function batchOf(place: Place, table: TableOutline, { RequestItems }: Item): Item {
  const batch = RequestItems as Record<string, { PutRequest?: { Item: Item } }[]>;
  const own = (batch[place.tableName] ?? []).map((one) => {
    if (one.PutRequest === undefined) return one;
    const { Item } = written(place, table, { Item: one.PutRequest.Item }) as { Item: Item };
    return { PutRequest: { Item } };
  });
  return { ...batch, ...(Object.hasOwn(batch, place.tableName) ? { [place.tableName]: own } : {}) };
}

/** One write, which says what was renamed twice; what it tests is what every item has. */
function written({ transition, phase }: Place, table: TableOutline, input: Item): Item {
  const { Item: item, Key } = input as { Item?: Item; Key?: Item };
  const entity = entityOf(table, (item ?? Key) as Item, table.entities);
  if (entity === undefined) return input;
  const renamed = renamedIn(transition, entity.name);
  const tested = phase.code.reads === 'new' || Object.keys(renamed).length === 0 ? input : testingOld(input, renamed);
  if (item === undefined) return updatingBoth(tested, renamed);
  return { ...tested, Item: storedIn(transition, phase, entity.name, item) };
}

/** Items are read whole: what they lack is made of all that they have. */
function queried({ transition, phase }: Place, input: Item): Item {
  // A scan without a filter names nothing.
  if (phase.code.reads === 'new' || input.ExpressionAttributeNames === undefined) return input;
  const { ProjectionExpression: _, ...whole } = input;
  const renamed = Object.assign({}, ...transition.renamed.values()) as Renamed;
  const used = Object.values(namesIn([whole.KeyConditionExpression, whole.FilterExpression], input));
  const names = { ...(input.ExpressionAttributeNames as Record<string, string>) };
  // DynamoDB refuses a name that nothing uses.
  for (const [placeholder, name] of Object.entries(names)) if (!used.includes(name)) delete names[placeholder];
  return testingOld({ ...whole, ExpressionAttributeNames: names }, renamed);
}

function namesIn(expressions: readonly unknown[], { ExpressionAttributeNames = {} }: Item): Record<string, string> {
  const placeholders = expressions.flatMap((one) => (typeof one === 'string' ? (one.match(/#\w+/g) ?? []) : []));
  const names = ExpressionAttributeNames as Record<string, string>;
  return Object.fromEntries(placeholders.map((one) => [one, names[one] as string]));
}

/** The output of a request, with its items in the form. */
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

/** The output of reads at one moment, which may be of several tables. */
async function readTogether(place: Place, table: TableOutline, input: Item, output: Item): Promise<Item> {
  const gets = input.TransactItems as readonly { readonly Get: Item }[];
  const responses = (output.Responses ?? []) as readonly Item[];
  const read = responses.map((one, i) =>
    gets[i]?.Get.TableName === place.tableName ? readBack(place, table, one) : one,
  );
  return { ...output, Responses: await Promise.all(read) };
}

/** An item as the form has it; undefined where its entity is no longer there. One that cannot be brought to it stays as it is. */
async function formed(place: Place, table: TableOutline, given: Item, isPartial: boolean): Promise<Item | undefined> {
  const stored = isPartial && place.phase.code.reads !== 'new' ? await whole(place, table, given) : given;
  const found = inForm(place, place.table, table, stored);
  if (found.kind === 'gone') return undefined;
  return found.kind === 'item' ? found.item : given;
}

/** Whether a query reads less of an item than there is. */
function isPartial({ indexes }: TableOutline, { IndexName }: Item): boolean {
  return (indexes.find(({ name }) => name === IndexName)?.projection ?? 'all') !== 'all';
}

/** An index that does not have everything tells too little: then the item itself is asked. */
async function whole({ send, tableName }: Place, { key }: TableOutline, item: Item): Promise<Item> {
  const Key = Object.fromEntries(keyOf(key).map(({ name }) => [name, item[name]]));
  return ((await send('Get', { TableName: tableName, Key })).Item as Item | undefined) ?? item;
}
