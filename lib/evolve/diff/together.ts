import { keyOf } from '../../blueprint/table';
import { check, type Finding } from '../../check';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { same } from '../canonical';
import { entityDesignOf, tableDesignOf } from '../lock/design';
import type { LockedEntity } from '../lock/lock';
import { newNameOf } from './answers';
import type { Change } from './change';
import type { Pair } from './sides';

/** The name of a deployed entity beside the designed one. */
const asDeployed = (name: string) => `${name} (deployed)`;

/**
 * What goes wrong only while items of the lock and items of the design exist side by side: both designs are checked as one, by
 * the rules about colliding keys and about foreign items in what a pattern reads.
 */
export function* togetherChanges(pair: Pair): Iterable<Change> {
  const { before, after } = pair;
  if (before.design === undefined || after.design === undefined) return;
  if (!same(before.resources.key, after.resources.key)) return;
  const [old, now] = [before, after].map((side) => tableDesignOf(side.name, side));
  if (old === undefined || now === undefined) return;
  const foreign = olderEntities(pair);
  const known = new Set([...relevant(old), ...relevant(now)].map(nameOf));
  if (Object.keys(foreign).length > 0) {
    const both = { ...now, entities: { ...now.entities, ...foreign } };
    yield* found(pair, relevant(both), known, 'new-readers');
  }
  const newcomers = newerEntities(pair);
  if (Object.keys(newcomers).length > 0) {
    yield* found(pair, relevant({ ...old, entities: { ...old.entities, ...newcomers } }), known, 'old-readers');
  }
}

/** The entities that the design lacks or has under other keys, and those that earlier locks left behind. */
function olderEntities({ before, after, answers }: Pair): TableDesign['entities'] {
  const entities = Object.entries(before.design?.entities ?? {}).filter(([name, entity]) => {
    const now = after.design?.entities[newNameOf(answers, before.name, name)];
    return now === undefined || !same(now.keys, entity.keys);
  });
  const former = Object.entries(before.design?.former ?? {}).filter(
    ([name]) => after.design?.entities[name] === undefined,
  );
  return designs([...former, ...entities], asDeployed);
}

/** The entities that the lock lacks: patterns of the running release may come across their items. */
function newerEntities({ before, after, answers }: Pair): TableDesign['entities'] {
  const old = new Map(
    Object.entries(before.design?.entities ?? {}).map(([name, entity]) => [
      newNameOf(answers, before.name, name),
      entity,
    ]),
  );
  const entities = Object.entries(after.design?.entities ?? {}).filter(([name]) => !old.has(name));
  return designs(entities, (name) => name);
}

function designs(entities: readonly (readonly [string, LockedEntity])[], nameOf: (name: string) => string) {
  return Object.fromEntries(entities.map(([name, entity]) => [nameOf(name), entityDesignOf(entity)]));
}

type Met = Extract<Finding, { rule: 'key-collision' | 'pattern-pollution' }>;

function relevant(design: TableDesign): readonly Met[] {
  // The check remembers what it finds about a table alone, but not about one in a system.
  const system: SystemDesign = { name: 'together', cloud: 'aws', tables: { [design.name]: design } };
  return check(system).filter(
    (finding): finding is Met =>
      (finding.rule === 'key-collision' && finding.cause === 'two-entities') || finding.rule === 'pattern-pollution',
  );
}

/** Identifies a finding by what it is about, without its words. */
function nameOf({ rule, path, subject }: Met): string {
  return [rule, path, ...[...(subject.entities ?? [])].sort()].join(' ');
}

function* found(
  pair: Pair,
  findings: readonly Met[],
  known: ReadonlySet<string>,
  who: 'new-readers' | 'old-readers',
): Iterable<Change> {
  const { path, after } = pair;
  for (const finding of findings) {
    if (known.has(nameOf(finding))) continue;
    const { rule, subject, message } = finding;
    const at = finding.path.replace(/^tables\.[^.]+\./, '').replaceAll(' (deployed)', '');
    const collides = rule === 'key-collision';
    const { entities = [] } = subject;
    // Old items of the same entity are no strangers: other changes report that they move, and under the same key they are one item.
    if (collides ? isSameItem(subject.name, entities, pair) : entities.every((name) => isOwnOld(name, after, at)))
      continue;
    yield {
      rule: collides ? 'keys-meet' : 'items-mixed',
      path: `${path}.${at}`,
      subject: { table: after.name, ...(collides ? { entity: subject.name } : { pattern: subject.name }) },
      verdict: 'plan',
      breaks: [
        collides
          ? { who: 'items', how: 'one overwrites the other while both exist' }
          : {
              who,
              how: `${who === 'old-readers' ? 'the running release' : 'it'} comes across them, and refuses them (ItemError)`,
            },
      ],
      message: `while both exist: ${message}`,
      fix: collides
        ? 'begin the new keys with text of their own'
        : who === 'old-readers'
          ? 'deploy readers that know the new entity first, then writers'
          : 'narrow the pattern, or move or delete the old items first',
    };
  }
}

/** Whether two forms of one entity have the same primary key, however their index keys differ. */
function isSameItem(name: string, others: readonly string[], { before, after, answers }: Pair): boolean {
  return others.every((other) => {
    const [old, now] = [name, other]
      .map((entity) => entity.replace(' (deployed)', ''))
      .sort((a) => (asDeployed(a) === name ? -1 : 1));
    const key = keyOf(after.plan.key).map((attribute) => attribute.name);
    const keys = (entity: LockedEntity | undefined) => key.map((attribute) => entity?.keys[attribute]);
    return (
      newNameOf(answers, before.name, old as string) === now &&
      same(keys(before.design?.entities[old as string]), keys(after.design?.entities[now as string]))
    );
  });
}

/** Whether an entity is the deployed form of one that the pattern returns anyway. */
function isOwnOld(name: string, { plan }: Pair['after'], at: string): boolean {
  const [, pattern] = at.split('.');
  const returned =
    plan.patterns.find((other) => other.name === pattern)?.accesses.flatMap(({ entities }) => entities) ?? [];
  return returned.some((entity) => asDeployed(entity) === name);
}
