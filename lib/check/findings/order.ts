import { isObject } from '../../design/show';
import type { TableDesign } from '../../design/table';
import type { Finding, Severity, Subject } from './finding';

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];
const KINDS: readonly Subject['kind'][] = [
  ...(['system', 'table', 'index', 'entity', 'pattern', 'procedure', 'acknowledgement'] as const),
];
const FIELDS = { index: 'indexes', entity: 'entities', pattern: 'patterns' } as const;

/** Sorts findings by severity, then by their order in the design. */
export function inOrder(found: readonly Finding[], design: TableDesign): readonly Finding[] {
  if (found.length < 2) return found;
  const names = new Map<string, number>();
  for (const [kind, field] of Object.entries(FIELDS)) {
    const listed = design[field];
    if (isObject(listed)) for (const name of Object.keys(listed)) names.set(`${kind} ${name}`, names.size);
  }
  const rank = ({ severity, subject: { kind, name } }: Finding) =>
    [SEVERITIES.indexOf(severity), KINDS.indexOf(kind), names.get(`${kind} ${name}`) ?? names.size] as const;
  const ranked = found.map((finding) => ({ finding, rank: rank(finding) }));
  ranked.sort(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  return ranked.map(({ finding }) => finding);
}
