import { acknowledgement } from '../acknowledgement';
import type { Rule, TableRule } from '../finding';
import { malformedDesign } from '../malformed';
import type { Trait } from '../traits';
import { undecided } from './undecided';

/** A rule that is loaded when it first runs, and the traits of which a table needs one for the rule to find anything. */
export interface ListedRule<R extends TableRule = TableRule> extends Rule<R['id'], keyof R['causes'] & string> {
  readonly about: readonly Trait[];
  load(): R;
}

/**
 * The rules on tables, in the order in which findings are shown, each with the traits it is about. A function makes the
 * list, so that bundlers leave it out if nobody checks.
 */
const ofTables = /* @__PURE__ */ (() => [
  listed(
    'limits',
    ['odd-name', 'projection', 'several-items', 'type-attribute', 'stray-key', 'odd-template', 'ttl', 'separator'],
    (): typeof import('./limits').limits => require('./limits').limits,
  ),
  listed(
    'template-syntax',
    ['odd-template', 'stray-key', 'fields'],
    (): typeof import('./template-syntax').templateSyntax => require('./template-syntax').templateSyntax,
  ),
  listed(
    'template-literal',
    ['odd-template'],
    (): typeof import('./template-literal').templateLiteral => require('./template-literal').templateLiteral,
  ),
  listed(
    'unknown-name',
    [
      'ttl',
      'unknown-name',
      'key-only',
      'membership',
      'stray-key',
      'absent-key',
      'projection',
      'fields',
      'order',
      'update',
      'several-items',
    ],
    (): typeof import('./unknown-name').unknownName => require('./unknown-name').unknownName,
  ),
  listed(
    'duplicate-name',
    ['projection', 'type-attribute'],
    (): typeof import('./duplicate-name').duplicateName => require('./duplicate-name').duplicateName,
  ),
  listed(
    'unkeyable',
    ['special-part', 'part-format', 'free-text-name', 'separator'],
    (): typeof import('./unkeyable').unkeyable => require('./unkeyable').unkeyable,
  ),
  listed(
    'incomplete-key',
    ['absent-key', 'optional-key', 'natural-key'],
    (): typeof import('./incomplete-key').incompleteKey => require('./incomplete-key').incompleteKey,
  ),
  listed(
    'index-membership',
    ['membership'],
    (): typeof import('./index-membership').indexMembership => require('./index-membership').indexMembership,
  ),
  listed(
    'local-index',
    ['local-index'],
    (): typeof import('./local-index').localIndex => require('./local-index').localIndex,
  ),
  listed(
    'unstorable',
    ['key-only'],
    (): typeof import('./unstorable').unstorable => require('./unstorable').unstorable,
  ),
  listed(
    'unusable-schema',
    ['tested-attribute'],
    (): typeof import('./unusable-schema').unusableSchema => require('./unusable-schema').unusableSchema,
  ),
  listed(
    'dynamodb-types',
    ['elaborate-attribute'],
    (): typeof import('./dynamodb-types').dynamodbTypes => require('./dynamodb-types').dynamodbTypes,
  ),
  listed(
    'ambiguous-key',
    ['open-part', 'listed-part', 'separator'],
    (): typeof import('./ambiguous-key').ambiguousKey => require('./ambiguous-key').ambiguousKey,
  ),
  listed(
    'key-collision',
    ['several-entities', 'constant-key', 'listed-part', 'time-in-key'],
    (): typeof import('./key-collision').keyCollision => require('./key-collision').keyCollision,
  ),
  listed(
    'constant-key',
    ['constant-key'],
    (): typeof import('./constant-key').constantKey => require('./constant-key').constantKey,
  ),
  listed(
    'partition-incomplete',
    ['incomplete-where'],
    (): typeof import('./partition-incomplete').partitionIncomplete =>
      require('./partition-incomplete').partitionIncomplete,
  ),
  listed(
    'sharded-key',
    ['part-format', 'other-words'],
    (): typeof import('./sharded-key').shardedKey => require('./sharded-key').shardedKey,
  ),
  listed(
    'pattern-unserved',
    ['unlike-key', 'listed-part', 'number-part', 'odd-template'],
    (): typeof import('./pattern-unserved').patternUnserved => require('./pattern-unserved').patternUnserved,
  ),
  listed(
    'mistaken-part',
    ['other-words'],
    (): typeof import('./mistaken-part').mistakenPart => require('./mistaken-part').mistakenPart,
  ),
  listed(
    'swapped-part',
    ['strange-id', 'compound-partition'],
    (): typeof import('./swapped-part').swappedPart => require('./swapped-part').swappedPart,
  ),
  listed(
    'not-colocated',
    ['unlike-key', 'listed-part', 'number-part', 'odd-template'],
    (): typeof import('./not-colocated').notColocated => require('./not-colocated').notColocated,
  ),
  listed(
    'pattern-pollution',
    ['several-entities', 'unknown-name'],
    (): typeof import('./pattern-pollution').patternPollution => require('./pattern-pollution').patternPollution,
  ),
  listed(
    'order-unserved',
    ['order', 'formed-part'],
    (): typeof import('./order-unserved').orderUnserved => require('./order-unserved').orderUnserved,
  ),
  listed(
    'truncated-order',
    ['order'],
    (): typeof import('./truncated-order').truncatedOrder => require('./truncated-order').truncatedOrder,
  ),
  listed(
    'unwritable',
    ['update', 'fields'],
    (): typeof import('./unwritable').unwritable => require('./unwritable').unwritable,
  ),
  listed('half-key', ['update'], (): typeof import('./half-key').halfKey => require('./half-key').halfKey),
  listed(
    'unacceptable-item',
    ['update'],
    (): typeof import('./unacceptable-item').unacceptableItem => require('./unacceptable-item').unacceptableItem,
  ),
  listed(
    'broken-guard',
    ['several-entities'],
    (): typeof import('./broken-guard').brokenGuard => require('./broken-guard').brokenGuard,
  ),
  listed(
    'impossible-value',
    ['fields', 'natural-key'],
    (): typeof import('./impossible-value').impossibleValue => require('./impossible-value').impossibleValue,
  ),
  listed(
    'refused-request',
    ['options', 'several-items', 'fields'],
    (): typeof import('./refused-request').refusedRequest => require('./refused-request').refusedRequest,
  ),
  listed(
    'nested-projection',
    ['projection'],
    (): typeof import('./nested-projection').nestedProjection => require('./nested-projection').nestedProjection,
  ),
  listed(
    'unprojected',
    ['projection'],
    (): typeof import('./unprojected').unprojected => require('./unprojected').unprojected,
  ),
  listed(
    'unpadded-number',
    ['number-part'],
    (): typeof import('./unpadded-number').unpaddedNumber => require('./unpadded-number').unpaddedNumber,
  ),
  listed(
    'unpadded-bound',
    ['range'],
    (): typeof import('./unpadded-bound').unpaddedBound => require('./unpadded-bound').unpaddedBound,
  ),
  listed(
    'unordered-time',
    ['formed-part'],
    (): typeof import('./unordered-time').unorderedTime => require('./unordered-time').unorderedTime,
  ),
  listed(
    'imprecise-time',
    ['formed-part'],
    (): typeof import('./imprecise-time').impreciseTime => require('./imprecise-time').impreciseTime,
  ),
  listed(
    'unsorted-text',
    ['time-name', 'special-part'],
    (): typeof import('./unsorted-text').unsortedText => require('./unsorted-text').unsortedText,
  ),
  listed(
    'misread-range',
    ['range'],
    (): typeof import('./misread-range').misreadRange => require('./misread-range').misreadRange,
  ),
  listed(
    'unused-index',
    ['unread-index'],
    (): typeof import('./unused-index').unusedIndex => require('./unused-index').unusedIndex,
  ),
  listed(
    'redundant-index',
    ['twin-partitions'],
    (): typeof import('./redundant-index').redundantIndex => require('./redundant-index').redundantIndex,
  ),
  listed(
    'hot-partition',
    ['special-part', 'part-format', 'constant-key', 'update'],
    (): typeof import('./hot-partition').hotPartition => require('./hot-partition').hotPartition,
  ),
  listed(
    'tenant-unscoped',
    ['tenant'],
    (): typeof import('./tenant-unscoped').tenantUnscoped => require('./tenant-unscoped').tenantUnscoped,
  ),
  listed(
    'tenant-leak',
    ['tenant'],
    (): typeof import('./tenant-leak').tenantLeak => require('./tenant-leak').tenantLeak,
  ),
  listed(
    'filtered-read',
    ['fields'],
    (): typeof import('./filtered-read').filteredRead => require('./filtered-read').filteredRead,
  ),
  listed('whole-scan', ['scan'], (): typeof import('./whole-scan').wholeScan => require('./whole-scan').wholeScan),
  listed(
    'azure-portability',
    ['azure'],
    (): typeof import('./azure-portability').azurePortability => require('./azure-portability').azurePortability,
  ),
  listed(
    'cloud-operation',
    ['azure', 'options'],
    (): typeof import('./cloud-operation').cloudOperation => require('./cloud-operation').cloudOperation,
  ),
  listed('azure-keys', ['azure'], (): typeof import('./azure-keys').azureKeys => require('./azure-keys').azureKeys),
  listed(
    'azure-types',
    ['azure'],
    (): typeof import('./azure-types').azureTypes => require('./azure-types').azureTypes,
  ),
  listed(
    'unbounded-item',
    ['elaborate-attribute'],
    (): typeof import('./unbounded-item').unboundedItem => require('./unbounded-item').unboundedItem,
  ),
  listed(
    'unserved-entity',
    ['several-entities', 'update', 'unknown-name'],
    (): typeof import('./unserved-entity').unservedEntity => require('./unserved-entity').unservedEntity,
  ),
])() satisfies readonly ListedRule[];

