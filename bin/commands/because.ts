import { UsageError } from './command';

/** Thrown when a command would change stored data, but nobody has given a reason; exit code 2. */
export class BecauseNeeded extends UsageError {
  public override readonly name: string = 'BecauseNeeded';
}

/** The `--because` option, accepted by every command that changes or deletes stored data. */
export const BECAUSE = { because: { type: 'string' } } as const;

/** Refuses to change stored data if a program runs the command without passing a person's reason. */
export function assertMeant(because: string | undefined, does: string, isAttended = isAtTerminal()): void {
  if (isAttended || (because ?? '').trim().split(/\s+/).length >= FEWEST_WORDS) return;
  const got =
    because === undefined ? 'nobody is at the terminal' : `--because ${JSON.stringify(because)} says too little`;
  throw new BecauseNeeded(
    `this command ${does}, and ${got}; ask the person who is responsible for the data, and quote that person's reason: --because "why the change is right"`,
  );
}

/** A reason must have at least this many words. */
const FEWEST_WORDS = 3;

function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
