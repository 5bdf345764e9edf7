import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { storedKinds } from '../../blueprint/attributes/samples';
import { canBeText } from '../../blueprint/attributes/texts';
import { entityNamed, type KeySource, knownParts, type TableBlueprint } from '../../blueprint/table';
import { isPieceOfTime, paddedTo } from '../../blueprint/template-parts';
import type { Hole } from '../../design/template';
import type { Fault, Found, TableRule } from '../finding';
import { matchesOf } from '../matching/expressions';
import { allBut, languageOf } from '../matching/language';
import { type About, atKey } from '../places';
import { otherSeparator } from '../separators';
import { isFreeTextName } from '../telling-names';

const causes = {
  date: 'a part is a Date',
  boolean: 'a part is a boolean',
  list: 'a part is a list',
  map: 'a part is a whole map',
  'separator-in-prefix': 'every value of a part begins with text that holds the separator',
  'padded-text': 'a padded part is not a number',
  'too-narrow': 'a padded part has too few digits for its largest value',
  negative: 'a padded part can be below zero',
  fraction: 'a padded part need not be a whole number',
  'other-kind': 'a part is a set, bytes, or a boolean by its literals',
  'no-value': 'a part has no value that can be in a key: none at all, or only the empty string',
  'separator-needed': 'every value of a part holds the separator',
  'separator-possible': 'a part is free text, which may hold the separator (a warning)',
  'no-timestamp': 'a part takes a piece of something that is not an ISO timestamp',
} as const;

type Cause = keyof typeof causes;

export const unkeyable: TableRule<'unkeyable', Cause> = {
  id: 'unkeyable',
  severity: 'error',
  why: 'A value that cannot be part of a key is refused when the item is written, or makes a key that is not what it seems.',
  causes,
  check: ({ plan }) =>
    plan.sources.filter(({ natural }) => !natural).flatMap((source) => inKey(plan, source, plan.separator)),
};

function inKey(plan: TableBlueprint, source: KeySource, separator: string): readonly Found<Cause>[] {
  const { template } = source;
  const attributes = entityNamed(plan, source.entity)?.design.attributes;
  return knownParts(source).flatMap(({ part, facts }) => {
    const found = fault(part, facts, separator) ?? (attributes && valueFault(attributes, part, facts, separator));
    if (found === undefined) return [];
    const { value, proposed, message, ...rest } = found;
    const place = atKey(source, { part: part.name, value, proposed });
    return [{ ...place, ...rest, message: `'${template.text}': ${message}` }];
  });
}

/** What samples and the schema itself show about a part. */
function valueFault(
  attributes: object,
  { name, path, format }: Hole,
  facts: AttributeFacts | undefined,
  separator: string,
): Unkeyable | undefined {
  if (facts === undefined || format !== undefined) return undefined;
  if (facts.values !== undefined) {
    if (facts.values.some((value) => value !== '')) return undefined;
    const shown = facts.values.length === 0 ? 'has no value' : `is always ''`;
    return {
      cause: 'no-value',
      message: `<${name}> ${shown}, so no key can be made of it`,
      fix: 'list the values it can have',
    };
  }
  if (facts.kind === 'other' || facts.kind === 'binary') {
    const kinds = [...storedKinds(attributes, path)];
    if (kinds.length === 0 || kinds.some((kind) => kind === 'string' || kind === 'number' || kind === 'bigint'))
      return undefined;
    const message = `<${name}> is a ${kinds[0]}, but a key is made of strings and numbers`;
    return {
      cause: kinds[0] === 'boolean' ? 'boolean' : 'other-kind',
      value: kinds[0] ?? null,
      message,
      fix: 'use a string or a number instead',
    };
  }
  if (facts.kind !== 'string' || (facts.patterns === undefined && !isFreeTextName(path.at(-1) as string)))
    return undefined;
  if (facts.patterns !== undefined && needs(facts, separator)) {
    const message = `every <${name}> holds the separator '${separator}', which no value in a key may`;
    return { cause: 'separator-needed', message, fix: `use another separator: '${otherSeparator(separator)}'` };
  }
  if (!isFreeTextName(path.at(-1) as string) || canBeText(attributes, path, `C${separator} in depth`) !== true)
    return undefined;
  const message = `<${name}> is free text; a value with '${separator}' in it, such as 'C${separator} in depth', is refused`;
  const fix = `use an id or a slug instead: ${path.at(-1)}: z.string().regex(/^[a-z0-9-]+$/), or encode it`;
  return { severity: 'warning', cause: 'separator-possible', message, fix };
}

