import type { ReleaseStep, UpdatePattern, Write } from '../design/pattern';
import { lonePart, template } from '../design/template';
import { isCopy, toldBy } from './index-keys';
import type { EntityOutline, TableOutline } from './outline';
import { changesAny, type Guarded, guardOpsOf, guardsOf } from './unique';
import { isStamp, sourcesOf } from './written';

/**
 * Why a write would leave a guard behind, or leave a value without a guard. A fault is plain data; its message is in
 * the check.
 */
export interface UniqueFault {
  readonly cause: UniqueFaultCause;
  readonly unique: string;
  /** The attributes whose values the write does not know, or is not allowed to change in this way. */
  readonly attributes: readonly string[];
}

export type UniqueFaultCause =
  | 'batch'
  | 'replace'
  | 'upsert'
  | 'returns'
  | 'removed'
  | 'computed'
  | 'owner-changed'
  | 'unpinned';

/**
 * Returns the reasons why a write cannot keep its entity's guards in sync. The check reports such a write, and building
 * its request throws.
 */
export function uniqueFaults(
  table: TableOutline,
  entity: EntityOutline,
  step: Write,
  isBatch: boolean,
): readonly UniqueFault[] {
  return guardsOf(table, entity).flatMap(({ guards }) => {
    const found = faultIn(table, entity, guards, step, isBatch);
    return found === undefined ? [] : [{ unique: guards.unique, ...found }];
  });
}

type Found = Omit<UniqueFault, 'unique'> | undefined;

function faultIn(table: TableOutline, entity: EntityOutline, guards: Guarded, step: Write, isBatch: boolean): Found {
  if (step.op === 'require') return undefined;
  const { values, owners, isShared } = guards;
  if (isBatch) return { cause: 'batch', attributes: values };
  if (step.op === 'update' && step.upsert) return { cause: 'upsert', attributes: values };
  if (step.op === 'put' && step.replace && (isShared || values.some((value) => !owners.includes(value))))
    return { cause: 'replace', attributes: values };
  if (step.op === 'update' && isShared && changesAny(step, owners))
    return { cause: 'owner-changed', attributes: owners };
  const ops = guardOpsOf(guards, step);
  if (ops.length === 0) return undefined;
  if ('returns' in step && step.returns !== undefined) return { cause: 'returns', attributes: [] };
  if (step.op === 'put') return undefined;
  const removed = step.op === 'update' ? values.filter((value) => changesAny({ ...step, ...KEPT }, [value])) : [];
  if (removed.length > 0) return { cause: 'removed', attributes: removed };
  const computed = step.op === 'update' ? values.filter((value) => isComputed(step, value)) : [];
  if (computed.length > 0) return { cause: 'computed', attributes: computed };
  const told = toldBy(table, entity, step as UpdatePattern);
  const isPinned = (attribute: string): boolean => {
    const origin = told.get(attribute);
    if (origin === undefined || !('operand' in origin)) return origin !== undefined;
    if (isStamp(origin.operand)) return sourcesOf(entity.design, attribute).every(isPinned);
    return typeof origin.operand !== 'string' || !template(origin.operand).parts.some((part) => part.optional);
  };
  const unpinned = [...new Set([...values, ...owners])].filter((attribute) => !isPinned(attribute));
  return unpinned.length === 0 ? undefined : { cause: 'unpinned', attributes: unpinned };
}

/** Overrides that clear every field of an update except `remove`. */
const KEPT = { set: {}, add: {}, subtract: {} };

/**
 * Returns the faulty attributes of a release: attributes that are missing, optional, not taken from a parameter, or not
 * needed to identify the guard.
 */
export function releaseFaults({ values, owners }: Guarded, where: ReleaseStep['where']): readonly string[] {
  const needed = [...new Set([...values, ...owners])];
  const isGiven = (attribute: string) => {
    const lone = Object.hasOwn(where, attribute) ? lonePart(template(where[attribute] as string)) : undefined;
    return lone !== undefined && !lone.optional;
  };
  return [
    ...needed.filter((attribute) => !isGiven(attribute)),
    ...Object.keys(where).filter((attribute) => !needed.includes(attribute)),
  ];
}

/** Whether an update sets an attribute to a value that the request does not know. */
function isComputed({ set = {}, ...rest }: UpdatePattern, attribute: string): boolean {
  const isSet = Object.hasOwn(set, attribute);
  const elsewhere = { ...rest, set: Object.fromEntries(Object.entries(set).filter(([path]) => path !== attribute)) };
  return (isSet && isCopy(set[attribute])) || changesAny(elsewhere, [attribute]);
}
