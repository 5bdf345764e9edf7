import { EndpointError } from '../../lib/azure-tables/engine/account';
import { EvolutionError, PlanRefused } from '../../lib/evolve/lock/read';
import { FileProblem } from '../../lib/files/problem';
import { GrantError } from '../../lib/permissions/grant';
import { BecauseNeeded } from './because';
import { FileError, UsageError } from './command';

/**
 * The command's own error codes: what each one means, and what to do. Rules of the check and of `diff` have codes of
 * their own.
 */
export const CODES = {
  'wrong-call': ['an option, a name or a value cannot be used', 'read the message, and tablewright <command> --help'],
  'unusable-file': ['a file is missing, damaged or of a different kind', 'name the right file, or write it again'],
  'unwritten-file': ['a file could not be written completely', 'make room, and run the command again'],
  'unusable-endpoint': ['the address or connection string of a database is wrong', 'correct it as the message says'],
  'unusable-lock': [
    'a lock, a plan or a step does not fit the design',
    'follow the message; tablewright status shows where you are',
  ],
  'plan-refused': [
    'there is no plan: the change needs none, or answers are missing',
    'give --answers what the message asks for',
  ],
  'grant-refused': ['a pattern cannot be granted as asked', 'follow the fix, or grant another pattern'],
  'unsure-detail': ['the source does not settle a detail of the design', 'decide it, and remove the comment'],
  failed: ['the command failed before it was done', 'read the message; the same call may succeed later'],
  'case-failed': [
    'a pattern does not do what its case expects',
    'correct the pattern, or the case if its expectation is wrong',
  ],
  'not-proved': [
    'a pattern or a plan was not tested completely, and may still be right',
    'follow the message: write the missing cases, or name an engine that runs the pattern with --endpoint',
  ],
  'unconfirmed-case': [
    'nobody has confirmed the expected result of a generated case',
    'a person compares it with the requirements, and removes unconfirmed: true',
  ],
  'case-not-drawn': [
    'no case could be generated for a pattern or procedure',
    'write its case yourself, as the message suggests',
  ],
  'phase-failed': [
    'a phase of the plan would lose, hide or break something',
    'do not begin the plan; change the design or its migration',
  ],
  'not-deployed': [
    'nothing shows that the deployed tables match what would be recorded',
    'deploy first, then give record --against',
  ],
  'not-recorded': [
    'an environment cannot be compared: its lock or plan is unusable',
    'follow the message, or record it again',
  ],
  drift: ['a deployed table differs from its lock', 'deploy the design again, or record what is deployed'],
  'item-drift': ['a stored item differs from what the design would store', 'find out who writes it, or migrate it'],
  'item-failed': [
    'an item could not be migrated, and is unchanged',
    'correct the item or the migration, and run it again',
  ],
  'not-migrated': ['some items do not have the new form yet', 'tablewright migrate run --write'],
  'not-run': ['the migration has not run yet', 'tablewright migrate run --write'],
  'not-answered': ['a pattern could not be run for the page', 'follow the message, and write the page again'],
  'needs-because': [
    'the command changes or deletes stored data, and nobody is at the terminal',
    'ask the person who is responsible, and pass their own words: --because "…"',
  ],
} as const satisfies Readonly<Record<string, readonly [means: string, fix: string]>>;

export type Code = keyof typeof CODES;

/** The stable code of an error. */
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
