import { blueprint, type TableBlueprint } from '../../blueprint/table';
import { tableDesignOf } from '../lock/design';
import type { Lock, LockedDesign, LockedTable, TableResources } from '../lock/lock';
import { newNameOf } from './answers';
import type { Answers } from './change';

/** A table on one side of a diff. */
export interface Side {
  readonly name: string;
  readonly resources: TableResources;
  readonly design?: LockedDesign;
  /** The blueprint, made from the lock. */
  readonly plan: TableBlueprint;
}

/** A table before and after. */
export interface Pair {
  readonly before: Side;
  readonly after: Side;
  readonly answers: Answers;
  readonly cloud: Lock['cloud'];
  /** Its place in the new design. */
  readonly path: string;
}

function sideOf(name: string, table: LockedTable): Side {
  return { name, ...table, plan: blueprint(tableDesignOf(name, table)) };
}

/** A table before and after, under the name that each lock has for it. */
export function tablesOf(before: Lock, after: Lock, was: string, is: string, answers: Answers): Pair {
  return {
    before: sideOf(was, before.tables[was] as LockedTable),
    after: sideOf(is, after.tables[is] as LockedTable),
    answers,
    cloud: after.cloud,
    path: `tables.${is}`,
  };
}

/** Names before and after: pairs that mean the same thing, and names on one side alone. */
export interface Paired {
  readonly both: readonly (readonly [before: string, after: string])[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

export function pair(before: object, after: object, answers: Answers, ...place: readonly string[]): Paired {
  const both: (readonly [string, string])[] = [];
  const gone: string[] = [];
  const taken = new Set<string>();
  for (const name of Object.keys(before)) {
    const now = newNameOf(answers, ...place, name);
    // A short answer (`nome`) may be meant for another place: whatever still has its own name was not renamed.
    const match = Object.hasOwn(after, now) && !taken.has(now) ? now : Object.hasOwn(after, name) ? name : undefined;
    if (match === undefined) gone.push(name);
    else {
      both.push([name, match]);
      taken.add(match);
    }
  }
  return { both, gone, added: Object.keys(after).filter((name) => !taken.has(name)) };
}
