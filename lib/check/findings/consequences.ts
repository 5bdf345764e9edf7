import { repeatedIn } from '../keys/repeated-attribute';
import type { TableUnderCheck } from '../table-under-check';
import type { Finding, RuleId, Subject } from './finding';

/**
 * Leaves out findings that are only consequences of other findings. For example, a misspelled index leaves the intended
 * index unused, and a pattern that refers to an unknown entity seems to read foreign entities. A finding that also has
 * an independent cause reappears once the user has fixed the first finding.
 */
export function withoutConsequences(table: TableUnderCheck, found: readonly Finding[]): readonly Finding[] {
  if (found.length < 2) return found;
  const followed = SILENCED.flatMap((silenced) => silenced(table, found));
  return followed.length === 0 ? found : found.filter((finding) => !followed.some((follows) => follows(finding)));
}

/** Whether a finding is a consequence of another finding. */
type Follows = (finding: Finding) => boolean;

/** For each kind of fault, the consequences that the check leaves out. */
const SILENCED: readonly ((table: TableUnderCheck, found: readonly Finding[]) => readonly Follows[])[] = [
  keyOfOneAttribute,
  unreadableTemplates,
  dates,
  emptySchemas,
  misspeltKeys,
  patternsAtFault,
  unservedPatterns,
  unknownItems,
  uniques,
  groups,
  samePlace,
  projections,
  unusedIndexes,
  collisions,
];

/**
 * If the key of the table or of an index contains an attribute twice, drops every finding that depends on which
 * attributes are keys. Keeps only the findings of `incomplete-key` and of the `BASIC` rules, except those that say that
 * an attribute is not a key.
 */
function keyOfOneAttribute(table: TableUnderCheck): readonly Follows[] {
  if (![table.key, ...table.indexes].some((key) => repeatedIn(key) !== undefined)) return [];
  return [
    (finding) =>
      (!BASIC.has(finding.rule) && finding.rule !== 'incomplete-key') ||
      (finding.rule === 'unknown-name' && (finding.cause === 'stray-key' || finding.cause === 'stray-condition')),
  ];
}

/** Drops findings about keys whose template has a syntax error. */
function unreadableTemplates(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const unread = new Set(found.filter(({ rule }) => rule === 'template-syntax').map(({ path }) => path));
  const literal = new Set(found.filter(({ rule }) => rule === 'template-literal').map(({ subject }) => subject.name));
  return [
    ({ rule, path }) => rule !== 'template-syntax' && unread.has(path),
    ({ rule, subject }) => rule === 'order-unserved' && subject.entities?.some((name) => literal.has(name)) === true,
  ];
}

/** Drops other findings about a Date attribute that `dynamodb-types` already reports. */
function dates(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const refused = new Set(found.filter(({ rule }) => rule === 'dynamodb-types').map(({ path }) => path));
  return [
    ({ cause, subject: { name, part } }) => cause === 'date' && refused.has(`entities.${name}.attributes.${part}`),
    ({ rule, subject: { name, attribute } }) =>
      rule === 'unsound-written' && refused.has(`entities.${name}.attributes.${attribute}`),
  ];
}

/** If no value satisfies one of an entity's schemas, drops the finding that a part of the entity's key has no value. */
function emptySchemas(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const empty = new Set(found.filter(({ cause }) => cause === 'takes-nothing').map(({ subject }) => subject.name));
  return empty.size === 0
    ? []
    : [({ rule, cause, subject }) => rule === 'unkeyable' && cause === 'no-value' && empty.has(subject.name)];
}

/** If an entity has a misspelled key, drops the finding that it lacks the correct key. */
function misspeltKeys(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const misspelt = found.filter(({ rule, cause }) => rule === 'unknown-name' && cause === 'stray-key');
  return misspelt.map(
    ({ subject: { name, proposed } }) =>
      ({ rule, cause, subject }) =>
        rule === 'incomplete-key' && cause === 'missing' && subject.name === name && subject.attribute === proposed,
  );
}

