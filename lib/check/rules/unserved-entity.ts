import { hasSteps } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, type KeySource, keysIn } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { touchedBy } from '../../blueprint/updates';
import { inWords } from '../../blueprint/words';
import { shortList } from '../../design/show';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  unwritten: 'no pattern writes the entity',
  unread: 'no pattern reads the entity',
  copied: 'an attribute seems to be copied from another entity, but no pattern keeps the copy in sync (a guess)',
} as const;

type Cause = keyof typeof causes;

export const unservedEntity: TableRule<'unserved-entity', Cause> = {
  id: 'unserved-entity',
  severity: 'note',
  why: 'An entity that no pattern writes or reads may be a leftover, or may be used by other code. A copied attribute becomes stale if no pattern updates the copy.',
  causes,
  *check(table) {
    const { accesses } = table;
    const [writes, reads] = [accesses.filter(isWrite), accesses.filter(isRead)];
    const namedBy = (accesses: readonly PatternAccess[]) => new Set(accesses.flatMap(({ entities }) => entities));
    const [written, read] = [namedBy(writes), namedBy(reads)];
    // An entity that a transaction writes together with other entities may be a guard, which no pattern needs to read.
    const guards = new Set(
      writes.filter(({ design }) => design.op === 'transaction').flatMap(({ entities }) => entities),
    );
    for (const { name, guards: guarded } of table.entities) {
      // Every write to the guarded entity also writes the guard.
      if (guarded !== undefined) continue;
      if (writes.length > 0 && !written.has(name)) yield unserved(name, 'unwritten', 'writes');
      if (reads.length > 0 && !read.has(name) && !guards.has(name)) yield unserved(name, 'unread', 'reads');
    }
    yield* copies(table);
  },
};

function isWrite({ step }: PatternAccess): boolean {
  return step.op === 'put' || step.op === 'update';
}

/** Whether an access reads items. A `require` step is treated as a read, because the engine reads the item. */
function isRead({ action }: PatternAccess): boolean {
  return action === 'get' || action === 'query' || action === 'scan' || action === 'batchGet' || action === 'require';
}

function unserved(name: string, cause: 'unwritten' | 'unread', does: string): Found<Cause> {
  const { path, subject } = atEntity(name, 'attributes');
  const message = `no pattern ${does} ${name}`;
  const place = { path: path.replace(/\.attributes$/, ''), subject: { kind: subject.kind, name: subject.name } };
  return {
    ...place,
    cause,
    message,
    fix: `add such a pattern, or acknowledge the finding if other code ${does} ${name}`,
  };
}

/**
 * Reports copied attributes, in one note per original: `Order.customerName` repeats the `name` of the order's Customer.
 */
function* copies(table: TableUnderCheck): Iterable<Found<Cause>> {
  const changes = changedBy(table.accesses);
  if (changes.size === 0) return;
  const holders = holdersOf(table.entities, new Set([...changes.values()].flatMap((changed) => [...changed.keys()])));
  for (const [owner, changed] of changes) {
    const from = entityNamed(table, owner);
    const ids = from === undefined ? [] : idsElsewhere(from, keysIn(from, table.key) ?? []);
    if (from === undefined || ids.length === 0) continue;
    for (const [attribute, beside] of changed) {
      const copies = holdersLike(from, attribute, holders).filter(
        ({ to, copy }) =>
          to !== from && !beside.has(to.name) && !changes.get(to.name)?.has(copy) && ids.every((id) => hasName(to, id)),
      );
      if (copies.length > 0) yield stale(from, attribute, copies);
    }
  }
}

/** An entity with an attribute that may be a copy. */
interface Holder {
  readonly to: EntityBlueprint;
  readonly copy: string;
}

/**
 * The maximum number of entities to compare with an original. If more entities have an attribute with the same name,
 * the name is merely common, not a sign of a copy.
 */
const COMPARED = 20;

/**
 * Groups the attributes of all entities by their words, to avoid comparing every pair of entities. Many entities have a
 * `name` or a `status`, so an attribute with the same name as the original is considered a copy only if both have the
 * same listed values.
 */
