import type { Template } from '../../design/template';

/** What stands between two separators of a template: a text of its own, or undefined where a value has part in it. */
type Segment = string | undefined;

const cut = new Map<string, WeakMap<Template, readonly Segment[]>>();

/** A template cut at its separators, which no value holds; cut once. */
function segmentsOf(template: Template, separator: string): readonly Segment[] {
  let known = cut.get(separator);
  if (known === undefined) {
    known = new WeakMap();
    cut.set(separator, known);
  }
  let segments = known.get(template);
  if (segments === undefined) {
    segments = cutAt(template, separator);
    known.set(template, segments);
  }
  return segments;
}

function cutAt({ parts }: Template, separator: string): readonly Segment[] {
  const segments: Segment[] = [''];
  for (const part of parts) {
    if (typeof part !== 'string') {
      segments[segments.length - 1] = undefined;
      continue;
    }
    const [first = '', ...more] = part.split(separator);
    const last = segments.length - 1;
    if (segments[last] !== undefined) segments[last] += first;
    segments.push(...more);
  }
  return segments;
}

/**
 * Whether no key of the one template is a key of the other, or begins with one, as far as separators and literal text
 * tell: a quick look that settles most pairs, however their keys begin. Where it says no, it takes all the keys.
 */
export function areApart(
  keys: Template,
  bound: Template,
  separator: string,
  relation: 'equals' | 'beginsWith',
): boolean {
  const [ours, theirs] = [segmentsOf(keys, separator), segmentsOf(bound, separator)];
  const last = theirs.length - 1;
  if (relation === 'equals' ? ours.length !== theirs.length : ours.length < theirs.length) return true;
  return theirs.some((segment, i) => {
    const other = ours[i];
    if (segment === undefined || other === undefined) return false;
    return relation === 'beginsWith' && i === last ? !other.startsWith(segment) : other !== segment;
  });
}
