import type { SchemaData } from '../../blueprint/attributes/data';
import { storedName } from '../../blueprint/stored';
import { canonical, same } from '../canonical';
import { describe, included } from '../schema/inclusion';
import { absent, isOpen } from '../schema/structures';
import type { Inclusion } from '../schema/verdict';
import { bareOf, fieldLost, inWords } from '../schema/words';
import { answerFor, fixForGone, nestedAt } from './answers';
import { type Broken, type Change, type ChangeRule, placed } from './change';
import { fieldChanges } from './fields';
import { formerChanges } from './former';
import { pair as paired } from './pairs';
import { type EntityPair, itemIn } from './sides';
import { type AttributePair, defaultChanges, isLeftOut, isRewritten, keyFormatChanged, REWRITTEN } from './values';
import { replacing, wholeChanges } from './whole';

/** Yields the changes to an object's attributes, judged by whether each release can read what the other one writes. */
export function* objectChanges(pair: EntityPair): Iterable<Change> {
  const [was, is] = [pair.was.attributes.shape ?? {}, pair.is.attributes.shape ?? {}];
  const { both, gone, added } = paired(was, is, pair.answers, pair.before.name, pair.formerName);
  for (const [before, after] of both) {
    if (before !== after) yield attributeRenamed(pair, before, after);
    yield* attributeChanged(pair, after, before, was[before] as SchemaData, is[after] as SchemaData);
  }
  const nested = nestedIn(pair);
  for (const name of gone) {
    const path = nested.get(name);
    if (path !== undefined) yield attributeNested(pair, name, path);
    else yield attributeRemoved(pair, name, was[name] as SchemaData, homesOf(name, was, is, added));
  }
  for (const name of added) {
    const given = [...nested.values()].filter(([map]) => map === name).map(([, field]) => field);
    // If every required field of a new map was an attribute before, the map needs no other values.
    if (given.length > 0 && missingIn(is[name] as SchemaData, given).length === 0) continue;
    yield* attributeAdded(pair, name, is[name] as SchemaData);
  }
  for (const change of wholeChanges(pair)) yield { ...change, ...place(pair) };
}

/** Returns the map and the field that each nested attribute moves to, keyed by the attribute's old name. */
export function nestedIn({
  was,
  is,
  answers,
  before,
  formerName,
}: EntityPair): ReadonlyMap<string, readonly [string, string]> {
  const [old, now] = [was.attributes.shape ?? {}, is.attributes.shape ?? {}];
  const { gone } = paired(old, now, answers, before.name, formerName);
  return new Map(
    gone.flatMap((name) => {
      const path = nestedAt(answers, now, before.name, formerName, name);
      return path === undefined ? [] : [[name, path] as const];
    }),
  );
}

/** The required fields of a map that are not among the given fields. */
function missingIn(map: SchemaData, given: readonly string[]): readonly string[] {
  const fields = Object.entries(bareOf(map).shape ?? {});
  return fields.flatMap(([field, schema]) =>
    given.includes(field) || absent(schema).verdict === 'yes' ? [] : [field],
  );
}

/** The new attributes that may hold the values of a removed attribute. */
interface Homes {
  /** New attributes that the removed attribute may have become. */
  readonly renamed: readonly string[];
  /** New maps that may contain the removed attribute. */
  readonly nested: readonly string[];
  /** New attributes that may have been fields of the removed attribute. */
  readonly fields: readonly string[];
}

type Shape = Readonly<Record<string, SchemaData>>;

function homesOf(name: string, was: Shape, is: Shape, added: readonly string[]): Homes {
  const schema = was[name] as SchemaData;
  const fieldsIn = (map: SchemaData | undefined) => Object.keys((map && bareOf(map).shape) ?? {});
  const nested = added.flatMap((map) => {
    const isIt = (field: string) => field === name || `${map}${field}`.toLowerCase() === name.toLowerCase();
    const field = fieldsIn(is[map]).find(isIt);
    return field === undefined ? [] : [field === name ? map : `${map}.${field}`];
  });
  return {
    renamed: added.filter((other) => mayBeRenamed(schema, is[other] as SchemaData)),
    nested,
    fields: fieldsIn(schema).filter((field) => added.includes(field)),
  };
}

