import type { SchemaData } from '../../blueprint/attributes/data';
import type { LockedEntity } from '../lock/lock';
import { describe, included } from '../schema/inclusion';
import { absent } from '../schema/structures';
import type { Inclusion } from '../schema/verdict';
import { fixForGone, newNameOf } from './answers';
import type { Broken, Change, ChangeRule } from './change';
import { type Pair, pair as paired } from './sides';

/** An entity before and after. */
export interface EntityPair extends Pair {
  /** Its name in the new design. */
  readonly entity: string;
  readonly was: LockedEntity;
  readonly is: LockedEntity;
  /** Its name in the lock. */
  readonly formerName: string;
}

/** The changes of an entity's attributes, judged by whether each release can read what the other writes. */
export function* attributeChanges(pair: EntityPair): Iterable<Change> {
  const [was, is] = [pair.was.attributes.shape ?? {}, pair.is.attributes.shape ?? {}];
  const { both, gone, added } = paired(was, is, pair.answers, pair.before.name, pair.formerName);
  for (const [before, after] of both) {
    if (before !== after) yield attributeRenamed(pair, before, after);
    yield* attributeChanged(pair, after, was[before] as SchemaData, is[after] as SchemaData);
  }
  for (const name of gone) {
    const candidates = added.filter((other) => mayBeRenamed(was[name] as SchemaData, is[other] as SchemaData));
    yield attributeRemoved(pair, name, was[name] as SchemaData, candidates);
  }
  for (const name of added) yield* attributeAdded(pair, name, is[name] as SchemaData);
  yield* wholeChanged(pair);
}

function place({ path, entity, after }: EntityPair, attribute?: string, before?: string) {
  const at = `${path}.entities.${entity}.attributes`;
  return {
    path: attribute === undefined ? at : `${at}.${attribute}`,
    subject: { table: after.name, entity, ...(attribute && { attribute }), ...(before && { before }) },
  };
}

function* attributeAdded(pair: EntityPair, name: string, schema: SchemaData): Iterable<Change> {
  const presence = absent(schema);
  const at = place(pair, name);
  if (presence.verdict !== 'yes') {
    yield {
      rule: 'attribute-required',
      ...at,
      verdict: 'plan',
      breaks: [{ who: 'new-readers', how: `every stored ${pair.entity} lacks it, so reading one fails (ItemError)` }],
      message: `${name} is new and required (${describe(schema)})`,
      fix: `write it, fill it in stored items, then require it: 'tablewright plan'; or give it a default`,
    };
  } else {
    const erasers = replacing(pair);
    yield {
      rule: 'attribute-added',
      ...at,
      verdict: erasers.length === 0 ? 'safe' : 'plan',
      breaks:
        erasers.length === 0
          ? []
          : [
              {
                who: 'old-writers',
                how: `${erasers.join(', ')} of the running release replace${erasers.length === 1 ? 's' : ''} whole items, and erase${erasers.length === 1 ? 's' : ''} it`,
              },
            ],
      message: `${name} is new and may be left out`,
      fix:
        erasers.length === 0
          ? 'deploy it'
          : 'deploy readers that know it, and write it when the last old writer is gone',
    };
  }
  for (const former of pair.was.former[name] ?? []) yield* formerMeets(pair, name, former, schema);
}

/** Items may still hold an attribute of that name from an earlier design. */
function* formerMeets(pair: EntityPair, name: string, former: SchemaData, schema: SchemaData): Iterable<Change> {
  const inclusion = included(former, schema);
  if (inclusion.verdict === 'yes') return;
  yield {
    rule: 'attribute-former',
    ...place(pair, name),
    verdict: inclusion.verdict === 'no' ? 'plan' : 'ask',
    breaks: [
      { who: 'new-readers', how: `items of an earlier design may still hold ${describe(former)}: ${inclusion.why}` },
    ],
    message: `${name} was an attribute of ${pair.entity} before, and was ${describe(former)}`,
    fix: 'remove it from stored items first, or take another name',
    ...(inclusion.verdict === 'no' ? {} : { asks: 'because' as const }),
  };
}

