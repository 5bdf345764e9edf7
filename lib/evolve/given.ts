import { assertDesign } from '../check/language/well-formed';
import { suggestion } from '../design/names';
import { isObject, show } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { ordered } from './canonical';
import { FORM, type Lock } from './lock/lock';
import { assertLock, EvolutionError } from './lock/read';
import type { Edit, Plan } from './plan/plan';

// Callers of `tablewright/evolve` may write JavaScript without types, so these functions reject a wrong argument with a
// readable message before deeper code fails on it.

/** Rejects anything but a lock. */
export function givenLock(given: unknown, place: string): Lock {
  const isRight = isObject(given) && given.lock === FORM && isObject(given.tables) && isObject(given.procedures);
  if (isRight && isText(given.hash)) {
    assertLock(given, place);
    return ordered(given) as unknown as Lock;
  }
  throw wrong(place, "a lock returned by lockOf or written by 'tablewright record'", given);
}

export function givenPlan(given: unknown, place: string): Plan {
  const lists = isObject(given) ? [given.phases, given.edits, given.items, given.changes] : [];
  if (isObject(given) && given.plan === FORM && lists.every(Array.isArray)) return given as unknown as Plan;
  throw wrong(place, "a plan returned by planFor or written by 'tablewright plan'", given);
}

export function givenSystem(given: unknown, place: string): SystemDesign {
  const design = givenDesign(given, place);
  if ('tables' in design) return design;
  throw new EvolutionError(
    `${place} must be a system, got the table ${show(design.name)}; pass systemOf(table), a system with only this table`,
  );
}

/** Rejects anything but a table or system that has all required fields; does not run the check. */
export function givenDesign(given: unknown, place: string): SystemDesign | TableDesign {
  if (!isObject(given) || !('tables' in given || 'entities' in given || 'key' in given))
    throw wrong(place, 'a design returned by defineSystem or defineTable', given);
  assertDesign(given);
  return given as unknown as SystemDesign | TableDesign;
}

export function givenTable(given: unknown, place: string): TableDesign {
  const design = givenDesign(given, place);
  if (!('tables' in design)) return design;
  throw new EvolutionError(`${place} must be a table, got the system ${show(design.name)}; pass one of its tables`);
}

export function givenText(given: unknown, place: string, example: string): string {
  if (isText(given)) return given;
  throw wrong(place, `a string such as '${example}'`, given);
}

export function givenObject<T extends object>(given: T, place: string, what: string): T {
  if (isObject(given)) return given;
  throw wrong(place, what, given);
}

/** Rejects anything but an object of facts, keyed by tables of the design. */
export function givenTables<T extends object>(given: T, place: string, tables: readonly string[]): T {
  givenObject(given, place, 'an object keyed by table');
  for (const [table, facts] of Object.entries(given)) {
    givenObject(facts, `${place}.${table}`, 'an object with facts about the table');
    if (tables.includes(table)) continue;
    throw new EvolutionError(`${place}: '${table}' is not a table of the design; ${suggestion(table, tables)}`);
  }
  return given;
}

export function givenEdits(given: unknown, place: string): readonly Edit[] {
  const isEdit = (edit: unknown) => isObject(edit) && [edit.kind, edit.table, edit.from, edit.to].every(isText);
  if (Array.isArray(given) && given.every(isEdit)) return given;
  throw wrong(place, 'a list of edits, such as plan.edits', given);
}

export function wrong(place: string, what: string, given: unknown): EvolutionError {
  return new EvolutionError(`${place} must be ${what}, got: ${show(given)}`);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
