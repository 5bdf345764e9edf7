/** One verb of the command line. */
export interface Command {
  /** The part of the usage line after the verb. */
  readonly usage: string;
  readonly summary: string;
  /** Returns the exit code: 0 if all is well, 1 if something was found. Throws a UsageError for wrong arguments. */
  run(args: readonly string[], terminal: Terminal): number | Promise<number>;
}

export type Style = 'bold' | 'red' | 'green' | 'yellow';

/** A piece of a line, with a style for terminals with colours. */
export type Shown = string | { readonly style: Style; readonly text: string };

/** A finding in the form that all commands share. */
export interface Reported {
  /** Stays the same when the message is reworded; `tablewright explain <code>` explains it. */
  readonly code: string;
  /** The cause of the finding, if its code has several. */
  readonly cause?: string;
  readonly severity: 'error' | 'warning' | 'note';
  /** The design it is about. */
  readonly design?: string;
  /** The place in the design, or the pattern, step or option. */
  readonly path?: string;
  /** The file, relative to the working directory, and the line in it, if the source shows it. */
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
  /** Whether the finding is a guess from a name. */
  readonly guess?: true;
}

/** Where a command writes. */
export interface Terminal {
  /** Writes one line, even if its pieces contain line breaks. */
  line(...pieces: readonly Shown[]): void;
  json(value: unknown): void;
  /** Writes data on one line. */
  compact(value: unknown): void;
  /**
   * Outputs the result and the findings as data with `--json`; writes nothing without `--json`.
   * @param isServing the command keeps running, so programs need the result now
   */
  report(result: unknown, findings?: readonly Reported[], isServing?: boolean): void;
  /** Writes several lines as they are. */
  text(text: string): void;
  /** Writes a line that is not part of the result to standard error. */
  note(text: string): void;
  /** Shows the current activity until the next line or status; '' clears it. Does nothing without a terminal. */
  status(text: string): void;
  /** Shows the progress of a long task: as a status, or as an occasional note without a terminal. */
  progress(text: string): void;
}

/** Whether to use colours: on a terminal that supports them, unless NO_COLOR is set (no-color.org). */
export function likesColours(isTerminal: boolean, { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>) {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

/** Thrown when the command is called wrongly; exit code 2, with the usage. */
export class UsageError extends Error {
  public override readonly name: string = 'UsageError';
}

/** Thrown when a named file cannot be used; exit code 2, without the usage, which would not help. */
export class FileError extends UsageError {
  public override readonly name = 'FileError';
}
