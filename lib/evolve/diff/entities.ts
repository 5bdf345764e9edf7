import { type KeyAttribute, keyOf } from '../../blueprint/outline';
import { same } from '../canonical';
import type { LockedEntity } from '../lock/lock';
import { arrivesIn } from './answers';
import { type Broken, type Change, placed } from './change';
import { entityAdded, entityGone } from './destinations';
import { attributeChanges } from './members';
import { membershipChanges } from './membership';
import { pair as paired } from './pairs';
import { list, NEW_TABLE, readersOf } from './physical';
import type { EntityPair, Pair } from './sides';
import { storedChanges } from './stored';
import { renamedText } from './texts';
import { uniqueChanges } from './uniques';
import { writtenChanges } from './written';

/** The changes to a table's entities, with their keys and attributes. */
export function* entityChanges(pair: Pair): Iterable<Change> {
  const { before, after, answers } = pair;
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
    const attributes = [...attributeChanges(entityPair)];
    yield* attributes;
    yield* storedChanges(entityPair);
    yield* writtenChanges(entityPair);
    yield* uniqueChanges(entityPair, attributes);
  }
  for (const entity of added) if (!arrivesIn(answers, after.name, entity)) yield entityAdded(pair, entity);
  for (const entity of gone) yield* entityGone(pair, entity, added);
}

function* tableWide({ before, after, at }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const [was, is] = [before.design?.typeAttribute, after.design?.typeAttribute];
  if (was !== is) {
    yield {
      rule: 'type-attribute',
      ...placed(at, 'typeAttribute'),
      subject,
      verdict: 'plan',
      breaks: [
        { who: 'new-readers', how: `stored items are recognized by ${was ?? 'their keys'}` },
        { who: 'old-readers', how: `the running release recognizes items by ${was ?? 'their keys'}` },
      ],
      message: `entities are now recognized by ${is ?? 'their keys'} instead of ${was ?? 'their keys'}`,
      fix: 'write both type attributes, add the new one to stored items, recognize items by the new one, then stop writing the old one',
    };
  }
  const [cut, now] = [before.design?.separator, after.design?.separator];
  if (cut === now) return;
  yield {
    rule: 'separator',
    ...placed(at, 'separator'),
    subject,
    verdict: 'ask',
    breaks: [
      { who: 'new-readers', how: `stored keys may contain '${now}' in a value, which requests no longer accept` },
    ],
    message: `the key separator changes from '${cut}' to '${now}'`,
    fix: `explain in 'because' why no value in a key contains '${now}'`,
    asks: 'because',
  };
}

function entityRenamed(pair: EntityPair): Change {
  const { formerName, entity, was, is, after, at } = pair;
  const stored = after.design?.typeAttribute !== undefined && was.type !== is.type;
  return {
    rule: 'entity-renamed',
    ...placed(at, 'entities', entity),
    subject: { table: after.name, entity, before: formerName },
    verdict: stored ? 'plan' : 'safe',
    breaks: stored ? typeBreaks(pair) : [],
    message: `${formerName} is renamed ${entity}`,
    fix: stored
      ? `keep the stored type (type: '${was.type}'), or change it in stored items with a plan`
      : 'deploy the change: stored items stay the same',
  };
}

function entityType(pair: EntityPair): Change {
  const { entity, was, is, after, at } = pair;
  return {
    rule: 'entity-type',
    ...placed(at, 'entities', entity, 'type'),
    subject: { table: after.name, entity },
    verdict: 'plan',
    breaks: typeBreaks(pair),
    message: `items of ${entity} are marked '${is.type}', no longer '${was.type}'`,
    fix: `keep type: '${was.type}', or change it in stored items with a plan`,
  };
}

function typeBreaks({ was, is, after }: EntityPair): readonly Broken[] {
  const attribute = after.design?.typeAttribute;
  return [
    {
      who: 'new-readers',
      how: `stored items have ${attribute} '${was.type}', which the new design does not recognize`,
    },
    { who: 'old-readers', how: `the running release does not recognize ${attribute} '${is.type}'` },
  ];
}

