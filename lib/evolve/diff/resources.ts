import { type KeySides, keyOfSides } from '../../blueprint/keys';
import { type KeyAttribute, keysIn } from '../../blueprint/table';
import { canonical, same } from '../canonical';
import type { IndexResources } from '../lock/lock';
import { absent } from '../schema/structures';
import type { Broken, Change } from './change';
import type { Pair, Side } from './sides';

/** The changes of a table as the cloud has it. */
export function* resourceChanges(pair: Pair): Iterable<Change> {
  yield* replacements(pair);
  yield* indexChanges(pair);
  yield* ttlChange(pair);
  yield* regional(pair);
}

const EMPTY_TABLE: Broken = {
  who: 'items',
  how: 'CloudFormation replaces the table with an empty one, and deletes the old one with its items, or refuses to',
};

export const NEW_TABLE = `make it a new table: 'tablewright plan' gives it a new name, copies the items, and drops the old one at the end`;

function* replacements({ before, after, path, cloud }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const fix = NEW_TABLE;
  const verdict = 'replace';
  if (!same(before.resources.key, after.resources.key)) {
    const message = `the key of the table is ${shownKey(before.resources.key)}, and becomes ${shownKey(after.resources.key)}`;
    const how = 'the keys of a table on Azure are fixed';
    const breaks = cloud === 'aws' ? [EMPTY_TABLE] : [{ who: 'items', how } as const];
    yield { rule: 'table-key', path: `${path}.key`, subject, verdict, breaks, message, fix };
  }
  for (const [rule, field, what, advice] of FIXED) {
    const [was, is] = [before.resources[field], after.resources[field]];
    if (was === undefined || is === undefined || was === is) continue;
    const message = `${what} is '${was}', and becomes '${is}'`;
    yield { rule, path, subject, verdict, breaks: [EMPTY_TABLE], message, fix: advice };
  }
}

const FIXED = [
  ['table-name', 'physicalName', 'the name of the table', 'keep the name, or plan it as a new table'],
  [
    'logical-id',
    'logicalId',
    'the id of the table in the template',
    'keep the construct where it was (its path makes the id), or move the resource with cdk refactor',
  ],
  [
    'resource-type',
    'type',
    'the type of the resource',
    'take the table out of the stack with its data (RETAIN), and import it as the new type: cdk import (docs/evolve.md)',
  ],
] as const;

function* indexChanges({ before, after, path }: Pair): Iterable<Change> {
  const all = [before.resources.indexes, after.resources.indexes] as const;
  yield* localChanges(...all, after, path);
  const isLocal = (name: string) => all.some((indexes) => Object.hasOwn(indexes, name) && indexes[name]?.local);
  const [was, is] = all.map((indexes) =>
    Object.fromEntries(Object.entries(indexes).filter(([name]) => !isLocal(name))),
  ) as [Indexes, Indexes];
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name));
  const gone = Object.keys(was).filter((name) => !Object.hasOwn(is, name));
  const changed = Object.keys(is).filter((name) => Object.hasOwn(was, name) && !same(was[name], is[name]));
  const several = added.length + gone.length + changed.length > 1;
  for (const name of added) yield indexAdded(before, after, name, `${path}.indexes.${name}`, several);
  for (const name of changed) {
    yield indexChanged(was[name] as IndexResources, is[name] as IndexResources, after, name, `${path}.indexes.${name}`);
  }
  for (const name of gone) yield indexRemoved(before, after, name, `${path}.indexes.${name}`, several);
}

type Indexes = Pair['before']['resources']['indexes'];

/** Changes of local indexes, which are made with their table and cannot change afterwards. */
function* localChanges(was: Indexes, is: Indexes, after: Side, path: string): Iterable<Change> {
  const at = (indexes: Indexes, name: string) => (Object.hasOwn(indexes, name) ? indexes[name] : undefined);
  for (const index of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [old, now] = [at(was, index), at(is, index)];
    if ((!old?.local && !now?.local) || same(old, now)) continue;
    const shown = (resources: IndexResources | undefined) =>
      resources === undefined
        ? 'not there'
        : `${resources.local ? 'local' : 'global'} (${shownKey(resources)}, with ${shownProjection(resources.projection)})`;
    yield {
      rule: 'local-index',
      path: `${path}.indexes.${index}`,
      subject: { table: after.name, index },
      verdict: 'replace',
      breaks: [EMPTY_TABLE],
      message: `index ${index} is ${shown(old)}, and becomes ${now === undefined ? 'none' : shown(now)}: local indexes are fixed when the table is made`,
      fix:
        now !== undefined && old === undefined ? `${NEW_TABLE}; or make it a global index: leave out local` : NEW_TABLE,
    };
  }
}

