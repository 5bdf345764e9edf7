import { isDeepStrictEqual } from 'node:util';
import { isOpen, schemaAt } from '../../blueprint/attributes/schema';
import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../../blueprint/outline';
import { naming } from '../../blueprint/stored';
import { guardsOf } from '../../blueprint/unique';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { valueAt } from '../../design/template';
import { type DefinedMigration, type ItemChange, itemAfter, type Migration } from '../../evolve';
import { type Item, makeItem, showKey, valuesOf } from '../../items/item';
import { plain } from '../stage';
import { storedIn } from './defaults';
import { asRead, parsedIn, withUnread } from './reading';
import { computedIn } from './stamps';

/** An item that every reader should find, with its values in the old design and in the new design. */
export interface Logical {
  /** The item's name in failure messages. */
  readonly label: string;
  /** The values of the item in the old design; undefined if the old design does not know the item. */
  old?: Known;
  /** The values of the item in the new design; undefined if the plan removes its entity. */
  now?: Known;
  /** Whether the item was stored before the plan began; no release changes such an item. */
  isSeed?: boolean;
  /** The new names of the item's attributes, by old name. @default - no attribute was renamed */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Whether the item is still stored in the old form, so that its new values are derived from its old values. */
  isOldForm: boolean;
  /** Attributes that exist only in the new design, and that a new release wrote into an item in the old form. */
  extra?: Item;
  /** The reason why the item's new values cannot be derived. */
  fault?: string;
  /** Attributes that the stored old form does not contain, so that releases read their defaults. @default - none */
  readonly missing?: readonly string[];
}

export interface Known {
  readonly table: TableOutline;
  readonly entity: EntityOutline;
  readonly values: Item;
}

/** All items that must exist, with their corresponding old and new values. */
export class Model {
  public readonly items: Logical[] = [];
  /** The items that were written since this set was last cleared. */
  public readonly touched = new Set<Logical>();
  /** The items that a release deleted; no pattern may find them again. */
  public readonly deleted: Logical[] = [];

  public constructor(
    private readonly before: SystemDesign,
    private readonly after: SystemDesign,
    private readonly changes: readonly ItemChange[],
    private readonly migration: Migration,
    private readonly ups: DefinedMigration['ups'] = {},
  ) {}

  /** Adds an item that a release of the old design wrote. */
  public addOld(table: string, entity: string, values: object, label?: string, missing?: readonly string[]): Logical {
    const old = known(this.before.tables[table] as TableDesign, entity, values);
    const renamed = this.changeOf(table, entity)?.renamed ?? {};
    const item: Logical = { label: label ?? labelOf(old), old, isOldForm: true, renamed, ...(missing && { missing }) };
    this.items.push(item);
    this.touched.add(item);
    this.follow(item);
    return item;
  }

  /**
   * Adds an item that a release of the new design wrote. With `asOld`, the release stored values in the form that the
   * old release reads.
   */
  public addNew(table: string, entity: string, values: object, label?: string, asOld = false): Logical {
    const now = known(this.after.tables[table] as TableDesign, entity, values);
    const old = this.oldOf(now);
    const renamed = (old && this.changeOf(old.table.name, old.entity.name)?.renamed) ?? {};
    const item: Logical = { label: label ?? labelOf(now), now, ...(old && { old }), isOldForm: false, renamed };
    this.items.push(item);
    this.touched.add(item);
    // A value may lose information when it is stored in the old form.
    if (asOld && this.downsOf(item).size > 0) {
      item.isOldForm = true;
      this.follow(item);
    }
    return item;
  }

