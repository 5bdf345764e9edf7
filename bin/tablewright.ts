#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, FileError, UsageError } from './commands/command';
import { terminalOn } from './commands/terminal';

/** Verbs, each loaded only when it runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('./commands/check')).check,
  explain: async () => (await import('./commands/explain')).explain,
  iam: async () => (await import('./commands/iam')).iam,
  export: async () => (await import('./commands/export')).exportCommand,
  import: async () => (await import('./commands/import')).importCommand,
  portability: async () => (await import('./commands/portability')).portability,
  prove: async () => (await import('./commands/prove')).prove,
  seed: async () => (await import('./commands/seed')).seed,
  tables: async () => (await import('./commands/tables')).tables,
};

const terminal = terminalOn(process.stdout, process.env);
process.once('exit', () => terminal.status?.(''));

async function main(verb: string | undefined, args: readonly string[]): Promise<number> {
  if (verb === undefined || verb === 'help' || verb === '--help') {
    console.log(await help());
    return verb === undefined ? 2 : 0;
  }
  if (verb === 'version' || verb === '--version') {
    console.log(version());
    return 0;
  }
  if (!Object.hasOwn(commands, verb)) throw new UsageError(`'${verb}' is no command`);
  const command = await (commands[verb] as () => Promise<Command>)();
  if (args.includes('--help')) {
    console.log(`Usage:\n${usageOf(verb, command)}`);
    return 0;
  }
  if (args.includes('--version')) {
    console.log(version());
    return 0;
  }
  return command.run(args, terminal);
}

/** From the package this file is in, wherever it was built to. */
function version(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')).version;
  }
  return 'unknown';
}

function usageOf(verb: string, { usage, summary }: Command): string {
  return `  tablewright ${verb} ${usage}\n      ${summary}`;
}

async function help(): Promise<string> {
  const lines = await Promise.all(Object.entries(commands).map(async ([verb, load]) => usageOf(verb, await load())));
  return ['Usage:', ...lines].join('\n');
}

/** How the one command is called that was called wrongly, or all of them, if it is none. */
async function helpWith(verb = ''): Promise<string> {
  const load = Object.hasOwn(commands, verb) ? commands[verb] : undefined;
  return load === undefined ? help() : `Usage:\n${usageOf(verb, await load())}`;
}

main(process.argv[2], process.argv.slice(3)).then(
  (code) => {
    process.exitCode = code;
  },
  async (error: Error) => {
    console.error(`tablewright: ${error.message}`);
    if (error instanceof UsageError && !(error instanceof FileError)) console.error(await helpWith(process.argv[2]));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
