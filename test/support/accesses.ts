import type { Access } from '../../lib/blueprint/accesses';
import { outline } from '../../lib/blueprint/outline';
import type { PatternDesign } from '../../lib/design/pattern';
import type { TableDesign } from '../../lib/design/table';

/** What a pattern does to a table, whether or not the design has it. */
export function accessesOf(design: TableDesign, pattern: PatternDesign): readonly Access[] {
  return outline({ ...design, patterns: { pattern } }).patterns.flatMap(({ accesses }) => accesses);
}