const ONE_AT_A_TIME: Broken = {
  who: 'deployment',
  how: 'DynamoDB creates or deletes one index of a table at a time, and refuses a deployment with more',
};

function indexAdded(before: Side, after: Side, name: string, path: string, several: boolean): Change {
  const unindexed = entitiesToFill(before, after, name);
  const readers = readersOf(after, name);
  const breaks: Broken[] = [
    ...(several ? [ONE_AT_A_TIME] : []),
    ...(readers.length === 0
      ? []
      : [
          {
            who: 'new-readers' as const,
            how: `${list(readers)} would read it while it is being filled, which DynamoDB refuses: CloudFormation does not wait`,
          },
        ]),
    ...(unindexed.length === 0
      ? []
      : [
          {
            who: 'index-entries' as const,
            how: `stored items of ${list(unindexed)} lack its keys, so they are not in it`,
          },
        ]),
  ];
  return {
    rule: 'index-added',
    path,
    subject: { table: after.name, index: name },
    verdict: breaks.length === 0 ? 'safe' : 'plan',
    breaks,
    message: `index ${name} (${shownKey(after.resources.indexes[name] as IndexResources)}) is new`,
    fix:
      breaks.length === 0
        ? 'deploy it; add the patterns that use it in a later deployment'
        : 'deploy the index alone, wait until it is ACTIVE, fill its keys, then deploy what reads it',
  };
}

/** The stored entities whose items lack a key of a new index, or have it in another form. */
export function entitiesToFill(before: Side, after: Side, index: string): readonly string[] {
  const key = after.plan.indexes.find(({ name }) => name === index);
  if (key === undefined || before.design === undefined) return [];
  return after.plan.entities.flatMap((entity) => {
    const old = before.plan.entities.find(({ name }) => name === entity.name);
    const keys = keysIn(entity, key);
    const fill = keys?.some(({ attribute, template, natural }) => {
      const had = old?.keys.get(attribute);
      return had === undefined
        ? !natural || !isOptional(after, entity.name, attribute)
        : had.template.text !== template.text;
    });
    return old !== undefined && fill ? [entity.name] : [];
  });
}

/** Whether items may lack an attribute, which then need not be filled. */
function isOptional({ design }: Side, entity: string, attribute: string): boolean {
  const schema = design?.entities[entity]?.attributes.shape?.[attribute];
  return schema !== undefined && absent(schema).verdict === 'yes';
}

function indexChanged(was: IndexResources, is: IndexResources, after: Side, name: string, path: string): Change {
  const { projection: copied, ...keyBefore } = was;
  const { projection, ...keyAfter } = is;
  const isKey = !same(keyBefore, keyAfter);
  const readers = readersOf(after, name);
  const message = isKey
    ? `the key of index ${name} is ${shownKey(was)}, and becomes ${shownKey(is)}`
    : `index ${name} copies ${shownProjection(copied)}, and should copy ${shownProjection(projection)}`;
  return {
    rule: isKey ? 'index-key' : 'index-projection',
    path: `${path}.${isKey ? 'partition' : 'projection'}`,
    subject: { table: after.name, index: name },
    verdict: 'plan',
    breaks: [
      { who: 'deployment', how: 'DynamoDB refuses it: the key and the projection of an index are fixed' },
      ...(isKey && readers.length > 0
        ? [{ who: 'cursors' as const, how: `pages of ${list(readers)} start over` }]
        : []),
    ],
    message,
    fix: `make it a new index under a new name, move the readers to it, then delete ${name}: 'tablewright plan' does`,
  };
}

function indexRemoved(before: Side, after: Side, name: string, path: string, several: boolean): Change {
  const readers = before.design === undefined ? [] : readersOf(before, name);
  const unknown = before.design === undefined;
  const breaks: Broken[] = [
    ...(several ? [ONE_AT_A_TIME] : []),
    ...(readers.length > 0
      ? [
          {
            who: 'old-readers' as const,
            how: `${list(readers)} of the running release still read${readers.length === 1 ? 's' : ''} it`,
          },
        ]
      : []),
    ...(unknown
      ? [{ who: 'old-readers' as const, how: 'whether the running release reads it is not known here' }]
      : []),
  ];
  return {
    rule: 'index-removed',
    path,
    subject: { table: after.name, index: name },
    verdict: breaks.length === 0 ? 'safe' : 'plan',
    breaks,
    message: `index ${name} is gone`,
    fix:
      breaks.length === 0
        ? 'deploy it: nothing reads the index'
        : 'delete it one release after the last reader is gone',
  };
}

