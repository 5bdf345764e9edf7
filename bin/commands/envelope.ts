import { DesignError } from '../../lib/check/language/well-formed';
import { GrantError } from '../../lib/permissions/grant';
import { codeOf } from './codes';
import type { Reported, Terminal } from './command';
import { thrown } from './standard';

/** The output of `--json`, printed once per run; docs/reference/envelope.schema.json is its published schema. */
export interface Envelope {
  readonly schemaVersion: 1;
  readonly command: string;
  readonly ok: boolean;
  readonly exitCode: number;
  readonly findings: readonly Reported[];
  /** What the command prints besides its findings and its result. */
  readonly notes?: readonly string[];
  /** The command's result; absent if the command ended with an error. */
  readonly result?: unknown;
}

/** A terminal that collects all of a command's output, and prints it as a single envelope. */
export interface EnvelopeTerminal extends Terminal {
  /**
   * Prints the envelope. Does nothing if the envelope is already printed: `report` prints it early for a command that
   * keeps running.
   */
  end(exitCode: number, error?: unknown): void;
}

export function envelopeTerminal(terminal: Terminal, command: string): EnvelopeTerminal {
  const lines: string[] = [];
  const notes: string[] = [];
  let reported: { readonly result?: unknown; readonly findings: readonly Reported[] } = { findings: [] };
  let isPrinted = false;
  const print = (exitCode: number, findings: readonly Reported[], result?: unknown) => {
    if (isPrinted) return;
    isPrinted = true;
    const envelope: Envelope = {
      schemaVersion: 1,
      command,
      ok: exitCode === 0,
      exitCode,
      findings,
      ...(notes.length > 0 && { notes }),
      ...(result !== undefined && { result }),
    };
    terminal.compact(envelope);
  };
  const add = (text: string) => {
    if (isPrinted) terminal.note(text);
    else lines.push(text);
  };
  return {
    ...terminal,
    line: (...pieces) => add(pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('')),
    text: add,
    json: () => undefined,
    note: (text) => {
      if (isPrinted) terminal.note(text);
      else notes.push(text);
    },
    status: () => undefined,
    report: (result, findings = [], isServing = false) => {
      reported = { result, findings };
      if (isServing) print(0, findings, result);
    },
    end: (exitCode, error) => {
      if (error !== undefined) return print(exitCode, findingsOf(error, command));
      print(exitCode, reported.findings, reported.result ?? { lines });
    },
  };
}

/** Converts an error to findings: the findings that the error carries, or the error itself. */
export function findingsOf(error: unknown, command: string): readonly Reported[] {
  if (error instanceof DesignError) return error.findings.map((finding) => reportedOf(finding));
  const code = codeOf(error);
  if (error instanceof GrantError)
    return error.problems.map(({ path, message, fix }) => ({ code, severity: 'error', path, message, fix }));
  const fix = code === 'wrong-call' ? { fix: `npx tablewright ${command} --help explains the options` } : {};
  return [{ code, severity: 'error', message: thrown(error), ...fix }];
}

/**
 * Converts a finding of the check to the format that all commands share, and drops the fields that only callers of the check need.
 */
export function reportedOf(finding: DesignError['findings'][number], place: object = {}): Reported {
  const { rule: code, cause, severity, path, message, fix, guess } = finding;
  return { code, cause, severity, ...place, path, message, fix, ...(guess && { guess }) };
}
