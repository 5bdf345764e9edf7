import { isDeepStrictEqual } from 'node:util';
import { hasKeys, isRead } from '../../blueprint/accesses';
import { keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { shareIn } from '../../blueprint/shares';
import { stored } from '../../blueprint/stored';
import { unions } from '../../blueprint/unions';
import { formats } from '../../design/formats';
import type { PatternDesign } from '../../design/pattern';
import type { TableDesign } from '../../design/table';
import { type ClientOptions, client } from '../../dynamodb/client';
import { lists, scans } from '../../dynamodb/features';
import { exactThrough } from '../../dynamodb/migration/exact';
import { dynamoStore } from '../../dynamodb/migration/store';
import { storedItem } from '../../dynamodb/migration/stored';
import { requests } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import { unique } from '../../dynamodb/unique';
import { written } from '../../dynamodb/written';
import type { Item } from '../../items/item';
import { EvolutionError } from '../lock/read';
import { bring } from '../migration/run/pass';
import { Elsewhere, guarding, type Other } from './guard';
import { sendingIn } from './sending';
import { type Call, type Calls, methodsOf, reading } from './two-places';
import type { Place as PlaceOf } from './under-way';

type Place = PlaceOf<Send>;
type Requests = Readonly<Record<string, (values: object) => Item>>;

/**
 * The client of a table whose items move from one key, or one table, to another. Items only ever move from the old
 * place to the new place, so a read of the old place and then of the new place misses no item.
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
  const [oldRequests, nextRequests] = [former, now].map((place) =>
    requests(place.form, place.tableName, {
      ...{ unique, written, stored, clock: options.clock, scans, lists, formats, unions },
    }),
  ) as unknown as [Requests, Requests];
  const itemsAt = async (place: Place, keys: readonly Item[]) => {
    const found = await Promise.all(keys.map((key) => itemAt(place, key)));
    return found.filter((item) => item !== undefined);
  };
  const isReformatted = (entity: string) => (now.transition.downs.get(entity)?.size ?? 0) > 0;
  const calls = target.patterns.map(({ name, design, accesses }) => {
    const [inOld, inNext] = [old[name] as Call, next[name] as Call];
    if (isRead(design)) {
      const read = reading(target, name, design, [former, now], [inOld, inNext]);
      // Once items are moving, a transaction cannot determine which of the two places holds an item.
      const step = writesOld ? methodsOf(inOld) : { step: () => refuseStep(name) };
      if (read === inNext) return [name, read];
      if (hasKeys(design)) return [name, Object.assign(read, { ...methodsOf(inNext), before: stepOf(inOld) })];
      return [name, design.op === 'get' ? Object.assign(read, step) : read];
    }
    const guarded = guardedBy(name, design, former, now, options);
    const movingKeys = (values: object) => {
      const keysIn = (place: Place, all: Requests) => keysOf(place, (all[name] as Requests[string])(values ?? {}));
      const [was, is] = [keysIn(former, oldRequests), keysIn(now, nextRequests)];
      // An item whose key is the same in both forms does not move, and the previous release may still read it.
      const moves = (_: Item, i: number) =>
        former.tableName !== now.tableName ||
        !isDeepStrictEqual(Object.values(was[i] ?? {}), Object.values(is[i] ?? {}));
      return { was: was.filter(moves), is: is.filter(moves) };
    };
    const write: Call = async (values, given) => {
      const { was, is } = movingKeys(values);
      if (was.length === 0) {
        if (writesOld || !accesses.some(({ entities }) => entities.some(isReformatted)))
          return (writesOld ? inOld : inNext)(values, given);
        // A condition compares only values in the new form, so the items are first converted to that form.
        for (const item of await itemsAt(now, keysOf(now, (nextRequests[name] as Requests[string])(values ?? {}))))
          await move(now, now, item);
        return inNext(values, given);
      }
      for (let attempt = 1; ; attempt++) {
        try {
          // An item that another release has already moved stays at its new key.
          if (writesOld && (await itemsAt(now, is)).length === 0) return await guarded.inOld(was, is)(values, given);
          for (const item of await itemsAt(former, was)) await move(former, now, item);
          return await guarded.inNext(was, is)(values, given);
        } catch (error) {
          // A batch's error has the error of one of its requests as its cause.
          if (![error, (error as Error).cause].some((one) => one instanceof Elsewhere)) throw error;
          if (attempt === ATTEMPTS)
            throw new EvolutionError(`${name}: other releases keep moving the item; send the request again`);
        }
      }
    };
    const step = (values: object) => {
      const { was, is } = movingKeys(values);
      if (was.length > 0 && !writesOld) return refuseStep(name);
      const own = writesOld ? inOld : inNext;
      return stepOf(was.length === 0 ? own : guarded.inOld(was, is, () => refuseStep(name)))(values);
    };
    // A pattern across tables calls `ready` before each attempt. `ready` returns the step that writes this table's
    // items. If that step writes them under their new keys, `ready` first moves them.
    if (shareIn(design) !== undefined) {
      const ready = async (values: object) => {
        const { was, is } = movingKeys(values);
        if (was.length === 0) return stepOf(writesOld ? inOld : inNext)(values);
        if (writesOld && (await itemsAt(now, is)).length === 0) return stepOf(guarded.inOld(was, is))(values);
        for (const item of await itemsAt(former, was)) await move(former, now, item);
        return stepOf(guarded.inNext(was, is))(values);
      };
      return [name, Object.assign(write, { ready })];
    }
    return [name, Object.assign(write, 'step' in inOld ? { step } : {})];
  });
  return Object.fromEntries(calls);
}

function stepOf(call: Call): (values: object) => unknown {
  return (call as Call & { step(values: object): unknown }).step;
}

/** The maximum number of attempts at a write while other releases keep moving or creating its item. */
const ATTEMPTS = 10;

/** Returns the calls that write to one place only if the items are not in the other place. */
function guardedBy(name: string, design: PatternDesign, former: Place, now: Place, options: ClientOptions) {
  const isUpsert = design.op === 'update' && design.upsert === true;
  const callIn = (place: Place) => {
    const form = { ...place.form, patterns: { [name]: place.form.patterns?.[name] } } as TableDesign;
    return (other: Other, refuse?: () => never): Call => {
      const wrap = (send: Send) => {
        const guard = guarding(send, other, isUpsert);
        const through: Send = (command, input) =>
          guard(command, input).catch((error: unknown) =>
            error instanceof Elsewhere && refuse !== undefined ? refuse() : Promise.reject(error),
          );
        return sendingIn({ ...place, send: through });
      };
      const send = Object.assign(wrap(place.send), { over: { send: place.send, wrap } });
      return (client(form, place.tableName, send, options) as unknown as Calls)[name] as Call;
    };
  };
  const [inOld, inNext] = [callIn(former), callIn(now)];
  const placeOf = ({ form, tableName }: Place) => ({
    tableName,
    partition: outline(form).key.partitionBy[0].name,
  });
  return {
    inOld: (was: readonly Item[], is: readonly Item[], refuse?: () => never) =>
      inOld({ ...placeOf(now), own: was, keys: is, isNext: true }, refuse),
    inNext: (was: readonly Item[], is: readonly Item[]) =>
      inNext({ ...placeOf(former), own: is, keys: was, isNext: false }),
  };
}

function refuseStep(name: string): never {
  throw new EvolutionError(
    `${name}: its items are moving and may be under the old or the new key; until the switch, call ${name}(values) by itself, not as a step of a transaction`,
  );
}

/** Returns the keys of all items that a request writes to one table. */
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

/**
 * Moves an item the way a migration does: in one transaction, and only if the item has not changed since it was read.
 */
async function move({ migration, send, table, tableName }: Place, now: Place, item: Item): Promise<void> {
  const names = { [table]: tableName, [now.table]: now.tableName };
  const store = dynamoStore({ database: { name: tableName, sendExact: exactThrough(send) }, migration, names });
  const failure = await bring({ store, migration }, table, { item, version: storedItem(item) });
  if (failure !== undefined)
    throw new EvolutionError(`an item of ${table} cannot be converted to the new form: ${failure}`);
}