const tableRules: readonly ListedRule[] = ofTables;

/** The rules on tables, without `undecided`, which runs last and reports what these left open. */
export function allRules(): readonly TableRule[] {
  return tableRules.map((rule) => rule.load());
}

/** Every rule, including those on a design's shape and on its acknowledgements. */
export const rules: readonly Rule[] = /* @__PURE__ */ (() => [
  malformedDesign,
  ...ofTables,
  undecided,
  acknowledgement,
])();

type AnyRule =
  | ReturnType<(typeof ofTables)[number]['load']>
  | typeof undecided
  | typeof malformedDesign
  | typeof acknowledgement;

/** The causes of each rule, by its id. */
export type CausesByRule = { readonly [R in AnyRule as R['id']]: keyof R['causes'] };

let places: ReadonlyMap<Trait, readonly number[]> | undefined;

/** The places of rules in the list, by the traits they are about. */
function placesByTrait(): ReadonlyMap<Trait, readonly number[]> {
  const known = new Map<Trait, number[]>();
  for (const [place, { about }] of tableRules.entries()) {
    for (const trait of about) {
      const same = known.get(trait);
      if (same === undefined) known.set(trait, [place]);
      else same.push(place);
    }
  }
  return known;
}

const rulesByTraits = new Map<string, readonly TableRule[]>();

/** The rules that can find something in a table with these traits, in the order of the list. Many tables have the same traits. */
export function rulesAbout(traits: ReadonlySet<Trait>): readonly TableRule[] {
  const known = [...traits].join();
  let rules = rulesByTraits.get(known);
  if (rules === undefined) {
    places ??= placesByTrait();
    const found = new Set<number>();
    for (const trait of traits) for (const place of places.get(trait) ?? []) found.add(place);
    rules = [...found].sort((a, b) => a - b).map((place) => (tableRules[place] as ListedRule).load());
    rulesByTraits.set(known, rules);
  }
  return rules;
}

function listed<R extends TableRule>(id: R['id'], about: readonly Trait[], load: () => R): ListedRule<R> {
  return {
    id,
    about,
    load,
    get severity() {
      return load().severity;
    },
    get why() {
      return load().why;
    },
    get causes() {
      return load().causes as R['causes'];
    },
  };
}
