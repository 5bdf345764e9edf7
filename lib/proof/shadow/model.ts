import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { type ItemChange, itemAfter, type Migration } from '../../evolve';
import { type Item, makeItem, showKey, valuesOf } from '../../items/item';

/** What every reader must find for one item: its values in the old design and in the new one. */
export interface Logical {
  /** Its name in a failure. */
  readonly label: string;
  /** In the old design; undefined if the old design does not know it. */
  old?: Known;
  /** In the new design; undefined if its entity is removed. */
  now?: Known;
  /** Whether it was stored when the plan began: then no release changes it. */
  isSeed?: boolean;
  /** Whether it is still stored in the old form: then the new values follow from the old ones. */
  isOldForm: boolean;
  /** Why it has no new values although it should. */
  fault?: string;
}

export interface Known {
  readonly table: TableOutline;
  readonly entity: EntityOutline;
  readonly values: Item;
}

/** All items that must exist, and how their old and new values belong together. */
export class Model {
  public readonly items: Logical[] = [];
  /** The items written since this was last cleared. */
  public readonly touched = new Set<Logical>();

  public constructor(
    private readonly before: SystemDesign,
    private readonly after: SystemDesign,
    private readonly changes: readonly ItemChange[],
    private readonly migration: Migration,
  ) {}

  /** Adds an item that a release of the old design wrote. */
  public addOld(table: string, entity: string, values: object, label?: string): Logical {
    const old = known(this.before.tables[table] as TableDesign, entity, values);
    const item: Logical = { label: label ?? labelOf(old), old, isOldForm: true };
    this.items.push(item);
    this.touched.add(item);
    this.follow(item);
    return item;
  }

  /** Adds an item that a release of the new design wrote. */
  public addNew(table: string, entity: string, values: object, label?: string): Logical {
    const now = known(this.after.tables[table] as TableDesign, entity, values);
    const old = this.oldOf(now);
    const item: Logical = { label: label ?? labelOf(now), now, ...(old && { old }), isOldForm: false };
    this.items.push(item);
    this.touched.add(item);
    return item;
  }

  /** Records that a release of either design set some attributes. */
  public set(item: Logical, side: 'old' | 'now', values: Item): void {
    this.touched.add(item);
    const renamed = this.renamedOf(item);
    const [from, to] = side === 'old' ? [item.old, item.now] : [item.now, item.old];
    if (from !== undefined) Object.assign(from.values, values);
    for (const [name, value] of Object.entries(values)) {
      const other =
        side === 'old' ? (renamed[name] ?? name) : (Object.keys(renamed).find((old) => renamed[old] === name) ?? name);
      if (to?.entity.attributes.includes(other)) to.values[other] = value;
    }
    if (item.isOldForm) this.follow(item);
  }

  public remove(item: Logical): void {
    this.items.splice(this.items.indexOf(item), 1);
  }

  /** Records that all items have the new form, and that the items made from them exist. */
  public filled(): void {
    for (const item of [...this.items]) {
      item.isOldForm = false;
      this.items.push(...this.madeOf(item));
    }
  }

  private madeOf({ old, isSeed }: Logical): readonly Logical[] {
    if (old === undefined) return [];
    const made = this.migration.made(old.table.name, makeItem(old.table, old.entity, old.values));
    if (typeof made === 'string') return [];
    return made.map(({ table, entity, item }) => {
      const design = this.after.tables[table] as TableDesign;
      const next = outline(design);
      const now = known(design, entity, valuesOf(next, entityNamed(next, entity) as EntityOutline, item));
      return { label: labelOf(now), now, isOldForm: false, ...(isSeed && { isSeed }) };
    });
  }

  /** Derives the new values of an item that is stored in the old form. */
  private follow(item: Logical): void {
    if (item.old === undefined) return;
    const { table, entity, values } = item.old;
    const stored = makeItem(table, entity, values);
    const outcome = this.migration.outcome('fill', table.name, stored);
    if (outcome.kind === 'failed') {
      item.fault = outcome.why;
      return;
    }
    const change = this.changeOf(table.name, entity.name);
    if (change !== undefined && change.to === undefined) return;
    const design = this.after.tables[change?.to?.table ?? table.name];
    const name = change?.to?.entity ?? entity.name;
    if (design === undefined || !Object.hasOwn(design.entities, name)) return;
    const next = outline(design);
    const read = valuesOf(next, entityNamed(next, name) as EntityOutline, itemAfter(stored, outcome) as Item);
    item.now = known(design, name, read);
  }

  private changeOf(table: string, entity: string): ItemChange | undefined {
    return this.changes.find(({ from }) => from.table === table && from.entity === entity);
  }

  private renamedOf({ old }: Logical): Readonly<Record<string, string>> {
    return (old && this.changeOf(old.table.name, old.entity.name)?.renamed) ?? {};
  }

  private oldOf({ table, entity, values }: Known): Known | undefined {
    return asOld(this.changes, this.before, table.name, entity.name, values);
  }
}

/** An item of the new design as the old one reads it; undefined if the old design has no such entity. */
export function asOld(
  changes: readonly ItemChange[],
  before: SystemDesign,
  table: string,
  entity: string,
  values: Item,
): Known | undefined {
  const change = changes.find(({ to }) => to?.table === table && to.entity === entity);
  const design = before.tables[change?.from.table ?? table];
  const name = change?.from.entity ?? entity;
  if (design === undefined || !Object.hasOwn(design.entities, name)) return undefined;
  const { attributes } = entityNamed(outline(design), name) as EntityOutline;
  const entries = attributes.map((attribute) => [attribute, values[change?.renamed[attribute] ?? attribute]]);
  return known(design, name, Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
}

function known(design: TableDesign, entity: string, values: object): Known {
  const table = outline(design);
  return { table, entity: entityNamed(table, entity) as EntityOutline, values: { ...values } };
}

export function labelOf({ table, entity, values }: Known): string {
  return `${entity.name} (${showKey(table, makeItem(table, entity, values))})`;
}

/** The primary key of an item, as a text. */
export function identity(table: TableOutline, item: Item): string {
  return JSON.stringify([table.name, ...keyOf(table.key).map(({ name }) => item[name])]);
}
