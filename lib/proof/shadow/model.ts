import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { type ItemChange, itemAfter, type Migration } from '../../evolve';
import { type Item, makeItem, showKey, valuesOf } from '../../items/item';

/** What must be true of one item, whoever reads it: its values in the old design and in the new one. */
export interface Logical {
  /** How it is called in a failure. */
  readonly label: string;
  /** In the old design; undefined where that does not know it. */
  old?: Known;
  /** In the new design; undefined where its entity goes. */
  now?: Known;
  /** Whether it was there when the plan began: then no release changes it. */
  isSeed?: boolean;
  /** Whether it is stored in the old form still: then the new values follow from the old ones. */
  isOldForm: boolean;
  /** Why it has no new values, though it should. */
  fault?: string;
}

export interface Known {
  readonly table: TableOutline;
  readonly entity: EntityOutline;
  readonly values: Item;
}

/** All items that there must be, and how old and new values go together. */
export class Model {
  public readonly items: Logical[] = [];
  /** Those that were written since it was emptied last. */
  public readonly touched = new Set<Logical>();

  public constructor(
    private readonly before: SystemDesign,
    private readonly after: SystemDesign,
    private readonly changes: readonly ItemChange[],
    private readonly migration: Migration,
  ) {}

  /** An item that a release of the old design wrote. */
  public addOld(table: string, entity: string, values: object, label?: string): Logical {
    const old = known(this.before.tables[table] as TableDesign, entity, values);
    const item: Logical = { label: label ?? labelOf(old), old, isOldForm: true };
    this.items.push(item);
    this.touched.add(item);
    this.follow(item);
    return item;
  }

  /** An item that a release of the new design wrote. */
  public addNew(table: string, entity: string, values: object, label?: string): Logical {
    const now = known(this.after.tables[table] as TableDesign, entity, values);
    const old = this.oldOf(now);
    const item: Logical = { label: label ?? labelOf(now), now, ...(old && { old }), isOldForm: false };
    this.items.push(item);
    this.touched.add(item);
    return item;
  }

  /** Some attributes got other values, by a release of either design. */
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

  /** All items have the new form from here on, and those that are made of them are there. */
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

  /** What is new of an item that is stored in the old form. */
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

  /** What the old design reads of an item of the new one. */
  private oldOf({ table, entity, values }: Known): Known | undefined {
    const change = this.changes.find(({ to }) => to?.table === table.name && to.entity === entity.name);
    const design = this.before.tables[change?.from.table ?? table.name];
    const name = change?.from.entity ?? entity.name;
    if (design === undefined || !Object.hasOwn(design.entities, name)) return undefined;
    const { attributes } = entityNamed(outline(design), name) as EntityOutline;
    const entries = attributes.map((attribute) => [attribute, values[change?.renamed[attribute] ?? attribute]]);
    return known(design, name, Object.fromEntries(entries.filter(([, value]) => value !== undefined)));
  }
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
