import { type Access, boundsOfRange } from '../../blueprint/accesses';
import type { PatternBlueprint } from '../../blueprint/outline';
import { valueNames } from '../../blueprint/parameters';
import { isBucket, isPieceOfTime, partsOf } from '../../blueprint/template-parts';
import type { PatternDesign } from '../../design/pattern';
import { mapParts, type Template } from '../../design/template';
import { same } from '../canonical';
import { movedTo, newNameOf } from './answers';
import { type Broken, type Change, placed } from './change';
import { followed } from './followed';
import { list } from './physical';
import type { Pair } from './sides';

/** The changes to a table's patterns, judged by what callers pass, what grants permit and what cursors contain. */
export function* patternChanges(pair: Pair): Iterable<Change> {
  const { before, after, at, cloud } = pair;
  if (before.design === undefined || after.design === undefined) return;
  const was = new Map(before.patterns.map((pattern) => [pattern.name, pattern]));
  const is = new Map(after.patterns.map((pattern) => [pattern.name, pattern]));
  for (const [name, now] of is) {
    const old = was.get(name);
    const place = { ...placed(at, 'patterns', name), subject: { table: after.name, pattern: name } };
    if (old === undefined) {
      yield {
        rule: 'pattern-added',
        ...place,
        verdict: 'safe',
        breaks: [],
        message: `${name} is new`,
        fix: 'deploy it',
      };
    } else if (!same(old.design, now.design)) {
      const other = meansOther(old, now);
      if (other !== undefined) {
        yield {
          rule: 'pattern-reused',
          ...place,
          verdict: 'plan',
          breaks: [
            {
              who: 'callers',
              how: `until the switch, the new release still finds the old items; afterwards, ${other}`,
            },
          ],
          message: `${name} finds different items for the same call: ${other}`,
          fix: `give the new pattern a different name, and remove ${name} in the same or a later change`,
        };
        continue;
      }
      const expected = followed(pair, old);
      const calls = [...keyBreaks(old, now), ...callBreaks(expected as unknown as PatternDesign, old, now)];
      const isCalledOtherwise = calls.length > 0;
      if (!isCalledOtherwise && same(expected, now.design)) continue;
      const breaks = [...calls, ...lostBreaks(pair, old, now), ...patternBreaks(old, now, cloud)];
      const waits = breaks.some(({ who }) => who === 'iam' || who === 'cursors');
      yield {
        rule: 'pattern-changed',
        ...place,
        verdict: waits ? 'plan' : isCalledOtherwise ? 'ask' : 'safe',
        breaks,
        message: `${name} has changed: ${list(differing(old, now))}`,
        fix: waits
          ? 'keep the old pattern under its name for one more release, and give the new pattern a different name'
          : isCalledOtherwise
            ? `keep the old pattern under its name for one more release; or, if every caller is deployed together with the new pattern, give the reason: because: { '${place.path}': '…' }`
            : 'deploy it',
        ...(!waits && isCalledOtherwise ? { asks: 'because' as const } : {}),
      };
    }
  }
  for (const name of was.keys()) {
    // A pattern may move to a different table together with its entity.
    if (is.has(name) || hasMoved(pair, was.get(name) as PatternBlueprint)) continue;
    const place = placed(at, 'patterns', name);
    yield {
      rule: 'pattern-removed',
      ...place,
      subject: { table: after.name, pattern: name },
      verdict: 'ask',
      breaks: [
        { who: 'callers', how: `code that calls ${name} no longer compiles` },
        { who: 'iam', how: `the running release loses the permission for ${name}` },
      ],
      message: `${name} is gone`,
      fix: `keep the pattern for one more release; or, if nobody calls it, give the reason: because: { '${place.path}': '…' }`,
      asks: 'because',
    };
  }
}

function hasMoved({ before, elsewhere, answers }: Pair, { name, accesses }: PatternBlueprint): boolean {
  const entities = accesses.flatMap((access) => access.entities);
  const tables = entities.map((entity) => movedTo(answers, before.name, entity));
  return tables.some((table) => table !== undefined && elsewhere[table]?.design?.patterns[name] !== undefined);
}

/** Returns the names of the pattern fields that changed. */
function differing(was: PatternBlueprint, is: PatternBlueprint): readonly string[] {
  const [before, after] = [was, is].map(({ design }) => design as unknown as Readonly<Record<string, unknown>>);
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.filter((field) => !same(before?.[field], after?.[field]));
}

/**
 * The reason, if any, why the same call finds different items than before: the call uses different guards, or covers a
 * different period.
 */
function meansOther(
  { design: was, ...old }: PatternBlueprint,
  { design: is, ...now }: PatternBlueprint,
): string | undefined {
  if (was.op === 'find' && is.op === 'find' && was.unique !== is.unique)
    return `it looks for guards of '${is.unique}' instead of '${was.unique}'`;
  const [before, after] = [stretchesOf(old), stretchesOf(now)];
  for (const [name, format] of after) {
    const former = before.get(name);
    if (former !== undefined && former !== format)
      return `its key has <${name}:${format}> instead of <${name}:${former}>`;
  }
  return undefined;
}

