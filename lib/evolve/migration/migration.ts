import { type EntityOutline, outline, type TableOutline } from '../../blueprint/outline';
import { guardNameOf } from '../../blueprint/unique';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { entityOf, type Item, type readItem } from '../../items/item';
import { canonical } from '../canonical';
import type { Answers } from '../diff/change';
import { nameOfTwo, pair } from '../diff/pairs';
import { designOf } from '../lock/design';
import type { Lock } from '../lock/lock';
import { EvolutionError } from '../lock/read';
import type { ItemChange } from '../plan/plan';
import type { AnyUps } from './define';
import { type Downs, type Form, fillOf, isNew, namesIn, withoutOld } from './forms';
import type { Made, Outcome } from './outcome';
import { guardsFor, madeOf, rivalsOf, type Split } from './split';

export type PhaseOfItems = 'fill' | 'clean';

/** Decides the changes to stored items, one item at a time. All functions are pure. */
export interface Migration {
  /** The tables that a run reads because their items may change; tables are named as in the system. */
  readonly tables: Readonly<Record<PhaseOfItems, readonly string[]>>;
  /** The tables that a verification reads: the tables of a run, and the tables that items move to. */
  readonly verified: readonly string[];
  /** The kind of user code that runs for each item and might never return. @default - none */
  readonly code?: 'up' | 'the schema';
  /** Returns a table before and after the migration. Either side may be missing. */
  sides(table: string): Sides;
  /**
   * Decides the outcome for a stored item. `fill` gives the item the new form, and keeps the attributes that readers of
   * the old form need; `clean` also removes those attributes. The outcome for an item that already has the new form is
   * `unchanged`.
   */
  outcome(phase: PhaseOfItems, table: string, item: Item): Outcome;
  /**
   * Returns the derived items that an item needs because its entity is split or its values become unique; if they
   * cannot be derived, returns the reason. Most items need no derived items.
   */
  made(table: string, item: Item): readonly Made[] | string;
  /**
   * Returns the keys of other items that the same derived item might come from. To find them, compares the derived item
   * with the item that is already stored under the same key.
   */
  rivals(table: string, item: Item, made: Made, there: Item): readonly Item[];
  /** Returns the attributes, both old and new, that determine the outcome for an entity's items. */
  decidedBy(table: string, entity: string): readonly string[];
  /**
   * Returns functions, keyed by attribute, that convert new values back to old values. Contains only attributes whose
   * new values the running release would reject.
   */
  downs(table: string, entity: string): Downs;
  /**
   * Returns values for the attributes that the running release requires in an item but that the new design no longer
   * has.
   */
  missed(table: string, entity: string, item: Item): Item;
}

export interface Sides {
  readonly before?: TableOutline;
  readonly after?: TableOutline;
}

export interface MigrationProps {
  readonly lock: Lock;
  /** The target design, with the new names from the plan. */
  readonly system: SystemDesign;
  readonly answers: Answers;
  readonly items: readonly ItemChange[];
  readonly ups: AnyUps;
  /** The target's lock, without facts about its deployment. */
  readonly target: Lock;
  /**
   * Reads an entity's values from an item as the cloud stores it.
   * @default - reads the stored values unchanged
   */
  readonly read?: typeof readItem;
}