function attributeNested(pair: EntityPair, name: string, path: readonly string[]): Change {
  const shown = path.join('.');
  return {
    rule: 'attribute-nested',
    ...place(pair, path[0], name),
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items have '${name}', not '${shown}'` },
      { who: 'old-readers', how: `the running release looks for '${name}'` },
    ],
    message: `'${name}' moves into a map, and becomes '${shown}'`,
    fix: 'write the attribute and the map, copy the values in stored items, read the map, then stop writing the attribute',
  };
}

function place({ at, entity, after }: EntityPair, attribute?: string, before?: string) {
  return {
    ...placed(at, 'entities', entity, 'attributes', ...(attribute === undefined ? [] : [attribute])),
    subject: { table: after.name, entity, ...(attribute && { attribute }), ...(before && { before }) },
  };
}

/**
 * Returns advice on how to give stored items a new required attribute. If the library writes the attribute, the user
 * need not provide a default.
 */
function requiredFix({ is: { computed = {}, version, timestamps = {} } }: EntityPair, name: string): string {
  if (Object.hasOwn(computed, name))
    return `write the attribute, and compute it in stored items: 'npx tablewright plan'`;
  if (name === version || Object.values(timestamps).includes(name))
    return `give stored items a value with the 'up' of a migration: 'npx tablewright plan'; or make the attribute optional`;
  return `write the attribute, fill it in stored items, then require it: 'npx tablewright plan'; or declare a default`;
}

function* attributeAdded(pair: EntityPair, name: string, schema: SchemaData): Iterable<Change> {
  const presence = absent(schema);
  const at = place(pair, name);
  if (presence.verdict !== 'yes') {
    yield {
      rule: 'attribute-required',
      ...at,
      verdict: 'plan',
      breaks: [{ who: 'new-readers', how: `every stored ${itemIn(pair)} lacks it, so reading one fails (ItemError)` }],
      message: `${name} is new and required (${describe(schema)})`,
      fix: requiredFix(pair, name),
    };
  } else if (mayHold(pair, schema)) {
    yield {
      rule: 'attribute-added',
      ...at,
      verdict: 'ask',
      breaks: [
        { who: 'new-readers', how: `${itemIn(pair)} is open, so a stored item may have anything under this name` },
      ],
      message: `${name} is new and may be left out`,
      fix: "explain in 'because' why no stored item has another value under this name",
      asks: 'because',
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
                how: `${erasers.join(', ')} of the running release replace${erasers.length === 1 ? 's' : ''} whole items and so erase${erasers.length === 1 ? 's' : ''} the attribute`,
              },
            ],
      message: `${name} is new and may be left out`,
      fix:
        erasers.length === 0
          ? 'deploy it'
          : 'deploy readers that know the attribute, and write it after the last old writer has stopped',
    };
  }
  for (const change of formerChanges(pair, name, schema)) yield { ...change, ...at };
}

/** Whether stored items of an open entity may hold values under a new attribute's name that its schema rejects. */
function mayHold({ was: { attributes } }: EntityPair, schema: SchemaData): boolean {
  return isOpen(attributes) && included(attributes.catchall as SchemaData, schema).verdict !== 'yes';
}

function attributeRemoved(pair: EntityPair, name: string, schema: SchemaData, homes: Homes): Change {
  const at = place(pair, name);
  const required = absent(schema).verdict !== 'yes';
  const refused: Broken[] = required
    ? [{ who: 'old-readers', how: `the running release refuses any ${itemIn(pair)} without it (ItemError)` }]
    : [];
  const lost: Broken = {
    who: 'new-readers',
    how: "stored items keep the attribute's values, which no release reads",
  };
  const message = `${name} is gone`;
  const { renamed, nested, fields } = homes;
  const former = `${pair.before.name}.${pair.formerName}.${name}`;
  const asked = { rule: 'attribute-removed' as const, ...at, verdict: 'ask' as const, breaks: [...refused, lost] };
  const news = (names: readonly string[], what: string) =>
    `${message}, and ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} new: ${what}`;
  if (nested.length > 0) {
    const ways = [...answerFor('nested', former, nested), ...answerFor('renamed', former, renamed)];
    return {
      ...asked,
      message: news(nested, 'the old attribute may have moved into a new map'),
      fix: fixForGone(at.path, ways),
      asks: 'nested',
    };
  }
  if (renamed.length > 0) {
    const fix = fixForGone(at.path, answerFor('renamed', former, renamed));
    return { ...asked, message: news(renamed, 'the attribute may have been renamed'), fix, asks: 'renamed' };
  }
  if (fields.length > 0) {
    const fix = `if they were fields of the old attribute, let the migration's 'up' return them, and give that as the reason: because: { '${at.path}': '…' }`;
    return {
      ...asked,
      message: news(fields, 'the new attributes may have been fields of the old attribute'),
      fix,
      asks: 'because',
    };
  }
  return {
    rule: 'attribute-removed',
    ...at,
    verdict: required ? 'plan' : 'safe',
    breaks: refused,
    message,
    fix: required
      ? `let the migration supply the value for the running release until that release is gone (${pair.entity}: { removed: { ${name}: (item) => … } }): 'npx tablewright plan'`
      : 'deploy the change; stored items keep the attribute',
  };
}

