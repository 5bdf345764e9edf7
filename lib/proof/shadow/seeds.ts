import { isDeepStrictEqual } from 'node:util';
import { type EntityOutline, entityNamed, outline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Migration, Plan } from '../../evolve';
import { isFilling } from '../../evolve/plan/phases';
import { entityOf, type Item, makeItem, valuesOf } from '../../items/item';
import type { SystemCases } from '../cases';
import { plain } from '../stage';
import { itemOf, samplesOf } from '../stored';
import { defaultsOf, storedIn } from './defaults';
import type { Held } from './deployment';
import { guardsBeside } from './guards';
import { asOld, formerValues, identity, type Known, type Model } from './model';
import type { PlanProofInput } from './prove-plan';
import type { ReleasesOf } from './releases';
import { variant, samplesOf as variantsOf } from './variants';

/** An item that is stored when a plan begins. */
export interface Seed {
  readonly table: string;
  readonly entity: string;
  readonly values: Item;
  readonly item: Item;
  readonly label: string;
}

/**
 * Returns everything that is stored when a plan begins, by table: the items of the old cases, variants of these items,
 * and the guards of all these items. Adds all items except the guards to the model.
 */
export function stocked(
  given: Pick<PlanProofInput, 'before' | 'cases'>,
  releases: ReleasesOf,
  model: Model,
): ReadonlyMap<string, readonly Held[]> {
  const held = new Map<string, Map<string, Held>>();
  const store = (known: Known, item: Item, isGuard = false) => {
    const { name } = known.table;
    const own = held.get(name) ?? new Map<string, Held>();
    const id = identity(known.table, item);
    if (!isGuard || !own.has(id)) held.set(name, own.set(id, releases.deployment.held(name, item)));
  };
  for (const { table, entity, values, item, label } of seedsOf(given, releases)) {
    const seed = model.addOld(table, entity, values, label);
    seed.isSeed = true;
    store(seed.old as Known, item);
  }
  for (const sample of variantsOf(model, 'old')) {
    for (const nth of [1, 2]) {
      const { table, entity } = sample;
      const values = variant(model, sample, `stored${nth}`);
      if (values === undefined) continue;
      const label = `${entity.name} that was stored before the plan (${nth})`;
      const stored = model.addOld(table.name, entity.name, values, label);
      // Releases update the first variant, and thereby store it in the new form. The second variant stays unchanged for
      // the backfill.
      stored.isSeed = nth === 2;
      store(stored.old as Known, makeItem(table, entity, values));
    }
  }
  const sampled = new Set<EntityOutline>();
  for (const sample of variantsOf(model, 'old')) {
    const { table, entity } = sample;
    if (sampled.has(entity)) continue;
    const defaults = defaultsOf(model, sample);
    const missing = Object.keys(defaults);
    const values = variant(model, { ...sample, values: { ...sample.values, ...defaults } }, 'early');
    if (missing.length === 0 || values === undefined) continue;
    sampled.add(entity);
    const label = `${entity.name} that was stored before the plan, without ${missing.join(' and ')}`;
    const early = model.addOld(table.name, entity.name, values, label, missing);
    early.isSeed = true;
    store(early.old as Known, storedIn(early.old as Known, missing));
  }
  for (const { old } of model.items) if (old) for (const guard of guardsBeside(old)) store(old, guard, true);
  return new Map([...held].map(([table, items]) => [table, [...items.values()]]));
}

/**
 * Returns the items of the old cases. Without old cases, returns the items of the new cases that the old design can
 * store.
 */
function seedsOf({ before, cases }: Pick<PlanProofInput, 'before' | 'cases'>, releases: ReleasesOf): readonly Seed[] {
  if (before !== undefined)
    return Object.entries(releases.before.tables).flatMap(([name, table]) => itemsOf(before, name, table));
  if (cases === undefined) return [];
  return Object.entries(releases.system.tables).flatMap(([name, table]) =>
    itemsOf(cases, name, table).flatMap((seed) => {
      const old = oldSeed(releases, seed);
      return old === undefined ? [] : [old];
    }),
  );
}

