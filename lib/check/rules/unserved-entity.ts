import { hasSteps } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, keysIn } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { touchedBy } from '../../blueprint/updates';
import { inWords, isSameName, namesElsewhere } from '../../blueprint/words';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  unwritten: 'no pattern writes the entity',
  unread: 'no pattern reads the entity',
  copied: 'an attribute is a copy from another entity, and no pattern keeps it in step (a guess)',
} as const;

type Cause = keyof typeof causes;

export const unservedEntity: TableRule<'unserved-entity', Cause> = {
  id: 'unserved-entity',
  severity: 'note',
  why: 'An entity that no pattern writes or reads may be used by other code, or forgotten; a copy is only as fresh as its last write.',
  causes,
  *check(table) {
    const { accesses } = table;
    const [writes, reads] = [accesses.filter(isWrite), accesses.filter(isRead)];
    const namedBy = (accesses: readonly PatternAccess[]) => new Set(accesses.flatMap(({ entities }) => entities));
    const [written, read] = [namedBy(writes), namedBy(reads)];
    // An entity that is only written with another may be its guard, which need not be read.
    const guards = new Set(
      writes.filter(({ design }) => design.op === 'transaction').flatMap(({ entities }) => entities),
    );
    for (const { name, guards: guarded } of table.entities) {
      // The writes of what it guards write it, too.
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

/** Whether an access reads; a require step counts, since the engine looks at the item. */
function isRead({ action }: PatternAccess): boolean {
  return action === 'get' || action === 'query' || action === 'scan' || action === 'batchGet' || action === 'require';
}

function unserved(name: string, cause: 'unwritten' | 'unread', does: string): Found<Cause> {
  const { path, subject } = atEntity(name, 'attributes');
  const message = `no pattern ${does} ${name}`;
  const place = { path: path.replace(/\.attributes$/, ''), subject: { kind: subject.kind, name: subject.name } };
  return { ...place, cause, message, fix: `add one, or leave it if something else ${does} it` };
}

/** Attributes like `Order.customerName`, a copy of the name of the Customer whose id the order has. */
function* copies(table: TableUnderCheck): Iterable<Found<Cause>> {
  const changes = changedBy(table.accesses);
  if (changes.size === 0) return;
  const holders = holdersOf(table.entities);
  for (const [owner, changed] of changes) {
    const from = entityNamed(table, owner);
    const ids = new Set(
      from && keysIn(from, table.key)?.flatMap(({ template }) => partsOf(template).map((part) => inWords(part.name))),
    );
    if (from === undefined || ids.size === 0) continue;
    const copied = Array.from(changed, ([attribute, beside]) => ({
      attribute,
      beside,
      names: namesOfCopies(owner, attribute),
    }));
    for (const { to, own } of holdingAny(copied, holders)) {
      if (to === from || !isSubset(ids, own)) continue;
      for (const { attribute, beside, names } of copied) {
        if (!beside.has(to.name)) yield* copyOf(from, to, attribute, names, own, changes);
      }
    }
  }
}

/** An entity, its attributes by their words, and its place among the others. */
interface Holder {
  readonly to: EntityBlueprint;
  readonly own: ReadonlyMap<string, string>;
  readonly place: number;
}

/** The entities by the words of their attributes: comparing each with every other would take minutes for thousands. */
function holdersOf(entities: readonly EntityBlueprint[]): ReadonlyMap<string, readonly Holder[]> {
  const holders = new Map<string, Holder[]>();
  for (const [place, to] of entities.entries()) {
    const own = new Map(to.attributes.map((name) => [inWords(name), name]));
    const holder = { to, own, place };
    for (const words of own.keys()) {
      const same = holders.get(words);
      if (same === undefined) holders.set(words, [holder]);
      else same.push(holder);
    }
  }
  return holders;
}

/** The entities that may hold a copy of a changed attribute, in the order of the design. */
function holdingAny(
  copied: readonly { readonly names: readonly string[] }[],
  holders: ReadonlyMap<string, readonly Holder[]>,
): readonly Holder[] {
  const all = new Set(copied.flatMap(({ names }) => names.flatMap((name) => holders.get(name) ?? [])));
  return [...all].sort((a, b) => a.place - b.place);
}

function isSubset(ids: ReadonlySet<string>, own: ReadonlyMap<string, string>): boolean {
  for (const id of ids) if (!own.has(id)) return false;
  return true;
}

/** What a copy may be called, the clearest name first: the status of an Order is its `orderStatus`, or has the same values. */
function namesOfCopies(owner: string, attribute: string): readonly string[] {
  const [alone = '', named = ''] = namesElsewhere(owner, attribute);
  return [named, alone];
}

function* copyOf(
  from: EntityBlueprint,
  to: EntityBlueprint,
  attribute: string,
  names: readonly string[],
  own: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, ReadonlyMap<string, Beside>>,
): Iterable<Found<Cause>> {
  const copy = names.map((name) => own.get(name)).find((name) => name !== undefined);
  if (copy === undefined || changes.get(to.name)?.has(copy)) return;
  const [a, b] = [attributeAt(from.design.attributes, [attribute]), attributeAt(to.design.attributes, [copy])];
  if (a?.kind !== b?.kind) return;
  // Any entity may have a name or a status of its own; only the same listed values make one a copy.
  if (isSameName(copy, attribute) && (a?.values === undefined || `${a.values}` !== `${b?.values}`)) return;
  const key = [...to.keys.values()].find(({ template }) => partsOf(template).some(({ name }) => name === copy));
  const stale = key === undefined ? 'the copy is stale then' : `the item stays at its old place in ${key.attribute}`;
  const message = `${copy} looks like the ${attribute} of ${from.name}, which a pattern changes without updating ${to.name}: ${stale}`;
  yield {
    ...GUESS,
    ...atEntity(to.name, 'attributes', copy, { entities: [from.name] }),
    cause: 'copied',
    message,
    fix: `change both in one transaction, follow the stream, or leave it if the copy should stay as it was`,
  };
}

/** The changed attributes of each entity, with the entities that are written together with every such change. */
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

/** The entities that are written with every change of an attribute. */
type Beside = ReadonlySet<string>;
