import { type KeyAttribute, keyOf } from '../../blueprint/table';
import { shownHole } from '../../blueprint/template-parts';
import { mapParts, template } from '../../design/template';
import { same } from '../canonical';
import type { LockedEntity } from '../lock/lock';
import { fixForGone, partsOf } from './answers';
import { attributeChanges, attributeNow, type EntityPair } from './attributes';
import type { Broken, Change } from './change';
import { list, NEW_TABLE, readersOf } from './resources';
import { type Pair, pair as paired } from './sides';

/** The changes of a table's entities, with their keys and attributes. */
export function* entityChanges(pair: Pair): Iterable<Change> {
  const { before, after, answers, path } = pair;
  if (before.design === undefined || after.design === undefined) return;
  const [was, is] = [before.design.entities, after.design.entities];
  const { both, gone, added } = paired(was, is, answers, before.name);
  yield* tableWide(pair);
  for (const [formerName, entity] of both) {
    const entityPair = {
      ...pair,
      entity,
      formerName,
      was: was[formerName] as LockedEntity,
      is: is[entity] as LockedEntity,
    };
    if (formerName !== entity) yield entityRenamed(entityPair);
    else if (entityPair.was.type !== entityPair.is.type && after.design.typeAttribute !== undefined)
      yield entityType(entityPair);
    yield* templateChanges(entityPair);
    yield* attributeChanges(entityPair);
  }
  for (const entity of added) {
    const whole = Object.keys(was).find((name) => partsOf(answers, before.name, name).includes(entity));
    const at = { path: `${path}.entities.${entity}`, subject: { table: after.name, entity } };
    if (whole !== undefined) yield { ...at, ...entitySplit(entity, whole) };
    else
      yield { rule: 'entity-added', ...at, verdict: 'safe', breaks: [], message: `${entity} is new`, fix: 'deploy it' };
  }
  for (const entity of gone) {
    const alike = added.filter((other) => isAlike(was[entity] as LockedEntity, is[other] as LockedEntity));
    yield entityRemoved(pair, entity, alike);
  }
}

function* tableWide({ before, after, path }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const [was, is] = [before.design?.typeAttribute, after.design?.typeAttribute];
  if (was !== is) {
    yield {
      rule: 'type-attribute',
      path: `${path}.typeAttribute`,
      subject,
      verdict: 'plan',
      breaks: [
        { who: 'new-readers', how: `stored items are recognized by ${was ?? 'their keys'}` },
        { who: 'old-readers', how: `the running release looks for ${was ?? 'keys'}` },
      ],
      message: `entities are recognized by ${is ?? 'their keys'}, no longer by ${was ?? 'their keys'}`,
      fix: 'write both, fill it in stored items, read by the new one, then stop writing the old one',
    };
  }
  const [cut, now] = [before.design?.separator, after.design?.separator];
  if (cut === now) return;
  yield {
    rule: 'separator',
    path: `${path}.separator`,
    subject,
    verdict: 'ask',
    breaks: [{ who: 'new-readers', how: `a stored value may hold '${now}', and can no longer be asked for` }],
    message: `the separator of keys was '${cut}', and becomes '${now}'`,
    fix: `say why no value in a key holds '${now}' (because)`,
    asks: 'because',
  };
}

function entityRenamed(pair: EntityPair): Change {
  const { formerName, entity, was, is, after, path } = pair;
  const stored = after.design?.typeAttribute !== undefined && was.type !== is.type;
  return {
    rule: 'entity-renamed',
    path: `${path}.entities.${entity}`,
    subject: { table: after.name, entity, before: formerName },
    verdict: stored ? 'plan' : 'safe',
    breaks: stored ? typeBreaks(pair) : [],
    message: `${formerName} is renamed ${entity}`,
    fix: stored
      ? `keep what is stored (type: '${was.type}'), or change it in stored items by a plan`
      : 'deploy it: what is stored stays the same',
  };
}

function entitySplit(entity: string, whole: string): Omit<Change, 'path' | 'subject'> {
  return {
    rule: 'entity-split',
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `no stored ${whole} has its ${entity} yet` },
      { who: 'old-writers', how: `the running release writes ${whole} alone, and leaves its ${entity} as it was` },
    ],
    message: `${entity} is new, and is made from ${whole}`,
    fix: `write both, make a ${entity} for each stored ${whole}, then read ${entity}: 'tablewright plan'`,
  };
}

