import { EndpointError } from '../../lib/azure-tables/engine/account';
import { redactor } from '../../lib/engine/secrets';
import { EvolutionError, PlanRefused } from '../../lib/evolve/lock/read';
import { FileProblem } from '../../lib/files/problem';
import { type Terminal, UsageError } from './command';
import { terminalOn } from './terminal';

/** Options whose value is, or holds, a secret. */
const SECRET_OPTIONS = ['--azure-endpoint'];

/** What the environment may hold, and nobody may see. */
const SECRET_VARIABLES = [
  'AZURE_STORAGE_CONNECTION_STRING',
  'AZURE_CLIENT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

/** A secret is longer; what is shorter stands for one on a machine of one's own, and is in every other word. */
const SHORTEST_VARIABLE = 16;

/** The standard output and error of a process, which show nothing of the secrets that it was given. */
export function standardTerminal({
  argv,
  env,
  stdout: output,
  stderr: errors,
}: Pick<NodeJS.Process, 'argv' | 'env' | 'stdout' | 'stderr'>): Terminal {
  const args = argv.slice(2);
  const endpoints = args.flatMap((arg, i) => {
    const [option = '', ...value] = arg.split('=');
    if (!SECRET_OPTIONS.includes(option)) return [];
    return value.length > 0 ? [value.join('=')] : [args[i + 1] ?? ''];
  });
  const variables = SECRET_VARIABLES.map((name) => env[name] ?? '').filter(({ length }) => length >= SHORTEST_VARIABLE);
  return terminalOn({ output, errors, env, redact: redactor(args, [...endpoints, ...variables]) });
}

/**
 * 2 for a wrong call: what was said or named cannot be used, a file as little as an option. 1 for all else: the answer is no,
 * or it cannot be had.
 */
export function exitCodeOf(error: unknown): 1 | 2 {
  if (error instanceof PlanRefused) return 1;
  if (error instanceof FileProblem) return error.kind === 'unwritten' ? 1 : 2;
  return [UsageError, EndpointError, EvolutionError].some((wrong) => error instanceof wrong) ? 2 : 1;
}

/** Says what went wrong, and nothing of where in the program it did. */
export function tell(terminal: Terminal, error: unknown, before = ''): void {
  terminal.note(`${before}${thrown(error)}`);
}

/** What was thrown, in words; anything can be. */
export function thrown(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}
