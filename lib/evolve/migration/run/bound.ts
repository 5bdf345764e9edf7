import { type Context, createContext, Script } from 'node:vm';

/** The time limit on the user's code for one item, in milliseconds. */
export const ITEM_LIMIT = 5000;

let place: { readonly script: Script; readonly context: Context & { work?: () => void } } | undefined;

/** Runs work that might never return. Returns false if the work reached the time limit and was aborted. */
export function within(limit: number, work: () => void): boolean {
  place ??= { script: new Script('work()'), context: createContext({}) };
  const { script, context } = place;
  const before = context.work;
  context.work = work;
  try {
    script.runInContext(context, { timeout: limit });
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    context.work = before;
  }
}

/** Thrown to stop a run without waiting for a page that takes too long. */
export class Interrupted extends Error {
  public override readonly name = 'Interrupted';
}
