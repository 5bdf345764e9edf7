import { EntityChanged, EntityExists } from '../../../azure/errors';

export interface RetryOptions {
  /**
   * Waits before what lost a race is tried again.
   * @default - a random time, up to 200 ms at first and 2 seconds later
   */
  readonly pause?: (attempt: number) => Promise<void>;
  /** What time it is. @default - the clock of this machine */
  readonly now?: () => Date;
  /** The id of something new. @default - a random UUID */
  readonly newId?: () => string;
}

/** How often something is tried: some minutes of waiting, all in all. */
export const ATTEMPTS = 100;

/** Those who disturbed each other do not come back together, and come back the later the more of them there are. */
export function randomPause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(2000, 100 * 2 ** attempt)));
}

/** Whether another one was faster: to make something (409), or to change it (412). */
export function isLostRace(error: unknown): boolean {
  return error instanceof EntityExists || error instanceof EntityChanged;
}

/** A moment in UTC, in whole seconds. */
export function inSeconds(moment: Date): string {
  return `${moment.toISOString().slice(0, 19)}Z`;
}
