import { EntityChanged, EntityExists, EntityMissing } from '../../../azure-tables/errors';
import { KeyError } from '../../../design/template';
import { ItemError } from '../../../items/item';
import type { RetryOptions } from '../../../items/retry';
import { Contention } from '../../disturbance';

export interface ProcedureOptions extends RetryOptions {
  /** The current time. @default - the clock of this machine */
  readonly now?: () => Date;
  /** Creates the id of a new item. @default - a random UUID */
  readonly newId?: () => string;
}

/** The number of attempts; the pauses between them add up to a few minutes. */
const ATTEMPTS = 100;

/** A permanent refusal, which a retry cannot change. */
export class Refusal extends Error {}

/** A different item already has this id. */
export class IdTaken extends Refusal {
  public override readonly name = 'IdTaken';
}

/**
 * Repeats a step until it returns a result. Each attempt reads the stored state and does the next missing part, so
 * repeating is safe after a conflict or a lost response. Gives up after a refusal, or after two consecutive attempts
 * without a response.
 */
export async function untilSettled<T>(
  { pause = randomPause }: RetryOptions,
  step: () => Promise<T | undefined>,
): Promise<T> {
  let wasAnswered = true;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const start = performance.now();
    try {
      const done = await step();
      if (done !== undefined) return done;
      wasAnswered = true;
    } catch (error) {
      const isAnswer = [EntityExists, EntityChanged, EntityMissing].some((kind) => error instanceof kind);
      const isRefusal = [Refusal, ItemError, KeyError].some((kind) => error instanceof kind);
      if (isRefusal || (!isAnswer && !wasAnswered)) throw error;
      wasAnswered = isAnswer;
    }
    await pause(attempt, performance.now() - start);
  }
  throw new Contention(`all ${ATTEMPTS} attempts conflicted with other callers; try again`);
}

/**
 * A random backoff, so that conflicting callers do not retry at the same time. More callers mean longer pauses. A caller whose attempts are slow
 * conflicts for longer, so it also waits longer, up to ten seconds.
 */
function randomPause(attempt: number, took: number): Promise<void> {
  const [first, most] = [Math.max(100, 8 * took), Math.min(10_000, Math.max(2000, 60 * took))];
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(most, first * 2 ** attempt)));
}

/** Whether the stored item equals the new item, which means that the write succeeded. */
export function isSame(given: object, stored: object): boolean {
  const values = (of: object) => Object.entries(of).filter(([, value]) => value !== undefined && value !== null);
  const [some, others] = [new Map<string, unknown>(values(given)), values(stored)];
  return some.size === others.length && others.every(([name, value]) => some.get(name) === value);
}
