import type { UpdatePattern, Write } from '../design/pattern';
import type { Part } from '../design/template';
import { overlaps } from '../design/template';
import { isCopy, toldBy } from './index-keys';
import type { EntityOutline, TableOutline } from './outline';
import { isAlwaysGiven } from './updates';
import { pathsOf, touchesParts, type WrittenAttributes, writtenBy, writtenNames } from './written';

/**
 * Why a write cannot maintain the attributes that the library writes. A fault is plain data; its message is in the
 * check.
 */
export interface WrittenFault {
  readonly cause: 'by-hand' | 'not-known' | 'unversioned';
  /** The attribute that the library writes. */
  readonly attribute: string;
  /** For a computed attribute: the source attributes whose values the write does not know. */
  readonly parts: readonly string[];
  /** The faulty field of the write. */
  readonly field?: string;
}

/** @param step the write, as the design defines it */
export function writtenFaults(
  table: TableOutline,
  entity: EntityOutline,
  step: Write,
  isBatch: boolean,
): readonly WrittenFault[] {
  const written = writtenBy(entity.design, table.separator);
  if (written === undefined || (step.op !== 'put' && step.op !== 'update')) return [];
  const faults: WrittenFault[] = [];
  for (const field of ['item', 'set', 'add', 'subtract', 'remove'] as const) {
    const changes = (step as { readonly [F in typeof field]?: object })[field] ?? {};
    const paths = Array.isArray(changes) ? (changes as readonly string[]) : Object.keys(changes);
    for (const attribute of writtenNames(written))
      if (paths.some((path) => overlaps(path, attribute)))
        faults.push({ cause: 'by-hand', attribute, parts: [], field });
  }
  if (isBatch && step.op === 'put' && written.version !== undefined)
    faults.push({ cause: 'unversioned', attribute: written.version, parts: [] });
  if (step.op === 'update') faults.push(...unknownParts(table, entity, step, written));
  return faults;
}

/**
 * Finds the computed attributes that an update would leave stale, because the update does not know the values of all
 * their sources.
 */
function unknownParts(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  { computed, ...written }: WrittenAttributes,
): readonly WrittenFault[] {
  const { set = {}, remove = [], upsert } = step;
  const told = toldBy(table, entity, step);
  const own = [written.updated, ...(upsert ? [written.created] : [])];
  const isKnown = ({ name }: Part) => {
    const paths = pathsOf(step).filter((path) => overlaps(path, name));
    if (paths.length === 0) return told.has(name) || own.includes(name);
    return paths.every((path) => remove.includes(path) || (path === name && name in set && !isCopy(set[path])));
  };
  const sure = { ...step, set: Object.fromEntries(Object.entries(set).filter(([, value]) => isAlwaysGiven(value))) };
  return computed.flatMap(({ name, parts }): readonly WrittenFault[] => {
    if (!upsert && !touchesParts(step, { parts }, written.updated)) return [];
    const isGone = parts.some((part) => remove.some((path) => overlaps(path, part.name)));
    // If a call changes none of the parts, the computed attribute stays the same, and the update does not need their
    // values.
    const isSure = upsert || touchesParts(sure, { parts }, written.updated);
    const isLeftOut = (part: Part) => {
      const origin = told.get(part.name);
      return isSure && origin !== undefined && 'operand' in origin && !isAlwaysGiven(origin.operand);
    };
    const unknown = isGone
      ? []
      : parts
          .filter((part) => !isKnown(part) || (isLeftOut(part) && !Object.hasOwn(set, part.name)))
          .map((part) => part.name);
    return unknown.length === 0 ? [] : [{ cause: 'not-known', attribute: name, parts: [...new Set(unknown)] }];
  });
}
