/** An error in DynamoDB's own format: its type, its message, and its other fields. */
export class Refusal extends Error {
  public constructor(
    public readonly type: string,
    message: string,
    public readonly more: Readonly<Record<string, unknown>> = {},
    /**
     * Whether the refusal concerns one entry of a transaction, and so cancels the transaction. Other refusals concern
     * the whole request.
     */
    public readonly cancels = false,
  ) {
    super(message);
    this.name = type;
  }
}

export function invalid(message: string): Refusal {
  return new Refusal('ValidationException', message);
}

/** Returns the refusal of a write that does not fit its table. */
export function misfit(message: string): Refusal {
  return new Refusal('ValidationException', message, {}, true);
}

export function invalidParameter(message: string): Refusal {
  return invalid(`One or more parameter values were invalid: ${message}`);
}
