import { Console } from 'node:console';
import { likesColours, type Terminal } from './command';

/** Overwrites the last line, which has no end yet. */
const ANEW = '\r\u001b[2K';

/** A stream to write to. Only where a person watches it is there a last line that tells what goes on. */
export function terminalOn(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Terminal {
  const isWatched = stream.isTTY === true;
  const lines = new Console(stream);
  let status = '';
  const show = (text: string) => {
    if (text === status) return;
    status = text;
    stream.write(`${ANEW}${text.slice(0, (stream.columns || 80) - 1)}`);
  };
  return {
    line: (text) => {
      show('');
      lines.log(text);
    },
    note: (text) => {
      show('');
      console.error(text);
    },
    colours: likesColours(isWatched, env),
    ...(isWatched && env.TERM !== 'dumb' ? { status: show } : {}),
  };
}
