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

/** A permanent failure, which a retry cannot fix. */
export class Refusal extends Error {}

export class IdTaken extends Refusal {
  public override readonly name = 'IdTaken';
}

/**
 * Repeats a step until it returns a result. Each attempt continues from the stored state, so repeating is safe. Gives
 * up after a refusal, or after two consecutive attempts without a response.
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
 * A random backoff of at most ten seconds. It grows with every attempt, and with the duration of the attempts, because
 * a slow attempt conflicts with more callers.
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