function attributeRemoved(pair: EntityPair, name: string, schema: SchemaData, candidates: readonly string[]): Change {
  const at = place(pair, name);
  const required = absent(schema).verdict !== 'yes';
  const breaks: Broken[] = required
    ? [{ who: 'old-readers', how: `the running release refuses a ${pair.entity} without it (ItemError)` }]
    : [];
  const message = `${name} is gone`;
  if (candidates.length > 0) {
    const fix = fixForGone(at.path, `${pair.before.name}.${pair.formerName}.${name}`, candidates);
    const asked = `${message}, and ${candidates.join(', ')} ${candidates.length === 1 ? 'is' : 'are'} new: it may have been renamed`;
    return { rule: 'attribute-removed', ...at, verdict: 'ask', breaks, message: asked, fix, asks: 'renamed' };
  }
  return {
    rule: 'attribute-removed',
    ...at,
    verdict: required ? 'plan' : 'safe',
    breaks,
    message,
    fix: required
      ? 'let readers do without it, then writers, then remove it from stored items'
      : 'deploy it; stored items keep it',
  };
}

/** Whether a value stored under one name could be read under the other. */
function mayBeRenamed(was: SchemaData, is: SchemaData): boolean {
  return included(was, is).verdict === 'yes' || included(is, was).verdict === 'yes';
}

