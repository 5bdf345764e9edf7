import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { paddedTo } from '../../blueprint/template-parts';
import type { Part } from '../../design/template';

/** How many digits the largest value of a number takes; ten if the largest is unknown. */
export function widthFor({ maximum, values }: AttributeFacts): number {
  const largest = values === undefined ? maximum : Math.max(...values.map(Number));
  return largest === undefined || !Number.isFinite(largest) ? 10 : String(Math.trunc(largest)).length;
}

/** Whether a padded part has room for every value of its number, as far as its bounds are known. */
export function hasRoom(part: Part, facts: AttributeFacts | undefined): boolean {
  const width = paddedTo(part);
  if (width === undefined || facts?.kind !== 'number') return true;
  const isBounded = facts.values !== undefined || (facts.maximum ?? Infinity) < Number.MAX_SAFE_INTEGER;
  return !isBounded || widthFor(facts) <= width;
}

/** Whether a number can be padded: only whole numbers from zero up can. */
export function isPaddable({ integer, minimum, values }: AttributeFacts): boolean {
  if (values !== undefined) return values.every((value) => Number.isInteger(value) && Number(value) >= 0);
  return integer === true && minimum !== undefined && minimum >= 0;
}
