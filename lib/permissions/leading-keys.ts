import { type KeyShape, shapeOfParts } from '../blueprint/key-shape';
import { type LeadingPart, leadingParts, strayParts } from '../blueprint/leading-key';
import { literally } from '../blueprint/literal';
import type { Hole, Template } from '../design/template';

/** What stands for the tenant in a policy: the part of the key, and the variable that IAM fills in. */
export interface TenantVariable {
  readonly hole: Hole;
  readonly variable: string;
  /** What no tenant has in its id, since it would end it in the key. @default - the id is the whole key, and may hold anything */
  readonly separator?: string;
}

/**
 * What IAM's `StringLike` has to match for every key that a template can be rendered to, and for as little else as it can
 * say; undefined where that is anything at all.
 */
export function leadingKey(template: Template, tenant?: TenantVariable): string | undefined {
  const pattern = written(leadingParts(template, tenant?.hole), tenant);
  return pattern === '*' ? undefined : pattern;
}

/** A pattern of IAM's, and the form of the keys that it matches. */
export interface KeyPattern {
  readonly pattern: string;
  readonly shape: KeyShape;
}

/** What `leadingKey` matches and the template cannot make: a wildcard of IAM's does not stop at a separator. */
export function strayKeys(template: Template, separator: string, tenant?: TenantVariable): readonly KeyPattern[] {
  const strays = strayParts(template, separator, tenant?.hole).map((parts) => {
    const pattern = written(parts, tenant);
    return [pattern, { pattern, shape: shapeOfParts(parts) }] as const;
  });
  return [...new Map(strays).values()];
}

function written(parts: readonly LeadingPart[], tenant: TenantVariable | undefined): string {
  const pattern = parts.map((part) => {
    if (typeof part === 'object') return literally(part.text);
    return part === 'tenant' ? `\${${tenant?.variable}}` : part === 'one' ? '?' : '*';
  });
  return pattern.join('').replace(/\*{2,}/g, '*');
}
