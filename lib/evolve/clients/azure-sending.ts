import type { AzureCall, AzureOutput, BatchAction } from '../../azure-tables/calls';
import {
  columnsOf,
  type Entity,
  fromProperty,
  type Property,
  type RawEntity,
  toProperty,
} from '../../azure-tables/edm';
import { entityOfItem, itemOfEntity, readEntity } from '../../azure-tables/entity';
import { itemBetween } from '../../azure-tables/migration/items';
import type { Send } from '../../azure-tables/sender';
import { type EntityOutline, outline, type TableOutline } from '../../blueprint/outline';
import { entityOf, ItemError } from '../../items/item';
import { inForm } from './in-form';
import { missedIn, type Place as PlaceOf, renamedIn, typeIn } from './under-way';

export type Place = PlaceOf<Send>;

/**
 * Sends the calls of one release. Writes rows that both releases can read, and converts the rows it reads to the
 * release's own form.
 */
export function sendingIn(place: Place): Send {
  const { send, phase, removes } = place;
  const table = outline(place.form);
  const isReadAsItIs = phase.code.reads === 'new' && !removes;
  return async (name, call) => {
    switch (call.method) {
      case 'getEntity':
      case 'listEntities':
        return isReadAsItIs ? send(name, call) : readBack(place, table, await send(name, whole(place, call)));
      default:
        return send(name, phase.code.writes === 'new' ? call : written(place, table, call));
    }
  };
}

/** Makes a call read whole items, because the new form may need any of their attributes. */
function whole({ phase }: Place, call: AzureCall): AzureCall {
  if (call.method !== 'listEntities' || phase.code.reads === 'new') return call;
  const [{ queryOptions, ...options }] = call.args;
  const { select: _, ...rest } = queryOptions;
  return { ...call, args: [{ ...options, queryOptions: rest }] };
}

function readBack(place: Place, table: TableOutline, output: AzureOutput): AzureOutput {
  const { entity, entities } = output;
  const single = entity && formed(place, table, entity);
  return {
    ...(output.continuationToken === undefined ? {} : { continuationToken: output.continuationToken }),
    ...(single === undefined ? {} : { entity: single }),
    ...(entities === undefined
      ? {}
      : { entities: entities.map((raw) => formed(place, table, raw)).filter((raw) => raw !== undefined) }),
  };
}

/**
 * Converts a row to the form that requests use, keeping the ETag of the stored row; returns undefined if the row's
 * entity was removed.
 */
function formed(place: Place, table: TableOutline, raw: RawEntity): RawEntity | undefined {
  const { before, after } = place.migration.sides(place.table);
  try {
    const found = inForm(place, place.table, table, itemBetween(before, after, raw), readEntity);
    if (found.kind === 'gone') return undefined;
    return found.kind === 'item' ? { ...entityOfItem(found.entity, found.item), etag: raw.etag } : raw;
  } catch (error) {
    // The client throws an error for a damaged row.
    if (error instanceof ItemError) return raw;
    throw error;
  }
}

type WriteCall = Exclude<AzureCall, { method: 'getEntity' | 'listEntities' }>;

/**
 * Makes a write set renamed attributes under both names, and store a type that all releases of this phase recognize.
 */
function written(place: Place, table: TableOutline, call: WriteCall): AzureCall {
  const both = (entity: Entity, isWhole: boolean) => withOld(place, table, entity, isWhole);
  switch (call.method) {
    case 'createEntity':
      return { ...call, args: [both(call.args[0], true)] };
    case 'updateEntity':
      return { ...call, args: [both(call.args[0], call.args[1] === 'Replace'), call.args[1], call.args[2]] };
    case 'upsertEntity':
      return { ...call, args: [both(call.args[0], call.args[1] === 'Replace'), call.args[1]] };
    case 'submitTransaction':
      return {
        ...call,
        args: [
          call.args[0].map(([kind, entity, mode, ...rest]) =>
            kind === 'delete'
              ? ['delete', entity]
              : ([
                  kind,
                  both(entity, kind === 'create' || mode === 'Replace'),
                  ...(mode === undefined ? [] : [mode]),
                  ...rest,
                ] as BatchAction),
          ),
        ],
      };
    default:
      return call;
  }
}

function withOld(place: Place, table: TableOutline, entity: Entity, isWhole: boolean): Entity {
  const { transition, phase, before, isApart = false } = place;
  const item = itemOfEntity(table, entity);
  const is = entityOf(table, item, table.entities);
  if (is === undefined) return entity;
  const was = outline(before).entities.find(({ name }) => name === transition.formerNames.get(is.name));
  const old = Object.entries(renamedIn(transition, is.name)).flatMap(([name, now]) =>
    Object.hasOwn(entity, now) ? [[name, asIn(was, name, is, now, entity[now] as Property)]] : [],
  );
  const missed = isWhole && !isApart ? Object.entries(missedIn(place, is.name, item)) : [];
  const standing = missed.flatMap(([name, value]) => {
    const column = was && columnsOf(was).get(name);
    return column === undefined ? [] : [[name, toProperty(column, value)] as const];
  });
  return {
    ...entity,
    ...Object.fromEntries([...old, ...standing]),
    ...(isWhole && !isApart ? typeIn(transition, phase, is.name) : {}),
  } as Entity;
}

/**
 * Encodes a renamed property as the previous release would encode it under the old name, so that the filters of that
 * release match it.
 */
function asIn(
  was: EntityOutline | undefined,
  old: string,
  is: EntityOutline,
  now: string,
  property: Property,
): Property | undefined {
  const [from, to] = [columnsOf(is).get(now), was && columnsOf(was).get(old)];
  if (from === undefined || to === undefined || from.type === to.type) return property;
  return toProperty(to, fromProperty(is, from, property));
}
