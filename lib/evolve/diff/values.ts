import type { SchemaData } from '../../blueprint/attributes/data';
import { partsOf } from '../../blueprint/template-parts';
import { canonical } from '../canonical';
import { describeBoth } from '../schema/inclusion';
import { absent } from '../schema/structures';
import type { Inclusion } from '../schema/verdict';
import { formattedAs } from './answers';
import type { Change } from './change';
import { list } from './physical';
import { type EntityPair, itemIn } from './sides';

/** An attribute before and after, and whether each side accepts the values of the other side. */
export interface AttributePair {
  readonly name: string;
  readonly formerName: string;
  readonly was: SchemaData;
  readonly is: SchemaData;
  readonly forward: Inclusion;
  readonly back: Inclusion;
}

/** A change without its place, which the caller adds. */
export type Found = Omit<Change, 'path' | 'at' | 'subject'>;

/**
 * Changes to defaults, including defaults inside maps and lists: a new default changes the meaning of items that lack
 * the value.
 */
export function* defaultChanges(pair: EntityPair, { name, formerName, was, is }: AttributePair): Iterable<Found> {
  const keys = keysWith(pair, name);
  for (const { path, old, now } of differingDefaults(was, is)) {
    const place = [name, ...path].join('.').replaceAll('.[', '[');
    // If stored items lack the attribute, their keys were rendered without it.
    const isKeyed = keys.length > 0 && now !== undefined;
    yield {
      rule: 'attribute-default',
      verdict: isKeyed ? 'plan' : 'ask',
      breaks: [
        {
          who: 'new-readers',
          how: `if a stored ${itemIn(pair)} has no '${place}', the new release reads ${shown(now)}, but the running release reads ${shown(old)}`,
        },
        ...(isKeyed
          ? [
              {
                who: 'index-entries' as const,
                how: `${list(keys)} of such an item was written without the new default`,
              },
            ]
          : []),
        ...(isKeyed && (path.length > 0 || isLeftOut(pair.before, pair.formerName, formerName, was))
          ? [{ who: 'old-writers' as const, how: 'the running release stores items without the attribute' }]
          : []),
      ],
      ...(old === undefined ? {} : { was: shown(old) }),
      ...(now === undefined ? {} : { is: shown(now) }),
      message: `a missing '${place}' now means ${shown(now)} instead of ${shown(old)}`,
      fix: isKeyed
        ? `fill in the value in stored items: 'npx tablewright plan'`
        : "explain in 'because' why the meaning of stored items without the value may change, or fill in the old value first",
      ...(isKeyed ? {} : { asks: 'because' as const }),
    };
  }
}

/**
 * Whether a release stores items without an attribute: a put stores the default, but an update may create an item
 * without the attribute, or remove the attribute.
 */
export function isLeftOut(
  { patterns }: EntityPair['after'],
  entity: string,
  name: string,
  schema: SchemaData,
): boolean {
  if (schema.type !== 'default' && schema.type !== 'prefault') return true;
  return patterns.some(({ accesses }) =>
    accesses.some(({ step, entities }) => {
      if (step.op !== 'update' || !entities.includes(entity)) return false;
      return step.remove?.includes(name) || (step.upsert === true && !Object.hasOwn(step.set ?? {}, name));
    }),
  );
}

function shown(value: string | undefined): string {
  return value === undefined ? 'nothing' : value === CODE ? 'what code makes' : value;
}

interface DifferingDefault {
  /** The place of the default inside the attribute. */
  readonly path: readonly string[];
  readonly old: string | undefined;
  readonly now: string | undefined;
}

function* differingDefaults(was: SchemaData, is: SchemaData, path: readonly string[] = []): Iterable<DifferingDefault> {
  const [old, now] = [defaultIn(was), defaultIn(is)];
  // A changed default matters only if stored items may lack a value, and the new schema accepts a missing value or
  // has a default.
  const isMeant = absent(was).verdict !== 'no' && (now !== undefined || absent(is).verdict !== 'no');
  if (old !== now && isMeant) yield { path, old, now };
  const [a, b] = [bare(was), bare(is)];
  for (const [name, part] of Object.entries(a.shape ?? {})) {
    const other = b.shape?.[name];
    if (other !== undefined) yield* differingDefaults(part, other, [...path, name]);
  }
  for (const inner of ['element', 'valueType', 'rest'] as const) {
    const [one, other] = [a[inner], b[inner]];
    if (one !== undefined && other !== undefined) yield* differingDefaults(one, other, [...path, '[]']);
  }
  for (const inner of ['options', 'items'] as const) {
    const others = b[inner] ?? [];
    const parts = a[inner] ?? [];
    if (parts.length !== others.length) continue;
    for (const [i, part] of parts.entries())
      yield* differingDefaults(part, others[i] as SchemaData, inner === 'items' ? [...path, `[${i}]`] : path);
  }
}

/** Represents a default that is computed at run time. */
const CODE = '()';

/** The default of a schema as JSON; undefined if it has none. */
function defaultIn({ type, innerType, default: value }: SchemaData): string | undefined {
  if (type === 'default' || type === 'prefault' || type === 'catch') return value ?? CODE;
  return innerType === undefined ? undefined : defaultIn(innerType);
}

/**
 * The change if an attribute is rendered differently in keys: requests look for the new form, but stored keys contain
 * the old form.
 */
