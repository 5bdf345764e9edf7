import { type Hole, type Template, widthOf } from '../design/template';

/** What stands for the tenant in a policy: the part of the key, and the variable that IAM fills in. */
export interface TenantVariable {
  readonly hole: Hole;
  readonly variable: string;
}

/**
 * What IAM's `StringLike` has to match for every key that a template can be rendered to, and for as little else as it can
 * say; undefined where that is anything at all.
 */
export function leadingKey({ parts }: Template, tenant?: TenantVariable): string | undefined {
  const pattern = parts
    .map((part) => {
      if (typeof part === 'string') return literally(part);
      return part === tenant?.hole ? `\${${tenant.variable}}` : wildcard(part);
    })
    .join('')
    .replace(/\*{2,}/g, '*');
  return pattern === '*' ? undefined : pattern;
}

const WILDCARDS = { date: '????-??-??', year: '????', month: '??' } as const;

function wildcard(hole: Hole): string {
  if (typeof hole.format === 'string') return WILDCARDS[hole.format];
  return '?'.repeat(widthOf(hole) ?? 0) || '*';
}

/** Text that holds what IAM would take for a wildcard or a variable. */
function literally(text: string): string {
  return text.replace(/[*?$]/g, (character) => `\${${character}}`);
}