function entityType(pair: EntityPair): Change {
  const { entity, was, is, after, path } = pair;
  return {
    rule: 'entity-type',
    path: `${path}.entities.${entity}.type`,
    subject: { table: after.name, entity },
    verdict: 'plan',
    breaks: typeBreaks(pair),
    message: `items of ${entity} are marked '${is.type}', no longer '${was.type}'`,
    fix: `keep type: '${was.type}', or change it in stored items by a plan`,
  };
}

function typeBreaks({ was, is, after }: EntityPair): readonly Broken[] {
  const attribute = after.design?.typeAttribute;
  return [
    { who: 'new-readers', how: `stored items have ${attribute} '${was.type}', which the new design does not know` },
    { who: 'old-readers', how: `the running release does not know ${attribute} '${is.type}'` },
  ];
}

/** Changes of key templates; an attribute that was only renamed still makes the same key. */
function* templateChanges(pair: EntityPair): Iterable<Change> {
  const { before, after, entity, formerName, path } = pair;
  const [was, is] = [before, after].map(({ plan }, i) =>
    plan.entities.find(({ name }) => name === (i === 0 ? formerName : entity)),
  );
  if (was === undefined || is === undefined) return;
  const text = (attribute: string) => {
    const source = was.keys.get(attribute);
    return source && renamedText(pair, source.template.text);
  };
  const primary = keyOf(after.plan.key).filter(({ name }) => {
    const [old, now] = [text(name), is.keys.get(name)?.template.text];
    return old !== undefined && now !== undefined && old !== now;
  });
  if (primary.length > 0 && same(before.resources.key, after.resources.key))
    yield primaryKey(
      pair,
      primary.map(({ name }) => name),
      text,
    );
  for (const { name } of after.plan.keyAttributes) {
    if (keyOf(after.plan.key).some((key) => key.name === name)) continue;
    const [old, now] = [text(name), is.keys.get(name)?.template.text];
    if (old === now || !before.plan.keyAttributes.some((key) => key.name === name)) continue;
    yield indexKey(pair, name, old, now);
  }
  yield* membershipChanges(pair);
  if (!same(pair.was.keyOnly, pair.is.keyOnly)) {
    yield {
      rule: 'key-only',
      path: `${path}.entities.${entity}.keyOnly`,
      subject: { table: after.name, entity },
      verdict: pair.is.keyOnly.every((name) => pair.was.keyOnly.includes(name)) ? 'safe' : 'plan',
      breaks: pair.is.keyOnly.every((name) => pair.was.keyOnly.includes(name))
        ? []
        : [
            {
              who: 'old-readers',
              how: 'the running release looks for the attribute under its own name first, and then in the key',
            },
          ],
      message: `what is stored in keys alone is ${list(pair.is.keyOnly) || 'nothing'}, and was ${list(pair.was.keyOnly) || 'nothing'}`,
      fix: 'deploy readers first; both forms are read',
    };
  }
}

/** Changes of the condition under which an item is in an index (`while`). */
function* membershipChanges({ was, is, before, after, entity, path }: EntityPair): Iterable<Change> {
  for (const { name } of after.plan.indexes) {
    const [old, now] = [was.indexes?.[name], is.indexes?.[name]];
    // A new index is filled under the new condition anyway.
    if (same(old, now) || !Object.hasOwn(before.resources.indexes, name)) continue;
    yield {
      rule: 'index-key-template',
      path: `${path}.entities.${entity}.indexes.${name}`,
      subject: { table: after.name, entity, index: name },
      verdict: 'plan',
      breaks: [
        {
          who: 'index-entries',
          how: `stored items of ${entity} are in ${name} as before, not as they should be now`,
        },
      ],
      message: `${entity} is in index ${name} under another condition`,
      fix: 'fill or clear the keys of stored items by a plan',
    };
  }
}

/** A key template of the lock with the new names of attributes. */
export function renamedText(pair: EntityPair, text: string): string {
  return withNames(text, (name) => attributeNow(pair, name));
}

/** A key template with its attributes renamed. */
export function withNames(text: string, nameOf: (attribute: string) => string): string {
  return mapParts(
    template(text),
    (literal) => literal,
    ({ path: [first = '', ...rest], format, optional }) => {
      const name = [nameOf(first), ...rest].join('.');
      const shown = shownHole({ name, format });
      return optional ? shown.replace(/>$/, '?>') : shown;
    },
  ).join('');
}