function holdersOf(
  entities: readonly EntityBlueprint[],
  originals: ReadonlySet<string>,
): ReadonlyMap<string, readonly Holder[]> {
  const holders = new Map<string, Holder[]>();
  const add = (key: string, holder: Holder) => {
    const same = holders.get(key);
    if (same === undefined) holders.set(key, [holder]);
    else same.push(holder);
  };
  const changed = new Set([...originals].map(inWords));
  for (const to of entities) {
    for (const copy of to.attributes) {
      add(inWords(copy), { to, copy });
      if (changed.has(inWords(copy))) add(valuesOf(to, copy), { to, copy });
    }
  }
  return holders;
}

/** Returns the words in an attribute's name, followed by the values that its schema lists. */
function valuesOf({ design }: EntityBlueprint, attribute: string): string {
  return `${inWords(attribute)} ${attributeAt(design.attributes, [attribute])?.values ?? ''}`;
}

/**
 * Finds possible copies: other entities may copy the status of an Order as `orderStatus`, or as a `status` with the
 * same listed values.
 */
function holdersLike(
  from: EntityBlueprint,
  attribute: string,
  holders: ReadonlyMap<string, readonly Holder[]>,
): readonly Holder[] {
  const { kind, values } = attributeAt(from.design.attributes, [attribute]) ?? {};
  const named = (holders.get(inWords(from.name) + inWords(attribute)) ?? [])
    .slice(0, COMPARED)
    .filter(({ to, copy }) => attributeAt(to.design.attributes, [copy])?.kind === kind);
  const alike = values === undefined ? [] : (holders.get(valuesOf(from, attribute)) ?? []);
  return [...named, ...(alike.length > COMPARED ? [] : alike.filter(({ to }) => !named.some((one) => one.to === to)))];
}

/** Returns the names of an entity's key parts in other entities, where an Order's `id` is called `orderId`. */
function idsElsewhere({ name }: EntityBlueprint, key: readonly KeySource[]): readonly string[] {
  const ids = key.flatMap(({ template }) => partsOf(template).map((part) => inWords(part.name)));
  return ids.map((id) => (id === 'id' ? `${inWords(name)}id` : id));
}

function hasName({ attributes }: EntityBlueprint, words: string): boolean {
  return attributes.some((name) => inWords(name) === words);
}

function stale(from: EntityBlueprint, attribute: string, copies: readonly Holder[]): Found<Cause> {
  const keyWith = ({ to, copy }: Holder) =>
    [...to.keys.values()].find(({ template }) => partsOf(template).some(({ name }) => name === copy));
  const { to, copy } = (copies.find(keyWith) ?? copies[0]) as Holder;
  const key = keyWith({ to, copy });
  const effect = key === undefined ? 'the copy becomes stale' : `${to.name} items keep their old '${key.attribute}'`;
  const names = [to, ...copies.map((other) => other.to).filter((other) => other !== to)].map(({ name }) => name);
  return {
    ...GUESS,
    ...atEntity(to.name, 'attributes', copy, { entities: [from.name, ...names.slice(1)] }),
    cause: 'copied',
    message: `'${copy}' looks like a copy of '${attribute}' from ${from.name}, but a pattern changes the original without updating ${shortList(names, 4)}, so ${effect}`,
    fix: `change the original and the copy in one transaction, update the copy from the stream, or acknowledge the finding if the copy should keep the old value`,
  };
}

/**
 * Returns the attributes that updates change, grouped by entity. Each attribute comes with the entities that are
 * written along with every change to it.
 */
function changedBy(accesses: readonly PatternAccess[]): ReadonlyMap<string, ReadonlyMap<string, Beside>> {
  const changes = new Map<string, Map<string, Beside>>();
  for (const { step, design } of accesses) {
    if (step.op !== 'update') continue;
    const known = changes.get(step.entity) ?? new Map<string, Beside>();
    changes.set(step.entity, known);
    const beside = new Set(hasSteps(design) ? Object.values(design.steps).map(({ entity }) => entity) : []);
    for (const { attribute } of touchedBy(step)) {
      const before = known.get(attribute) ?? beside;
      known.set(attribute, new Set([...before].filter((name) => beside.has(name))));
    }
  }
  return changes;
}

/** The entities that are written along with every change to an attribute. */
type Beside = ReadonlySet<string>;
