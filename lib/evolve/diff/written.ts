import type { EntityDesign } from '../../design/table';
import { same } from '../canonical';
import { absent } from '../schema/structures';
import { bareOf } from '../schema/words';
import { type Change, placed } from './change';
import { list } from './physical';
import { type EntityPair, itemIn } from './sides';
import { attributeNow, renamedText } from './texts';
import { keysWith } from './values';

/** The changes to attributes that the library writes: versions, timestamps and computed attributes. */
export function* writtenChanges(pair: EntityPair): Iterable<Change> {
  yield* computedChanges(pair);
  yield* versionChanges(pair);
  yield* timeChanges(pair);
}

/** The computed attributes whose stored values were computed from other sources, or were not computed at all. */
export function recomputed(pair: EntityPair): readonly string[] {
  const [was, is] = sourcesIn(pair);
  return Object.keys(is).filter((name) => !same(was[name], is[name]));
}

interface Source {
  readonly texts: readonly string[];
  /** The separator between the sorted strings. @default - the attribute is computed from a single template */
  readonly separator?: string | undefined;
}

/** The old and the new sources of computed attributes, keyed by the new names of the attributes. */
function sourcesIn(pair: EntityPair): readonly [was: Sources, is: Sources] {
  const sources = (computed: EntityDesign['computed'] = {}, separator = '') =>
    Object.entries(computed).map(([name, made]): readonly [string, Source] => [
      name,
      typeof made === 'string'
        ? { texts: [made] }
        : { texts: [...made.sorted].sort(), separator: made.separator ?? separator },
    ]);
  const { was, is, before, after } = pair;
  const former = sources(was.computed, before.design?.separator).map(([name, { texts, separator }]) => {
    const renamed = texts.map((text) => renamedText(pair, text)).sort();
    return [attributeNow(pair, name), { texts: renamed, ...(separator !== undefined && { separator }) }] as const;
  });
  return [Object.fromEntries(former), Object.fromEntries(sources(is.computed, after.design?.separator))];
}

type Sources = Readonly<Record<string, Source>>;

function* computedChanges(pair: EntityPair): Iterable<Change> {
  const [was, is] = sourcesIn(pair);
  for (const name of recomputed(pair)) {
    const isThere = wasThere(pair, name);
    // A new required attribute is reported as a separate change.
    if (!isThere && isRequired(pair, name)) continue;
    const keys = isThere ? keysWith(pair, name) : [];
    const [before, now] = [made(was[name]), made(is[name])];
    yield {
      rule: 'attribute-computed',
      ...place(pair, ['computed', name], name),
      verdict: 'plan',
      breaks: [
        {
          who: 'new-readers',
          how: isThere ? `in stored items, '${name}' was ${before}` : `stored items have no '${name}'`,
        },
        { who: 'old-writers', how: `the running release writes ${isThere ? `'${name}' as before` : `no '${name}'`}` },
        ...(keys.length === 0 ? [] : [{ who: 'index-entries' as const, how: `${list(keys)} contains '${name}'` }]),
      ],
      message: `${name} is now ${now}; ${isThere ? `it was ${before}` : 'stored items lack it'}`,
      fix:
        keys.length === 0
          ? `write the new value, and recompute it in stored items: 'npx tablewright plan'`
          : `store the new value in a separate attribute, and use that attribute in ${list(keys)}`,
    };
  }
  const gone = Object.keys(was).filter((name) => !Object.hasOwn(is, name) && isStill(pair, name));
  for (const name of gone) {
    yield {
      rule: 'attribute-computed',
      ...place(pair, ['computed', name], name),
      verdict: 'ask',
      breaks: [
        {
          who: 'old-readers',
          how: `the running release reads '${name}', but the new release stores whatever callers give`,
        },
        { who: 'callers', how: `puts store the '${name}' that callers give, and updates no longer keep it up to date` },
      ],
      message: `${name} is now given by callers instead of ${made(was[name])}`,
      fix: `explain in 'because' who keeps it up to date, or why nobody reads it`,
      asks: 'because',
    };
  }
}

