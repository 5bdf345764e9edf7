import { isObject, show } from '../design/show';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/**
 * Refuses any value other than the design of one table. Every Lambda bundle contains this code, so its messages are
 * short.
 */
export function assertTable(design: TableDesign, what: string): void {
  const { name, entities, tables } = Object(design) as Readonly<Record<string, unknown>>;
  if (entities) return;
  const advice = tables ? `write system(${name}, …), or ${what}(${name}.tables.…, …)` : 'pass a result of defineTable';
  throw new Error(`${what}: the design is not a table; ${advice}`);
}

/** Refuses any value other than a `send` function. The usual mistake is to pass an SDK client. */
export function assertSend(tableName: string, send: unknown, instead: string): void {
  if (typeof send === 'function') return;
  const got = isObject(send) ? 'an object (an SDK client?)' : show(send);
  throw new Error(`client of '${tableName}': send must be a function, got ${got}; pass ${instead}`);
}

/** Refuses any value other than the design of a system. */
export function assertSystem(design: SystemDesign): void {
  const given: unknown = design;
  if (isObject(given) && isObject(given.tables)) return;
  if (isObject(given) && isObject(given.entities))
    throw new Error(`system: '${given.name}' is a table; write client(${given.name}, …), or use defineSystem`);
  throw new Error(`system: the design must be a result of defineSystem, got: ${show(given)}`);
}
