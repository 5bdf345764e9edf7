/** Limits consumption to a rate in units per second. If the units are used up, `ready` waits. */
export class Pace {
  readonly #rate: number;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => Promise<unknown>;
  /** The units that are available now: never more than one second's worth. */
  #left: number;
  #at: number;

  public constructor(
    rate = Infinity,
    now: () => number = Date.now,
    wait: (milliseconds: number) => Promise<unknown> = sleep,
  ) {
    this.#rate = rate;
    this.#now = now;
    this.#sleep = wait;
    this.#left = rate;
    this.#at = now();
  }

  /** Returns a promise only if there are no units left. */
  public ready(): Promise<void> | undefined {
    return this.#rate === Infinity ? undefined : this.#refilled();
  }

  async #refilled(): Promise<void> {
    for (;;) {
      const now = this.#now();
      this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1000) * this.#rate);
      this.#at = now;
      if (this.#left > 0) return;
      // Each wait is short, so that the waiting caller can be stopped.
      await this.#sleep(Math.min(1000, Math.ceil((-this.#left / this.#rate) * 1000) + 1));
    }
  }

  /** @param units undefined if they were not measured, which is allowed only for a pace without a rate */
  public used(units: number | undefined): void {
    if (this.#rate === Infinity) return;
    if (units === undefined) throw new Error('a rate works only if responses report consumed capacity');
    this.#left -= units;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