export function keyFormatChanged(pair: EntityPair, attribute: AttributePair): Found | undefined {
  const { name, formerName, was, is, forward, back } = attribute;
  const keys = keysWith(pair, name);
  if (keys.length === 0) return undefined;
  const { before, after, entity, answers } = pair;
  const how = formattedAs(answers, before.name, pair.formerName, formerName);
  const isOther = forward.verdict !== 'yes' && (back.verdict !== 'yes' || isReformatted(was, is));
  const isMadeOtherwise = rewritesIn(was) !== rewritesIn(is);
  const isResized = widthsOf(pair, name);
  if (how === undefined && !isOther && !isResized && !isMadeOtherwise) return undefined;
  // If no string fits both formats, the format certainly changes, so the user need not answer.
  const isCertain = how !== undefined || (forward.verdict === 'no' && back.verdict === 'no');
  const place = `${before.name}.${pair.formerName}.${formerName}`;
  const [old, now] = describeBoth(bare(was), bare(is));
  const what = old === now ? 'may be written differently' : `changes from ${old} to ${now}`;
  return {
    rule: 'key-format',
    verdict: isCertain ? 'plan' : 'ask',
    breaks: [
      {
        who: keys.some((key) =>
          after.physical.key.partitionBy.concat(after.physical.key.sortBy).some((own) => own.name === key),
        )
          ? 'new-readers'
          : 'index-entries',
        how: `stored items have the old form in ${list(keys)}, so the new release, which looks for the new form, does not find them`,
      },
      { who: 'old-readers', how: `the running release looks for the old form, and may refuse the new one` },
    ],
    message: `${name}, which is in ${list(keys)} of ${entity}, ${how ?? (isMadeOtherwise ? 'is rewritten differently before it is stored' : what)}`,
    fix: isCertain
      ? `give the migration an 'up' and a 'down' function (${entity}: { formatted: { ${name}: { up: (old) => …, down: (now) => … } } }); a plan then writes the new keys: 'npx tablewright plan'`
      : `answer with formatted: { '${place}': 'how it changes' } if stored values are written differently, or explain in 'because' why each stays as it is`,
    ...(isCertain ? {} : { asks: 'formatted' as const }),
  };
}

/** The change to an attribute whose schema rewrites values, as `toLowerCase` does. */
export const REWRITTEN: Found = {
  rule: 'attribute-code',
  verdict: 'ask',
  breaks: [
    {
      who: 'new-readers',
      how: 'stored values are not rewritten yet, so they differ from the rewritten values that requests look for',
    },
  ],
  message: 'values are rewritten differently before they are stored',
  fix: "explain in 'because' why every stored value may stay as it is",
  asks: 'because',
};

/** Whether a schema rewrites values that the running release stores unchanged or rewrites differently. */
export function isRewritten({ was, is }: Pick<AttributePair, 'was' | 'is'>): boolean {
  const rewrites = rewritesIn(is);
  return rewrites !== '' && rewrites !== rewritesIn(was);
}

/** The functions in a schema that rewrite values, as one string: `trim`, `toLowerCase`, `overwrite`. */
function rewritesIn(schema: SchemaData): string {
  const found: string[] = [];
  canonical(schema).replace(/\{[^{}]*"check":"overwrite"[^{}]*\}/g, (one) => {
    found.push(one);
    return '';
  });
  return found.join();
}

/** The old and new key attributes whose templates contain this attribute. */
export function keysWith({ before, after, entity, formerName }: EntityPair, attribute: string): readonly string[] {
  const keys = (side: EntityPair['before'], name: string) =>
    [...(side.entities.find((one) => one.name === name)?.keys ?? [])].flatMap(([key, { template }]) =>
      partsOf(template).some(({ path: [first] }) => first === attribute) ? [key] : [],
    );
  return [...new Set([...keys(before, formerName), ...keys(after, entity)])];
}

/** Whether a timestamp in a key changes its unit, judging by the number of digits. */
function widthsOf({ before, after, entity, formerName }: EntityPair, attribute: string): boolean {
  const widths = (side: EntityPair['before'], name: string) =>
    [...(side.entities.find((one) => one.name === name)?.keys.values() ?? [])].flatMap(({ template }) =>
      partsOf(template).flatMap(({ path: [first], format }) => {
        const width = Number(/^(?:down:)?(\d+)$/.exec(String(format))?.[1]);
        return first === attribute && TIMESTAMPS.has(width) ? [width] : [];
      }),
    );
  const [old, now] = [widths(before, formerName), widths(after, entity)];
  return old.length > 0 && now.length > 0 && !now.some((width) => old.includes(width));
}

/** The number of digits of a timestamp in seconds, milliseconds, microseconds and nanoseconds. */
const TIMESTAMPS: ReadonlySet<number> = new Set([10, 13, 16, 19]);

/** Whether both schemas have a format, and the two formats differ. */
function isReformatted(was: SchemaData, is: SchemaData): boolean {
  const [old, now] = [was, is].map((schema) => formatsOf(bare(schema)));
  return old !== '[]' && now !== '[]' && old !== now;
}

function formatsOf({ format, version, precision, offset, local, pattern, checks = [] }: SchemaData): string {
  const own = format === undefined ? [] : [{ format, version, precision, offset, local, pattern }];
  return canonical([...own, ...checks.filter(({ check }) => check === 'string_format')]);
}

function bare(schema: SchemaData): SchemaData {
  return schema.innerType === undefined ? schema : bare(schema.innerType);
}
