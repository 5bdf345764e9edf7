import { UsageError } from './command';

/** Thrown when a person must give a reason for changing stored data; exit code 2. */
export class BecauseNeeded extends UsageError {
  public override readonly name: string = 'BecauseNeeded';
}

/** The option of every command that changes or deletes stored data. */
export const BECAUSE = { because: { type: 'string' } } as const;

/** Refuses to change stored data when a program runs the command, unless the program passes a person's reason. */
export function assertMeant(because: string | undefined, does: string, isAttended = isAtTerminal()): void {
  if (isAttended || (because ?? '').trim().split(/\s+/).length >= FEWEST_WORDS) return;
  const got =
    because === undefined ? 'nobody is at the terminal' : `--because ${JSON.stringify(because)} says too little`;
  throw new BecauseNeeded(
    `this ${does}, and ${got}; ask the person who is responsible, and give their own words: --because "why it is right"`,
  );
}

/** A reason with fewer words is not a sentence. */
const FEWEST_WORDS = 3;

function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}
