import { type EntityOutline, entityNamed, keyOf, type TableOutline } from '../../../blueprint/outline';
import { storedChange } from '../../../blueprint/stored';
import { GUARD_OWNER } from '../../../blueprint/unique';
import type { Condition, UpdatePattern } from '../../../design/pattern';
import { appended, elements } from '../../../items/appended';
import { applied } from '../../../items/applied';
import type { AskedWrite } from '../../../items/asked';
import { failedTests, isSameValue } from '../../../items/failed-tests';
import type { Item } from '../../../items/item';
import { changeMaker } from '../../../items/update';

/** What a write does to its item. */
export type Outcome =
  /** A condition of the write does not hold. */
  | { readonly kind: 'refused' }
  /** The item stays unchanged. */
  | { readonly kind: 'kept' }
  /** If `item` is undefined, the write deletes the stored item. */
  | { readonly kind: 'written'; readonly item: Item | undefined };

const REFUSED: Outcome = { kind: 'refused' };

/** Computes the outcome of a write from the stored item. */
export function outcomeOf(
  { part, step, input, table, values, unique, name }: AskedWrite,
  stored: Item | undefined,
): Outcome {
  const entity = entityNamed(table, step.entity) as EntityOutline;
  if (unique !== undefined) {
    if (stored !== undefined && !isSameValue(stored[GUARD_OWNER], unique.owner)) return REFUSED;
    return { kind: 'written', item: part === 'Put' ? (input.Item as Item) : undefined };
  }
  const meets = (condition: Condition = {}) => failedTests(condition, [entity], stored ?? {}, values).length === 0;
  const isMet = meets('condition' in step ? step.condition : undefined);
  switch (part) {
    case 'Put': {
      const isNew = stored === undefined || ('replace' in step && step.replace === true);
      return isNew && isMet ? { kind: 'written', item: input.Item as Item } : REFUSED;
    }
    case 'Delete':
      return isMet ? { kind: 'written', item: undefined } : REFUSED;
    case 'ConditionCheck':
      return isMet ? { kind: 'kept' } : REFUSED;
    default: {
      const update = step as UpdatePattern;
      if (!isMet || (stored === undefined && update.upsert !== true)) return REFUSED;
      const change = makerOf(table, entity, name, update)(values);
      if (![...change.computed.values()].every(({ fits }) => meets(fits))) return REFUSED;
      return { kind: 'written', item: applied(stored ?? (input.Key as Item), storedChange(entity, change)) };
    }
  }
}

type Maker = ReturnType<typeof changeMaker>;

const makers = new WeakMap<UpdatePattern, Maker>();

function makerOf(table: TableOutline, entity: EntityOutline, name: string, step: UpdatePattern): Maker {
  let maker = makers.get(step);
  if (maker === undefined) {
    maker = changeMaker(table, entity, name, step, { appended, elements });
    makers.set(step, maker);
  }
  return maker;
}

/** Whether a write succeeds only if the item does not exist. Such a write can skip the read. */
export function needsNone({ part, step, unique }: AskedWrite): boolean {
  if (part !== 'Put') return false;
  if (unique !== undefined) return true;
  return !('replace' in step && step.replace) && !('condition' in step && step.condition);
}

/** The key of the item that is written. */
export function keyOfWrite({ input, table }: AskedWrite): Item {
  const written = (input.Key ?? input.Item) as Item;
  return Object.fromEntries(keyOf(table.key).map(({ name }) => [name, written[name]]));
}
