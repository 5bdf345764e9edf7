/** Thrown when a batch of writes fails before all of it is done: `left` has the rest, to be sent again. */
export class UnfinishedBatch<Values = object> extends Error {
  public override readonly name = 'UnfinishedBatch';

  public constructor(
    message: string,
    /** What is left to write, as values for the same pattern. */
    public readonly left: Values,
    cause: unknown,
    /** How many elements of its list a transaction in parts has written. @default - it was a batch, whose writes are counted by `left` */
    public readonly done?: number,
  ) {
    super(message, { cause });
  }
}
