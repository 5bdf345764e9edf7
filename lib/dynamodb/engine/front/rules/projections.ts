import { type Index, namesOf, type Table } from '../catalogue';
import type { Parts } from '../parts';
import { invalid, invalidParameter } from '../refusal';
import type { Condition, Operand } from '../syntax';
import type { Body } from '../values';

/** Returns the attributes that a condition reads. */
export function attributesIn(condition: Condition): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: Condition | Operand): void => {
    if (node.kind === 'path') found.add(node.path[0] as string);
    else if (node.kind === 'and' || node.kind === 'or') [node.left, node.right].forEach(visit);
    else if (node.kind === 'not') visit(node.of);
    else if ('operands' in node) node.operands.forEach(visit);
  };
  visit(condition);
  return found;
}

/**
 * Refuses a read of attributes that the index does not project, and a query with a filter on one of its key attributes.
 */
export function checkReadAttributes(
  operation: 'Query' | 'Scan',
  { Select }: Body,
  parts: Parts,
  table: Table,
  index: Index | undefined,
): void {
  const key = namesOf((index ?? table).key);
  const filtered = [...(parts.filter === undefined ? [] : attributesIn(parts.filter))];
  const keyed = operation === 'Query' ? filtered.find((name) => key.includes(name)) : undefined;
  if (keyed !== undefined)
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${keyed}`);
  if (index?.projected === undefined) return;
  const missing = (names: readonly string[]) => names.filter((name) => !index.projected?.has(name));
  const unfiltered = missing(filtered);
  if (unfiltered.length > 0 && !(index.isLocal && needsTable({ Select }, withoutFilter(parts), index)))
    throw invalidParameter(
      `Secondary index ${index.name} does not project one or more filter attributes: [${unfiltered.join(', ')}]`,
    );
  if (index.isLocal) return;
  const unread = missing((parts.projection ?? []).map(([name]) => name as string));
  if (unread.length > 0)
    throw invalidParameter(`Global secondary index ${index.name} does not project [${unread.join(', ')}]`);
  if (Select === 'ALL_ATTRIBUTES')
    throw invalidParameter(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its projection type is not ALL`,
    );
}

/** Whether a read of a local index needs attributes that only the table has. */
export function needsTable({ Select }: Body, parts: Parts, index: Index | undefined): boolean {
  const projected = index?.isLocal ? index.projected : undefined;
  if (projected === undefined) return false;
  if (Select === 'ALL_ATTRIBUTES') return true;
  const wanted = [
    ...(parts.filter === undefined ? [] : attributesIn(parts.filter)),
    ...(parts.projection ?? []).map(([name]) => name as string),
  ];
  return wanted.some((name) => !projected.has(name));
}

function withoutFilter({ filter: _, ...parts }: Parts): Parts {
  return parts;
}
