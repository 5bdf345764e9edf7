import { fstatSync } from 'node:fs';
import { fileProblem } from '../../lib/files/problem';
import { writeAllSync } from '../../lib/files/write';
import { likesColours, type Shown, type Style, type Terminal } from './command';
import { printable, printableLine } from './printable';

/** Overwrites the last line, which has no end yet. */
const ANEW = '\r\u001b[2K';

/** The codes that switch a style on and off. */
const STYLES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

/** How often to report progress where nobody is watching, in milliseconds. */
const SOMETIMES = 10_000;

/** What node's own types leave out. */
type Stream = NodeJS.WriteStream & { readonly fd?: number };

export interface TerminalOptions {
  readonly output: Stream;
  readonly errors: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Hides what must not be shown. @default - everything is shown */
  readonly redact?: (text: string) => string;
}

/**
 * Where a command writes. All that is written passes here: secrets are hidden, controls are made visible, and what cannot
 * be written is an error. Only where a person watches is there a last line that tells what goes on.
 */
export function terminalOn({ output, errors, env, redact = (text) => text }: TerminalOptions): Terminal {
  const isWatched = output.isTTY === true;
  const colours = likesColours(isWatched, env);
  const write = writerOn(output, (error) => {
    throw fileProblem(error, 'standard output', 'written');
  });
  // Where nobody can be told what is wrong, the exit code still says so.
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
  let told = Date.now();
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
    text: (text) => {
      show('');
      write(`${printable(redact(text))}\n`);
    },
    note,
    status: canOverwrite ? show : () => undefined,
    progress: (text) => {
      if (canOverwrite) show(`  ${text}`);
      else if (Date.now() - told >= SOMETIMES) {
        told = Date.now();
        note(text);
      }
    },
  };
}

/** A file may take in less than it is given, and a disk be full: the stream of a file would keep that to itself. */
function writerOn(stream: Stream, failed: (error: Error) => void): (text: string) => void {
  const fail = (error: NodeJS.ErrnoException) => {
    // Whoever reads no further wants no more.
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
  const of = fstatSync(fd);
  return of.isFile() || of.isCharacterDevice();
}
