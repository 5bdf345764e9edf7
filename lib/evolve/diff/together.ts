import { keyOf } from '../../blueprint/outline';
import { guardNameOf } from '../../blueprint/unique';
import { check, type Finding } from '../../check';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { canonical, same } from '../canonical';
import { entityDesignOf, tableDesignOf } from '../lock/design';
import type { LockedEntity } from '../lock/lock';
import { mergedInto, newNameOf } from './answers';
import { type Change, placed } from './change';
import type { Pair } from './sides';
import { withNames } from './texts';

/**
 * Problems that arise only while both old and new items exist. Combines the two designs, and applies the rules about
 * colliding keys and about unexpected items in a pattern's results.
 */
export function* togetherChanges(pair: Pair): Iterable<Change> {
  const { before, after } = pair;
  if (before.design === undefined || after.design === undefined) return;
  if (!same(before.physical.key, after.physical.key)) return;
  const [foreign, newcomers] = [olderEntities(pair), newerEntities(pair)];
  if (foreign.length === 0 && newcomers.length === 0) return;
  const [old, now] = [tableDesignOf(before.name, before), tableDesignOf(after.name, after)];
  const known = new Set([...relevant(old), ...relevant(now)].map(identityOf));
  if (foreign.length > 0) yield* found(pair, together(now, false, foreign), known, 'new-readers');
  if (newcomers.length > 0) yield* found(pair, together(old, true, newcomers), known, 'old-readers');
}

type NamedEntity = readonly [name: string, entity: LockedEntity];

/**
 * The lock's entities that the design lacks or stores under different keys, and the entities that earlier locks left
 * behind.
 */
function olderEntities({ before, after, answers }: Pair): readonly NamedEntity[] {
  const entities = Object.entries(before.design?.entities ?? {}).filter(([name, entity]) => {
    const now = after.design?.entities[newNameOf(answers, before.name, name)];
    return now === undefined || !same(now.keys, entity.keys);
  });
  const former = Object.entries(before.design?.former ?? {}).filter(
    ([name]) => after.design?.entities[name] === undefined,
  );
  return [...former, ...entities];
}

/** The design's entities that are not in the lock. The running release's patterns may find their items. */
function newerEntities({ before, after, answers }: Pair): readonly NamedEntity[] {
  const old = new Set(Object.keys(before.design?.entities ?? {}).map((name) => newNameOf(answers, before.name, name)));
  return Object.entries(after.design?.entities ?? {}).filter(([name]) => !old.has(name));
}

/** An entity of the lock or of the design, or the guard of one of its unique values. */
interface Member {
  readonly name: string;
  readonly unique?: string;
  readonly isDeployed: boolean;
}

/**
 * The design of one side, with additional entities from the other side. `members` maps each entity's name in the
 * combined design to the member that the entity represents.
 */
interface Together {
  readonly design: TableDesign;
  readonly members: ReadonlyMap<string, Member>;
}

function together(design: TableDesign, isDeployed: boolean, others: readonly NamedEntity[]): Together {
  const entities: Record<string, TableDesign['entities'][string]> = { ...design.entities };
  const members = new Map<string, Member>();
  const add = (shown: string, member: Member, unique: object = {}) => {
    members.set(shown, member);
    for (const name of Object.keys(unique)) members.set(guardNameOf(shown, name), { ...member, unique: name });
  };
  for (const [name, entity] of Object.entries(entities)) add(name, { name, isDeployed }, entity.unique);
  for (const [name, entity] of others) {
    let shown = isDeployed ? name : `${name} (deployed)`;
    // The name appears in messages, so it must differ from the name of every real entity.
    while (members.has(shown)) shown = `${shown} (deployed)`;
    entities[shown] = entityDesignOf(entity);
    add(shown, { name, isDeployed: !isDeployed }, entity.unique);
  }
  return { design: { ...design, entities }, members };
}

type Met = Extract<Finding, { rule: 'key-collision' | 'pattern-pollution' }>;

function relevant(design: TableDesign): readonly Met[] {
  // Wraps the table in a system, because the check caches its findings for a single table.
  const system: SystemDesign = { name: 'together', cloud: 'aws', tables: { [design.name]: design } };
  return check(system).filter(
    (finding): finding is Met =>
      (finding.rule === 'key-collision' && finding.cause === 'two-entities') || finding.rule === 'pattern-pollution',
  );
}