function* ttlChange({ before, after, path }: Pair): Iterable<Change> {
  const [was, is] = [before.resources.ttl, after.resources.ttl];
  if (was === is) return;
  const holders = is === undefined ? [] : entitiesWith(before, is);
  const how =
    was === undefined
      ? `stored items of ${list(holders)} whose ${is} has passed are deleted within days`
      : is === undefined
        ? 'CloudFormation leaves TTL on, or fails: items keep expiring'
        : 'DynamoDB refuses another attribute while TTL is on, and for an hour after it was switched off';
  const isNew = was === undefined && holders.length === 0;
  yield {
    rule: 'ttl',
    path: `${path}.ttl`,
    subject: { table: after.name, attribute: is ?? was },
    verdict: isNew ? 'safe' : was === undefined ? 'ask' : 'plan',
    ...(was === undefined ? {} : { was }),
    ...(is === undefined ? {} : { is }),
    breaks: isNew ? [] : [{ who: was === undefined ? 'items' : 'deployment', how }],
    message:
      was === undefined
        ? `items expire by ${is}`
        : is === undefined
          ? `items no longer expire by ${was}`
          : `items expire by ${is}, no longer by ${was}`,
    fix: isNew
      ? 'deploy it: no stored item has the attribute'
      : was === undefined
        ? 'say why that is right (because), or clear the attribute first'
        : is === undefined
          ? `switch it off by name first: { Enabled: false, AttributeName: '${was}' }`
          : `fill ${is} in all items, switch TTL off, wait an hour, switch it on for ${is}`,
    ...(!isNew && was === undefined ? { asks: 'because' as const } : {}),
  };
}

function entitiesWith({ design }: Side, attribute: string): readonly string[] {
  return Object.entries(design?.entities ?? {}).flatMap(([name, { attributes }]) =>
    Object.hasOwn(attributes.shape ?? {}, attribute) ? [name] : [],
  );
}

function* regional({ before, after, path }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const [was, is] = [before.resources.replicas, after.resources.replicas];
  if (was !== undefined && is !== undefined && canonical([...was].sort()) !== canonical([...is].sort())) {
    const moved = [...was.filter((region) => !is.includes(region)), ...is.filter((region) => !was.includes(region))];
    yield {
      rule: 'replicas',
      path: `${path}.replicas`,
      subject,
      verdict: 'plan',
      breaks: [{ who: 'deployment', how: 'DynamoDB adds or removes one copy in an update, and nothing else with it' }],
      message: `copies in other regions were ${list(was) || 'none'}, and become ${list(is) || 'none'}`,
      fix: `one deployment for each of ${list(moved)}, with nothing else in it`,
    };
  }
  const [stream, now] = [before.resources.stream, after.resources.stream];
  if (stream === undefined || now === undefined || stream === now) return;
  const isReplaced = stream !== null && now !== null;
  yield {
    rule: 'stream',
    path: `${path}.stream`,
    subject,
    verdict: stream === null ? 'safe' : 'plan',
    breaks:
      stream === null
        ? []
        : [
            {
              who: 'old-readers',
              how: isReplaced
                ? 'the stream is another one, with another ARN'
                : 'readers of the stream get nothing more',
            },
          ],
    message: `the stream shows ${stream ?? 'nothing'}, and should show ${now ?? 'nothing'}`,
    fix: stream === null ? 'deploy it' : 'let its readers finish, switch it off, then on with the new view',
  };
}

/** The patterns of a side that read an index. */
export function readersOf({ plan }: Side, index: string): readonly string[] {
  return plan.patterns
    .filter(({ accesses }) => accesses.some((access) => access.index === index))
    .map(({ name }) => name);
}

export function shownKey(key: KeySides): string {
  const { partitionBy, sortBy } = keyOfSides(key);
  // With one attribute on each side, it is obvious which is which.
  if (partitionBy.length > 1 || sortBy.length > 1) return [partitionBy, sortBy].map(shownSide).join(' / ');
  return shownSide([...partitionBy, ...sortBy]);
}

function shownSide(by: readonly KeyAttribute[]): string {
  return by.map(({ name, type }) => (type === 'string' ? name : `${name}: ${type}`)).join(' + ');
}

function shownProjection(projection: IndexResources['projection']): string {
  if (projection === 'all') return 'everything';
  return projection === 'keys' ? 'keys alone' : list(projection);
}

export function list(names: readonly string[]): string {
  return names.join(', ');
}
