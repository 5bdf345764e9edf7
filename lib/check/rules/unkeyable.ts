import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { storedKinds, twinsIn } from '../../blueprint/attributes/samples';
import { canBeText, emptyTextAt } from '../../blueprint/attributes/texts';
import { allBut, languageOf } from '../../blueprint/languages/language';
import { matchesOf } from '../../blueprint/languages/regular-expressions';
import { entityNamed, type KeySource, knownParts } from '../../blueprint/table';
import { isBucket, isPieceOfTime, paddedTo, shownPart } from '../../blueprint/template-parts';
import type { Part } from '../../design/template';
import type { Fault, Found, TableRule } from '../findings/finding';
import { keyEdits } from '../findings/key-edits';
import { type About, atKey } from '../findings/place';
import { otherSeparator } from '../keys/separators';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  date: 'a part is a Date',
  boolean: 'a part is a boolean',
  list: 'a part is a list',
  map: 'a part is a whole map',
  'separator-in-prefix': 'every value of a part begins with the same text, which contains the separator',
  'padded-text': 'a padded part is not a number',
  'too-narrow': 'a padded part has too few digits for its largest value',
  negative: 'a padded part can be negative',
  fraction: 'a padded part may be a fraction',
  'other-kind': 'a part has another type that cannot be part of a key, such as a set or bytes',
  'no-value': 'a part has no possible value, or only the empty string, which cannot be part of a key',
  'separator-needed': 'every value of a part contains the separator',
  'separator-possible': 'a part is free text, which may contain the separator (a warning)',
  'may-be-empty': 'a default, a listed value or a regular expression allows a part to be the empty string (a warning)',
  'mixed-kinds': 'a part may be either a string or a number (a warning)',
  'two-kinds': 'two values of a part, such as 1 and "1", become the same text in a key',
  'no-timestamp': 'a part extracts a piece of a date or time, but the value is not an ISO timestamp',
} as const;

type Cause = keyof typeof causes;

export const unkeyable: TableRule<'unkeyable', Cause> = {
  id: 'unkeyable',
  severity: 'error',
  why: 'A value that cannot be part of a key makes the write fail, or produces an ambiguous key.',
  causes,
  *check(table) {
    const seen = new Set<string>();
    for (const found of table.sources.flatMap((source) => inKey(table, source, table.separator))) {
      // Reports a schema's fault only once, even if several keys contain the attribute, unless the fix changes the
      // template.
      const { part, proposed } = found.subject;
      const fault = `${found.path.split('.')[1]} ${part} ${found.cause}`;
      if (proposed === undefined && seen.has(fault)) continue;
      seen.add(fault);
      yield found;
    }
  },
};

function inKey(table: TableUnderCheck, source: KeySource, separator: string): readonly Found<Cause>[] {
  const { template } = source;
  const attributes = entityNamed(table, source.entity)?.design.attributes;
  return knownParts(source).flatMap(({ part, facts }) => {
    const own = source.natural
      ? undefined
      : (fault(part, facts, separator) ?? (attributes && valueFault(attributes, source, part, facts, separator)));
    const found = own ?? (attributes && emptyFault(attributes, part, source.natural));
    if (found === undefined) return [];
    const { value, proposed, message, ...rest } = found;
    const place = atKey(source, { part: part.name, value, proposed });
    const edits = proposed?.startsWith('<') ? keyEdits(table, source, shownPart(part), proposed) : {};
    return [{ ...place, ...rest, message: `'${template.text}': ${message}`, ...edits }];
  });
}

