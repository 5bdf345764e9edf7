import { type AttributeFacts, attributeAt } from '../../blueprint/attributes/facts';
import { counterpartOf } from '../../blueprint/keys';
import { type EntityBlueprint, entitiesNamed, factsIn, type TableBlueprint } from '../../blueprint/table';
import { isCountedDown, lastPart, partAfter, piecesOf } from '../../blueprint/template-parts';
import { hasWord, isSameName } from '../../blueprint/words';
import type { Part, Template } from '../../design/template';
import { type Fault, GUESS, type TableRule } from '../findings/finding';
import { type About, atWhere } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  'inside-value': 'a prefix ends inside a value, so the query also matches longer values with the same beginning',
  'listed-prefix':
    'a prefix ends with a listed value that is the beginning of a longer listed value, so the query matches both',
  'names-reversed': 'a range is reversed, judging by the names of its parameters (a guess)',
  'day-as-end':
    'a range of timestamps ends with a date, so the query leaves out that day (a guess if only the name of a parameter suggests a date)',
} as const;

type Cause = keyof typeof causes;

export const misreadRange: TableRule<'misread-range', Cause> = {
  id: 'misread-range',
  severity: 'warning',
  why: "DynamoDB compares keys as text: the prefix 'CA#San' also matches 'CA#Santa Cruz', and a date sorts before every time of the same day.",
  causes,
  *check(table) {
    for (const access of table.accesses) {
      const { range, action } = access;
      if (action !== 'query' || range.kind === 'all' || range.kind === 'equals') continue;
      const fault =
        range.kind === 'beginsWith'
          ? prefix(table, access, range.at)
          : range.kind === 'between'
            ? (reversed(table, access, range.from, range.to) ?? dayAsEnd(table, access, range.to))
            : range.kind === 'atMost'
              ? dayAsEnd(table, access, range.at)
              : undefined;
      if (fault === undefined) continue;
      const { about, code, ...found } = fault;
      const place = atWhere(access, access.sort?.name, about);
      yield { ...place, ...found, ...(code && { edits: [{ path: place.path, code }] }) };
    }
  },
};

interface Misread extends Fault<Cause> {
  readonly about?: About;
  /** The corrected condition, as code. */
  readonly code?: string;
}

interface Met {
  readonly entity: EntityBlueprint;
  readonly part: Part;
  readonly facts: AttributeFacts | undefined;
  /** Whether the key continues after the part. */
  readonly isInside: boolean;
}

/** Returns each entity's key part that corresponds to the last parameter of a bound. */
function metBy(table: TableBlueprint, { entities, sort }: PatternAccess, at: Template, ours: Part): readonly Met[] {
  return entitiesNamed(table, entities).flatMap((entity): readonly Met[] => {
    const template = entity.keys.get(sort?.name ?? '')?.template;
    const part = template && counterpartOf(at, ours, template);
    if (template === undefined || part === undefined) return [];
    const facts = attributeAt(entity.design.attributes, part.path);
    return [{ entity, part, facts, isInside: !template.text.endsWith('>') || lastPart(template) !== part }];
  });
}

function prefix(table: TableUnderCheck, access: PatternAccess, at: Template): Misread | undefined {
  const last = lastPart(at);
  if (last === undefined || !at.text.endsWith('>')) return listed(table, access, at);
  const met = metBy(table, access, at, last);
  const open = met.find(({ part, facts }) => last.format === undefined && part.format === undefined && canGoOn(facts));
  // If the parameter has a different name than the key part, the caller may intend to pass a prefix.
  if (open === undefined || met.length < access.entities.length || !isSameName(open.part.name, last.name))
    return undefined;
  const proposed = open.isInside ? `{ beginsWith: '${at.text}${table.separator}' }` : `'${at.text}'`;
  const isListed = open.facts?.values !== undefined;
  return {
    about: { part: last.name, proposed },
    cause: isListed ? 'listed-prefix' : 'inside-value',
    message: `'${at.text}' also matches every longer ${last.name} with the same beginning, such as 'ab' for 'a'`,
    ...(open.isInside && { code: proposed }),
    fix: open.isInside
      ? `end the prefix with the separator: ${proposed}`
      : `write the whole value: ${proposed}, or rename the parameter to <${last.name}Prefix> if a prefix is intended`,
  };
}

/** Reports a literal prefix that ends with one listed value while another listed value begins with the same text. */
function listed(table: TableBlueprint, { entities, sort }: PatternAccess, at: Template): Misread | undefined {
  if (at.text.endsWith('>') || at.text.endsWith(table.separator)) return undefined;
  const ending = at.text.slice(at.text.lastIndexOf(table.separator) + 1);
  const before = at.text.slice(0, at.text.length - ending.length);
  for (const { keys } of entitiesNamed(table, entities)) {
    const source = keys.get(sort?.name ?? '');
    const there = source && partAfter(source.template, before);
    const values = (source && there && factsIn(source, there))?.values?.map(String) ?? [];
    const longer = values.find((value) => value !== ending && value.startsWith(ending));
    if (!values.includes(ending) || longer === undefined) continue;
    const proposed = `${at.text}${table.separator}`;
    const message = `'${at.text}' also matches '${longer}'`;
    return {
      about: { value: longer, proposed },
      cause: 'listed-prefix',
      message,
      fix: `end the prefix with the separator: '${proposed}'`,
      code: `{ beginsWith: '${proposed}' }`,
    };
  }
  return undefined;
}

