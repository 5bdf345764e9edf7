import { type EntityOutline, entityNamed, outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import { type Item, makeItem, valuesOf } from '../../items/item';
import type { SystemCases } from '../cases';
import { itemOf, samplesOf } from '../stored';
import { asOld } from './model';
import type { PlanProofInput } from './prove-plan';
import type { ReleasesOf } from './releases';

/** An item that is stored when a plan begins. */
export interface Seed {
  readonly table: string;
  readonly entity: string;
  readonly values: Item;
  readonly item: Item;
  readonly label: string;
}

/** The items of the old cases; without these, the items of the new cases that the old design can hold. */
export function seedsOf(
  { before, cases }: Pick<PlanProofInput, 'before' | 'cases'>,
  releases: ReleasesOf,
): readonly Seed[] {
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

/** The items that the cases of a table load, with their values. */
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

/** An item of the new design as one of the old design; undefined if the old design cannot hold it. */
function oldSeed({ plan, before }: ReleasesOf, { table, entity, values, label }: Seed): Seed | undefined {
  const old = asOld(plan.items, before, table, entity, values);
  if (old === undefined || !old.entity.schema.safeParse(old.values).success) return undefined;
  const item = makeItem(old.table, old.entity, old.values);
  return { table: old.table.name, entity: old.entity.name, values: old.values, item, label };
}
