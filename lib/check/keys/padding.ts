import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { paddedTo } from '../../blueprint/template-parts';
import type { Part } from '../../design/template';

/** Returns the number of digits in the largest value of a number attribute; ten if the largest value is unknown. */
export function widthFor({ maximum, values }: AttributeFacts): number {
  const largest = values === undefined ? maximum : Math.max(...values.map(Number));
  return largest === undefined || !Number.isFinite(largest) ? 10 : String(Math.trunc(largest)).length;
}

/** Whether a padded part is wide enough for every value of its number. Returns true if the bounds are unknown. */
export function hasRoom(part: Part, facts: AttributeFacts | undefined): boolean {
  const width = paddedTo(part);
  if (width === undefined || facts?.kind !== 'number') return true;
  const isBounded = facts.values !== undefined || (facts.maximum ?? Infinity) < Number.MAX_SAFE_INTEGER;
  return !isBounded || widthFor(facts) <= width;
}

/** Whether a key can pad a number: all values must be whole numbers, and none may be negative. */
export function isPaddable({ integer, minimum, values }: AttributeFacts): boolean {
  if (values !== undefined) return values.every((value) => Number.isInteger(value) && Number(value) >= 0);
  return integer === true && minimum !== undefined && minimum >= 0;
}
