import { isDeepStrictEqual } from 'node:util';
import { entityNamed, outline } from '../../blueprint/outline';
import { blueprint } from '../../blueprint/table';
import { entityOf, type Item } from '../../items/item';
import { type Guard, handMadeGuards } from './hand-made-guards';
import type { Logical, Model } from './model';
import type { ReleasesOf } from './releases';

/**
 * The first stored item that lacks the guard of its unique value, where the new design has such guards and the old one has not:
 * without it, another item can take the same value.
 */
export async function unguarded(releases: ReleasesOf, model: Model): Promise<string | undefined> {
  const { before, system, deployment, plan } = releases;
  for (const [table, design] of Object.entries(system.tables)) {
    const isNew = ({ guard: { name } }: Guard) =>
      before.tables[table]?.entities[name] === undefined &&
      // The user may have said why stored items need none.
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
      return `${lacking.label} was stored before the plan and has no ${guard.guard.name}, so another ${guard.owner.name} can take its ${shown}; make the guards from stored items: answer split: { '${table}.${guard.owner.name}': ['${guard.guard.name}'] }`;
    }
  }
  return undefined;
}

function isOwner({ old, now }: Logical, table: string, { owner }: Guard): boolean {
  return old !== undefined && now?.table.name === table && now.entity.name === owner.name;
}

function hasGuard({ now }: Logical, { values }: Guard, there: readonly Item[]): boolean {
  const own = values.filter(({ attribute }) => now?.values[attribute] !== undefined);
  // Without a value, there is nothing to guard.
  if (own.length < values.length) return true;
  return there.some((item) =>
    own.every(({ part, attribute }) => isDeepStrictEqual(item[part], now?.values[attribute])),
  );
}