function* versionChanges(pair: EntityPair): Iterable<Change> {
  const { was, is } = pair;
  const [former, now] = [was.version && attributeNow(pair, was.version), is.version];
  if (former === now) return;
  const about = { rule: 'attribute-version' as const, ...place(pair, ['version'], now ?? former) };
  if (former !== undefined) {
    yield {
      ...about,
      verdict: 'ask',
      breaks: [
        {
          who: 'old-writers',
          how: `an update of the running release that passes '${former}' does not detect changes made by the new release`,
        },
      ],
      message: `${former} is no longer the version of ${itemIn(pair)}`,
      fix: `first deploy a release whose callers pass no '${former}', then say so in 'because'`,
      asks: 'because',
    };
  }
  // A plan that fills in a required version already waits until the last old writer has stopped.
  if (now === undefined || (!wasThere(pair, now) && isRequired(pair, now))) return;
  yield {
    ...about,
    verdict: 'plan',
    breaks: [
      {
        who: 'old-writers',
        how: `the running release changes items of ${itemIn(pair)} without incrementing '${now}', so an update that passes '${now}' does not detect these changes`,
      },
    ],
    message: `${now} is now the version of ${itemIn(pair)}`,
    fix: `deploy it, and have callers pass '${now}' once no earlier release is running: 'npx tablewright plan'`,
  };
}

function* timeChanges(pair: EntityPair): Iterable<Change> {
  const [was, is] = [pair.was.timestamps ?? {}, pair.is.timestamps ?? {}];
  for (const time of ['created', 'updated'] as const) {
    const former = was[time] && attributeNow(pair, was[time]);
    const now = is[time];
    const about = { rule: 'attribute-time' as const, ...place(pair, ['timestamps', time], now ?? former) };
    const [unit, other] = [was, is].map((one) => one.unit ?? 'milliseconds');
    if (former === now) {
      if (now === undefined || unit === other || !isNumber(pair, now)) continue;
      yield {
        ...about,
        verdict: 'plan',
        breaks: [
          { who: 'new-readers', how: `stored items have '${now}' in ${unit}` },
          { who: 'old-readers', how: `the running release reads '${now}' as ${unit}` },
        ],
        message: `${now} is now in ${other} instead of ${unit}`,
        fix: `keep the unit, or store the time in ${other} in a separate attribute`,
      };
      continue;
    }
    if (former !== undefined && isStill(pair, former)) {
      yield {
        ...about,
        verdict: 'ask',
        breaks: [
          {
            who: 'old-readers',
            how: `the running release uses '${former}' as the time when an item was ${time}, but the new release ${time === 'created' ? 'stores whatever callers give' : 'does not update it'}`,
          },
        ],
        message: `${former} no longer records when items of ${itemIn(pair)} were ${time}`,
        fix: "explain in 'because' who writes the attribute now, or why nobody relies on it",
        asks: 'because',
      };
    }
    if (now === undefined || (!wasThere(pair, now) && isRequired(pair, now))) continue;
    yield {
      ...about,
      verdict: 'plan',
      breaks: [
        {
          who: 'old-writers',
          how:
            time === 'created'
              ? `the running release creates items of ${itemIn(pair)} ${wasThere(pair, now) ? `with the '${now}' that callers give` : `without '${now}'`}`
              : `the running release changes items of ${itemIn(pair)} without updating '${now}'`,
        },
      ],
      message: `${now} now records when items of ${itemIn(pair)} were ${time}`,
      fix: `deploy it, and rely on '${now}' once no earlier release is running: 'npx tablewright plan'`,
    };
  }
}

function place({ at, entity, after }: EntityPair, within: readonly string[], attribute = '') {
  return { ...placed(at, 'entities', entity, ...within), subject: { table: after.name, entity, attribute } };
}

/** Whether stored items may have an attribute, under its old name if it was renamed. */
function wasThere(pair: EntityPair, name: string): boolean {
  return Object.keys(pair.was.attributes.shape ?? {}).some((former) => attributeNow(pair, former) === name);
}

function isStill({ is }: EntityPair, name: string): boolean {
  return Object.hasOwn(is.attributes.shape ?? {}, name);
}

function isRequired({ is }: EntityPair, name: string): boolean {
  const schema = is.attributes.shape?.[name];
  return schema !== undefined && absent(schema).verdict !== 'yes';
}

function isNumber({ is }: EntityPair, name: string): boolean {
  const schema = is.attributes.shape?.[name];
  return schema !== undefined && bareOf(schema).type === 'number';
}

function made(source: Source | undefined): string {
  if (source === undefined) return 'given by callers';
  const { texts, separator } = source;
  if (separator === undefined) return `computed as '${texts[0]}'`;
  return `computed from ${list(texts)}, sorted and joined by '${separator}'`;
}