/** Whether one of the two schemas accepts every value that the other accepts. */
function mayBeRenamed(was: SchemaData, is: SchemaData): boolean {
  return included(was, is).verdict === 'yes' || included(is, was).verdict === 'yes';
}

function attributeRenamed(pair: EntityPair, before: string, after: string): Change {
  const [old, now] = [storedName(pair.was, before), storedName(pair.is, after)];
  const message = `'${before}' is renamed '${after}'`;
  if (old === now) {
    const text = { message: `${message}, and is still stored as '${now}'`, fix: 'deploy it' };
    return { rule: 'attribute-renamed', ...place(pair, after, before), verdict: 'safe', breaks: [], ...text };
  }
  return {
    rule: 'attribute-renamed',
    ...place(pair, after, before),
    verdict: 'plan',
    breaks: [
      { who: 'new-readers', how: `stored items have '${old}', not '${now}'` },
      { who: 'old-readers', how: `the running release looks for '${old}'` },
    ],
    message,
    fix: 'write both names, copy the values in stored items, read the new name, then stop writing the old name',
  };
}

function* attributeChanged(
  pair: EntityPair,
  name: string,
  formerName: string,
  was: SchemaData,
  is: SchemaData,
): Iterable<Change> {
  const forward = included(only(was), only(is));
  const back = included(only(is), only(was));
  const attribute: AttributePair = { name, formerName, was, is, forward, back };
  for (const meaning of defaultChanges(pair, attribute)) yield { ...meaning, ...place(pair, name) };
  for (const field of fieldChanges(pair, attribute)) yield { ...field, ...place(pair, name) };
  const reformatted = keyFormatChanged(pair, attribute);
  if (reformatted !== undefined) {
    yield { ...reformatted, ...place(pair, name) };
    return;
  }
  const kind = kindOf(forward, back, was, is);
  if (kind === undefined && isRewritten(attribute)) yield { ...REWRITTEN, ...place(pair, name) };
  if (kind === undefined) return;
  if (kind === 'optional' && !isLeftOut(pair.after, pair.entity, name, is)) {
    const text = { message: `${name} may now be left out, and is then stored with its default`, fix: 'deploy it' };
    yield { rule: 'attribute-optional', ...place(pair, name), verdict: 'safe', breaks: [], ...text };
    return;
  }
  const lost = kind === 'widened' ? fieldLost(was, is) : undefined;
  const text =
    kind === 'type' && same(bareOf(was), bareOf(is)) ? missingOtherwise(name, is) : TEXTS[kind](name, was, is);
  const { rule, verdict, message, fix } = lost === undefined ? text : fieldRemoved([name, ...lost].join('.'));
  const breaks: Broken[] = [
    ...(forward.verdict === 'yes'
      ? []
      : [{ who: 'new-readers' as const, how: `the new release may refuse stored items: ${why(forward)}` }]),
    ...(back.verdict === 'yes'
      ? []
      : [{ who: 'old-readers' as const, how: `the running release may refuse new items: ${why(back)}` }]),
  ];
  const asks = verdict === 'ask' ? { asks: 'because' as const } : {};
  yield { rule, ...place(pair, name), verdict, breaks, message, fix, ...asks };
}

