import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { entityNamed, type KeySource } from '../../blueprint/table';
import { type Hole, type Template, widthOf } from '../../design/template';
import type { Fault, TableRule } from '../finding';
import { keysOf } from '../matching/keys';
import { intersection, only } from '../matching/language';
import { type About, atKey } from '../places';

const causes = {
  'separator-in-value': 'a value that a part is known to have holds the separator',
  'side-by-side': 'nothing stands between two parts',
  'open-end': 'a part can hold the character that follows it, so its end cannot be told',
} as const;

type Cause = keyof typeof causes;

export const ambiguousKey: TableRule<'ambiguous-key', Cause> = {
  id: 'ambiguous-key',
  severity: 'error',
  why: "'a' + 'bc' and 'ab' + 'c' make the same key, and one item takes the place of the other.",
  causes,
  check: ({ plan }) =>
    plan.sources
      .filter(({ natural }) => !natural)
      .flatMap((source) => {
        // What is kept in keys only is read back from them by the separator.
        const isReadBack = entityNamed(plan, source.entity)?.design.keyOnly !== undefined;
        const fault = ambiguity(source, plan.separator, isReadBack);
        if (fault === undefined) return [];
        const { about, ...found } = fault;
        return [{ ...atKey(source, about), ...found }];
      }),
};

interface Ambiguity extends Fault<Cause> {
  readonly about: About;
}

function ambiguity({ template, facts }: KeySource, separator: string, isReadBack: boolean): Ambiguity | undefined {
  for (const [i, part] of template.holes.entries()) {
    const at = template.parts.indexOf(part);
    const next = template.parts[at + 1];
    const known = facts[i];
    const holding = valueWith(known, part, separator);
    if (holding !== undefined) {
      return {
        about: { part: part.name, value: holding.value },
        cause: 'separator-in-value',
        message: `'${template.text}': <${part.name}> is ${holding.shown}, which holds '${separator}', the separator, so that no key can be made`,
        fix: `use another separator, such as '${separator === '#' ? '|' : '#'}', or values without it`,
      };
    }
    if (next === undefined || widthOf(part) !== undefined) continue;
    if (typeof next === 'object') {
      if (!isReadBack && hasFixedLength(known)) continue;
      const proposed = `<${part.name}>${separator}<${next.name}>`;
      return {
        about: { part: part.name, proposed },
        cause: 'side-by-side',
        message: `'${template.text}': nothing stands between <${part.name}> and <${next.name}>`,
        fix: `write ${proposed}`,
      };
    }
    const first = String.fromCodePoint(next.codePointAt(0) as number);
    // The end of the last part can always be told: nothing but literal text comes after it.
    const isLast = at + 2 === template.parts.length;
    if (first !== separator && !isLast && canHold(known, part, first, separator)) {
      return {
        about: { part: part.name, value: first },
        cause: 'open-end',
        message: `'${template.text}': <${part.name}> can hold '${first}' itself, so that its end cannot be told`,
        fix: `separate it with '${separator}', which no value may hold, or make '${first}' the table's separator`,
      };
    }
  }
  return undefined;
}

/** Whether all values of an attribute are of one length, so that its end can be told without a separator. */
function hasFixedLength(facts: AttributeFacts | undefined): boolean {
  if (facts?.kind !== 'string') return false;
  const { format = '', precision, zoned, minimum, maximum, values } = facts;
  if (values !== undefined) return new Set(values.map((value) => String(value).length)).size === 1;
  if (format === 'datetime') return precision !== undefined && zoned !== true;
  return FIXED.has(format) || (minimum !== undefined && minimum === maximum);
}

/** Forms of text that are always of one length. */
const FIXED: ReadonlySet<string> = new Set(['uuid', 'guid', 'ulid', 'date', 'nanoid', 'xid', 'ksuid']);

interface Holding extends Pick<About, 'value'> {
  readonly shown: string;
}

/** A value that a part is known to have, and that cannot be in a key for the separator in it. */
function valueWith(facts: AttributeFacts | undefined, { format }: Hole, separator: string): Holding | undefined {
  if (facts === undefined || format !== undefined) return undefined;
  if (separator === ':' && (facts.format === 'datetime' || facts.format === 'time')) {
    return { shown: `a ${facts.format}` };
  }
  const listed = facts.values?.find((value) => separator !== '' && String(value).includes(separator));
  return listed === undefined ? undefined : { shown: `'${listed}'`, value: listed };
}

/** Whether any value of a part can have this character in it. */
function canHold(facts: AttributeFacts | undefined, hole: Hole, character: string, separator: string): boolean {
  const alone: Template = { text: `<${hole.name}>`, parts: [hole], holes: [hole], faults: [] };
  const { edges } = keysOf(alone, { separator, facts: () => facts });
  return edges.flat().some(({ characters }) => intersection(characters, only(character)).length > 0);
}