export function makeMigration(props: MigrationProps): Migration {
  const old = designOf(props.lock);
  const forms = formsOf(props, old);
  const isUp = Object.values(props.ups).some((entities) => Object.keys(entities).length > 0);
  // Looks for the digest of a refinement. If a name happens to look like a digest, the only effect is an unnecessary
  // time limit for each item.
  const isRefined = canonical(props.target.tables).includes('"code":"');
  const code = isUp ? 'up' : isRefined ? 'the schema' : undefined;
  // Caches each table's sides, because a run needs them for every item.
  const known = new Map<string, Sides>();
  const sides = (table: string): Sides => {
    const before = known.get(table);
    if (before !== undefined) return before;
    const [was, is] = [old, props.system].map(({ tables }) =>
      Object.hasOwn(tables, table) ? outline(tables[table] as TableDesign) : undefined,
    );
    const both = { ...(was && { before: was }), ...(is && { after: is }) };
    known.set(table, both);
    return both;
  };
  const byOld = byPlace(forms.map((form) => [form.from.table, form.from.entity, form]));
  const added = addedIn(props.system, forms);
  // Merged entities come first, so that the merge target's own form overrides theirs.
  const merged = forms.filter(({ change }) => change?.merged);
  const byNew = byPlace(
    [...merged, ...forms.filter((form) => !merged.includes(form)), ...added].flatMap((form) =>
      form.to === undefined ? [] : [[form.to.table.name, form.to.entity.name, form]],
    ),
  );
  const decided = new Map<string, Map<string, readonly string[]>>();
  const named = (names: readonly (string | undefined)[]) => [...new Set(names.filter((name) => name !== undefined))];
  const sources = named(props.items.map(({ from }) => from.table));
  const formOf = (table: string, item: Item): Form | undefined => {
    const { before, after } = sides(table);
    const was = before && entityOf(before, item, before.entities);
    const is = after && entityOf(after, item, after.entities);
    const own = is && byNew(table, is.name);
    const former = was && byOld(table, was.name);
    // An item is treated as new if it fits only the new design. An item that fits both designs is treated as new if it
    // has the new form.
    const isOwn =
      is !== undefined && (was === undefined || (own !== former && isNew(own, after as TableOutline, is, item)));
    return isOwn ? own : former;
  };
  return {
    tables: { fill: sources, clean: sources.filter((name) => Object.hasOwn(props.system.tables, name)) },
    ...(code === undefined ? {} : { code }),
    verified: named(props.items.flatMap(({ from, to }) => [from.table, to?.table])),
    sides,
    outcome(phase, table, item) {
      const form = formOf(table, item);
      if (form === undefined) {
        const { before, after } = sides(table);
        return { kind: 'unknown', why: `it fits neither design: ${shown(before ?? after, item)}` };
      }
      const filled = fillOf(form, table, item, phase);
      return phase === 'clean' ? withoutOld(form, table, item, filled) : filled;
    },
    made(table, item) {
      const form = formOf(table, item);
      if (form === undefined) return [];
      const parts = form.splits === undefined ? [] : madeOf(form, form.splits, item);
      const guards = guardsFor(form, table, item);
      if (typeof parts === 'string') return parts;
      return typeof guards === 'string' ? guards : [...parts, ...guards];
    },
    rivals(table, item, made, there) {
      const form = formOf(table, item);
      return form?.splits === undefined ? [] : rivalsOf(form, item, made.item, there);
    },
    decidedBy(table, entity) {
      const known = decided.get(table) ?? new Map<string, readonly string[]>();
      decided.set(table, known);
      let names = known.get(entity);
      if (names === undefined) {
        const own = forms.filter(({ from, to }) => from.table === table && (to?.entity.name ?? from.entity) === entity);
        names = [
          ...new Set([...own, byNew(table, entity)].flatMap((form) => (form === undefined ? [] : namesIn(form)))),
        ];
        known.set(entity, names);
      }
      return names;
    },
    downs: (table, entity) => byNew(table, entity)?.downs ?? new Map(),
    missed(table, entity, item) {
      const names = byNew(table, entity)?.change?.missed ?? [];
      const removed = (props.ups[table]?.[entity]?.removed ?? {}) as Readonly<Record<string, (item: Item) => unknown>>;
      return Object.fromEntries(names.map((name) => [name, removed[name]?.(structuredClone(item))]));
    },
  };
}

/** Returns a function that finds a form by its table and entity. */
function byPlace(
  forms: Iterable<readonly [table: string, entity: string, form: Form]>,
): (table: string, entity: string) => Form | undefined {
  const tables = new Map<string, Map<string, Form>>();
  for (const [table, entity, form] of forms) {
    const entities = tables.get(table) ?? new Map<string, Form>();
    tables.set(table, entities.set(entity, form));
  }
  return (table, entity) => tables.get(table)?.get(entity);
}

function shown(table: TableOutline | undefined, item: Item): string {
  if (table === undefined) return 'no such table';
  const mark = table.typeAttribute;
  if (mark === undefined || item[mark] === undefined) return 'its keys match no entity';
  return `${mark} is ${JSON.stringify(item[mark])}`;
}