/** Returns the fault of a part, if its schema or its sample values reveal one. */
function valueFault(
  attributes: object,
  { attribute, template }: KeySource,
  { name, path, format }: Part,
  facts: AttributeFacts | undefined,
  separator: string,
): Unkeyable | undefined {
  if (facts === undefined) return undefined;
  const twins = format === undefined || typeof format === 'number' ? twinsIn(attributes, path) : undefined;
  if (twins !== undefined) {
    const [value, twin] = twins.map((one) => (typeof one === 'string' ? `'${one}'` : `${one}`)) as [string, string];
    return {
      cause: 'two-kinds',
      message: `<${name}> can be both ${value} and ${twin}, which are the same text in a key, so requests refuse ${value}`,
      fix: 'accept only one type: z.string(), or z.number()',
    };
  }
  if (format !== undefined) return undefined;
  if (facts.values !== undefined) {
    if (facts.values.some((value) => value !== '')) return undefined;
    const shown = facts.values.length === 0 ? 'has no possible value' : `is always ''`;
    return {
      cause: 'no-value',
      message: `<${name}> ${shown}, so no key can contain <${name}>`,
      fix: `list the values that '${name}' can have`,
    };
  }
  if (facts.kind === 'other' || facts.kind === 'binary') {
    const kinds = [...storedKinds(attributes, path)];
    const isText = (kind: string) => kind === 'string' || kind === 'number' || kind === 'bigint';
    const other = kinds.find((kind) => !isText(kind));
    if (other === undefined) {
      if (kinds.length < 2) return undefined;
      const message = `<${name}> may be a string or a number, but its numbers sort as text (10 before 9), and a read cannot tell the two types apart`;
      return { severity: 'warning', cause: 'mixed-kinds', message, fix: 'accept only one type' };
    }
    const isSome = kinds.some(isText);
    // If a schema accepts values of any type, its samples prove nothing.
    if (isSome && kinds.length > 3) return undefined;
    const message = `<${name}> ${isSome ? 'can be' : 'is'} a ${other}, but a key consists of strings and numbers, so ${isSome ? 'such an item is' : 'every put is'} refused`;
    return {
      cause: other === 'boolean' ? 'boolean' : 'other-kind',
      value: other,
      message,
      fix: 'use a string or a number instead',
    };
  }
  if (facts.kind !== 'string') return undefined;
  if (facts.patterns !== undefined && needs(facts, separator)) {
    const message = `every <${name}> contains the separator '${separator}', which no value in a key may contain`;
    return { cause: 'separator-needed', message, fix: `use a different separator: '${otherSeparator(separator)}'` };
  }
  if (!isProse(attributes, path, facts, separator)) return undefined;
  const message = `the schema of <${name}> allows free text, but a value that contains '${separator}', such as 'C${separator} in depth', is refused`;
  const proposed = `<${name}:encoded>`;
  const slug = `use an id or a slug instead: ${path.at(-1)}: z.string().regex(/^[a-z0-9-]+$/)`;
  const fix = `encode the value: ${attribute}: '${template.text.replace(`<${name}>`, proposed)}', or ${slug}`;
  return { severity: 'warning', cause: 'separator-possible', proposed, message, fix };
}

/**
 * Whether a schema looks like free text: it accepts text that contains the separator, and it trims its input, has a
 * regular expression, is for URLs, or allows long strings.
 */
function isProse(attributes: object, path: readonly string[], facts: AttributeFacts, separator: string): boolean {
  const takes = (text: string) => canBeText(attributes, path, text) === true;
  if (separator === '' || ![`C${separator} in depth`, `https://a.example/${separator}a`].some(takes)) return false;
  const isTrimmed = takes('a a') && !takes(' a ');
  return isTrimmed || facts.patterns !== undefined || facts.format === 'url' || (facts.maximum ?? 0) >= 100;
}

/** Reports a value that may be empty, because no key may contain an empty value. */
function emptyFault(attributes: object, { name, path, format }: Part, natural: boolean): Unkeyable | undefined {
  const why = format === undefined ? emptyTextAt(attributes, path) : undefined;
  if (why === undefined) return undefined;
  const how = { default: `is '' if an item omits it`, listed: `can be ''`, pattern: `can match ''` }[why];
  return {
    severity: 'warning',
    cause: 'may-be-empty',
    message: `<${name}> ${how}, but a key must not ${natural ? 'be empty' : 'have an empty part'}, so such an item is refused`,
    fix:
      why === 'default'
        ? `remove the default, or use a non-empty one`
        : why === 'listed'
          ? `remove '' from the values of '${name}'`
          : 'require at least one character: + instead of *, or .min(1)',
  };
}

/** Whether some regular expression matches only strings that contain the separator. */
function needs({ patterns = [] }: AttributeFacts, separator: string): boolean {
  if (Array.from(separator).length !== 1) return false;
  return patterns.some(([source, flags]) => {
    const piece = matchesOf(source, flags, allBut(separator));
    return piece !== undefined && !languageOf([piece]).accepting.includes(true);
  });
}

interface Unkeyable extends Fault<Cause>, Pick<About, 'value' | 'proposed'> {}

/**
 * Returns the fault of a part, if the facts about its attribute reveal one. Skips a part that is not an attribute,
 * because `unknown-name` reports it.
 */