/** Changes to key templates, except for renamed attributes. */
function* templateChanges(pair: EntityPair): Iterable<Change> {
  const { before, after, entity, formerName, at } = pair;
  const was = before.entities.find(({ name }) => name === formerName);
  const is = after.entities.find(({ name }) => name === entity);
  if (was === undefined || is === undefined) return;
  const text = (attribute: string) => {
    const source = was.keys.get(attribute);
    return source && renamedText(pair, source.template.text);
  };
  const primary = keyOf(after.physical.key).filter(({ name }) => {
    const [old, now] = [text(name), is.keys.get(name)?.template.text];
    return old !== undefined && now !== undefined && old !== now;
  });
  if (primary.length > 0 && same(before.physical.key, after.physical.key))
    yield primaryKey(
      pair,
      primary.map(({ name }) => name),
      text,
    );
  for (const { name } of after.keyAttributes) {
    if (keyOf(after.physical.key).some((key) => key.name === name)) continue;
    const [old, now] = [text(name), is.keys.get(name)?.template.text];
    if (old === now || !before.keyAttributes.some((key) => key.name === name)) continue;
    yield indexKey(pair, name, old, now);
  }
  yield* membershipChanges(pair);
  if (!same(pair.was.keyOnly, pair.is.keyOnly)) {
    yield {
      rule: 'key-only',
      ...placed(at, 'entities', entity, 'keyOnly'),
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
      message: `the attributes stored only in keys change from ${list(pair.was.keyOnly) || 'none'} to ${list(pair.is.keyOnly) || 'none'}`,
      fix: 'deploy the readers first: new readers find the attribute both under its own name and in the key',
    };
  }
}

function primaryKey(pair: EntityPair, names: readonly string[], before: (name: string) => string | undefined): Change {
  const { after, entity, at, cloud } = pair;
  const keys = after.entities.find(({ name }) => name === entity)?.keys;
  const shown = names.map((name) => `${name} '${before(name)}' becomes '${keys?.get(name)?.template.text}'`);
  const partition = names.includes(after.physical.key.partitionBy[0].name);
  return {
    rule: 'primary-key-template',
    ...placed(at, 'entities', entity, 'keys', names[0] as string),
    subject: { table: after.name, entity, attribute: names[0] },
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items are under their old keys, so they are not found` },
      { who: 'old-readers', how: `the running release does not find items under new keys` },
      { who: 'old-writers', how: `the running release writes a second item under the old key` },
      ...(partition && cloud === 'aws'
        ? [{ who: 'iam' as const, how: "existing grants cover only the old template's partitions" }]
        : []),
      { who: 'cursors', how: 'paged reads start over' },
    ],
    message: `the primary key of ${entity} changes: ${shown.join(', ')}`,
    fix: `read both keys, move the stored items, then read only the new key: 'npx tablewright plan'`,
  };
}

function indexKey(pair: EntityPair, attribute: string, before: string | undefined, now: string | undefined): Change {
  const { after, entity, at } = pair;
  const isIn = (by: readonly KeyAttribute[]) => by.some(({ name }) => name === attribute);
  const indexes = after.physical.indexes.filter((index) => isIn(keyOf(index)));
  const readers = [...new Set(indexes.flatMap(({ name }) => readersOf(after, name)))];
  const partition = indexes.some(({ partitionBy }) => isIn(partitionBy));
  const isOther = before !== undefined && now !== undefined;
  const how =
    before === undefined
      ? `stored items of ${entity} lack ${attribute}, so they are not in ${list(indexes.map(({ name }) => name))}`
      : `stored items keep their old ${attribute}: queries by the new value miss them, and queries by the old value miss new items`;
  const breaks: Broken[] = [{ who: 'index-entries', how }];
  if (isOther && partition)
    breaks.push({ who: 'iam', how: "existing grants cover only the old template's partitions" });
  if (isOther && readers.length > 0) breaks.push({ who: 'cursors', how: `paged reads of ${list(readers)} start over` });
  const what =
    before === undefined
      ? `has ${attribute} '${now}'`
      : now === undefined
        ? `no longer has ${attribute}`
        : `${attribute} '${before}' becomes '${now}'`;
  // A local index cannot be added to an existing table, so a plan cannot fill a new index next to the old one.
  const isFixed = isOther && indexes.some(({ local }) => local);
  return {
    rule: isFixed ? 'local-index' : 'index-key-template',
    ...placed(at, 'entities', entity, 'keys', attribute),
    subject: { table: after.name, entity, attribute, index: indexes[0]?.name },
    verdict: isFixed ? 'replace' : 'plan',
    breaks,
    ...(before === undefined ? {} : { was: before }),
    ...(now === undefined ? {} : { is: now }),
    message: `${entity}: ${what}`,
    fix: !isOther
      ? 'fill in or clear the attribute in stored items with a plan'
      : isFixed
        ? NEW_TABLE
        : `give the new keys separate attributes and a separate index, write both, fill the new keys, then move the readers: 'npx tablewright plan' does this`,
  };
}
