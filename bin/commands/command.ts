/** One verb of the command line. */
export interface Command {
  /** What follows the verb, for its usage line. */
  readonly usage: string;
  readonly summary: string;
  /** Returns the exit code: 0 all well, 1 something was found. Throws a UsageError for wrong arguments. */
  run(args: readonly string[], out: Output): number | Promise<number>;
}

/** Where a command writes what it has to say. */
export type Output = (line: string) => void;

/** The command was called wrongly; exit code 2. */
export class UsageError extends Error {
  public override readonly name = 'UsageError';
}