/** Whether every match holds the separator. */
function needs({ patterns = [] }: AttributeFacts, separator: string): boolean {
  if (Array.from(separator).length !== 1) return false;
  return patterns.some(([source, flags]) => {
    const piece = matchesOf(source, flags, allBut(separator));
    return piece !== undefined && !languageOf([piece]).accepting.includes(true);
  });
}

interface Unkeyable extends Fault<Cause>, Pick<About, 'value' | 'proposed'> {}

/** What is wrong with a part, according to its facts; a part that is not an attribute is the finding of another rule. */
function fault(hole: Hole, facts: AttributeFacts | undefined, separator: string): Unkeyable | undefined {
  if (facts === undefined) return undefined;
  const { format } = hole;
  if (facts.isDate) {
    const message = `<${hole.name}> is a Date, but a key is made of strings and numbers`;
    return {
      cause: 'date',
      message,
      fix: `keep it as a string: ${hole.path.at(-1)}: z.iso.datetime({ precision: 3 })`,
    };
  }
  if (isPieceOfTime(format)) return timeFault(hole, format, facts);
  const width = paddedTo(hole);
  return width === undefined ? plainFault(hole, facts, separator) : widthFault(hole, width, facts);
}

function plainFault({ name }: Hole, { kind, prefix }: AttributeFacts, separator: string): Unkeyable | undefined {
  if (prefix !== undefined && separator !== '' && prefix.includes(separator)) {
    const message = `<${name}> always begins with '${prefix}', but no value in a key may hold the separator '${separator}'`;
    const proposed = prefix.replaceAll(separator, '_');
    return {
      cause: 'separator-in-prefix',
      proposed,
      message,
      fix: `let it begin with '${proposed}', or use another separator: '${otherSeparator(separator)}'`,
    };
  }
  if (kind !== 'boolean' && kind !== 'map' && kind !== 'list') return undefined;
  const fix =
    kind === 'map'
      ? `name what is in it: <${name}.id>`
      : `use a string or a number instead of it${kind === 'boolean' ? `, such as z.enum(['yes', 'no'])` : ''}`;
  return { cause: kind, message: `<${name}> is a ${kind}, but a key is made of strings and numbers`, fix };
}

function widthFault(
  { name }: Hole,
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
  // Without a bound, zod's whole numbers go up to the largest exact one, which says nothing.
  if (largest > 10 ** width - 1 && largest < Number.MAX_SAFE_INTEGER) {
    const digits = String(Math.trunc(largest)).length;
    const message = `<${name}:${width}> has room for ${width} digits, but it can be ${largest}`;
    const proposed = `<${name}:${digits}>`;
    return { cause: 'too-narrow', value: largest, proposed, message, fix: `write ${proposed}, or lower its maximum` };
  }
  // A whole number without a minimum is assumed to be a count.
  const smallest = Math.min(...(numbers.filter((number) => number !== undefined) as number[]));
  if (smallest < 0 && smallest > Number.MIN_SAFE_INTEGER) {
    const message = `<${name}:${width}> can be ${smallest}, but a number below zero is refused, not padded`;
    return {
      cause: 'negative',
      value: smallest,
      message,
      fix: `raise its minimum: z.int().min(0), or store it with an offset`,
    };
  }
  if (values === undefined && integer !== true) {
    const message = `<${name}:${width}> pads a number that need not be whole, but a fraction is refused`;
    return { cause: 'fraction', message, fix: `make it z.int().min(0)` };
  }
  return undefined;
}

/** Forms that no timestamp has; a string of any other form may be one. */
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
  { name }: Hole,
  piece: string,
  { kind, format = '', values }: AttributeFacts,
): Unkeyable | undefined {
  if (kind === 'other' || kind === 'binary') return undefined;
  if (kind === 'string' && values === undefined && !NO_TIMES.has(format)) return undefined;
  const what = values !== undefined ? 'listed value' : NO_TIMES.has(format) ? format : kind;
  return {
    cause: 'no-timestamp',
    value: what,
    message: `<${name}:${piece}> takes the ${piece} of a ${what}, but only an ISO timestamp has one`,
    fix: `make ${name} z.iso.datetime({ precision: 3 }), or write <${name}>`,
  };
}
