import { type KeyShape, shapeOfParts } from '../blueprint/key-shape';
import { type LeadingPart, leadingParts, strayParts } from '../blueprint/leading-key';
import { literally } from '../blueprint/literal';
import type { Part, Template } from '../design/template';

/** The tenant in a policy: the part of the key, and the variable that IAM fills in for it. */
export interface TenantVariable {
  readonly part: Part;
  readonly variable: string;
  /** What no tenant id may contain, because it ends the id in the key. @default - the id is the whole key, and may contain anything */
  readonly separator?: string;
}

/**
 * The `StringLike` pattern that matches every key of a template, and as few other keys as possible; undefined if it
 * would match anything.
 */
export function leadingKey(template: Template, tenant?: TenantVariable): string | undefined {
  const pattern = written(leadingParts(template, tenant?.part), tenant);
  return pattern === '*' ? undefined : pattern;
}

/** An IAM pattern, and the shape of the keys that it matches. */
export interface KeyPattern {
  readonly pattern: string;
  readonly shape: KeyShape;
}

/**
 * What `leadingKey` matches although the template cannot render it: an IAM wildcard does not stop at a separator. Returns one
 * pattern per part, for keys with this many extra separators.
 */
export function strayKeys(
  template: Template,
  separator: string,
  extra: number,
  tenant?: TenantVariable,
): readonly KeyPattern[] {
  return strayParts(template, separator, extra, tenant?.part).map((parts) => ({
    pattern: written(parts, tenant),
    shape: shapeOfParts(parts),
  }));
}

function written(parts: readonly LeadingPart[], tenant: TenantVariable | undefined): string {
  const pattern = parts.map((part) => {
    if (typeof part === 'object') return literally(part.text);
    return part === 'tenant' ? `\${${tenant?.variable}}` : part === 'one' ? '?' : '*';
  });
  return pattern.join('').replace(/\*{2,}/g, '*');
}