/** Returns a form for every deployed entity: the entity, and what its items become. */
function formsOf({ lock, system, answers, items, ups, read }: MigrationProps, old: SystemDesign): readonly Form[] {
  const tables = pair(old.tables, system.tables, answers);
  const successors = new Map(tables.both);
  return Object.entries(old.tables).flatMap(([name, design]) => {
    const before = outline(design);
    const successor = successors.get(name);
    return before.entities.map((entity): Form => {
      const change = items.find(({ from }) => from.table === name && from.entity === entity.name);
      const now = change?.to?.table ?? successor;
      const after = now === undefined ? undefined : outline(system.tables[now] as TableDesign);
      const entities = new Map(pair(design.entities, after?.design.entities ?? {}, answers, name).both);
      const { guards } = entity;
      const guarded = guards && entities.get(guards.entity);
      const same = guards && guarded ? guardNameOf(guarded, guards.unique) : entities.get(entity.name);
      const next = change === undefined ? same : change.to?.entity;
      const is = after?.entities.find(({ name }) => name === next);
      const upOf = (name: string) => after && functionOf(ups[after.name]?.[name]);
      // The `up` of a merge target converts only the merged items. The target's own items stay unchanged.
      const isTarget = items.some(
        ({ merged, to }) => merged && to?.table === after?.name && to?.entity === is?.name && !change?.merged,
      );
      const up = is && !isTarget ? upOf(is.name) : undefined;
      const splits = (change?.splits ?? []).map(({ entity: part, needsUp }): Split => {
        const own = upOf(part);
        const made = after?.entities.find(({ name }) => name === part) as EntityOutline;
        return { entity: made, needsUp, ...(own === undefined ? {} : { up: own }) };
      });
      const downs = downsOf(is && after && ups[after.name]?.[is.name], change?.downs ?? []);
      const form: Form = {
        from: { table: name, entity: entity.name },
        before,
        was: entity,
        ...(after !== undefined && is !== undefined ? { to: { table: after, entity: is } } : {}),
        ...(change === undefined ? {} : { change }),
        ...(up === undefined ? {} : { up }),
        ...(downs.size === 0 ? {} : { downs }),
        ...(splits.length === 0 ? {} : { splits }),
        ...(read === undefined ? {} : { read }),
        storesNull: lock.cloud !== 'azure',
      };
      assertDistinct(form);
      return form;
    });
  });
}

/**
 * Returns the user's conversion of an item: `up`, which converts the whole item, or the functions in `formatted`, which
 * convert single attributes.
 */
function functionOf(own: AnyUps[string][string] | undefined): Form['up'] {
  if (own?.up !== undefined) return own.up as Form['up'];
  const formatted = formatsOf(own);
  if (formatted === undefined) return undefined;
  return (item) =>
    Object.fromEntries(
      Object.entries(item).map(([name, value]) => {
        const format = Object.hasOwn(formatted, name) ? (formatted[name] as Format) : undefined;
        if (format === undefined) return [name, value];
        return [name, typeof format === 'function' ? format(value) : format.up(value)];
      }),
    );
}

type Format = ((value: unknown) => unknown) | { up(value: unknown): unknown; down(value: unknown): unknown };

function formatsOf(own: AnyUps[string][string] | undefined): Readonly<Record<string, Format>> | undefined {
  return own?.formatted as Readonly<Record<string, Format>> | undefined;
}

function downsOf(own: AnyUps[string][string] | undefined, names: readonly string[]): Downs {
  const formatted = formatsOf(own) ?? {};
  return new Map(
    names.flatMap((name) => {
      const format = formatted[name];
      return typeof format === 'object' ? [[name, (value: unknown) => format.down(value)] as const] : [];
    }),
  );
}

/**
 * Returns forms for the entities that have no deployed predecessor. Each serves as its own predecessor, so that its
 * items are checked like all other items.
 */
function addedIn({ tables }: SystemDesign, forms: readonly Form[]): readonly Form[] {
  return Object.entries(tables).flatMap(([name, design]) => {
    const table = outline(design);
    const known = forms.flatMap(({ to }) => (to?.table === table ? [to.entity] : []));
    return table.entities
      .filter((entity) => !known.includes(entity))
      .map((entity) => ({
        from: { table: name, entity: entity.name },
        before: table,
        was: entity,
        to: { table, entity },
        storesNull: true,
      }));
  });
}

/**
 * Rejects a rename that gives a name two meanings, because a run could not tell which items it has already converted.
 */
function assertDistinct({ from, to, was, change }: Form): void {
  const two = to && nameOfTwo(change?.renamed ?? {}, was.attributes, to.entity.attributes);
  if (two === undefined) return;
  const { old, now, name } = two;
  throw new EvolutionError(
    `${from.table}.${from.entity}: '${old}' becomes '${now}', and '${name}' is a different attribute before and after the change: old and new items cannot be distinguished; use a new name`,
  );
}
