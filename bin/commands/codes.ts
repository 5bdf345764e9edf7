import { EndpointError } from '../../lib/azure-tables/engine/account';
import { EvolutionError, PlanRefused } from '../../lib/evolve/lock/read';
import { FileProblem } from '../../lib/files/problem';
import { GrantError } from '../../lib/permissions/grant';
import { BecauseNeeded } from './because';
import { FileError, UsageError } from './command';

/**
 * The command's own error codes, each with its meaning and the user's next step. The rules of the check and of `diff`
 * have their own codes, which are not listed here.
 */
export const CODES = {
  'wrong-call': ['an option, a name or a value is invalid', 'read the message, and run tablewright <command> --help'],
  'unusable-file': [
    'a file is missing, damaged or of the wrong kind',
    'pass the correct file, or create the file again',
  ],
  'unwritten-file': ['a file could not be written completely', 'free up disk space, and run the command again'],
  'unusable-endpoint': [
    'the address or connection string of a database is wrong',
    'correct the address or connection string as the message says',
  ],
  'unusable-lock': [
    'a lock, a plan or a step does not match the design',
    'follow the message; npx tablewright status shows the current step',
  ],
  'plan-refused': [
    'no plan was written: none is needed, answers are missing, or no plan can make the change safely',
    'follow the message; if it asks for answers, add them to the --answers file',
  ],
  'grant-refused': [
    'a pattern or procedure cannot be granted in this way',
    'follow the fix in the message, or grant another pattern',
  ],
  'unsure-detail': [
    'the source does not determine a detail of the design',
    "decide the detail, and remove the comment '// unsure: …'",
  ],
  failed: [
    'an error stopped the command before it finished',
    'read the message; the same command may succeed if you run it again',
  ],
  'case-failed': [
    "a pattern's result differs from the result that its case expects",
    'correct the pattern, or the case if its expected result is wrong',
  ],
  'not-proved': [
    'a pattern or a plan was not fully tested; it may still be correct',
    'follow the message: write the missing cases, or pass the --endpoint of an engine that can run the pattern',
  ],
  'unconfirmed-case': [
    'nobody has confirmed the expected result of a generated case',
    "ask a person to compare the result with the requirements, and to remove 'unconfirmed: true'",
  ],
  'case-not-drawn': [
    'no case could be generated for a pattern or procedure',
    'write the case yourself, as the message suggests',
  ],
  'phase-failed': [
    'a phase of the plan would lose data, hide data or break a release',
    'do not start the plan; change the design or its migration',
  ],
  'not-deployed': [
    'there is no evidence that the deployed tables match the tables to record',
    "deploy first, then run 'npx tablewright record' with --against",
  ],
  'not-recorded': [
    'an environment cannot be compared, because its lock or plan is unusable',
    'follow the message, or record the environment again',
  ],
  drift: ['a deployed table differs from its lock', 'deploy the design again, or record the deployed tables'],
  'item-drift': [
    'a stored item differs from the item that the design would store',
    'find out which program writes the item, or migrate it',
  ],
  'item-failed': [
    'an item could not be migrated, and is unchanged',
    'correct the item or the migration, and run the migration again',
  ],
  'not-migrated': ['some items are not in the new form yet', 'npx tablewright migrate run --write'],
  'not-run': ['the migration has not run yet', 'npx tablewright migrate run --write'],
  'not-answered': ['a pattern could not be run for the static page', 'follow the message, and write the site again'],
  'needs-because': [
    'the command changes or deletes stored data, and nobody is at the terminal',
    'ask the person who is responsible for the data, and quote that person\'s reason: --because "…"',
  ],
} as const satisfies Readonly<Record<string, readonly [means: string, fix: string]>>;

export type Code = keyof typeof CODES;

/** Returns the stable code for an error. */
export function codeOf(error: unknown): Code {
  if (error instanceof BecauseNeeded) return 'needs-because';
  if (error instanceof PlanRefused) return 'plan-refused';
  if (error instanceof EvolutionError) return 'unusable-lock';
  if (error instanceof FileProblem) return error.kind === 'unwritten' ? 'unwritten-file' : 'unusable-file';
  if (error instanceof FileError) return 'unusable-file';
  if (error instanceof UsageError) return 'wrong-call';
  if (error instanceof EndpointError) return 'unusable-endpoint';
  return error instanceof GrantError ? 'grant-refused' : 'failed';
}