  /** Records that a release of either design set attributes, or removed those whose value is undefined. */
  public set(item: Logical, side: 'old' | 'now', values: Item, asOld = side === 'old'): void {
    this.touched.add(item);
    const { renamed = {} } = item;
    const [from, to] = side === 'old' ? [item.old, item.now] : [item.now, item.old];
    if (from !== undefined) assign(from.values, values);
    const downs = this.downsOf(item);
    if (side === 'old' && !item.isOldForm && this.isRemade(item, values)) {
      item.isOldForm = true;
      item.extra = this.onlyNow(item);
    }
    for (const [name, value] of Object.entries(side === 'now' ? withDowns(values, downs) : values)) {
      const other =
        side === 'old' ? (renamed[name] ?? name) : (Object.keys(renamed).find((old) => renamed[old] === name) ?? name);
      const moved = to && movedIn(this.changeIn(item)?.nested ?? {}, side, { name, value, values: to.values });
      if (to !== undefined && moved !== undefined) assign(to.values, moved);
      else if (to?.entity.attributes.includes(other)) {
        const kept =
          side === 'old' && from ? withUnread(schemaAt(from.entity.schema, [name]), value, to.values[other]) : value;
        assign(to.values, { [other]: kept });
      } else if (side === 'now' && item.isOldForm) item.extra = { ...item.extra, [name]: value };
    }
    // If the old release computed attributes differently, a new release recomputes them until the switch.
    if (to !== undefined) assign(to.values, side === 'old' ? computedIn(to) : asRead(to.entity.schema, to.values));
    if ([...downs.keys()].some((name) => Object.hasOwn(values, name))) item.isOldForm = asOld;
    if (item.isOldForm) this.follow(item);
  }

  /** Whether the old release has just set attributes from which an item's new values are derived. */
  private isRemade(item: Logical, values: Item): boolean {
    const { needsUp = [], renamed = {} } = this.changeIn(item) ?? {};
    return Object.keys(values).some((name) => needsUp.includes(renamed[name] ?? name));
  }

  /** Returns an item's values that are missing from its old form. */
  private onlyNow(item: Logical): Item {
    const { renamed = {}, nested = {} } = this.changeIn(item) ?? {};
    const told = (item.old?.entity.attributes ?? []).map((name) => nested[name]?.[0] ?? renamed[name] ?? name);
    return Object.fromEntries(Object.entries(item.now?.values ?? {}).filter(([name]) => !told.includes(name)));
  }

  /** Whether releases write some values of an item in the old design's form. */
  public hasDowns(item: Logical): boolean {
    return this.downsOf(item).size > 0;
  }

  /**
   * Returns the attributes that each `unique` declaration of either design covers. Renamed attributes have the names of
   * the given entity's own design.
   */
  public uniquesOf(entity: EntityOutline): readonly (readonly string[])[] {
    const item = this.items.find(({ old, now }) => [old?.entity, now?.entity].includes(entity));
    if (item === undefined) return [];
    const valuesIn = (known: Known | undefined) =>
      known === undefined ? [] : guardsOf(known.table, known.entity).map(({ guards }) => guards.values);
    const [was, is] = [valuesIn(item.old), valuesIn(item.now)];
    const { renamed = {} } = item;
    const former = (name: string) => Object.keys(renamed).find((old) => renamed[old] === name) ?? name;
    const latter = (name: string) => renamed[name] ?? name;
    const isOld = item.old?.entity === entity;
    const all = isOld
      ? [...was, ...is.map((names) => names.map(former))]
      : [...is, ...was.map((names) => names.map(latter))];
    return all.map((paths) => [...new Set(paths.map((path) => path.split('.')[0] as string))]);
  }

  /**
   * Whether the other design also accepts this value of a primary key attribute. A plan can change such a value only by
   * moving the item.
   */
  public isKeepable({ entity }: Known, name: string, value: unknown): boolean {
    const item = this.items.find(({ old, now }) => [old?.entity, now?.entity].includes(entity));
    const change = item && this.changeIn(item);
    if (item === undefined || change?.moves) return true;
    const { renamed = {} } = item;
    const other = item.old?.entity === entity ? item.now : item.old;
    const former = Object.keys(renamed).find((old) => renamed[old] === name);
    const schema =
      other &&
      schemaAt(other.entity.schema, [item.old?.entity === entity ? (renamed[name] ?? name) : (former ?? name)]);
    return !schema || schema.safeParse(value).success;
  }

  public remove(item: Logical): void {
    this.items.splice(this.items.indexOf(item), 1);
  }

  /** Records that a release deleted an item. */
  public delete(item: Logical): void {
    this.remove(item);
    this.deleted.push(item);
  }

  /** Records that all items have the new form, and that all derived items exist. */
  public filled(): void {
    for (const item of [...this.items]) {
      item.isOldForm = false;
      this.items.push(...this.madeOf(item));
    }
  }

