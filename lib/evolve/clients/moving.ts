import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../../blueprint/accesses';
import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { type ClientOptions, client } from '../../dynamodb/client';
import { serviceThrough } from '../../dynamodb/migration/service';
import { dynamoStore } from '../../dynamodb/migration/store';
import { storedItem } from '../../dynamodb/migration/stored';
import { requests } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import type { Item } from '../../items/item';
import { EvolutionError } from '../lock/read';
import { bring } from '../migration/run/pass';
import { sendingIn } from './sending';
import { type Call, type Calls, methodsOf, reading } from './two-places';
import type { Place as PlaceOf } from './under-way';

type Place = PlaceOf<Send>;
type Requests = Readonly<Record<string, (values: object) => Item>>;

/**
 * The client of a table whose items move from one key, or one table, to another. Items only ever move from the old place to
 * the new one, so reading the old place first and then the new one misses none.
 */
export function movingClient(
  target: TableOutline,
  former: Place,
  now: Place,
  writesOld: boolean,
  options: ClientOptions,
): Calls {
  const [old, next] = [former, now].map((place) =>
    client(place.form, place.tableName, sendingIn(place), options),
  ) as unknown as [Calls, Calls];
  const [oldRequests, nextRequests] = [former, now].map(
    (place) => requests(place.form, place.tableName).patterns,
  ) as unknown as [Requests, Requests];
  const itemsAt = async (place: Place, keys: readonly Item[]) => {
    const found = await Promise.all(keys.map((key) => itemAt(place, key)));
    return found.filter((item) => item !== undefined);
  };
  const calls = target.patterns.map(({ name, design }) => {
    const [inOld, inNext] = [old[name] as Call, next[name] as Call];
    // Once items move, one may be in either place, and no transaction can find out which.
    const step = writesOld ? methodsOf(inOld) : { step: () => refuseStep(name) };
    if (isRead(design)) {
      const read = reading(target, name, design, [former, now], [inOld, inNext]);
      return [name, design.op === 'get' && read !== inNext ? Object.assign(read, step) : read];
    }
    const write: Call = async (values, given) => {
      const keysIn = (place: Place, all: Requests) => keysOf(place, (all[name] as Requests[string])(values ?? {}));
      const [was, is] = [keysIn(former, oldRequests), keysIn(now, nextRequests)];
      // An item with the same key in both forms does not move, and the release before may still read it.
      const moves = (_: Item, i: number) =>
        former.tableName !== now.tableName ||
        !isDeepStrictEqual(Object.values(was[i] ?? {}), Object.values(is[i] ?? {}));
      const [inFormer, inNow] = [was.filter(moves), is.filter(moves)];
      // If another release has moved it already, it stays where it is.
      if (writesOld && (await itemsAt(now, inNow)).length === 0) return inOld(values, given);
      for (const item of await itemsAt(former, inFormer)) await move(former, now, item);
      return inNext(values, given);
    };
    return [name, Object.assign(write, step)];
  });
  return Object.fromEntries(calls);
}

function refuseStep(name: string): never {
  throw new EvolutionError(
    `${name}: its items are moving, and may be under their old key or their new one; until the switch, call ${name}(values) by itself and not as a step`,
  );
}

/** The keys of all items of a table that a request writes. */
function keysOf({ form, tableName }: Place, input: Item): readonly Item[] {
  const key = keyOf(outline(form).key);
  const { RequestItems = {}, TransactItems = [] } = input as {
    RequestItems?: Record<string, Record<string, Item>[]>;
    TransactItems?: Record<string, Item>[];
  };
  const writes = [
    ...(input.TableName === undefined ? [] : [input]),
    ...TransactItems.flatMap((item) => Object.values(item)).filter((write) => write.TableName === tableName),
    ...(RequestItems[tableName] ?? []).flatMap((request) => Object.values(request)),
  ];
  return writes.map((write) => {
    const { Key, Item: item } = write as { Key?: Item; Item?: Item };
    return Object.fromEntries(key.map(({ name }) => [name, (Key ?? item)?.[name]]));
  });
}

async function itemAt({ send, tableName }: Place, Key: Item): Promise<Item | undefined> {
  return (await send('Get', { TableName: tableName, Key, ConsistentRead: true })).Item as Item | undefined;
}

/** Moves an item as a migration does: in one transaction, and only if it is still as it was read. */
async function move({ migration, send, table, tableName }: Place, now: Place, item: Item): Promise<void> {
  const names = { [table]: tableName, [now.table]: now.tableName };
  const store = dynamoStore({ service: serviceThrough(send, tableName), migration, names });
  const failure = await bring({ store, migration }, table, { item, version: storedItem(item) });
  if (failure !== undefined)
    throw new EvolutionError(`an item of ${table} cannot be brought to the new form: ${failure}`);
}