/** Drops the other findings about a pattern or a step that refers to an unknown index, entity or key. */
function patternsAtFault(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const faulty = new Set(
    found
      .filter(({ rule }) => rule === 'unknown-name' || rule === 'template-syntax')
      .filter(({ subject: { kind, field } }) => kind === 'pattern' && LEADING.has(field))
      .map(({ subject }) => requestIn(subject)),
  );
  if (faulty.size === 0) return [];
  return [
    ({ rule, subject }) =>
      subject.kind === 'pattern' &&
      // A finding about the request as a whole does not depend on the request's fields.
      subject.field !== undefined &&
      !BASIC.has(rule) &&
      faulty.has(requestIn(subject)),
  ];
}

/** The fields that determine which partition and which entities a request accesses. */
const LEADING: ReadonlySet<string | undefined> = new Set(['index', 'returns', 'entity', 'where', 'keys']);

/**
 * Returns a string that identifies one request, for use in a Set. JSON keeps the name of the pattern and the name of
 * the step apart, whatever characters the names contain.
 */
function requestIn({ name, step }: Subject): string {
  return JSON.stringify([name, step]);
}

/** Rules whose findings are hardly ever consequences of other findings. */
const BASIC: ReadonlySet<RuleId> = new Set<RuleId>(['unknown-name', 'template-syntax', 'limits', 'acknowledgement']);

/** If a pattern cannot find any of its entities, drops findings about foreign entities that the pattern reads. */
function unservedPatterns(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const unserved = new Set(found.filter(({ rule }) => rule === 'pattern-unserved').map(({ subject }) => subject.name));
  if (unserved.size === 0) return [];
  return [({ rule, subject }) => rule === 'pattern-pollution' && unserved.has(subject.name)];
}

/**
 * If an entity lacks a key, or a write cannot find any item, drops the finding that the write does not know which unique
 * value the item has. The key of the item tells this.
 */
function unknownItems(table: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const keyless = new Set(
    found.flatMap(({ rule, cause, subject }) => (rule === 'incomplete-key' && cause === 'missing' ? subject.name : [])),
  );
  const unserved = new Set(
    found.flatMap(({ rule, subject }) => (rule === 'pattern-unserved' ? requestIn(subject) : [])),
  );
  if (keyless.size + unserved.size === 0) return [];
  const owners = new Map(table.entities.map(({ name, guards }) => [name, guards?.entity ?? name]));
  return [
    ({ rule, cause, subject }) =>
      rule === 'unsound-unique' &&
      cause === 'unpinned' &&
      (unserved.has(requestIn(subject)) ||
        subject.entities?.some((guard) => keyless.has(owners.get(guard) ?? '')) === true),
  ];
}

/**
 * If a page lists an entity that the query does not return, drops the finding that the query reads foreign items of
 * that entity. The query was probably meant to return the entity.
 */
function groups(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const lists = found.filter(({ cause, subject }) => cause === 'no-such-group' && subject.value !== undefined);
  return lists.map(
    ({ subject: list }) =>
      ({ rule, subject }) =>
        rule === 'pattern-pollution' &&
        subject.name === list.name &&
        subject.entities?.every((name) => name === list.value) === true,
  );
}

/** At each place, keeps the most specific finding and drops its consequences. */
function samePlace(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const there = new Set(found.map(({ rule, path }) => `${rule} ${path}`));
  return [({ rule, path }) => BEFORE[rule]?.some((better) => there.has(`${better} ${path}`)) === true];
}

