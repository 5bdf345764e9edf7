import type { Access } from '../blueprint/accesses';
import { type EntityOutline, entityNamed, type TableOutline, writtenOutline } from '../blueprint/outline';
import type { PutPattern, Write } from '../design/pattern';
import { type Clock, stamper } from '../items/stamps';
import type { PreparedStep } from './write';

/** The code for `version`, `timestamps` and `computed`, needed only by designs that declare at least one of them. */
export interface Written {
  readonly outline: typeof writtenOutline;
  readonly stamped: typeof stamped;
}

/**
 * The option `{ written }` of `requests`, `client` and `system`, for entities that declare `version`, `timestamps` or
 * `computed`.
 */
export const written: Written = { outline: writtenOutline, stamped };

/** Prepares a step so that its write includes versions, timestamps and computed attributes. */
function stamped(
  table: TableOutline,
  access: Access,
  prepare: (access: Access) => PreparedStep,
  clock: Clock | undefined,
  isBatch: boolean,
): PreparedStep {
  const prepared = prepare(access);
  if (access.released !== undefined) return prepared;
  const { step } = access as { readonly step: Write };
  const entity = entityNamed(table, step.entity) as EntityOutline;
  const stamp = stamper(table, entity, prepared.place, step, clock, isBatch);
  if (stamp === undefined) return prepared;
  const { version: attribute } = entity.design;
  const isPinned = step.op === 'put' && step.replace && attribute !== undefined;
  const choose = isPinned ? replacing(access, step, attribute, prepare) : () => prepared;
  return {
    ...prepared,
    stamp: (values, given) => {
      const { values: whole, item, version } = stamp(values, given as object);
      return [choose(version), isPinned ? { ...whole, [READ]: version } : whole, item];
    },
  };
}

const READ = '$read';

/**
 * Returns a put that replaces only the version that was read, or creates the item if none was read, because a blind
 * overwrite could lose an update.
 */
function replacing(
  access: Access,
  step: PutPattern,
  version: string,
  prepare: (access: Access) => PreparedStep,
): (read: number | undefined) => PreparedStep {
  const { replace: _, ...creating } = step;
  const condition = { ...step.condition, [version]: `<${READ}>` };
  const made = [{ ...step, condition }, creating].map((one) => prepare({ ...access, step: one as Write }));
  return (read) => made[read === undefined ? 1 : 0] as PreparedStep;
}