/** Whether one value may be a prefix of another. */
function canGoOn(facts: AttributeFacts | undefined): boolean {
  if (facts?.kind === 'number') return String(facts.minimum ?? '').length !== String(facts.maximum ?? '-').length;
  if (facts?.kind !== 'string') return false;
  const { values, format = '', minimum, maximum, patterns } = facts;
  if (values !== undefined) {
    const sorted = values.map(String).sort();
    return sorted.some((value, i) => sorted[i + 1]?.startsWith(value) === true);
  }
  if (FIXED.has(format) || (minimum !== undefined && minimum === maximum)) return false;
  return patterns === undefined || format === 'regex' ? !patterns?.some(([source]) => /\{\d+\}\$$/.test(source)) : true;
}

/**
 * Formats for which a prefix is not a mistake: a value of fixed length is never the beginning of a longer value, and
 * times are often queried by prefix on purpose.
 */
const FIXED: ReadonlySet<string> = new Set([
  'uuid',
  'guid',
  'ulid',
  'date',
  'datetime',
  'nanoid',
  'xid',
  'ksuid',
  'time',
]);

const ENDS: ReadonlySet<string> = new Set('to end until till max last before upper high finish stop latest'.split(' '));
const STARTS: ReadonlySet<string> = new Set('from start since min first after lower low begin earliest'.split(' '));

function reversed(table: TableBlueprint, access: PatternAccess, from: Template, to: Template): Misread | undefined {
  const [first, second] = [lastPart(from), lastPart(to)];
  if (first === undefined || second === undefined) return undefined;
  // A part that counts down sorts numbers in descending order.
  const isTurned = metBy(table, access, from, first).some(({ part }) => isCountedDown(part));
  const [starts, ends] = isTurned ? [ENDS, STARTS] : [STARTS, ENDS];
  const isReversed =
    hasWord(first.name, ends) &&
    !hasWord(first.name, starts) &&
    hasWord(second.name, starts) &&
    !hasWord(second.name, ends);
  if (!isReversed) return undefined;
  const proposed = `{ between: ['${to.text}', '${from.text}'] }`;
  const message = `judging by their names, <${first.name}> is the end of the range and <${second.name}> is its start, so the query finds nothing`;
  return { ...GUESS, about: { proposed }, cause: 'names-reversed', message, fix: `write ${proposed}`, code: proposed };
}

const DAYS: ReadonlySet<string> = new Set(['date', 'day']);

function dayAsEnd(table: TableBlueprint, access: PatternAccess, end: Template): Misread | undefined {
  const day = dayIn(end);
  const met = day && metAtEnd(table, access, end);
  if (!met?.length || !met.every(({ part, facts }) => part.format === undefined && facts?.format === 'datetime'))
    return undefined;
  const last = day === 'digits' ? undefined : lastPart(end);
  const proposed = last === undefined ? `${end.text}T23:59:59.999Z` : undefined;
  return {
    ...(day === 'name' ? GUESS : {}),
    about: { ...(last && { part: last.name }), proposed },
    cause: 'day-as-end',
    message: `${day === 'name' ? `judging by its name, <${last?.name}> is a date, but ` : ''}the keys contain whole timestamps, which sort after the date alone, so a range up to '${end.text}' leaves out that day`,
    fix:
      proposed === undefined
        ? `end the range with the last moment of the day, or with the next day`
        : `write '${proposed}'`,
  };
}

/** What shows that a bound ends with a date: digits, a parameter's format, or a parameter's name. */
function dayIn(end: Template): 'digits' | 'format' | 'name' | undefined {
  const last = end.text.endsWith('>') ? lastPart(end) : undefined;
  if (last === undefined) return /\d{4}-\d\d-\d\d$/.test(end.text) ? 'digits' : undefined;
  if (last.format === 'date') return 'format';
  return last.format === undefined && hasWord(last.name, DAYS) ? 'name' : undefined;
}

/**
 * Returns the key parts at the position of the last piece of a bound. Earlier pieces of the bound may be literal text
 * where the keys have parts.
 */
function metAtEnd(table: TableBlueprint, { entities, sort }: PatternAccess, end: Template): readonly Met[] {
  const at = end.text.split(table.separator).length - 1;
  return entitiesNamed(table, entities).flatMap((entity): readonly Met[] => {
    const template = entity.keys.get(sort?.name ?? '')?.template;
    const [part, ...more] = (template && piecesOf(template, table.separator)[at]?.values) ?? [];
    if (part === undefined || more.length > 0) return [];
    return [{ entity, part, facts: attributeAt(entity.design.attributes, part.path), isInside: false }];
  });
}
