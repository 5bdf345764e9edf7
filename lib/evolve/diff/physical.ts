import { type IndexBlueprint, type KeyAttribute, type KeyBlueprint, keysIn } from '../../blueprint/outline';
import { indexNamed } from '../../blueprint/physical-table';
import { storedName } from '../../blueprint/stored';
import { canonical, same } from '../canonical';
import { absent, isOpen } from '../schema/structures';
import { type Broken, type Change, type Place, placed } from './change';
import type { Pair, Side } from './sides';

/** The changes to a physical table. */
export function* physicalChanges(pair: Pair): Iterable<Change> {
  yield* replacements(pair);
  yield* indexChanges(pair);
  yield* ttlChange(pair);
  yield* regional(pair);
}

const EMPTY_TABLE: Broken = {
  who: 'items',
  how: 'CloudFormation refuses the update, or replaces the table with an empty one and deletes the old one with its items',
};

export const NEW_TABLE = `replace the table: 'npx tablewright plan' copies the items into a new table under a new name, and drops the old table at the end`;

function* replacements({ before, after, at, cloud }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const fix = NEW_TABLE;
  const verdict = 'replace';
  if (!same(before.physical.key, after.physical.key)) {
    const message = `the table's primary key changes from ${shownKey(before.physical.key)} to ${shownKey(after.physical.key)}`;
    const how = 'the keys of an Azure table cannot change';
    const breaks = cloud === 'aws' ? [EMPTY_TABLE] : [{ who: 'items', how } as const];
    yield { rule: 'table-key', ...placed(at, 'key'), subject, verdict, breaks, message, fix };
  }
  for (const [rule, field, what, advice] of FIXED) {
    const [was, is] = [before.physical[field], after.physical[field]];
    if (was === undefined || is === undefined || was === is) continue;
    const message = `${what} changes from '${was}' to '${is}'`;
    yield { rule, ...placed(at), subject, verdict, breaks: [EMPTY_TABLE], message, fix: advice };
  }
}

const FIXED = [
  ['table-name', 'name', "the table's name", 'keep the name, or plan it as a new table'],
  [
    'logical-id',
    'logicalId',
    "the table's logical id in the template",
    'keep the construct where it was (its path determines the logical id), or move the resource with cdk refactor',
  ],
  [
    'resource-type',
    'type',
    "the table's resource type",
    'remove the table from the stack but keep its data (RETAIN), and import the table as the new type: cdk import (docs/guides/evolve/tables.md)',
  ],
] as const;

function* indexChanges({ before, after, at }: Pair): Iterable<Change> {
  yield* localChanges({ before, after, at });
  const isLocal = (name: string) => [before, after].some(({ physical }) => indexNamed(physical, name)?.local);
  const globalsOf = ({ physical }: Side) => physical.indexes.filter(({ name }) => !isLocal(name));
  const added = globalsOf(after).filter(({ name }) => indexNamed(before.physical, name) === undefined);
  const gone = globalsOf(before).filter(({ name }) => indexNamed(after.physical, name) === undefined);
  const changed = globalsOf(after).flatMap((index) => {
    const old = indexNamed(before.physical, index.name);
    return old === undefined || same(old, index) ? [] : [[old, index] as const];
  });
  const several = added.length + gone.length + changed.length > 1;
  const place = (name: string) => placed(at, 'indexes', name);
  for (const index of added) yield indexAdded(before, after, index, place(index.name), several);
  for (const [old, now] of changed) yield indexChanged(old, now, after, place(now.name));
  for (const { name } of gone) yield indexRemoved(before, after, name, place(name), several);
}

/** Changes to local indexes, which are created with their table and cannot change afterwards. */
function* localChanges({ before, after, at }: Pick<Pair, 'before' | 'after' | 'at'>): Iterable<Change> {
  const names = [...before.physical.indexes, ...after.physical.indexes].map(({ name }) => name);
  for (const name of new Set(names)) {
    const [old, now] = [indexNamed(before.physical, name), indexNamed(after.physical, name)];
    if ((!old?.local && !now?.local) || same(old, now)) continue;
    const shown = (index: IndexBlueprint | undefined) =>
      index === undefined
        ? 'not there'
        : `${index.local ? 'local' : 'global'} (${shownKey(index)}, with ${shownProjection(index.projection)})`;
    yield {
      rule: 'local-index',
      ...placed(at, 'indexes', name),
      subject: { table: after.name, index: name },
      verdict: 'replace',
      breaks: [EMPTY_TABLE],
      message: `index ${name} was ${shown(old)}, and is now ${now === undefined ? 'gone' : shown(now)}: local indexes cannot change after the table is created`,
      fix:
        now !== undefined && old === undefined
          ? `${NEW_TABLE}; or make the index global by removing 'local'`
          : NEW_TABLE,
    };
  }
}

