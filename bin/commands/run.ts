import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suggestion } from '../../lib/design/names';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { envelopeTerminal } from './envelope';
import { optionsIn, wrapped } from './option-help';
import { packageFolder } from './package-folder';
import { columns } from './printable';
import { exitCodeOf, tell, wantsJson, withoutJson } from './standard';

type Verbs = Readonly<Record<string, () => Promise<Command>>>;

/** The verbs, in the order in which the help lists them. Each verb is loaded only when it runs. */
const GROUPS: Readonly<Record<string, Verbs>> = {
  'build a design': {
    init: async () => (await import('./init')).init,
    from: async () => (await import('./from')).from,
    check: async () => (await import('./check')).check,
    cases: async () => (await import('./cases')).cases,
    prove: async () => (await import('./prove')).prove,
    dev: async () => (await import('./dev')).dev,
    explore: async () => (await import('./explore')).explore,
  },
  'deploy it': {
    iam: async () => (await import('./iam')).iam,
    costs: async () => (await import('./costs')).costs,
    tables: async () => (await import('./tables')).tables,
  },
  'change it': {
    record: async () => (await import('./record')).record,
    status: async () => (await import('./status')).status,
    diff: async () => (await import('./diff')).diff,
    plan: async () => (await import('./plan')).plan,
    migrate: async () => (await import('./migrate')).migrate,
    sweep: async () => (await import('./sweep')).sweep,
    recreate: async () => (await import('./recreate')).recreate,
  },
  other: {
    backup: async () => (await import('./backup')).backup,
    draw: async () => (await import('./draw')).draw,
    explain: async () => (await import('./explain')).explain,
    portability: async () => (await import('./portability')).portability,
    to: async () => (await import('./to')).to,
  },
};

const commands: Verbs = Object.assign({}, ...Object.values(GROUPS));

/** Runs the command that the arguments name, and returns its exit code. Never throws. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const [verb, ...rest] = withoutJson(args);
  if (!wantsJson(args)) return runShown(verb, rest, terminal);
  const envelope = envelopeTerminal(terminal, verb ?? 'help');
  try {
    if (rest.some((arg) => /^--format(=|$)/.test(arg)))
      throw new UsageError('--json has only one format; omit --format');
    const code = await runVerb(verb, rest, envelope);
    envelope.end(code);
    return code;
  } catch (error) {
    const code = exitCodeOf(error);
    envelope.end(code, error);
    return code;
  }
}

/** Runs a command with human-readable output. */
async function runShown(verb: string | undefined, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await runVerb(verb, args, terminal);
  } catch (error) {
    tell(terminal, error, 'tablewright: ');
    if (error instanceof UsageError && !(error instanceof FileError)) terminal.note(await helpWith(verb));
    return exitCodeOf(error);
  }
}

async function runVerb(verb: string | undefined, args: readonly string[], terminal: Terminal): Promise<number> {
  const [asked = ''] = args;
  if (verb === 'help' && Object.hasOwn(commands, asked)) return runVerb(asked, ['--help'], terminal);
  if (verb === undefined || verb === 'help' || verb === '--help' || verb === '-h') {
    terminal.text(await help());
    return verb === undefined ? 2 : 0;
  }
  if (verb === 'version' || verb === '--version' || verb === '-v') {
    terminal.text(version());
    return 0;
  }
  if (!Object.hasOwn(commands, verb))
    throw new UsageError(`'${verb}' is not a command; ${suggestion(verb, Object.keys(commands))}`);
  const command = await (commands[verb] as () => Promise<Command>)();
  if (args.includes('--help') || args.includes('-h')) {
    terminal.text([`Usage:\n${usageOf(verb, command)}`, ...explained(verb, command)].join('\n'));
    return 0;
  }
  if (args.includes('--version')) {
    terminal.text(version());
    return 0;
  }
  return command.run(args, terminal);
}

function version(): string {
  return JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')).version;
}

function usageOf(verb: string, { usage, summary }: Command): string {
  const lines = wrapped(`tablewright ${verb} ${usage} [--json]`, '        ', 78);
  return [`  ${lines.join('\n  ')}`, `      ${summary}`].join('\n');
}

/** Lists a command's options and what each is for. */
function explained(verb: string, { usage }: Command): readonly string[] {
  const options = optionsIn(verb, `${usage} [--json]`);
  return ['', 'Options:', ...columns(options.map(({ option, meaning = '' }) => [`  ${option}`, meaning]))];
}

/** Prints all verbs, grouped by task; each verb's help explains its arguments. */
async function help(): Promise<string> {
  const rows = [
    ...columns(
      await Promise.all(Object.entries(commands).map(async ([verb, load]) => [`  ${verb}`, (await load()).summary])),
    ),
  ];
  const groups = Object.entries(GROUPS).flatMap(([group, verbs]) => [
    `${group}:`,
    ...rows.splice(0, Object.keys(verbs).length),
  ]);
  return [
    'Tablewright derives tables, IAM, requests and tests from one typed design.',
    ...groups,
    'npx tablewright <command> --help explains a command and its options',
  ].join('\n');
}

/** Returns the help to show after an incorrect call: the command's usage, or where to find the commands. */
async function helpWith(verb = ''): Promise<string> {
  const load = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  if (load === undefined) return 'npx tablewright --help lists the commands';
  return `Usage:\n${usageOf(verb, await load())}\n      npx tablewright ${verb} --help explains the options`;
}