  private madeOf({ old, isSeed, missing }: Logical): readonly Logical[] {
    if (old === undefined) return [];
    const made = this.migration.made(old.table.name, storedIn(old, missing));
    if (typeof made === 'string') return [];
    const isGuard = ({ table, entity }: (typeof made)[number]) =>
      entityNamed(outline(this.after.tables[table] as TableDesign), entity)?.guards !== undefined;
    // The model leaves out guards, because they follow from the items.
    return made
      .filter((one) => !isGuard(one))
      .map(({ table, entity, item }) => {
        const design = this.after.tables[table] as TableDesign;
        const next = outline(design);
        const now = known(design, entity, valuesOf(next, entityNamed(next, entity) as EntityOutline, item));
        return { label: labelOf(now), now, isOldForm: false, ...(isSeed && { isSeed }) };
      });
  }

  /** Derives the new values of an item that is stored in the old form. */
  private follow(item: Logical): void {
    if (item.old === undefined) return;
    const { table, entity } = item.old;
    const extra = item.now === undefined ? item.extra : naming.write(item.now.entity, item.extra ?? {});
    const stored = { ...storedIn(item.old, item.missing), ...extra };
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
    item.now = known(design, name, withoutKeys(item.old, read));
    if (item.missing) assign(item.now.values, parsedIn(item.now.entity.schema, item.now.values));
    // If the entity has an `up`, only the user knows how the values should change.
    item.fault =
      lossOfNew(item.extra ?? {}, item.now) ??
      (this.ups[next.name]?.[name] === undefined ? lossOf(item.old, item.now, change) : this.oneWayIn(item.now));
  }

  /** Describes the first attribute whose new value is lost in the old form; undefined if no value is lost. */
  private oneWayIn(now: Known): string | undefined {
    const { table, entity, values } = now;
    const downs = this.migration.downs(table.name, entity.name);
    const old = downs.size === 0 ? undefined : this.oldOf(now);
    if (old === undefined) return undefined;
    const stored = makeItem(old.table, old.entity, old.values);
    const again = naming.read(entity, itemAfter(stored, this.migration.outcome('fill', old.table.name, stored)) ?? {});
    const name = [...downs.keys()].find((own) => !isDeepStrictEqual(plain(again[own]), plain(values[own])));
    if (name === undefined) return undefined;
    const [is, was, lost] = [values, old.values, again].map((each) => JSON.stringify(each[name]) ?? 'nothing');
    return `its ${name} becomes ${is}; 'down' turns ${is} into ${was}, but 'up' turns ${was} into ${lost}; give ${name} a 'down' that its 'up' can reverse`;
  }

  private downsOf({ now }: Logical): Downs {
    return now === undefined ? new Map() : this.migration.downs(now.table.name, now.entity.name);
  }

  private changeOf(table: string, entity: string): ItemChange | undefined {
    return this.changes.find(({ from }) => from.table === table && from.entity === entity);
  }

  private changeIn({ old }: Logical): ItemChange | undefined {
    return old && this.changeOf(old.table.name, old.entity.name);
  }

  private oldOf({ table, entity, values }: Known): Known | undefined {
    const { name } = entity;
    return asOld(this.changes, this.before, table.name, name, formerValues(this.migration, table.name, name, values));
  }
}

/**
 * If the plan moves the attribute into a map, returns the resulting changes in the other design. Otherwise, returns
 * undefined.
 */
function movedIn(
  nested: NonNullable<ItemChange['nested']>,
  side: 'old' | 'now',
  { name, value, values }: { readonly name: string; readonly value: unknown; readonly values: Item },
): Item | undefined {
  if (side === 'old') {
    const [map, field] = nested[name] ?? [];
    if (map === undefined || field === undefined) return undefined;
    const { [field]: _, ...others } = (values[map] ?? {}) as Item;
    return { [map]: value === undefined ? others : { ...others, [field]: value } };
  }
  const fields = Object.entries(nested).filter(([, [map]]) => map === name);
  if (fields.length === 0) return undefined;
  return Object.fromEntries(fields.map(([old, [, field]]) => [old, valueAt((value ?? {}) as Item, [field])]));
}

type Downs = ReturnType<Migration['downs']>;

/** Converts each attribute that has a `down` to the form that the running release writes; keeps the other values. */
export function withDowns(values: Item, downs: Downs): Item {
  const old = { ...values };
  for (const [name, down] of downs) if (old[name] !== undefined && old[name] !== null) old[name] = down(old[name]);
  return old;
}

/**
 * Returns the values that the running release finds in a new item: values in their old form, plus values for removed
 * attributes that it requires.
 */
