import { EntityChanged, EntityExists } from '../../../azure-tables/errors';

export interface RetryOptions {
  /**
   * Waits before what lost a race, after so many milliseconds, is tried again.
   * @default - a random time, up to 200 ms at first and 2 seconds later, or longer where the service is slow
   */
  readonly pause?: (attempt: number, took: number) => Promise<void>;
  /** What time it is. @default - the clock of this machine */
  readonly now?: () => Date;
  /** The id of something new. @default - a random UUID */
  readonly newId?: () => string;
}

/** How often something is tried: some minutes of waiting, all in all. */
export const ATTEMPTS = 100;

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

/** Whether what is stored is what was to be written: then it was. */
export function isSame(given: object, stored: object): boolean {
  const values = (of: object) => Object.entries(of).filter(([, value]) => value !== undefined && value !== null);
  const [some, others] = [new Map<string, unknown>(values(given)), values(stored)];
  return some.size === others.length && others.every(([name, value]) => some.get(name) === value);
}

/** A moment in UTC, in whole seconds. */
export function inSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
