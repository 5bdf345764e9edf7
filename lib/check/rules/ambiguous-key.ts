import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { ambiguousPart } from '../../blueprint/languages/ambiguity';
import { keysOf } from '../../blueprint/languages/keys';
import { intersection, only } from '../../blueprint/languages/language';
import { entityNamed, type KeySource, knownParts } from '../../blueprint/table';
import { hasParts, placesOf, shownPart, templateOf } from '../../blueprint/template-parts';
import { withArticle } from '../../design/show';
import { type Part, type Template, widthOf } from '../../design/template';
import type { Fault, TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { leftOpen } from '../findings/open-questions';
import { type About, atKey } from '../findings/place';
import { isSeparator, otherSeparator } from '../keys/separators';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'separator-in-value': "a part's listed value or time format contains the separator",
  'side-by-side': 'nothing separates two parts of a template',
  'open-end': 'a part can contain the character that follows it in the template, so the end of the part is ambiguous',
} as const;

type Cause = keyof typeof causes;

export const ambiguousKey: TableRule<'ambiguous-key', Cause> = {
  id: 'ambiguous-key',
  severity: 'error',
  why: "'a' + 'bc' and 'ab' + 'c' make the same key, so the second item is refused, or overwrites the first.",
  causes,
  *check(table) {
    for (const source of table.sources) {
      if (source.natural || !hasParts(source.template)) continue;
      // Attributes that exist only in keys are read back by splitting the key at the separator.
      const isReadBack = entityNamed(table, source.entity)?.design.keyOnly !== undefined;
      const fault = separatorInValue(source, table.separator) ?? ambiguity(table, source, isReadBack);
      if (fault === undefined) continue;
      const { about, ...found } = fault;
      yield { ...atKey(source, about), ...found };
    }
  },
};

interface Ambiguity extends Fault<Cause> {
  readonly about: About;
}

/** Finds a part with a known value that contains the separator. Building a key from such a value throws an error. */
function separatorInValue(source: KeySource, separator: string): Ambiguity | undefined {
  const { template } = source;
  for (const { part, facts } of knownParts(source)) {
    const holding = valueWith(facts, part, separator);
    if (holding === undefined) continue;
    return {
      about: { part: part.name, value: holding.value },
      cause: 'separator-in-value',
      message: `'${template.text}': <${part.name}> is ${holding.shown}, which contains the separator '${separator}', so the key cannot be built`,
      fix: `use a different separator, such as '${otherSeparator(separator)}', or values without '${separator}'`,
    };
  }
  return undefined;
}

function ambiguity(table: TableUnderCheck, source: KeySource, isReadBack: boolean): Ambiguity | undefined {
  const { template } = source;
  const { separator } = table;
  const open = openParts(template, separator).filter((part) => !endsClearly(source, part, separator));
  if (open.length === 0) return undefined;
  const space = { separator, facts: (part: Part) => factsAt(source, part) };
  const part = isReadBack ? open[0] : ambiguousPart(template, space);
  if (part === 'unknown')
    leftOpen(table, atKey(source), `tell whether two items can have the same key '${template.text}'`);
  if (part === undefined || part === 'unknown') return undefined;
  const next = after(template, part);
  if (typeof next === 'object') {
    const proposed = `${shownPart(part)}${separator}${shownPart(next)}`;
    return {
      about: { part: part.name, proposed },
      cause: 'side-by-side',
      message: `'${template.text}': nothing separates <${part.name}> from <${next.name}>`,
      fix: `write ${proposed}`,
      ...keyEdits(table, source, `${shownPart(part)}${shownPart(next)}`, proposed),
    };
  }
  const first = String.fromCodePoint(next?.codePointAt(0) ?? 0);
  const instead = isSeparator(first) ? `, or make '${first}' the table's separator` : '';
  return {
    about: { part: part.name, value: first },
    cause: 'open-end',
    message: `'${template.text}': <${part.name}> can contain '${first}' itself, so the end of <${part.name}> is ambiguous`,
    fix: `no value may contain the separator, so write '${separator}' after <${part.name}>${instead}`,
  };
}

/**
 * Returns the parts that have no fixed width and no separator after them. Leaves out the last part, because it ends
 * where the key ends.
 */
function openParts(template: Template, separator: string): readonly Part[] {
  return placesOf(template)
    .slice(0, -1)
    .filter(({ part, next }) => {
      if (widthOf(part) !== undefined) return false;
      return typeof next === 'object' || separator === '' || !next?.startsWith(separator);
    })
    .map(({ part }) => part);
}

function after(template: Template, part: Part): string | Part | undefined {
  return placesOf(template).find(({ part: ours }) => ours === part)?.next;
}

/** Whether a part can never contain the character that follows it in the template. */
function endsClearly(source: KeySource, part: Part, separator: string): boolean {
  const next = after(source.template, part);
  const first = typeof next === 'string' ? String.fromCodePoint(next.codePointAt(0) as number) : '';
  return first !== '' && !canHold(factsAt(source, part), part, first, separator);
}

/**
 * Returns the facts about one occurrence of a part, because the key may contain the same attribute again in a different
 * format.
 */
function factsAt(source: KeySource, part: Part): AttributeFacts | undefined {
  return knownParts(source).find((known) => known.part === part)?.facts;
}

interface Holding extends Pick<About, 'value'> {
  readonly shown: string;
}

/** Returns a known value of the part that contains the separator, if there is one. No key may contain such a value. */
function valueWith(facts: AttributeFacts | undefined, { format }: Part, separator: string): Holding | undefined {
  if (facts === undefined || format !== undefined) return undefined;
  if (separator === ':' && (facts.format === 'datetime' || facts.format === 'time')) {
    return { shown: withArticle(facts.format) };
  }
  const listed = facts.values?.find((value) => separator !== '' && String(value).includes(separator));
  return listed === undefined ? undefined : { shown: `'${listed}'`, value: listed };
}

/** Whether any value of a part can contain a given character. */
function canHold(facts: AttributeFacts | undefined, part: Part, character: string, separator: string): boolean {
  const { edges } = keysOf(templateOf(part), { separator, facts: () => facts });
  return edges.flat().some(({ characters }) => intersection(characters, only(character)).length > 0);
}
