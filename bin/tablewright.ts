#!/usr/bin/env node
import { type Command, UsageError } from './commands/command';
import { terminalOn } from './commands/terminal';

/** Verbs, each loaded only when it runs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  check: async () => (await import('./commands/check')).check,
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
  if (!Object.hasOwn(commands, verb)) throw new UsageError(`'${verb}' is no command`);
  const command = await (commands[verb] as () => Promise<Command>)();
  return command.run(args, terminal);
}

async function help(): Promise<string> {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([verb, load]) => {
      const { usage, summary } = await load();
      return `  tablewright ${verb} ${usage}\n      ${summary}`;
    }),
  );
  return ['Usage:', ...lines].join('\n');
}

main(process.argv[2], process.argv.slice(3)).then(
  (code) => {
    process.exitCode = code;
  },
  async (error: Error) => {
    console.error(`tablewright: ${error.message}`);
    if (error instanceof UsageError) console.error(await help());
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