function primaryKey(pair: EntityPair, names: readonly string[], before: (name: string) => string | undefined): Change {
  const { after, entity, path, cloud } = pair;
  const keys = after.plan.entities.find(({ name }) => name === entity)?.keys;
  const shown = names.map((name) => `${name} '${before(name)}' becomes '${keys?.get(name)?.template.text}'`);
  const partition = names.includes(after.plan.key.partition.name);
  return {
    rule: 'primary-key-template',
    path: `${path}.entities.${entity}.keys.${names[0]}`,
    subject: { table: after.name, entity, attribute: names[0] },
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items are under their old keys, so they are not found` },
      { who: 'old-readers', how: `the running release does not find items under new keys` },
      { who: 'old-writers', how: `the running release writes a second item under the old key` },
      ...(partition && cloud === 'aws'
        ? [{ who: 'iam' as const, how: 'grants are on the partitions of the old template' }]
        : []),
      { who: 'cursors', how: 'pages start over' },
    ],
    message: `the primary key of ${entity} is made differently: ${shown.join(', ')}`,
    fix: `read both keys, move the stored items, then read only the new one: 'tablewright plan'`,
  };
}

function indexKey(pair: EntityPair, attribute: string, before: string | undefined, now: string | undefined): Change {
  const { after, entity, path } = pair;
  const isIn = (by: readonly KeyAttribute[]) => by.some(({ name }) => name === attribute);
  const indexes = after.plan.indexes.filter((index) => isIn(keyOf(index)));
  const readers = [...new Set(indexes.flatMap(({ name }) => readersOf(after, name)))];
  const partition = indexes.some(({ partitionBy }) => isIn(partitionBy));
  const isOther = before !== undefined && now !== undefined;
  const how =
    before === undefined
      ? `stored items of ${entity} lack ${attribute}, and are not in ${list(indexes.map(({ name }) => name))}`
      : `stored items keep their old ${attribute}: queries by the new one miss them, and queries by the old one miss new items`;
  const breaks: Broken[] = [{ who: 'index-entries', how }];
  if (isOther && partition) breaks.push({ who: 'iam', how: 'grants are on the partitions of the old template' });
  if (isOther && readers.length > 0) breaks.push({ who: 'cursors', how: `pages of ${list(readers)} start over` });
  const what =
    before === undefined
      ? `has ${attribute} '${now}'`
      : now === undefined
        ? `no longer has ${attribute}`
        : `${attribute} '${before}' becomes '${now}'`;
  // A second local index cannot be added to a table, so there is none to fill beside the first.
  const isFixed = isOther && indexes.some(({ local }) => local);
  return {
    rule: isFixed ? 'local-index' : 'index-key-template',
    path: `${path}.entities.${entity}.keys.${attribute}`,
    subject: { table: after.name, entity, attribute, index: indexes[0]?.name },
    verdict: isFixed ? 'replace' : 'plan',
    breaks,
    ...(before === undefined ? {} : { was: before }),
    ...(now === undefined ? {} : { is: now }),
    message: `${entity}: ${what}`,
    fix: !isOther
      ? 'fill or clear it in stored items by a plan'
      : isFixed
        ? NEW_TABLE
        : `give the new keys attributes and an index of their own, write both, fill them, move the readers: 'tablewright plan' does`,
  };
}

function isAlike(was: LockedEntity, is: LockedEntity): boolean {
  const [before, after] = [was, is].map(({ attributes }) => Object.keys(attributes.shape ?? {}));
  const shared = (before ?? []).filter((name) => after?.includes(name)).length;
  return shared * 2 > Math.max(before?.length ?? 0, after?.length ?? 0);
}

function entityRemoved({ before, after, path }: Pair, entity: string, alike: readonly string[]): Change {
  const readers = before.plan.patterns
    .filter(({ accesses }) => accesses.some(({ action, entities }) => action !== 'put' && entities.includes(entity)))
    .map(({ name }) => name);
  const breaks: Broken[] = [
    {
      who: 'new-readers',
      how: `stored items of ${entity} stay; a pattern that finds one refuses it (ItemError)`,
    },
    ...(readers.length === 0
      ? []
      : [
          {
            who: 'old-readers' as const,
            how: `${list(readers)} of the running release read${readers.length === 1 ? 's' : ''} them`,
          },
        ]),
  ];
  const at = `${path}.entities.${entity}`;
  const isAsked = alike.length > 0;
  return {
    rule: 'entity-removed',
    path: at,
    subject: { table: after.name, entity },
    verdict: isAsked ? 'ask' : 'plan',
    breaks,
    message: isAsked ? `${entity} is gone, and ${list(alike)} is new: it may have been renamed` : `${entity} is gone`,
    fix: isAsked
      ? fixForGone(at, `${before.name}.${entity}`, alike)
      : `stop writing it, then delete its items; say why: because: { '${at}': '…' }`,
    ...(isAsked ? { asks: 'renamed' as const } : {}),
  };
}
