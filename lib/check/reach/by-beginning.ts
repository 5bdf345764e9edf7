/** Returns the longest common prefix of two strings. */
export function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/**
 * Looks things up by the literal prefix of their keys. Two keys can be equal only if one literal prefix begins with the
 * other. The check therefore compares each key with few candidates, and its running time stays nearly linear.
 */
export class ByBeginning<T> {
  private readonly byHead = new Map<string, T[]>();
  private readonly sorted: string[];

  public constructor(things: Iterable<readonly [string, T]>) {
    for (const [head, thing] of things) {
      const same = this.byHead.get(head);
      if (same === undefined) this.byHead.set(head, [thing]);
      else same.push(thing);
    }
    this.sorted = [...this.byHead.keys()].sort();
  }

  /** Yields all entries whose prefix begins with `head`, or is a prefix of `head`. */
  public *meeting(head: string): Iterable<T> {
    for (let length = 0; length < head.length; length++) yield* this.byHead.get(head.slice(0, length)) ?? [];
    for (let i = this.firstFrom(head); this.sorted[i]?.startsWith(head); i++) {
      yield* this.byHead.get(this.sorted[i] as string) as T[];
    }
  }

  private firstFrom(head: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as string) < head) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