const BEFORE: { readonly [Id in RuleId]?: readonly RuleId[] } = {
  'pattern-unserved': ['unpadded-number'],
  'misread-range': ['pattern-unserved'],
  'order-unserved': ['unknown-name'],
  'key-collision': ['template-literal'],
  'hot-partition': ['unkeyable', 'unsound-union', 'incomplete-key', 'unknown-name', 'constant-key'],
  'incomplete-key': ['dynamodb-types', 'unsound-union'],
  'filtered-read': ['impossible-value'],
  'likely-oversight': ['unsorted-text', 'unkeyable'],
  unkeyable: ['unsound-union'],
  unwritable: ['unsound-unique'],
  'unpadded-number': ['unsound-union'],
  'unused-index': ['redundant-index'],
};

/** If a unique value is unsound, drops findings about the keys of its guard and about patterns that write the guard. */
function uniques(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  // If members of a union disagree, `unsound-union` reports the difference.
  const ofUnions = new Set(found.flatMap(({ rule, subject }) => (rule === 'unsound-union' ? subject.name : [])));
  const isOfUnion = ({ rule, cause, subject }: Finding) =>
    rule === 'unsound-unique' && cause === 'optional' && ofUnions.has(subject.name);
  const unsound = found.filter((one) => one.rule === 'unsound-unique' && one.severity === 'error' && !isOfUnion(one));
  const guards = new Set(unsound.map(({ subject: { kind, name } }) => (kind === 'entity' ? name : undefined)));
  const isNumber = unsound.some(({ cause }) => cause === 'number-key');
  const isOnAzure = unsound.some(({ rule, cause }) => rule === 'unsound-unique' && cause === 'azure');
  return [
    ({ rule, subject: { name } }) => rule !== 'unsound-unique' && !BASIC.has(rule) && guards.has(name),
    ({ rule, cause }) => isNumber && rule === 'incomplete-key' && cause === 'two-types',
    ({ cause }) => isOnAzure && cause === 'no-unique',
    isOfUnion,
  ];
}

/** If the projection of an index is wrong, drops findings about reads of the index. */
function projections(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const faulty = new Set(
    found
      .filter(({ subject: { kind, field } }) => kind === 'index' && field === 'projection')
      .map(({ subject }) => subject.name),
  );
  const lacking = new Set(found.filter(({ rule }) => rule === 'unprojected').map(({ subject }) => subject.name));
  return [
    ({ rule, subject }) => rule === 'unprojected' && faulty.has(subject.index ?? ''),
    ({ cause, subject }) => cause === 'no-expiry' && subject.index !== undefined && lacking.has(subject.name),
  ];
}

/**
 * Drops `pattern-pollution` between entities whose keys can collide, because any query of their partition returns items
 * of both anyway.
 */
function collisions({ patterns }: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const pairs = found
    .filter(({ rule, cause }) => rule === 'key-collision' && cause === 'two-entities')
    .map(({ subject }) => [subject.name, ...(subject.entities ?? [])]);
  if (pairs.length === 0) return [];
  return [
    ({ rule, subject: { name, entities = [] } }) => {
      if (rule !== 'pattern-pollution') return false;
      const accesses = patterns.find((pattern) => pattern.name === name)?.accesses ?? [];
      const asked = accesses.flatMap((access) => (access.index === undefined ? access.entities : []));
      return pairs.some(
        (pair) => asked.some((own) => pair.includes(own)) && entities.every((own) => pair.includes(own)),
      );
    },
  ];
}

/** Drops `unused-index` if the pattern that should read the index names no index, or the wrong one. */
function unusedIndexes(_: TableUnderCheck, found: readonly Finding[]): readonly Follows[] {
  const isAstray = found.some(
    (finding) => finding.rule === 'unknown-name' && (finding.cause === 'index' || finding.cause === 'other-index'),
  );
  if (isAstray) return [({ rule }) => rule === 'unused-index'];
  const proposed = new Set(
    found
      .filter(({ rule }) => rule === 'pattern-unserved' || rule === 'unknown-name')
      .map(({ subject }) => subject.proposedIndex),
  );
  return [({ rule, subject }) => rule === 'unused-index' && proposed.has(subject.name)];
}
