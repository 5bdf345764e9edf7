import type { Template } from '../design/template';
import { type LeadingPart, leadingParts } from './leading-key';

/**
 * The shape of a key as a list of steps. Each step matches a fixed character, or any character of a kind; `many` means
 * that the step can repeat.
 */
export type KeyShape = readonly Step[];

interface Step {
  readonly is: string | Kind;
  readonly many: boolean;
}

/**
 * The kinds of characters: any character, any character except the separator (`plain`), and any character that a format
 * can produce (`formatted`). A kind's name is longer than one character, so it cannot be mistaken for a fixed
 * character.
 */
type Kind = 'any' | 'plain' | 'formatted';

/**
 * Returns the shape of all keys that a template can render. Ignores schemas: a value can be any string without the
 * separator, and a natural key can be any string.
 */
export function shapeOf(template: Template, { natural }: { readonly natural: boolean }): KeyShape {
  return stepsOf(leadingParts(template), natural ? 'any' : 'plain', 'formatted');
}

/** Returns the shape of all keys that match a policy with the given parts. */
export function shapeOfParts(parts: readonly LeadingPart[]): KeyShape {
  return stepsOf(parts, undefined, 'any');
}

function stepsOf(parts: readonly LeadingPart[], value: Kind | undefined, single: Kind): KeyShape {
  return parts.flatMap((part): KeyShape => {
    if (typeof part === 'object') return Array.from(part.text, (is) => ({ is, many: false }));
    if (part === 'one') return [{ is: single, many: false }];
    // A policy allows only tenant ids without the separator.
    const kind = part === 'tenant' ? 'plain' : value;
    return kind === undefined ? [{ is: 'any', many: true }] : [false, true].map((many) => ({ is: kind, many }));
  });
}

/** Whether some key can have both shapes. */
export function canMeet(a: KeyShape, b: KeyShape, separator: string): boolean {
  const width = b.length + 1;
  const seen = new Set([0]);
  for (const pair of seen) {
    const [i, j] = [Math.floor(pair / width), pair % width];
    const [x, y] = [a[i], b[j]];
    if (x === undefined && y === undefined) return true;
    if (x?.many) seen.add((i + 1) * width + j);
    if (y?.many) seen.add(i * width + j + 1);
    if (x === undefined || y === undefined) continue;
    if (has(x.is, y.is, separator) || has(y.is, x.is, separator)) {
      seen.add((i + (x.many ? 0 : 1)) * width + j + (y.many ? 0 : 1));
    }
  }
  return false;
}

/** Whether a kind contains a character, or overlaps with a second kind. */
function has(kind: string, other: string, separator: string): boolean {
  if (kind === 'any' || kind === other) return true;
  if (kind === 'plain') return other !== separator;
  return kind === 'formatted' && /^[\p{L}\p{N}:.]$/u.test(other);
}