function attributeRenamed(pair: EntityPair, before: string, after: string): Change {
  return {
    rule: 'attribute-renamed',
    ...place(pair, after, before),
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items have ${before}, not ${after}` },
      { who: 'old-readers', how: `the running release looks for ${before}` },
    ],
    message: `${before} is renamed ${after}`,
    fix: 'write both, copy it in stored items, read the new one, then stop writing the old one',
  };
}

function* attributeChanged(pair: EntityPair, name: string, was: SchemaData, is: SchemaData): Iterable<Change> {
  const forward = included(only(was), only(is));
  const back = included(only(is), only(was));
  const kind = kindOf(forward, back, was, is);
  if (kind === undefined) return;
  const { rule, verdict, message, fix } = TEXTS[kind](name, was, is);
  const breaks: Broken[] = [
    ...(forward.verdict === 'yes'
      ? []
      : [{ who: 'new-readers' as const, how: `stored items may be refused: ${why(forward)}` }]),
    ...(back.verdict === 'yes'
      ? []
      : [{ who: 'old-readers' as const, how: `the running release may refuse new items: ${why(back)}` }]),
  ];
  const asks = verdict === 'ask' ? { asks: 'because' as const } : {};
  yield { rule, ...place(pair, name), verdict, breaks, message, fix, ...asks };
}

/** A schema as an attribute of an object, so that leaving it out is compared too. */
function only(schema: SchemaData): SchemaData {
  return { type: 'object', shape: { value: schema } };
}

function why({ why = '', at = [] }: Inclusion): string {
  const within = at.slice(1);
  return within.length === 0 ? why : `${within.join('.')}: ${why}`;
}

type Kind = 'code' | 'optional' | 'required' | 'widened' | 'narrowed' | 'type';

function kindOf(forward: Inclusion, back: Inclusion, was: SchemaData, is: SchemaData): Kind | undefined {
  const verdicts = [forward.verdict, back.verdict];
  if (verdicts.every((verdict) => verdict === 'yes')) return undefined;
  const [before, after] = [absent(was).verdict, absent(is).verdict];
  if (forward.verdict === 'no' && back.verdict === 'no') return 'type';
  if (back.verdict === 'no')
    return after === 'yes' && before !== 'yes' && differsOnlyInPresence(was, is) ? 'optional' : 'widened';
  if (forward.verdict === 'no')
    return before === 'yes' && after !== 'yes' && differsOnlyInPresence(is, was) ? 'required' : 'narrowed';
  return 'code';
}

function differsOnlyInPresence(firm: SchemaData, loose: SchemaData): boolean {
  return included({ type: 'nonoptional', innerType: loose }, firm).verdict !== 'no';
}

type Text = Pick<Change, 'rule' | 'verdict' | 'message' | 'fix'>;

const TEXTS: Readonly<Record<Kind, (name: string, was: SchemaData, is: SchemaData) => Text>> = {
  code: (name) => ({
    rule: 'attribute-code',
    verdict: 'ask',
    message: `${name} is checked or made by code that was edited, which cannot be compared`,
    fix: 'say why every stored value passes, and old readers accept new ones (because)',
  }),
  optional: (name) => ({
    rule: 'attribute-optional',
    verdict: 'plan',
    message: `${name} may now be left out`,
    fix: 'deploy readers that do without it first, then writers that leave it out',
  }),
  required: (name) => ({
    rule: 'attribute-required',
    verdict: 'plan',
    message: `${name} is now required`,
    fix: 'write it always, fill it in stored items, then require it',
  }),
  widened: (name, was, is) => ({
    rule: 'attribute-widened',
    verdict: 'plan',
    message: `${name} accepts more than before (${change(was, is)})`,
    fix: 'deploy readers that accept it first, then writers that write it',
  }),
  narrowed: (name, was, is) => ({
    rule: 'attribute-narrowed',
    verdict: 'plan',
    message: `${name} accepts less than before (${change(was, is)})`,
    fix: 'write only what is still accepted, find and change stored items that are not, then refuse the rest',
  }),
  type: (name, was, is) => ({
    rule: 'attribute-type' satisfies ChangeRule,
    verdict: 'plan',
    message: `${name} has a different type (${change(was, is)})`,
    fix: 'make it a new attribute, or change it in stored items while readers accept both',
  }),
};

function change(was: SchemaData, is: SchemaData): string {
  const [before, after] = [bareOf(was), bareOf(is)].map(describe);
  return before === after ? `${before}, with other bounds` : `${before} becomes ${after}`;
}

function bareOf(schema: SchemaData): SchemaData {
  return schema.innerType === undefined ? schema : bareOf(schema.innerType);
}

/** Changes of what a schema says about an item as a whole: refinements over several attributes, and catch-alls. */
function* wholeChanged(pair: EntityPair): Iterable<Change> {
  const whole = ({ checks, catchall }: SchemaData): SchemaData => ({
    type: 'object',
    shape: {},
    ...(checks && { checks }),
    // A strict schema never sees unnamed attributes, so it has none to refuse.
    ...(catchall && catchall.type !== 'never' && { catchall }),
  });
  const [was, is] = [whole(pair.was.attributes), whole(pair.is.attributes)];
  const verdicts = [included(was, is), included(is, was)];
  if (verdicts.every(({ verdict }) => verdict === 'yes')) return;
  yield {
    rule: 'attribute-code',
    ...place(pair),
    verdict: 'ask',
    breaks: verdicts.flatMap(({ verdict, why }, i): Broken[] =>
      verdict === 'yes' ? [] : [{ who: i === 0 ? 'new-readers' : 'old-readers', how: why ?? '' }],
    ),
    message: `the rules of ${pair.entity} for an item as a whole were edited`,
    fix: 'say why every stored item passes, and old readers accept new ones (because)',
    asks: 'because',
  };
}

/** The patterns of the running release that replace whole items. */
function replacing({ before, formerName }: EntityPair): readonly string[] {
  return before.plan.patterns
    .filter(({ accesses }) =>
      accesses.some(
        ({ step, entities }) => step.op === 'put' && step.replace === true && entities.includes(formerName),
      ),
    )
    .map(({ name }) => name);
}

/** The new name of an attribute of the entity. */
export function attributeNow({ answers, before, formerName }: EntityPair, attribute: string): string {
  return newNameOf(answers, before.name, formerName, attribute);
}
