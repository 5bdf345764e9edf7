/** Thrown when a batch of writes fails before it is complete: `left` has the rest, to send again. */
export class UnfinishedBatch<Values = object> extends Error {
  public override readonly name = 'UnfinishedBatch';

  public constructor(
    message: string,
    /** What is left to write, as values for the same pattern. */
    public readonly left: Values,
    cause: unknown,
    /** How many elements of its list a transaction in parts has written. @default - it was a batch, which only reports `left` */
    public readonly done?: number,
  ) {
    super(message, { cause });
  }
}
