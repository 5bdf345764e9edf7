import { type LeadingPart, leadingParts } from '../blueprint/leading-key';
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
  const written = (part: LeadingPart) => {
    if (typeof part === 'object') return literally(part.text);
    return part === 'tenant' ? `\${${tenant?.variable}}` : part === 'one' ? '?' : '*';
  };
  const pattern = leadingParts(template, tenant?.hole)
    .map(written)
    .join('')
    .replace(/\*{2,}/g, '*');
  return pattern === '*' ? undefined : pattern;
}

/** Text that holds what IAM would take for a wildcard or a variable. */
export function literally(text: string): string {
  return text.replace(/[*?$]/g, (character) => `\${${character}}`);
}
