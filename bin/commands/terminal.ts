import { fstatSync } from 'node:fs';
import { fileProblem } from '../../lib/files/problem';
import { writeAllSync } from '../../lib/files/write';
import { likesColours, type Shown, type Style, type Terminal } from './command';
import { printable, printableLine } from './printable';

/** Clears the current line, and returns the cursor to its start. */
const ANEW = '\r\u001b[2K';

/** The ANSI codes that turn each style on and off. */
const STYLES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** The interval, in milliseconds, between progress reports when the output is not a terminal. */
const SOMETIMES = 10_000;

/** A stream with its file descriptor, which Node's types leave out. */
type Stream = NodeJS.WriteStream & { readonly fd?: number };

export interface TerminalOptions {
  readonly output: Stream;
  readonly errors: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hides the secrets in a string. @default - hides nothing */
  readonly redact?: (text: string) => string;
}

/**
 * A terminal that writes to two streams, standard output and standard error. All output goes through this terminal:
 * secrets are hidden, control characters are made visible, and a failed write is an error. If the output is
 * interactive, the last line shows the current activity.
 */
export function terminalOn({ output, errors, env, redact = (text) => text }: TerminalOptions): Terminal {
  const isWatched = output.isTTY === true;
  const colours = likesColours(isWatched, env);
  const write = writerOn(output, (error) => {
    throw fileProblem(error, 'standard output', 'written');
  });
  // If writing to standard error also fails, the exit code still reports the failure.
  const complain = writerOn(errors, () => undefined);
  let status = '';
  const show = (text: string) => {
    const shown = printableLine(redact(text)).slice(0, (output.columns || 80) - 1);
    if (shown === status) return;
    status = shown;
    write(`${ANEW}${shown}`);
  };
  const styled = (part: Shown) => {
    const { style, text } = typeof part === 'string' ? { style: undefined, text: part } : part;
    const shown = printableLine(redact(text));
    if (style === undefined || !colours) return shown;
    const [on, off] = STYLES[style];
    return `\u001b[${on}m${shown}\u001b[${off}m`;
  };
  const canOverwrite = isWatched && env.TERM !== 'dumb';
  let lastNote = Date.now();
  const note = (text: string) => {
    show('');
    complain(`${printable(redact(text))}\n`);
  };
  return {
    line: (...pieces) => {
      show('');
      write(`${pieces.map(styled).join('')}\n`);
    },
    json: (value) => {
      show('');
      write(`${printable(redact(JSON.stringify(value, null, 2)))}\n`);
    },
    compact: (value) => {
      show('');
      write(`${printable(redact(JSON.stringify(value)))}\n`);
    },
    report: () => undefined,
    text: (text) => {
      show('');
      write(`${printable(redact(text))}\n`);
    },
    note,
    status: canOverwrite ? show : () => undefined,
    progress: (text) => {
      if (canOverwrite) show(`  ${text}`);
      else if (Date.now() - lastNote >= SOMETIMES) {
        lastNote = Date.now();
        note(text);
      }
    },
  };
}

/** Writes to a file directly through its descriptor, because a stream would not report a full disk. */
function writerOn(stream: Stream, failed: (error: Error) => void): (text: string) => void {
  const fail = (error: NodeJS.ErrnoException) => {
    // A reader that closed the pipe wants no more output.
    if (error.code !== 'EPIPE') failed(error);
  };
  stream.on('error', fail);
  if (!isFile(stream)) return (text) => stream.write(text);
  return (text) => {
    try {
      writeAllSync(stream.fd as number, text);
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  };
}

function isFile({ fd, isTTY }: Stream): boolean {
  if (isTTY || fd === undefined) return false;
  const stats = fstatSync(fd);
  return stats.isFile() || stats.isCharacterDevice();
}