const ONE_AT_A_TIME: Broken = {
  who: 'deployment',
  how: 'DynamoDB creates or deletes only one index of a table at a time, and refuses a deployment that changes several',
};

function indexAdded(before: Side, after: Side, index: IndexBlueprint, place: Place, several: boolean): Change {
  const unindexed = entitiesToFill(before, after, index);
  const readers = readersOf(after, index.name);
  const breaks: Broken[] = [
    ...(several ? [ONE_AT_A_TIME] : []),
    ...(readers.length === 0
      ? []
      : [
          {
            who: 'new-readers' as const,
            how: `${list(readers)} would read the index while it is being filled: DynamoDB refuses such reads, and CloudFormation does not wait`,
          },
        ]),
    ...(unindexed.length === 0
      ? []
      : [
          {
            who: 'index-entries' as const,
            how: `stored items of ${list(unindexed)} lack the keys of the index, so it does not contain them`,
          },
        ]),
  ];
  return {
    rule: 'index-added',
    ...place,
    subject: { table: after.name, index: index.name },
    verdict: breaks.length === 0 ? 'safe' : 'plan',
    breaks,
    message: `index ${index.name} (${shownKey(index)}) is new`,
    fix:
      breaks.length === 0
        ? 'deploy it; add the patterns that use it in a later deployment'
        : 'deploy the index alone, wait until it is ACTIVE, fill its keys, then deploy the patterns that read it',
  };
}

