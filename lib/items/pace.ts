/** Limits consumption to a rate in units per second. After excessive consumption, `ready` waits. */
export class Pace {
  readonly #rate: number;
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => Promise<unknown>;
  /** The units that are available now, which never exceed the units of one second. */
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

  /** Waits until units are available. */
  public async ready(): Promise<void> {
    if (this.#rate === Infinity) return;
    for (;;) {
      const now = this.#now();
      this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1000) * this.#rate);
      this.#at = now;
      if (this.#left > 0) return;
      // Each wait is short, so that the waiting caller can be stopped.
      await this.#sleep(Math.min(1000, Math.ceil((-this.#left / this.#rate) * 1000) + 1));
    }
  }

  public used(units: number): void {
    this.#left -= units;
  }
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