export function formerValues(
  migration: Pick<Migration, 'downs' | 'missed'>,
  table: string,
  entity: string,
  values: Item,
): Item {
  return { ...withDowns(values, migration.downs(table, entity)), ...migration.missed(table, entity, values) };
}

/**
 * Returns an item of the new design as the old design reads it; undefined if the old design does not have the entity.
 */
export function asOld(
  changes: readonly ItemChange[],
  before: SystemDesign,
  table: string,
  entity: string,
  values: Item,
): Known | undefined {
  const change = changes.find(({ to, merged }) => to?.table === table && to.entity === entity && merged !== true);
  const design = before.tables[change?.from.table ?? table];
  const name = change?.from.entity ?? entity;
  if (design === undefined || !Object.hasOwn(design.entities, name)) return undefined;
  const { attributes, schema } = entityNamed(outline(design), name) as EntityOutline;
  const renamed = change?.renamed ?? {};
  const nested = change?.nested ?? {};
  const entries = attributes.map((attribute) => [
    attribute,
    valueAt(values, nested[attribute] ?? [renamed[attribute] ?? attribute]),
  ]);
  const isOther = (own: string) =>
    !Object.values(renamed).includes(own) && !Object.values(nested).some(([map]) => map === own);
  const loose = isOpen(schema) ? Object.entries(values).filter(([own]) => isOther(own)) : [];
  const given = Object.fromEntries([...loose, ...entries].filter(([, value]) => value !== undefined));
  return known(design, name, asRead(schema, given));
}

/**
 * The values read from an item, without the keys of the old form. An open entity would mistake these keys for
 * attributes.
 */
function withoutKeys({ table, values }: Known, read: Item): Item {
  const isKey = (name: string) => table.keyAttributes.some((key) => key.name === name) || name === table.typeAttribute;
  return Object.fromEntries(Object.entries(read).filter(([name]) => Object.hasOwn(values, name) || !isKey(name)));
}

/**
 * Describes the first attribute that the new entity keeps, but whose stored value would change or be lost; undefined if
 * there is none. Compares the values themselves, independently of the migration, to find faults in the migration.
 */
function lossOf(old: Known, now: Known, change: ItemChange | undefined): string | undefined {
  const { renamed = {}, nested = {}, defaults = [], needsUp = [] } = change ?? {};
  for (const [name, value] of Object.entries(old.values)) {
    const path = nested[name] ?? [renamed[name] ?? name];
    const [next = name] = path;
    const isKept = now.entity.attributes.includes(next) || isOpen(now.entity.schema);
    if (!isKept || value === null || [...defaults, ...needsUp].includes(next)) continue;
    if (isDeepStrictEqual(plain(valueAt(now.values, path)), plain(value))) continue;
    const [was, is] = [value, valueAt(now.values, path)].map((shown) => JSON.stringify(shown) ?? 'nothing');
    return `its ${name} is ${was}, but would become ${is}`;
  }
  return undefined;
}

/**
 * Describes the first attribute that a release of the new design stored in an item in the old form, but that the new
 * form would change or lose.
 */
function lossOfNew(extra: Item, { entity, values }: Known): string | undefined {
  const lost = Object.keys(extra).find(
    (name) =>
      extra[name] !== undefined &&
      entity.attributes.includes(name) &&
      !Object.hasOwn(entity.design.computed ?? {}, name) &&
      !isDeepStrictEqual(plain(values[name]), plain(extra[name])),
  );
  if (lost === undefined) return undefined;
  return `its ${lost} is ${JSON.stringify(extra[lost])}, but would become ${JSON.stringify(values[lost]) ?? 'nothing'}`;
}

/** Sets attributes, and removes each attribute whose new value is undefined. */
function assign(values: Item, changed: Item): void {
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) delete values[name];
    else values[name] = value;
  }
}

function known(design: TableDesign, entity: string, values: object): Known {
  const table = outline(design);
  return { table, entity: entityNamed(table, entity) as EntityOutline, values: { ...values } };
}

export function labelOf({ table, entity, values }: Known): string {
  return `${entity.name} (${showKey(table, makeItem(table, entity, values))})`;
}

/** An item's primary key as a string. */
export function identity(table: TableOutline, item: Item): string {
  return JSON.stringify([table.name, ...keyOf(table.key).map(({ name }) => item[name])]);
}
