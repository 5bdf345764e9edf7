import type { Hole, Template } from '../design/template';

/** The part of another template that stands where a parameter does, if both read the same up to there. */
export function counterpartOf(template: Template, hole: Hole, other: Template): Hole | undefined {
  for (const [i, part] of template.parts.entries()) {
    const there = other.parts[i];
    if (part === hole) return typeof there === 'object' ? there : undefined;
    if (typeof part === 'string' ? part !== there : typeof there !== 'object') return undefined;
  }
  return undefined;
}
