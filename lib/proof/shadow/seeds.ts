import { type EntityOutline, entityNamed, outline } from '../../blueprint/outline';
import type { TableDesign } from '../../design/table';
import { type Item, makeItem, valuesOf } from '../../items/item';
import type { SystemCases } from '../cases';
import { itemOf, samplesOf } from '../stored';
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

/** The items of the old cases; or of the new ones, as far as the old design has them. */
export function seedsOf({ before, cases }: Pick<PlanProofInput, 'before' | 'cases'>, of: ReleasesOf): readonly Seed[] {
  if (before !== undefined)
    return Object.entries(of.before.tables).flatMap(([name, table]) => itemsOf(before, name, table));
  if (cases === undefined) return [];
  return Object.entries(of.system.tables).flatMap(([name, table]) =>
    itemsOf(cases, name, table).flatMap((seed) => {
      const old = asOld(of, seed);
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

/** An item of the new design as the old one has it; undefined where that has none such. */
function asOld({ plan, before }: ReleasesOf, { table, entity, values, label }: Seed): Seed | undefined {
  const change = plan.items.find(({ to }) => to?.table === table && to.entity === entity);
  const design = before.tables[change?.from.table ?? table];
  const name = change?.from.entity ?? entity;
  const was = design && entityNamed(outline(design), name);
  if (design === undefined || was === undefined) return undefined;
  const given = was.attributes.map((attribute) => [attribute, values[change?.renamed[attribute] ?? attribute]]);
  const old = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (!was.schema.safeParse(old).success) return undefined;
  return { table: design.name, entity: name, values: old, item: makeItem(outline(design), was, old), label };
}
