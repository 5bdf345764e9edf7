/** One verb of the command line. */
export interface Command {
  /** What follows the verb, for its usage line. */
  readonly usage: string;
  readonly summary: string;
  /** Returns the exit code: 0 all well, 1 something was found. Throws a UsageError for wrong arguments. */
  run(args: readonly string[], terminal: Terminal): number | Promise<number>;
}

export type Style = 'bold' | 'red' | 'green' | 'yellow';

/** A piece of a line, with a style where there are colours. */
export type Shown = string | { readonly style: Style; readonly text: string };

/** Where a command writes what it has to say. */
export interface Terminal {
  /** One line, whatever its pieces hold. */
  line(...pieces: readonly Shown[]): void;
  json(value: unknown): void;
  /** Several lines as they are. */
  text(text: string): void;
  /** What is not part of the result, on standard error. */
  note(text: string): void;
  /** Shows what goes on, until the next line or status; nothing for ''. Nothing happens where nobody is watching. */
  status(text: string): void;
  /** How far something long has come: a status, or a note now and then. */
  progress(text: string): void;
}

/** Whether colours are welcome: on a terminal that has them, unless NO_COLOR is set (no-color.org). */
export function likesColours(isTerminal: boolean, { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>) {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

/** The command was called wrongly; exit code 2, and how it is called. */
export class UsageError extends Error {
  public override readonly name: string = 'UsageError';
}

/** A file that was named cannot be used; exit code 2, without the usage, which has nothing to do with it. */
export class FileError extends UsageError {
  public override readonly name = 'FileError';
}