/** The stored entities whose items lack a key of a new index, or have the key in a different format. */
export function entitiesToFill(before: Side, after: Side, key: KeyBlueprint): readonly string[] {
  if (before.design === undefined) return [];
  return after.entities.flatMap((entity) => {
    const old = before.entities.find(({ name }) => name === entity.name);
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

/** Whether an attribute is optional in items, and therefore needs no backfill. */
function isOptional({ design }: Side, entity: string, attribute: string): boolean {
  const schema = design?.entities[entity]?.attributes.shape?.[attribute];
  return schema !== undefined && absent(schema).verdict === 'yes';
}

function indexChanged(was: IndexBlueprint, is: IndexBlueprint, after: Side, { at }: Place): Change {
  const { name } = is;
  const { projection: copied, ...keyBefore } = was;
  const { projection, ...keyAfter } = is;
  const isKey = !same(keyBefore, keyAfter);
  const readers = readersOf(after, name);
  const message = isKey
    ? `the key of index ${name} changes from ${shownKey(was)} to ${shownKey(is)}`
    : `the projection of index ${name} changes from ${shownProjection(copied)} to ${shownProjection(projection)}`;
  return {
    rule: isKey ? 'index-key' : 'index-projection',
    ...placed(at, isKey ? 'partition' : 'projection'),
    subject: { table: after.name, index: name },
    verdict: 'plan',
    breaks: [
      { who: 'deployment', how: 'DynamoDB refuses the change: the key and the projection of an index are fixed' },
      ...(isKey && readers.length > 0
        ? [{ who: 'cursors' as const, how: `paged reads of ${list(readers)} start over` }]
        : []),
    ],
    message,
    fix: `create a new index under a new name, move the readers to it, then delete ${name}: 'npx tablewright plan' does this`,
  };
}

function indexRemoved(before: Side, after: Side, name: string, place: Place, several: boolean): Change {
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
      ? [{ who: 'old-readers' as const, how: 'it is unknown whether the running release reads the index' }]
      : []),
  ];
  return {
    rule: 'index-removed',
    ...place,
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

function* ttlChange(pair: Pair): Iterable<Change> {
  const { before, after, at } = pair;
  const [was, is] = [before.physical.ttl, after.physical.ttl];
  if (was === is) return;
  const holders = is === undefined ? [] : entitiesWith(before, is);
  const how =
    was === undefined
      ? `stored items of ${list(holders) || 'any entity'} whose '${is}' has passed are deleted within days`
      : is === undefined
        ? 'CloudFormation either leaves TTL on or fails, so items keep expiring'
        : 'DynamoDB refuses a different TTL attribute while TTL is on, and for an hour after it was switched off';
  const isNew = was === undefined && holders.length === 0 && before.design !== undefined;
  yield {
    rule: 'ttl',
    ...placed(at, 'ttl'),
    subject: { table: after.name, attribute: is ?? was },
    verdict: isNew ? 'safe' : was === undefined ? 'ask' : 'plan',
    ...(was === undefined ? {} : { was }),
    ...(is === undefined ? {} : { is }),
    breaks: isNew ? [] : [{ who: was === undefined ? 'items' : 'deployment', how }],
    message:
      was === undefined
        ? `'${is}' becomes the TTL attribute`
        : is === undefined
          ? `'${was}' is no longer the TTL attribute`
          : `the TTL attribute changes from '${was}' to '${is}'`,
    fix: isNew
      ? 'deploy it: no stored item has the attribute'
      : was === undefined
        ? "explain in 'because' why the items may expire, or clear the attribute first"
        : is === undefined
          ? `first switch TTL off for that attribute: { Enabled: false, AttributeName: '${was}' }`
          : `set '${is}' in all items, switch TTL off, wait an hour, then switch it on for '${is}'`,
    ...(!isNew && was === undefined ? { asks: 'because' as const } : {}),
  };
  if (is !== undefined) yield* expiring(pair, is);
}

/** The change reported if stored items may already have the new TTL attribute. */
function* expiring({ before, after, at }: Pair, is: string): Iterable<Change> {
  const holders = entitiesWith(before, is);
  if (before.physical.ttl === undefined || holders.length === 0) return;
  yield {
    rule: 'ttl',
    ...placed(at, 'ttl'),
    subject: { table: after.name, attribute: is },
    verdict: 'ask',
    breaks: [
      {
        who: 'items',
        how: `stored items of ${list(holders)} whose '${is}' has passed are deleted within days`,
      },
    ],
    is,
    message: `stored items may already have '${is}'`,
    fix: "explain in 'because' why the items may expire, or clear the attribute first",
    asks: 'because',
  };
}

/**
 * The entities whose stored items may have an attribute, because the schema names it, the entity is open, or an earlier
 * design had it.
 */
function entitiesWith({ design }: Side, attribute: string): readonly string[] {
  return Object.entries({ ...design?.former, ...design?.entities }).flatMap(([name, entity]) => {
    const { attributes, former } = entity;
    const names = Object.keys(attributes.shape ?? {}).map((own) => storedName(entity, own));
    return isOpen(attributes) || names.includes(attribute) || Object.hasOwn(former, attribute) ? [name] : [];
  });
}

function* regional({ before, after, at }: Pair): Iterable<Change> {
  const subject = { table: after.name };
  const [was, is] = [before.physical.replicas, after.physical.replicas];
  if (was !== undefined && is !== undefined && canonical([...was].sort()) !== canonical([...is].sort())) {
    const moved = [...was.filter((region) => !is.includes(region)), ...is.filter((region) => !was.includes(region))];
    yield {
      rule: 'replicas',
      ...placed(at, 'replicas'),
      subject,
      verdict: 'plan',
      breaks: [
        {
          who: 'deployment',
          how: 'one update of a DynamoDB table can add or remove only one replica, and can change nothing else',
        },
      ],
      message: `the replica regions change from ${list(was) || 'none'} to ${list(is) || 'none'}`,
      fix: `add or remove one region per deployment, and change nothing else in that deployment: ${list(moved)}`,
    };
  }
  const [stream, now] = [before.physical.stream, after.physical.stream];
  if (stream === undefined || now === undefined || stream === now) return;
  const isReplaced = stream !== null && now !== null;
  yield {
    rule: 'stream',
    ...placed(at, 'stream'),
    subject,
    verdict: stream === null ? 'safe' : 'plan',
    breaks:
      stream === null
        ? []
        : [
            {
              who: 'old-readers',
              how: isReplaced
                ? 'the table gets a new stream, with a different ARN'
                : 'readers of the stream receive no more records',
            },
          ],
    message: `the stream's view type changes from ${stream ?? 'none'} to ${now ?? 'none'}`,
    fix:
      stream === null
        ? 'deploy it'
        : "let the stream's readers finish, switch the stream off, then switch it on with the new view type",
  };
}

/** The patterns on one side of the diff that read an index. */
export function readersOf({ patterns }: Side, index: string): readonly string[] {
  return patterns.filter(({ accesses }) => accesses.some((access) => access.index === index)).map(({ name }) => name);
}

function shownKey({ partitionBy, sortBy }: KeyBlueprint): string {
  // If the partition key and the sort key have one attribute each, no separator is needed to tell them apart.
  if (partitionBy.length > 1 || sortBy.length > 1) return [partitionBy, sortBy].map(shownSide).join(' / ');
  return shownSide([...partitionBy, ...sortBy]);
}

function shownSide(by: readonly KeyAttribute[]): string {
  return by.map(({ name, type }) => (type === 'string' ? name : `${name}: ${type}`)).join(' + ');
}

function shownProjection(projection: IndexBlueprint['projection']): string {
  if (projection === 'all') return 'everything';
  return projection === 'keys' ? 'only the keys' : list(projection);
}

export function list(names: readonly string[]): string {
  return names.join(', ');
}