/** The items that a table's cases load, with their values. */
export function itemsOf(cases: SystemCases, name: string, design: TableDesign): readonly Seed[] {
  const { items, documented } = samplesOf(cases, name);
  const table = outline(design);
  const seed = (label: string, entity: string, item: Item): Seed => ({
    table: name,
    entity,
    item,
    values: valuesOf(table, entityNamed(table, entity) as EntityOutline, item),
    label: `${entity} '${label}'`,
  });
  return [
    ...Object.entries(items).map(([label, sample]) => seed(label, sample[0], itemOf(table, sample))),
    ...Object.entries(documented).map(([label, { entity, item }]) => seed(label, entity, item)),
  ];
}

/**
 * Converts an item of the new design to an item of the old design. Returns undefined if the old design cannot store the
 * item.
 */
function oldSeed({ plan, before, migration }: ReleasesOf, seed: Seed): Seed | undefined {
  const { table, entity, label } = seed;
  const values = migration === undefined ? seed.values : formerValues(migration, table, entity, seed.values);
  const old = asOld(plan.items, before, table, entity, values);
  if (old === undefined || !old.entity.schema.safeParse(old.values).success) return undefined;
  const item = makeItem(old.table, old.entity, old.values);
  return { table: old.table.name, entity: old.entity.name, values: old.values, item, label };
}

/**
 * Returns a design's cases under the table names that a plan uses. Removes renamed keys from documented items, because
 * the edited design would mistake the old keys for attributes.
 */
export function casesWithEdits(cases: SystemCases, edits: Plan['edits']): SystemCases {
  const nameOf = (table: string) => edits.find(({ kind, from }) => kind === 'table' && from === table)?.to ?? table;
  const tables = Object.entries(cases.tables).map(([table, own]) => {
    const gone = new Set(edits.flatMap((edit) => (edit.kind === 'key' && edit.table === table ? [edit.from] : [])));
    const documented = Object.entries(own.documented ?? {}).map(([name, { entity, item }]) => {
      const kept = Object.entries(item).filter(([attribute]) => !gone.has(attribute));
      return [name, { entity, item: Object.fromEntries(kept) }];
    });
    return [nameOf(table), { ...own, documented: Object.fromEntries(documented) }];
  });
  return { ...cases, tables: Object.fromEntries(tables) };
}

/** Returns the entities whose backfill changes none of their stored items, each with a hint. */
export async function unchangedBy(
  migration: Migration,
  { plan, before, deployment }: ReleasesOf,
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>();
  for (const { from } of plan.items.filter(isFilling)) {
    const { table, entity } = from;
    const own = outline(before.tables[table] as TableDesign);
    const items = (await deployment.items(table))
      .map(({ item }) => item)
      .filter((item) => entityOf(own, item, own.entities)?.name === entity);
    const isChanged = (item: Item) =>
      migration.outcome('fill', table, item).kind !== 'unchanged' || migration.made(table, item).length > 0;
    if (items.length > 0 && !items.some(isChanged))
      reasons.set(
        `${table}.${entity}`,
        `the backfill changes no stored ${entity}; in the cases of the deployed design, add an item that the backfill changes`,
      );
  }
  return reasons;
}

/** Describes the first stored item that the plan deletes although the new design or its cases still contain it. */
export function abandoned(model: Model, system: SystemDesign, cases: SystemCases | undefined): string | undefined {
  const expected = Object.entries(system.tables).flatMap(([name, table]) =>
    cases === undefined ? [] : itemsOf(cases, name, table),
  );
  for (const { old, now, fault, label } of model.items) {
    if (old === undefined || now !== undefined || fault !== undefined) continue;
    const { entity, table } = old;
    const elsewhere = Object.values(system.tables).find((design) => Object.hasOwn(design.entities, entity.name));
    const same = expected.find(({ values }) => isDeepStrictEqual(plain(values), plain(old.values)));
    const found = elsewhere === undefined ? same && `${same.table}.${same.entity}` : `${elsewhere.name}.${entity.name}`;
    if (found === undefined) continue;
    return `${label} is stored in ${table.name}, and the plan deletes it, but it still exists in the new design as ${found}; to move stored items as well, answer moved: { '${table.name}.${entity.name}': '${found}' }`;
  }
  return undefined;
}
