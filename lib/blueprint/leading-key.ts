import { type Part, type Template, widthOf } from '../design/template';
import { isBucket } from './template-parts';

/**
 * A piece of a policy's partition key: it matches fixed text, the caller's tenant, one character, or any number of
 * characters.
 */
export type LeadingPart = { readonly text: string } | 'tenant' | 'one' | 'any';

/** Returns the policy parts that match every key of a template. A tenant part matches only the caller's own tenant. */
export function leadingParts(template: Template, tenant?: Part): readonly LeadingPart[] {
  return partsWith(template, tenant, wildcards);
}

/**
 * Returns the policy parts for keys in which one of the template's values contains extra separators. The template never
 * renders such keys, because values never contain the separator, but a wildcard in a policy matches them. Returns an
 * empty list for a multi-character separator, or if a formatted value may contain any number of separators.
 */
export function strayParts(
  template: Template,
  separator: string,
  extra: number,
  tenant?: Part,
): readonly (readonly LeadingPart[])[] {
  const strays = template.parts.map((part) => (part === tenant ? 0 : separatorsIn(part, separator)));
  if (Array.from(separator).length !== 1 || strays.includes(undefined)) return [];
  return template.parts
    .filter((part) => part !== tenant)
    .map((stray) => {
      const count = (separatorsIn(stray, separator) as number) + extra;
      const more = Array.from({ length: count }, (): readonly LeadingPart[] => [{ text: separator }, 'any']).flat();
      return partsWith(template, tenant, (part) => (part === stray ? ['any', ...more] : wildcards(part)));
    });
}

function partsWith(
  { pieces }: Template,
  tenant: Part | undefined,
  wild: (part: Part) => readonly LeadingPart[],
): readonly LeadingPart[] {
  return pieces.flatMap((part): readonly LeadingPart[] => {
    if (typeof part === 'string') return [{ text: part }];
    return part === tenant ? ['tenant'] : wild(part);
  });
}

/** Every 0 stands for a digit. */
const TIME = '0000-00-00T00:00:00';

function wildcards(part: Part): readonly LeadingPart[] {
  const ones = (count: number) => Array<LeadingPart>(count).fill('one');
  const width = widthOf(part) ?? 0;
  if (part.format === 'date' || isBucket(part.format))
    return Array.from(TIME.slice(0, width), (character) => (character === '0' ? 'one' : { text: character }));
  return width > 0 ? ones(width) : ['any'];
}

/** Counts the separators in a formatted value; undefined if the number depends on the value. */
export function separatorsIn(part: Part, separator: string): number | undefined {
  const { format } = part;
  if (format === undefined) return 0;
  if ((format === 'date' || isBucket(format)) && /[-:]/.test(separator))
    return TIME.slice(0, widthOf(part)).split(separator).length - 1;
  return /[\p{L}\p{N}]/u.test(separator) ? undefined : 0;
}