/** The format of each key parameter that represents a period of time, keyed by the parameter's name. */
function stretchesOf({ accesses }: Pick<PatternBlueprint, 'accesses'>): ReadonlyMap<string, string> {
  const templates = accesses.flatMap(({ partition, range }) => [
    ...(partition ?? []).map((held) => held.at),
    ...boundsOfRange(range),
  ]);
  return new Map(
    templates.flatMap((template) =>
      partsOf(template).flatMap(({ name, format }) =>
        isPieceOfTime(format) || isBucket(format) ? [[name, String(format)] as const] : [],
      ),
    ),
  );
}

/** The key parameters that callers must now pass for the first time, or under a new name. */
function keyBreaks(was: PatternBlueprint, is: PatternBlueprint): readonly Broken[] {
  return givenOtherwise(parametersOf(was), parametersOf(is));
}

/**
 * The changes that callers must make to the values they pass. Ignores parameters that have new names only because
 * attributes were renamed.
 */
function callBreaks(expected: PatternDesign, was: PatternBlueprint, is: PatternBlueprint): readonly Broken[] {
  const known = [...parametersOf(was), ...parametersOf(is)];
  const valuesOf = (design: PatternDesign) => valueNames(design).filter((name) => !known.includes(name));
  const breaks: Broken[] = [...givenOtherwise(valuesOf(expected), valuesOf(is.design))];
  if (was.design.op !== is.design.op)
    breaks.push({ who: 'callers', how: `its op is '${is.design.op}' instead of '${was.design.op}'` });
  const listOf = ({ design }: PatternBlueprint) => ('each' in design ? design.each : undefined);
  if (listOf(was) !== listOf(is))
    breaks.push({
      who: 'callers',
      how:
        listOf(is) === undefined
          ? `callers must pass a single '${listOf(was)}' instead of a list`
          : `callers must pass '${listOf(is)}' as a list`,
    });
  const groupOf = ({ design }: PatternBlueprint) => ('group' in design ? design.group : undefined);
  if (!same(groupOf(was), groupOf(is)))
    breaks.push({ who: 'callers', how: 'each page groups its items into different lists' });
  return breaks;
}

function givenOtherwise(given: readonly string[], wanted: readonly string[]): readonly Broken[] {
  const missing = wanted.filter((name) => !given.includes(name));
  const unused = given.filter((name) => !wanted.includes(name));
  if (missing.length === 0) return [];
  const instead = unused.length === 0 ? '' : ` instead of ${list(unused)}`;
  return [{ who: 'callers', how: `callers must pass ${list(missing)}${instead}` }];
}

/** The attributes that results lose; the compiler reports callers that use these attributes. */
function lostBreaks(pair: Pair, was: PatternBlueprint, is: PatternBlueprint): readonly Broken[] {
  const selectOf = ({ design }: PatternBlueprint) => ('select' in design ? design.select : undefined);
  const [old, now] = [selectOf(was), selectOf(is)];
  if (now === undefined) return [];
  const { before, after } = pair;
  const entities = was.accesses.flatMap((access) => access.entities);
  const nameNow = (name: string) =>
    entities.map((entity) => newNameOf(pair.answers, before.name, entity, name)).find((other) => other !== name) ??
    name;
  const returned = is.accesses.flatMap((access) => access.entities);
  const whole = returned.flatMap((entity) => Object.keys(after.design?.entities[entity]?.attributes.shape ?? {}));
  const lost = new Set((old?.map(nameNow) ?? whole).filter((name) => !now.includes(name)));
  return lost.size === 0 ? [] : [{ who: 'callers', how: `results no longer have ${list([...lost])}` }];
}

/** What breaks if the pattern accesses different places or reads in a different order. */
function patternBreaks(was: PatternBlueprint, is: PatternBlueprint, cloud: Pair['cloud']): readonly Broken[] {
  const breaks: Broken[] = [];
  const places = ({ accesses }: PatternBlueprint) =>
    accesses.map(({ action, index, partition }) => ({ action, index, at: partition?.map((held) => formOf(held.at)) }));
  const reaches = !same(places(was), places(is));
  if (reaches && cloud === 'aws') {
    breaks.push({ who: 'iam', how: 'the running release and the new one need different permissions' });
  }
  const isPaged = was.design.op === 'query' || was.design.op === 'scan';
  const order = ({ design }: PatternBlueprint) =>
    design.op === 'query' ? [design.order ?? 'ascending', design.each, design.merge === true] : undefined;
  if (isPaged && (reaches || !same(order(was), order(is)))) {
    breaks.push({ who: 'cursors', how: 'a paged read that has already started cannot continue' });
  }
  return breaks;
}

/** Describes the strings that a template can produce, regardless of the names of its parameters. */
function formOf(template: Template): readonly unknown[] {
  return mapParts(
    template,
    (text) => text,
    ({ format }) => ({ format }),
  );
}

/**
 * The parameters that a caller must pass for a pattern's key conditions. Excludes shards, because the client fills them
 * in. Excludes guards that are written with an item: their values come from `set` and `condition`, where a value may be
 * optional.
 */
function parametersOf({ accesses }: PatternBlueprint): readonly string[] {
  const isGuard = ({ unique, released, step }: Access) => unique !== undefined && !released && step.op !== 'find';
  const templates = accesses.flatMap((access) =>
    access.action === 'put' || isGuard(access)
      ? []
      : [...(access.partition ?? []).map((held) => held.at), ...boundsOfRange(access.range)],
  );
  return [
    ...new Set(
      templates.flatMap((template) =>
        partsOf(template)
          .filter(({ optional, format }) => !optional && !String(format).startsWith('every:'))
          .map(({ name }) => name),
      ),
    ),
  ];
}
