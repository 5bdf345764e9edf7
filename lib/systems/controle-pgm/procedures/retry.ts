import { EntityChanged, EntityExists, EntityMissing } from '../../../azure-tables/errors';
import { KeyError } from '../../../design/template';
import { ItemError } from '../../../items/item';
import type { RetryOptions } from '../../../items/retry';

export interface ProcedureOptions extends RetryOptions {
  /** What time it is. @default - the clock of this machine */
  readonly now?: () => Date;
  /** The id of something new. @default - a random UUID */
  readonly newId?: () => string;
}

/** How often something is tried: some minutes of waiting, all in all. */
export const ATTEMPTS = 100;

/** What is refused for good: to try again would not help. */
export class Refusal extends Error {}

/** Others were faster every time. */
export class Contention extends Error {
  public override readonly name = 'Contention';
}

/** There is something of this id already, and it is another. */
export class IdTaken extends Refusal {
  public override readonly name = 'IdTaken';
}

/**
 * Does a step until it comes to something. A step looks at what is stored, and does the next thing that is missing: so it can
 * be done again by anybody, after a lost race, and also after a write whose answer was lost, since that may have been done.
 * Only what fails twice in a row without being answered is given up.
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
      const isAnswer = isLostRace(error) || error instanceof EntityMissing;
      if (error instanceof Refusal || isInvalid(error) || (!isAnswer && !wasAnswered)) throw error;
      wasAnswered = isAnswer;
    }
    await pause(attempt, performance.now() - start);
  }
  throw new Contention(`others were faster ${ATTEMPTS} times; try again later`);
}

/**
 * Those who disturbed each other do not come back together, and come back the later the more of them there are. Who needs
 * longer for a try is disturbed for longer, and so waits longer too, up to ten seconds.
 */
export function randomPause(attempt: number, took: number): Promise<void> {
  const [first, most] = [Math.max(100, 8 * took), Math.min(10_000, Math.max(2000, 60 * took))];
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(most, first * 2 ** attempt)));
}

/** Whether another one was faster: to make something (409), or to change it (412). */
export function isLostRace(error: unknown): boolean {
  return error instanceof EntityExists || error instanceof EntityChanged;
}

/** Whether it was refused before it was sent. */
function isInvalid(error: unknown): boolean {
  return error instanceof ItemError || error instanceof KeyError;
}

/** Whether what is stored is what was to be written: then it was. */
export function isSame(given: object, stored: object): boolean {
  const values = (of: object) => Object.entries(of).filter(([, value]) => value !== undefined && value !== null);
  const [some, others] = [new Map<string, unknown>(values(given)), values(stored)];
  return some.size === others.length && others.every(([name, value]) => some.get(name) === value);
}
