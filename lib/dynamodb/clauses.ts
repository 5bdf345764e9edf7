import type { Computed } from '../items/update';
import type { Expression } from './expression';

/** The terms of an update expression, grouped by clause. */
export interface Clauses {
  readonly SET: string[];
  readonly REMOVE: string[];
  ADD?: string[];
  DELETE?: string[];
}

/** Adds the terms that change elements of lists and sets. */
export function addClauses(clauses: Clauses, expression: Expression, changes: ReadonlyMap<string, Computed>): void {
  for (const [path, { how, value }] of changes) {
    if (how === 'ifMissing') continue;
    const current = expression.name(path);
    if (how === 'add' || how === 'subtract') {
      const verb = how === 'add' ? 'ADD' : 'DELETE';
      clauses[verb] = [...(clauses[verb] ?? []), `${current} ${expression.value(value)}`];
      continue;
    }
    const list = `if_not_exists(${current}, ${expression.value([])})`;
    const more = expression.value(value);
    clauses.SET.push(`${current} = list_append(${how === 'append' ? `${list}, ${more}` : `${more}, ${list}`})`);
  }
}
