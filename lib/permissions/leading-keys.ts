import { type KeyShape, shapeOfParts } from '../blueprint/key-shape';
import { type LeadingPart, leadingParts, strayParts } from '../blueprint/leading-key';
import { literally } from '../blueprint/literal';
import type { Part, Template } from '../design/template';

/**
 * A tenant in a policy: the part of the key that contains the tenant's id, and the policy variable that IAM replaces
 * with the id.
 */
export interface TenantVariable {
  readonly part: Part;
  readonly variable: string;
  /**
   * The text that follows the tenant's id in the key. The tenant's id must not contain it.
   * @default - the id is the whole key
   */
  readonly separator?: string;
}

/**
 * Returns the `StringLike` pattern that matches every key of a template, and as few other keys as possible. Returns
 * undefined if the pattern would match all keys.
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
 * Returns patterns for keys that `leadingKey` matches but the template cannot render: an IAM wildcard does not stop at
 * a separator. There is one pattern per part, for keys with `extra` more separators than the template has.
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
