/** Runs tasks in the given order, a limited number at a time. */
export class Turns {
  readonly #lists: List[] = [];
  #free: number;
  #closed: { readonly error: unknown } | undefined;

  public constructor(width: number) {
    this.#free = width;
  }

  /** Prevents further tasks from starting: tasks that have not yet started fail with the error. */
  public close(error: unknown): void {
    this.#closed ??= { error };
  }

  /**
   * Runs a task for each input. Rejects with the first error, but only after every started task has ended, so that
   * nothing is written after the rejection.
   */
  public all<T>(inputs: readonly T[], task: (input: T) => Promise<unknown>): Promise<void> {
    if (inputs.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const run = (i: number) => task(inputs[i] as T);
      this.#lists.push({ run, length: inputs.length, next: 0, ended: 0, resolve, reject });
      while (this.#free > 0 && this.#lists.length > 0) void this.#work();
    });
  }

  /**
   * Runs one task after another until all lists are empty. A loop takes less memory than a promise for each waiting
   * task.
   */
  async #work(): Promise<void> {
    this.#free--;
    for (let list = this.#lists[0]; list !== undefined; list = this.#lists[0]) {
      const i = list.next++;
      if (list.next === list.length) this.#lists.shift();
      try {
        if (this.#closed !== undefined) throw this.#closed.error;
        await list.run(i);
      } catch (error) {
        this.close(error);
        list.failed ??= { error };
      }
      if (++list.ended < list.length) continue;
      if (list.failed === undefined) list.resolve();
      else list.reject(list.failed.error);
    }
    this.#free++;
  }
}

/** The tasks of one call to `all`, and how many of them have started and ended. */
interface List {
  readonly run: (i: number) => Promise<unknown>;
  readonly length: number;
  next: number;
  ended: number;
  failed?: { readonly error: unknown };
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}
