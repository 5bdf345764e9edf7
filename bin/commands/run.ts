import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suggestion } from '../../lib/design/names';
import { columns } from './columns';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { optionsIn, wrapped } from './option-help';
import { exitCodeOf, tell } from './standard';

/** Verbs, each loaded only when it runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('./check')).check,
  costs: async () => (await import('./costs')).costs,
  diff: async () => (await import('./diff')).diff,
  draw: async () => (await import('./draw')).draw,
  explain: async () => (await import('./explain')).explain,
  explore: async () => (await import('./explore')).explore,
  iam: async () => (await import('./iam')).iam,
  export: async () => (await import('./export')).exportCommand,
  import: async () => (await import('./import')).importCommand,
  migrate: async () => (await import('./migrate')).migrate,
  plan: async () => (await import('./plan')).plan,
  portability: async () => (await import('./portability')).portability,
  prove: async () => (await import('./prove')).prove,
  fill: async () => (await import('./fill')).fill,
  record: async () => (await import('./record')).record,
  seed: async () => (await import('./seed')).seed,
  tables: async () => (await import('./tables')).tables,
};

/** Verbs for the data of one bundled system, which no other system needs. */
const OF_ONE_SYSTEM = ['fill', 'seed'];

/** Runs the command in the arguments, and returns the exit code; it never throws. */
export async function run([verb, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runVerb(verb, args, terminal);
  } catch (error) {
    tell(terminal, error, 'tablewright: ');
    if (error instanceof UsageError && !(error instanceof FileError)) terminal.note(await helpWith(verb));
    return exitCodeOf(error);
  }
}

async function runVerb(verb: string | undefined, args: readonly string[], terminal: Terminal): Promise<number> {
  if (verb === undefined || verb === 'help' || verb === '--help') {
    terminal.text(await help());
    return verb === undefined ? 2 : 0;
  }
  if (verb === 'version' || verb === '--version') {
    terminal.text(version());
    return 0;
  }
  if (!Object.hasOwn(commands, verb))
    throw new UsageError(`'${verb}' is not a command; ${suggestion(verb, Object.keys(commands))}`);
  const command = await (commands[verb] as () => Promise<Command>)();
  if (args.includes('--help')) {
    terminal.text([`Usage:\n${usageOf(verb, command)}`, ...explained(verb, command)].join('\n'));
    return 0;
  }
  if (args.includes('--version')) {
    terminal.text(version());
    return 0;
  }
  return command.run(args, terminal);
}

/** The version of the package that this file is in, wherever it was built to. */
function version(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version;
  }
  return 'unknown';
}

function usageOf(verb: string, { usage, summary }: Command): string {
  const lines = wrapped(`tablewright ${verb} ${usage}`, '        ', 78);
  return [`  ${lines.join('\n  ')}`, `      ${summary}`].join('\n');
}

/** What each option is for. */
function explained(verb: string, { usage }: Command): readonly string[] {
  const options = optionsIn(verb, usage);
  if (options.length === 0) return [];
  return ['', 'Options:', ...columns(options.map(({ option, meaning = '' }) => [`  ${option}`, meaning]))];
}

/** All verbs on one screen; the help of each verb explains how to call it. */
async function help(): Promise<string> {
  const rows = await Promise.all(
    Object.entries(commands)
      .filter(([verb]) => !OF_ONE_SYSTEM.includes(verb))
      .map(async ([verb, load]) => [`  ${verb}`, (await load()).summary]),
  );
  return ['Usage: tablewright <command> …', '', ...columns(rows), '', FURTHER].join('\n');
}

const FURTHER = `tablewright <command> --help explains a command and its options.
Without names, a command works on the designs of tablewright.config.ts.
The bundled system controle-pgm has two more: fill and seed.`;

/** The usage of a command that was called wrongly, or of all commands if there is no such command. */
async function helpWith(verb = ''): Promise<string> {
  const load = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (load === undefined) return help();
  return `Usage:\n${usageOf(verb, await load())}\n      tablewright ${verb} --help explains the options`;
}
