import type { Template } from '../design/template';
import { type LeadingPart, leadingParts } from './leading-key';

/**
 * The shape of a key as a list of steps. Each step is a fixed character or any character of a kind; `many` repeats the
 * step.
 */
export type KeyShape = readonly Step[];

interface Step {
  readonly is: string | Kind;
  readonly many: boolean;
}

/**
 * Any character, any character except the separator, or any character that a format can produce. The names of the
 * kinds cannot be confused with fixed characters, which have length 1.
 */
type Kind = 'any' | 'plain' | 'formatted';

/**
 * The shape of all keys that a template can render. The shape ignores schemas: each value is any string without the
 * separator.
 */
export function shapeOf(template: Template, { natural }: { readonly natural: boolean }): KeyShape {
  return stepsOf(leadingParts(template), natural ? 'any' : 'plain', 'formatted');
}

/** The shape of all keys that a policy with the given parts matches. */
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

/** Whether a key exists that has both shapes. */
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
