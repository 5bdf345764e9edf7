import { type Hole, type Template, widthOf } from '../design/template';

/** What a policy can say of a part of a partition key: its text, that it is the caller's tenant, one character, or any number. */
export type LeadingPart = { readonly text: string } | 'tenant' | 'one' | 'any';

/** What a policy says of every key that a template can be rendered to; a tenant is the caller's own. */
export function leadingParts({ parts }: Template, tenant?: Hole): readonly LeadingPart[] {
  return parts.flatMap((part): readonly LeadingPart[] => {
    if (typeof part === 'string') return [{ text: part }];
    return part === tenant ? ['tenant'] : wildcards(part);
  });
}

function wildcards(hole: Hole): readonly LeadingPart[] {
  const ones = (count: number) => Array<LeadingPart>(count).fill('one');
  if (hole.format === 'date') return [...ones(4), { text: '-' }, ...ones(2), { text: '-' }, ...ones(2)];
  const width = widthOf(hole) ?? 0;
  return width > 0 ? ones(width) : ['any'];
}
