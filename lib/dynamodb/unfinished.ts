/** Raised where a batch of writes failed before all of it was done; what was not is in `left`, to be given again. */
export class UnfinishedBatch<Values = object> extends Error {
  public override readonly name = 'UnfinishedBatch';

  public constructor(
    message: string,
    /** What is left to do, as the pattern takes it. */
    public readonly left: Values,
    cause: unknown,
  ) {
    super(message, { cause });
  }
}
