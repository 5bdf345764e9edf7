import type { Access } from '../../lib/blueprint/accesses';
import { outline } from '../../lib/blueprint/outline';
import type { PatternDesign } from '../../lib/design/pattern';
import type { TableDesign } from '../../lib/design/table';

/** Returns how a pattern accesses a table, even if the table's design does not contain the pattern. */
export function accessesOf(design: TableDesign, pattern: PatternDesign): readonly Access[] {
  return outline({ ...design, patterns: { pattern } }).patterns.flatMap(({ accesses }) => accesses);
}