/** Wraps a schema as an attribute of an object, so that the comparison also covers a missing attribute. */
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

/** The change for a removed field that the running release requires, but for which the new release stores nothing. */
function fieldRemoved(path: string): Text {
  return {
    rule: 'field-removed',
    verdict: 'plan',
    message: `${path} is gone`,
    fix: `make '${path}' optional in one plan, and remove it in a later one`,
  };
}

/**
 * The change if one release writes a missing value only as null, and the other only leaves the attribute out. Neither
 * release can then write a missing value in a form that the other accepts.
 */
function missingOtherwise(name: string, is: SchemaData): Text {
  const [old, now] = absent(is).verdict === 'yes' ? ['null', 'left out'] : ['left out', 'null'];
  return {
    rule: 'attribute-missing',
    verdict: 'plan',
    message: `a missing ${name} is now ${now} instead of ${old}`,
    fix: `accept both null and a missing value (nullish) in one plan, and refuse ${old === 'null' ? 'null' : 'a missing value'} in a later plan`,
  };
}

const TEXTS: Readonly<Record<Kind, (name: string, was: SchemaData, is: SchemaData) => Text>> = {
  code: (name, was, is) => ({
    rule: 'attribute-code',
    verdict: 'ask',
    message: [was, is].some((schema) => canonical(schema).includes('"code":'))
      ? `the code that validates or rewrites ${name} was edited, and code cannot be compared`
      : `${name} is checked differently, and the two checks cannot be compared (${inWords(was, is)})`,
    fix: "explain in 'because' why every stored value passes, and why old readers accept new values",
  }),
  optional: (name) => ({
    rule: 'attribute-optional',
    verdict: 'plan',
    message: `${name} may now be left out`,
    fix: 'first deploy readers that accept items without the attribute, then writers that omit it',
  }),
  required: (name) => ({
    rule: 'attribute-required',
    verdict: 'plan',
    message: `${name} is now required`,
    fix: 'always write the attribute, fill it in stored items, then require it',
  }),
  widened: (name, was, is) => ({
    rule: 'attribute-widened',
    verdict: 'plan',
    message: `${name} accepts more than before (${inWords(was, is)})`,
    fix: 'first deploy readers that accept the new values, then writers that write them',
  }),
  narrowed: (name, was, is) => ({
    rule: 'attribute-narrowed',
    verdict: 'plan',
    message: `${name} accepts less than before (${inWords(was, is)})`,
    fix: 'stop writing the values that will be refused, replace them in stored items, then refuse them',
  }),
  type: (name, was, is) => ({
    rule: 'attribute-type' satisfies ChangeRule,
    verdict: 'plan',
    message: `${name} has a different type (${inWords(was, is)})`,
    fix: `give the migration an 'up' and a 'down' function ({ formatted: { ${name}: { up: (old) => …, down: (now) => … } } }), or store the new values in a separate attribute; with the functions, a plan stores what 'down' returns until the last old release is gone`,
  }),
};
