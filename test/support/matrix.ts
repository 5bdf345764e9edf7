import type { SystemDesign } from '../../lib/design/system';
import { describeReach, reachOf } from './reach';

/** Whether a grant allows all, some or none of a pattern's requests. */
export type Cell = 'all' | 'some' | 'none';

/**
 * Draws a matrix with one row per grant and one column per pattern. Below the matrix, lists the partitions that each
 * grant reaches, and the other patterns that it therefore allows.
 */
export function matrixText(
  system: SystemDesign,
  grants: readonly string[],
  patterns: readonly string[],
  cell: (grant: string, pattern: string) => Cell,
): string {
  const width = Math.max(...grants.map((name) => name.length));
  const mark = (grant: string, pattern: string) =>
    grant === pattern ? '#' : { all: '+', some: '-', none: '.' }[cell(grant, pattern)];
  const rows = grants.map((grant) => {
    const marks = patterns.map((pattern) => mark(grant, pattern)).join('');
    const others = patterns.filter((pattern) => pattern !== grant && cell(grant, pattern) !== 'none');
    return { row: `  ${grant.padEnd(width)}  ${marks}`, grant, others };
  });
  return [
    `${system.name}: ${grants.length} grants (rows), the requests of ${patterns.length} patterns (columns, in the same order)`,
    ...rows.map(({ row }) => row),
    '',
    ...rows.flatMap(({ grant, others }) => [
      `  ${grant}: ${describeReach(reachOf(system, grant))}`,
      ...(others.length === 0 ? [] : [`    and so: ${others.join(', ')}`]),
    ]),
    '',
  ].join('\n');
}
