import { isDeepStrictEqual } from 'node:util';
import { entityNamed, outline } from '../../blueprint/outline';
import { blueprint } from '../../blueprint/table';
import { GUARD_OWNER, type Guarded, guardsOf } from '../../blueprint/unique';
import { entityOf, type Item, showKey } from '../../items/item';
import { guardItem } from '../../items/writers';
import { type Guard, handMadeGuards } from './hand-made-guards';
import { identity, type Known, type Logical, type Model } from './model';
import type { ReleasesOf } from './releases';

/**
 * Describes the first stored item whose unique value has no guard. Considers only the guards that the new design
 * introduces. If a guard is missing, another item can take the same value.
 */
export async function unguarded(releases: ReleasesOf, model: Model): Promise<string | undefined> {
  const { before, system, deployment, plan } = releases;
  for (const [table, design] of Object.entries(system.tables)) {
    const isNew = ({ guard: { name } }: Guard) =>
      before.tables[table]?.entities[name] === undefined &&
      // The user may have given a reason why stored items need no guards.
      plan.answers.because?.[`tables.${table}.entities.${name}`] === undefined;
    const guards = handMadeGuards(blueprint(design)).filter(isNew);
    if (guards.length === 0) continue;
    const known = outline(design);
    const stored = (await deployment.items(table)).map(({ item }) => item);
    for (const guard of guards) {
      const entity = entityNamed(known, guard.guard.name);
      const there = stored.filter((item) => entityOf(known, item, known.entities) === entity);
      const lacking = model.items.find((item) => isOwner(item, table, guard) && !hasGuard(item, guard, there));
      if (lacking === undefined) continue;
      const shown = guard.values.map(({ attribute }) => attribute).join(', ');
      return `${lacking.label} was stored before the plan and has no ${guard.guard.name}, so another ${guard.owner.name} can take its ${shown}; to make guards from stored items, answer split: { '${table}.${guard.owner.name}': ['${guard.guard.name}'] }`;
    }
  }
  return undefined;
}

function isOwner({ old, now }: Logical, table: string, { owner }: Guard): boolean {
  return old !== undefined && now?.table.name === table && now.entity.name === owner.name;
}

function hasGuard({ now }: Logical, { values }: Guard, there: readonly Item[]): boolean {
  const own = values.filter(({ attribute }) => now?.values[attribute] !== undefined);
  // An item without the value needs no guard.
  if (own.length < values.length) return true;
  return there.some((item) =>
    own.every(({ part, attribute }) => isDeepStrictEqual(item[part], now?.values[attribute])),
  );
}

/** Returns the guards that must exist alongside an item: one for each `unique` of the entity. */
export function guardsBeside({ table, entity, values }: Known): readonly Item[] {
  return guardsOf(table, entity).map((guard) => guardItem(table, guard, values));
}

/** The unique values that an item guards; undefined if the item is not a guard. */
export function guardedBy({ table, item }: { table: Known['table']; item: Item }): Guarded | undefined {
  return entityOf(table, item, table.entities)?.guards;
}

/**
 * Describes the first unique value whose guard is missing or belongs to another owner. If there is none, describes the
 * first guard that no item needs.
 */
export async function misguarded({ system, deployment }: ReleasesOf, { items }: Model): Promise<string | undefined> {
  for (const [name, design] of Object.entries(system.tables)) {
    const table = outline(design);
    if (table.entities.every(({ uniques }) => uniques === undefined)) continue;
    const stored = (await deployment.items(name)).map(({ item }) => item);
    const wanted = items.flatMap(({ now, label, isSeed }) =>
      now?.table === table ? guardsBeside(now).map((guard) => ({ guard, label, isSeed })) : [],
    );
    const needed = new Map<string, typeof wanted>();
    for (const claim of wanted) {
      const id = identity(table, claim.guard);
      needed.set(id, [...(needed.get(id) ?? []), claim]);
    }
    for (const [id, claims] of needed) {
      const there = stored.find((item) => identity(table, item) === id);
      const isNamed = (guard: Item) => isDeepStrictEqual(there?.[GUARD_OWNER], guard[GUARD_OWNER]);
      for (const { guard, label, isSeed } of claims) {
        const shown = showKey(table, guard);
        if (there === undefined) return `${label} has no guard (${shown}): another item can take its unique value`;
        // If several items with the same value were stored before the plan, the guard can belong to only one of them.
        const isRival = isSeed === true && claims.some((other) => other.isSeed && isNamed(other.guard));
        if (!isNamed(guard) && !isRival)
          return `the guard of ${label} (${shown}) belongs to another owner: ${JSON.stringify(there[GUARD_OWNER])}`;
      }
    }
    const stale = stored.find(
      (item) => guardedBy({ table, item })?.isShared === false && !needed.has(identity(table, item)),
    );
    if (stale !== undefined) return `the guard ${showKey(table, stale)} belongs to no item: nobody can take its value`;
  }
  return undefined;
}
