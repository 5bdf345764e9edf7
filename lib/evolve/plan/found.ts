import { keyOf, outline } from '../../blueprint/outline';
import { stored } from '../../blueprint/stored';
import { type ComputedAttribute, touchesParts } from '../../blueprint/written';
import type { UpdatePattern } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { storedRenames } from '../diff/pairs';
import type { ItemChange } from './plan';

/** The deployed design and the target design of a plan. */
export interface TwoDesigns {
  readonly before: SystemDesign;
  readonly after: SystemDesign;
}

/**
 * Whether a release that reads both forms finds and understands an item that has only the new form. Until the switch,
 * such a release queries through the old keys and prefers the old names.
 */
export function isFoundInBoth(
  { from, to, keys, moves, ...change }: ItemChange,
  { before, after }: TwoDesigns,
): boolean {
  const [was, is] = [before.tables[from.table], to && after.tables[to.table]];
  if (to === undefined || was === undefined || is === undefined) return true;
  const cleared = Object.entries(keys).flatMap(([name, text]) => (text.after === undefined ? [name] : []));
  const renames = Object.entries(storedRenames(change)).flatMap(([old, now]) => [
    stored.attributeOf(was.entities[from.entity]?.stored, old),
    stored.attributeOf(is.entities[to.entity]?.stored, now),
  ]);
  return (
    !moves &&
    !cleared.some((name) => isQueried(name, was, is)) &&
    // An item has the same value under both names unless a pattern changes one of them. A filter by the old name would
    // miss items that have only the new name.
    !renames.some((name) => isMentioned(name, was, is))
  );
}

/** Whether any pattern in both designs queries an index that contains the old key attribute. */
function isQueried(attribute: string, was: TableDesign, is: TableDesign): boolean {
  const { indexes, patterns } = outline(was);
  const sorted = indexes.filter((index) => keyOf(index).some(({ name }) => name === attribute));
  return patterns.some(
    ({ name, accesses }) =>
      Object.hasOwn(is.patterns ?? {}, name) &&
      accesses.some((access) => sorted.some((index) => index.name === access.index)),
  );
}

/** Whether a pattern in any of the designs sets, tests or selects an attribute. Ignores what a put writes. */
function isMentioned(name: string, ...designs: readonly TableDesign[]): boolean {
  return designs.some((design) =>
    outline(design).patterns.some(({ accesses }) =>
      // Whatever a put writes is consistent in itself; only its condition depends on the stored item.
      accesses.some(({ step }) => isNamedIn(step.op === 'put' ? step.condition : recomputing(step), name)),
    ),
  );
}

/** Drops the step's computed attributes that the step does not recompute. */
function recomputing(step: object): object {
  const { computed = [], ...rest } = step as { readonly computed?: readonly ComputedAttribute[] };
  return {
    ...rest,
    computed: computed.filter((one) => touchesParts(rest as UpdatePattern, one)).map(({ name }) => name),
  };
}

function isNamedIn(part: unknown, name: string): boolean {
  const isIt = (text: string) => text === name || text.startsWith(`${name}.`);
  if (typeof part === 'string') return isIt(part);
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([own, value]) => isIt(own) || isNamedIn(value, name));
}
