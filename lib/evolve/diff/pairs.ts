import type { ItemChange } from '../plan/plan';
import { newNameOf } from './answers';
import type { Answers } from './change';

/** The names before and after a change: pairs of names for the same thing, and names that only one side has. */
export interface Paired {
  readonly both: readonly (readonly [before: string, after: string])[];
  readonly gone: readonly string[];
  readonly added: readonly string[];
}

/** A name, if any, that would mean two things while some items are already renamed and others are not. */
export function nameOfTwo(
  renamed: Readonly<Record<string, string>>,
  before: readonly string[],
  after: readonly string[],
): { readonly old: string; readonly now: string; readonly name: string } | undefined {
  for (const [old, now] of Object.entries(renamed)) {
    const name = after.includes(old) ? old : before.includes(now) ? now : undefined;
    if (name !== undefined) return { old, now, name };
  }
  return undefined;
}

/** The new stored names of attributes, keyed by their old stored names. */
export function storedRenames(change: Partial<ItemChange> = {}): Readonly<Record<string, string>> {
  return change.stored ?? change.renamed ?? {};
}

export function pair(before: object, after: object, answers: Answers, ...place: readonly string[]): Paired {
  const both: (readonly [string, string])[] = [];
  const gone: string[] = [];
  const taken = new Set<string>();
  for (const name of Object.keys(before)) {
    const now = newNameOf(answers, ...place, name);
    // A shortened answer (`nome`) may be meant for a different place. So if the old name still exists here but the new
    // one does not, nothing was renamed here.
    const match = Object.hasOwn(after, now) && !taken.has(now) ? now : Object.hasOwn(after, name) ? name : undefined;
    if (match === undefined) gone.push(name);
    else {
      both.push([name, match]);
      taken.add(match);
    }
  }
  return { both, gone, added: Object.keys(after).filter((name) => !taken.has(name)) };
}