function fault(part: Part, facts: AttributeFacts | undefined, separator: string): Unkeyable | undefined {
  if (facts === undefined) return undefined;
  const { format } = part;
  if (facts.isDate) {
    const message = `<${part.name}> is a Date, but a key consists of strings and numbers`;
    return {
      cause: 'date',
      message,
      fix: `store the date as a string: ${part.path.at(-1)}: z.iso.datetime({ precision: 3 })`,
    };
  }
  if (isPieceOfTime(format) || isBucket(format)) return timeFault(part, facts);
  const width = paddedTo(part);
  return width === undefined ? plainFault(part, facts, separator) : widthFault(part, width, facts);
}

function plainFault(
  { name, format }: Part,
  { kind, prefix }: AttributeFacts,
  separator: string,
): Unkeyable | undefined {
  if (format === undefined && prefix !== undefined && separator !== '' && prefix.includes(separator)) {
    const message = `<${name}> always begins with '${prefix}', but no value in a key may contain the separator '${separator}'`;
    const proposed = prefix.replaceAll(separator, separator === '_' ? '-' : '_');
    return {
      cause: 'separator-in-prefix',
      proposed,
      message,
      fix: `begin the values with '${proposed}', or use a different separator: '${otherSeparator(separator)}'`,
    };
  }
  if (kind !== 'boolean' && kind !== 'map' && kind !== 'list') return undefined;
  const fix =
    kind === 'map'
      ? `use an attribute inside the map: <${name}.id>`
      : `use a string or a number instead${kind === 'boolean' ? `, such as z.enum(['yes', 'no'])` : ''}`;
  return {
    cause: kind,
    message: `<${name}> is a ${kind}, but a key consists of strings and numbers, so every put is refused`,
    fix,
  };
}

function widthFault(
  { name }: Part,
  width: number,
  { kind, integer, maximum, minimum, values }: AttributeFacts,
): Unkeyable | undefined {
  if (kind !== 'number') {
    return kind === 'other' || kind === 'binary'
      ? undefined
      : {
          cause: 'padded-text',
          value: kind,
          proposed: `<${name}>`,
          message: `<${name}:${width}> pads a ${kind}, but only numbers can be padded`,
          fix: `write <${name}>`,
        };
  }
  const numbers = values === undefined ? [minimum, maximum] : values.map(Number);
  const largest = Math.max(
    ...(numbers.filter((number) => number !== undefined && Number.isFinite(number)) as number[]),
  );
  // The maximum of an unbounded z.int() is the largest safe integer, which is not a real limit.
  if (largest > 10 ** width - 1 && largest < Number.MAX_SAFE_INTEGER) {
    const digits = String(Math.trunc(largest)).length;
    const message = `<${name}:${width}> has room for ${width} digits, but <${name}> can be ${largest}`;
    const proposed = `<${name}:${digits}>`;
    return {
      cause: 'too-narrow',
      value: largest,
      proposed,
      message,
      fix: `write ${proposed}, or lower the maximum of '${name}'`,
    };
  }
  // An integer without a minimum is assumed to be a count, which is never negative.
  const smallest = Math.min(...(numbers.filter((number) => number !== undefined) as number[]));
  if (smallest < 0 && smallest > Number.MIN_SAFE_INTEGER) {
    const message = `<${name}:${width}> can be ${smallest}, but requests refuse to pad a negative number`;
    return {
      cause: 'negative',
      value: smallest,
      message,
      fix: `raise the minimum of '${name}': z.int().min(0), or store the number with an offset`,
    };
  }
  if (values === undefined && integer !== true) {
    const message = `<${name}:${width}> pads a number that may be a fraction, but requests refuse to pad a fraction`;
    return { cause: 'fraction', message, fix: `declare '${name}' as z.int().min(0)` };
  }
  return undefined;
}

/** String formats that are never timestamps. */
const NO_TIMES: ReadonlySet<string> = new Set([
  'uuid',
  'guid',
  'ulid',
  'nanoid',
  'cuid',
  'cuid2',
  'xid',
  'ksuid',
  'email',
  'url',
  'ipv4',
  'ipv6',
  'time',
  'duration',
]);

function timeFault(
  { name, format: piece }: Part,
  { kind, format = '', values }: AttributeFacts,
): Unkeyable | undefined {
  if (kind === 'other' || kind === 'binary') return undefined;
  if (kind === 'string' && values === undefined && !NO_TIMES.has(format)) return undefined;
  const what = values !== undefined ? 'listed value' : NO_TIMES.has(format) ? format : kind;
  return {
    cause: 'no-timestamp',
    value: what,
    message: `<${name}:${piece}> takes the ${piece} of a ${what}, but only an ISO timestamp has such a piece`,
    fix: `declare '${name}' as z.iso.datetime({ precision: 3 }), or write <${name}>`,
  };
}