/** Identifies a finding by its subject, regardless of its message. */
function identityOf({ rule, subject: { kind, name, field, attribute, entities = [] } }: Met): string {
  return canonical([rule, kind, name, field, attribute, [...entities].sort()]);
}

function* found(
  pair: Pair,
  { design, members }: Together,
  known: ReadonlySet<string>,
  who: 'new-readers' | 'old-readers',
): Iterable<Change> {
  const { at, after } = pair;
  const memberOf = (name: string) => members.get(name) as Member;
  for (const finding of relevant(design)) {
    if (known.has(identityOf(finding))) continue;
    const { rule, subject, message } = finding;
    const collides = rule === 'key-collision';
    const name = collides ? memberOf(subject.name).name : subject.name;
    const others = (subject.entities ?? []).map(memberOf);
    // Ignores old items of the same entity. If their key changes, a separate change in the diff reports the move; if their key stays
    // the same, the old form and the new form are the same item.
    const isOwn = collides
      ? others.every((other) => isKnown(memberOf(subject.name), other, pair))
      : others.every((other) => isOwnOld(other, name, pair));
    if (isOwn) continue;
    const within = [subject.field, subject.attribute].filter((part) => part !== undefined);
    const place = placed(at, collides ? 'entities' : 'patterns', name, ...within);
    yield {
      rule: collides ? 'keys-meet' : 'items-mixed',
      ...place,
      subject: { table: after.name, ...(collides ? { entity: name } : { pattern: name }) },
      verdict: collides ? 'ask' : 'plan',
      breaks: [
        collides
          ? {
              who: 'items',
              how: 'old and new items with the same key overwrite each other',
            }
          : {
              who,
              how: `${who === 'old-readers' ? 'the running release' : 'the new release'} reads these items, and refuses them (ItemError)`,
            },
      ],
      message: `while items of both designs exist: ${message}`,
      fix: collides
        ? `start the new keys with a different prefix; or, if no two items get the same key, give the reason: because: { '${place.path}': '…' }`
        : who === 'old-readers'
          ? 'deploy readers that know the new entity first, then writers'
          : 'restrict the pattern, or move or delete the old items first',
      ...(collides && { asks: 'because' as const }),
    };
  }
}

/**
 * Whether a collision needs no report: the two entities could collide before the change, or are two forms of one item.
 */
function isKnown(one: Member, other: Member, pair: Pair): boolean {
  const isSteady = ({ name, unique }: Member) => {
    const now = { name: newNameOf(pair.answers, pair.before.name, name), isDeployed: false };
    const of = unique === undefined ? {} : { unique };
    return isSameItem({ name, isDeployed: true, ...of }, { ...now, ...of }, pair);
  };
  return isSameItem(one, other, pair) || (one.name !== other.name && isSteady(one) && isSteady(other));
}

/** Whether two forms of one entity have the same primary key, even if their index keys differ. */
function isSameItem(one: Member, other: Member, { before, after, answers }: Pair): boolean {
  if (one.isDeployed === other.isDeployed) return false;
  const [old, now] = one.isDeployed ? [one, other] : [other, one];
  const keys = ({ unique }: Member, entity: LockedEntity | undefined, nameOf = (attribute: string) => attribute) => {
    const of = unique === undefined ? entity?.keys : entity?.unique?.[unique]?.keys;
    return keyOf(after.physical.key).map(({ name }) => of?.[name] && withNames(of[name], nameOf));
  };
  const nameNow = (attribute: string) => newNameOf(answers, before.name, old.name, attribute);
  return (
    newNameOf(answers, before.name, old.name) === now.name &&
    old.unique === now.unique &&
    same(keys(old, before.design?.entities[old.name], nameNow), keys(now, after.design?.entities[now.name]))
  );
}

/** Whether an entity is the deployed form of an entity that the pattern is meant to return. */
function isOwnOld({ name, isDeployed }: Member, pattern: string, { before, after, answers }: Pair): boolean {
  const accesses = after.patterns.find((other) => other.name === pattern)?.accesses ?? [];
  const now = mergedInto(answers, before.name, name) ?? name;
  return isDeployed && accesses.some(({ entities }) => entities.includes(now));
}
