/**
 * Thrown when a batch of writes fails before it is complete; `left` contains the remaining values, which the caller can
 * send again.
 */
export class UnfinishedBatch<Values = object> extends Error {
  public override readonly name = 'UnfinishedBatch';

  public constructor(
    message: string,
    /** The values that are still to be written, in the form that the pattern accepts. */
    public readonly left: Values,
    cause: unknown,
    /**
     * The number of elements written by a transaction that was sent in parts.
     * @default - the pattern is a batch, and reports only `left`
     */
    public readonly done?: number,
  ) {
    super(message, { cause });
  }
}
