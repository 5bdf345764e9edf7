/** Lets writes run concurrently, except that a write that depends on a read runs by itself. */
export class Lock {
  private last: Promise<unknown> = Promise.resolve();
  private readonly running = new Set<Promise<unknown>>();
  private waiting = 0;

  public async shared<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting > 0) await this.last;
    const done = work();
    const settled = done.then(
      () => undefined,
      () => undefined,
    );
    this.running.add(settled);
    void settled.then(() => this.running.delete(settled));
    return done;
  }

  public alone<T>(work: () => Promise<T>): Promise<T> {
    this.waiting++;
    const before = this.last;
    const done = (async () => {
      await before;
      await Promise.all(this.running);
      return work();
    })();
    this.last = done
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        this.waiting--;
      });
    return done;
  }
}
