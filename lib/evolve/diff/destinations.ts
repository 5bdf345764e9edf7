import type { LockedEntity } from '../lock/lock';
import { absent } from '../schema/structures';
import { answerFor, fixForGone, mergedInto, movedTo, partsOf } from './answers';
import { type Broken, type Change, placed } from './change';
import { attributeChanges } from './members';
import { list } from './physical';
import { acrossTables, type EntityPair, type Pair } from './sides';
import { storedChanges } from './stored';
import { writtenChanges } from './written';

/** The change for an entity that is new in a table, whether it stands alone or is split from a stored entity. */
export function entityAdded(pair: Pair, entity: string): Change {
  const { before, after, answers, at } = pair;
  const place = { ...placed(at, 'entities', entity), subject: { table: after.name, entity } };
  const deployed = Object.keys(before.design?.entities ?? {});
  const whole = deployed.find((name) => partsOf(answers, before.name, name).includes(entity));
  if (whole !== undefined) {
    return {
      rule: 'entity-split',
      ...place,
      verdict: 'plan',
      breaks: [
        { who: 'new-readers', how: `no stored ${whole} has its ${entity} yet` },
        { who: 'old-writers', how: `the running release writes ${whole} alone, and leaves its ${entity} as it was` },
      ],
      message: `${entity} is new, and is split from ${whole}`,
      fix: `write both, create one ${entity} for each stored ${whole}, then read ${entity}: 'npx tablewright plan'`,
    };
  }
  const companions = writtenWith(pair, entity).filter((name) => deployed.includes(name));
  if (companions.length === 0)
    return {
      rule: 'entity-added',
      ...place,
      verdict: 'safe',
      breaks: [],
      message: `${entity} is new`,
      fix: 'deploy it',
    };
  const ways = companions.map((name) => `split: { '${before.name}.${name}': ['${entity}'] }`);
  return {
    rule: 'entity-added',
    ...place,
    verdict: 'ask',
    breaks: [
      {
        who: 'items',
        how: `stored items of ${list(companions)} have no ${entity}, so ${entity} neither guards nor finds them`,
      },
      { who: 'old-writers', how: `the running release writes ${list(companions)} without ${entity}` },
    ],
    message: `${entity} is new, and is written together with ${list(companions)}`,
    fix: `if stored items need a corresponding ${entity}, answer with ${ways.join(' or ')}; otherwise, give the reason: because: { '${place.path}': '…' }`,
    asks: 'split',
  };
}

/** The entities that a transaction creates together with the given entity. */
function writtenWith({ after }: Pair, entity: string): readonly string[] {
  const transactions = after.patterns.map(({ accesses }) =>
    accesses.filter(({ action, part }) => part !== undefined && action === 'put').flatMap(({ entities }) => entities),
  );
  const own = transactions.filter((entities) => entities.includes(entity));
  return [...new Set(own.flat())].filter((other) => other !== entity);
}

/** The changes for an entity that was merged into another entity, moved to a different table, or removed. */
export function* entityGone(pair: Pair, entity: string, added: readonly string[]): Iterable<Change> {
  const { before, after, answers } = pair;
  const target = mergedInto(answers, before.name, entity);
  if (target !== undefined && after.design?.entities[target] !== undefined) {
    yield entityMerged(pair, entity, target);
    return;
  }
  const across = acrossTables(pair, movedTo(answers, before.name, entity), entity);
  if (across !== undefined) {
    yield entityMoved(across);
    yield* attributeChanges(across);
    yield* storedChanges(across);
    yield* writtenChanges(across);
    return;
  }
  yield entityRemoved(pair, entity, added);
}

