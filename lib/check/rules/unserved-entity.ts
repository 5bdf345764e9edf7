import { hasSteps } from '../../blueprint/accesses';
import { attributeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, keysIn } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { touchedBy } from '../../blueprint/updates';
import { inWords, namesElsewhere, wordsOf } from '../../blueprint/words';
import type { Found, TableRule } from '../finding';
import { atEntity } from '../places';
import type { PatternAccess, TableUnderCheck } from '../subject';

const causes = {
  unwritten: 'no pattern writes the entity',
  unread: 'no pattern reads the entity',
  copied: 'an attribute is a copy from another entity, and no pattern keeps it in step',
} as const;

type Cause = keyof typeof causes;

export const unservedEntity: TableRule<'unserved-entity', Cause> = {
  id: 'unserved-entity',
  severity: 'note',
  why: 'An entity that no pattern writes or reads may be used by other code, or forgotten; a copy is only as fresh as its last write.',
  causes,
  *check(table) {
    const { plan, accesses } = table;
    const [writes, reads] = [accesses.filter(isWrite), accesses.filter(isRead)];
    const namedBy = (accesses: readonly PatternAccess[]) => new Set(accesses.flatMap(({ entities }) => entities));
    const [written, read] = [namedBy(writes), namedBy(reads)];
    // An entity that is only written with another may be its guard, which need not be read.
    const guards = new Set(
      writes.filter(({ design }) => design.op === 'transaction').flatMap(({ entities }) => entities),
    );
    for (const { name } of plan.entities) {
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
function* copies({ plan, accesses }: TableUnderCheck): Iterable<Found<Cause>> {
  const changes = changedBy(accesses);
  if (changes.size === 0) return;
  const holders = holdersOf(plan.entities);
  for (const [owner, changed] of changes) {
    const from = entityNamed(plan, owner);
    const ids = new Set(
      from && keysIn(from, plan.key)?.flatMap(({ template }) => partsOf(template).map((hole) => inWords(hole.name))),
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

/** What a copy may be called, the clearest name first; a common name such as `status` needs the owner's name before it. */
function namesOfCopies(owner: string, attribute: string): readonly string[] {
  const [alone = '', named = ''] = namesElsewhere(owner, attribute);
  return OWN.has(wordsOf(attribute).at(-1) ?? '') ? [named] : [named, alone];
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
  const message = `${copy} looks like the ${attribute} of ${from.name}, which a pattern changes without updating ${to.name}`;
  yield {
    ...atEntity(to.name, 'attributes', copy, { entities: [from.name] }),
    cause: 'copied',
    message,
    fix: `change both in one transaction, follow the stream, or leave it if the copy should stay as it was`,
  };
}

/** Words for attributes that any entity may have. */
const OWN: ReadonlySet<string> = new Set(
  'status state version count total at date note type kind id ttl expires tags created updated'.split(' '),
);

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
