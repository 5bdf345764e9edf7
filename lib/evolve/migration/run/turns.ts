/** Runs tasks in the order given, a limited number at a time. Once closed, it starts no more of them. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #free: number;
  #closed: { readonly error: unknown } | undefined;

  public constructor(width: number) {
    this.#free = width;
  }

  /** Tasks that have not started fail with the error. */
  public close(error: unknown): void {
    this.#closed ??= { error };
  }

  /** Throws the first error once every started task has ended, so that nothing is written after the error. */
  public async all<T>(inputs: readonly T[], task: (input: T) => Promise<unknown>): Promise<void> {
    const ended = await Promise.allSettled(inputs.map((input) => this.#run(() => task(input))));
    for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #run(task: () => Promise<unknown>): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      if (this.#closed !== undefined) throw this.#closed.error;
      await task();
    } catch (error) {
      this.close(error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