function entityMerged({ before, after, at }: Pair, entity: string, target: string): Change {
  const [old, now] = [before.design?.entities[entity], after.design?.entities[target]];
  const missing = Object.entries(now?.attributes.shape ?? {}).filter(
    ([name, schema]) => old?.attributes.shape?.[name] === undefined && absent(schema).verdict !== 'yes',
  );
  const asks = missing.length === 0 ? '' : `; only you know the values of ${list(missing.map(([name]) => name))}`;
  return {
    rule: 'entity-merged',
    ...placed(at, 'entities', target),
    subject: { table: after.name, entity: target, before: entity },
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items of ${entity} are not ${target} items yet` },
      { who: 'old-readers', how: `the running release no longer finds items of ${entity}` },
      ...readersOf(before, entity),
    ],
    message: `items of ${entity} become items of ${target}`,
    fix: `read both entities, change the stored items once nothing writes ${entity}, then read only ${target}: 'npx tablewright plan'${asks}`,
  };
}

function entityMoved({ before, after, at, entity, formerName }: EntityPair): Change {
  const isRenamed = formerName !== entity;
  return {
    rule: 'entity-moved',
    ...placed(at, 'entities', entity),
    subject: { table: after.name, entity, ...(isRenamed && { before: formerName }) },
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items of ${formerName} are in table ${before.name}` },
      { who: 'old-readers', how: `the running release looks for items of ${formerName} in table ${before.name}` },
      {
        who: 'iam',
        how: `the running release has no permission for table ${after.name}, and the new release needs permission for both tables`,
      },
    ],
    message: `${formerName} moves from table ${before.name} to table ${after.name}${isRenamed ? `, and is renamed ${entity}` : ''}`,
    fix: `read both tables, move the stored items, then read only table ${after.name}: 'npx tablewright plan'`,
  };
}

function readersOf(before: Pair['before'], entity: string): readonly Broken[] {
  const readers = before.patterns
    .filter(({ accesses }) => accesses.some(({ action, entities }) => action !== 'put' && entities.includes(entity)))
    .map(({ name }) => name);
  if (readers.length === 0) return [];
  return [
    {
      who: 'old-readers',
      how: `${list(readers)} of the running release read${readers.length === 1 ? 's' : ''} items of ${entity}`,
    },
  ];
}

/** Whether two entities have most of their attributes in common. */
function isAlike(was: LockedEntity, is: LockedEntity): boolean {
  const [before, after] = [was, is].map(({ attributes }) => Object.keys(attributes.shape ?? {}));
  const shared = (before ?? []).filter((name) => after?.includes(name)).length;
  return shared * 2 > Math.max(before?.length ?? 0, after?.length ?? 0);
}

function entityRemoved(pair: Pair, entity: string, added: readonly string[]): Change {
  const { before, after, at, newcomers } = pair;
  const was = before.design?.entities[entity] as LockedEntity;
  const now = after.design?.entities ?? {};
  const alike = Object.keys(now).filter((other) => isAlike(was, now[other] as LockedEntity));
  const renamed = alike.filter((other) => added.includes(other));
  // If the entity may have been renamed, it was most likely not merged into another entity.
  const merged = renamed.length > 0 ? [] : alike;
  const elsewhere = newcomers.filter((other) => other.entity === entity || isAlike(was, other.design));
  const moved = elsewhere.filter((other) => other.entity === entity).map(({ table }) => table);
  const both = elsewhere.filter((other) => other.entity !== entity);
  const former = `${before.name}.${entity}`;
  const ways = [
    ...answerFor('moved', former, moved),
    ...both.map((other) => `moved: { '${former}': '${other.table}' } and renamed: { '${former}': '${other.entity}' }`),
    ...answerFor('renamed', former, renamed),
    ...answerFor('merged', former, merged),
  ];
  const guesses = [
    ...elsewhere.map((other) => `${other.table} has a new ${other.entity}: the entity may have moved there`),
    ...(renamed.length > 0 ? [`${list(renamed)} is new: the entity may have been renamed`] : []),
    ...(merged.length > 0 ? [`${list(merged)} is similar: the entity may have been merged into it`] : []),
  ];
  const place = placed(at, 'entities', entity);
  const isAsked = guesses.length > 0;
  return {
    rule: 'entity-removed',
    ...place,
    subject: { table: after.name, entity },
    verdict: isAsked ? 'ask' : 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items of ${entity} remain, and any pattern that reads one fails (ItemError)` },
      ...readersOf(before, entity),
    ],
    message: isAsked ? `${entity} is gone, and ${guesses.join('; ')}` : `${entity} is gone`,
    fix: isAsked
      ? fixForGone(place.path, ways)
      : `stop writing the entity, then delete its items, and give the reason: because: { '${place.path}': '…' }`,
    ...(isAsked ? { asks: elsewhere.length > 0 ? 'moved' : renamed.length > 0 ? 'renamed' : 'merged' } : {}),
  };
}
