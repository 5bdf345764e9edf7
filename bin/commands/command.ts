/** One verb of the `tablewright` command. */
export interface Command {
  /** The part of the usage line that follows the verb. */
  readonly usage: string;
  readonly summary: string;
  /**
   * Returns the exit code: 0 on success, 1 if the command has found a problem. Throws a UsageError for invalid
   * arguments.
   */
  run(args: readonly string[], terminal: Terminal): number | Promise<number>;
}

export type Style = 'bold' | 'red' | 'green' | 'yellow';

/** Part of a line, with a style for terminals that support colors. */
export type Shown = string | { readonly style: Style; readonly text: string };

/** A finding, in the format that all commands share. */
export interface Reported {
  /** The code stays the same when the message is reworded; `tablewright explain <code>` explains the finding. */
  readonly code: string;
  /** The cause of the finding, for codes with several causes. */
  readonly cause?: string;
  readonly severity: 'error' | 'warning' | 'note';
  /** The name of the design that the finding is about. */
  readonly design?: string;
  /** The path of the field in the design. */
  readonly path?: string;
  /** The file, relative to the working directory. `line` is the line in this file, if known. */
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
  readonly fix?: string;
  /** Whether the finding is a guess based on a name. */
  readonly guess?: true;
}

/** Where a command writes its output. */
export interface Terminal {
  /** Writes one line, even if its pieces contain line breaks. */
  line(...pieces: readonly Shown[]): void;
  json(value: unknown): void;
  /** Writes a value as one line of JSON. */
  compact(value: unknown): void;
  /**
   * With `--json`, outputs the result and the findings as data; without `--json`, writes nothing.
   * @param isServing whether the command keeps running, so that programs need the result immediately
   */
  report(result: unknown, findings?: readonly Reported[], isServing?: boolean): void;
  /** Writes several lines unchanged. */
  text(text: string): void;
  /** Writes a line to standard error, for text that is not part of the result. */
  note(text: string): void;
  /**
   * Shows the current activity until the next line or status; an empty string clears it. Does nothing if the output is
   * not a terminal.
   */
  status(text: string): void;
  /** Shows the progress of a long task: as a status on a terminal, and otherwise as an occasional note. */
  progress(text: string): void;
}

/** Whether to use colors: only on a terminal that supports them, and only if NO_COLOR is not set (no-color.org). */
export function likesColours(isTerminal: boolean, { NO_COLOR, TERM }: Readonly<Record<string, string | undefined>>) {
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

/** Thrown when the user calls the command incorrectly. The command prints its usage, and exits with code 2. */
export class UsageError extends Error {
  public override readonly name: string = 'UsageError';
}

/**
 * Thrown when a named file cannot be used. The command exits with code 2, but does not print its usage, which would not
 * help.
 */
export class FileError extends UsageError {
  public override readonly name = 'FileError';
}
