import { EndpointError } from '../../lib/azure-tables/engine/account';
import { redactor } from '../../lib/engine/secrets';
import { EvolutionError, PlanRefused } from '../../lib/evolve/lock/read';
import { FileProblem } from '../../lib/files/problem';
import { type Terminal, UsageError } from './command';
import { terminalOn } from './terminal';

/** The options whose value is a secret or contains one. */
const SECRET_OPTIONS = ['--azure-endpoint'];

/** Environment variables that hold secrets. */
const SECRET_VARIABLES = [
  'AZURE_STORAGE_CONNECTION_STRING',
  'AZURE_CLIENT_SECRET',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
];

/**
 * A shorter value must be a placeholder on a developer's machine, not a real secret. Hiding it could garble ordinary
 * words that contain it.
 */
const SHORTEST_VARIABLE = 16;

/**
 * Returns a terminal that writes to a process's standard output and error, and hides the secrets in the process's
 * arguments and environment variables.
 */
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
 * Returns exit code 2 if the command was called incorrectly (for example, with an unusable option or file); returns 1
 * for any other failure.
 */
export function exitCodeOf(error: unknown): 1 | 2 {
  if (error instanceof PlanRefused) return 1;
  if (error instanceof FileProblem) return error.kind === 'unwritten' ? 1 : 2;
  return [UsageError, EndpointError, EvolutionError].some((wrong) => error instanceof wrong) ? 2 : 1;
}

const JSON_OPTION = '--json';

/** Whether the output is JSON, for a program to read. Every command accepts `--json`. */
export function wantsJson(args: readonly string[]): boolean {
  return args.includes(JSON_OPTION);
}

export function withoutJson(args: readonly string[]): readonly string[] {
  return args.filter((arg) => arg !== JSON_OPTION);
}

/** Prints the cause of an error, without a stack trace. */
export function tell(terminal: Terminal, error: unknown, before = ''): void {
  terminal.note(`${before}${thrown(error)}`);
}

/** Describes a thrown value, which can have any type. */
export function thrown(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    return 'the thrown value cannot be shown';
  }
}
