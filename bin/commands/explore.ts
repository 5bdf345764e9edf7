import { SIGNALS } from '../../lib/engine/process';
import { Copy } from '../../lib/explore/engine/copy';
import { type Explored, explore as explored } from '../../lib/explore/system';
import { readArguments } from './arguments';
import { type Command, type Terminal, UsageError } from './command';
import { DEMO } from './designs';
import { EVOLUTION } from './evolution';
import { type HeldOptions, heldBy } from './explore-held';
import { environmentNamed, reportsOn } from './explore-reports';
import { withAnswers } from './explore-static';
import { type Shown, shownNamed } from './explored';
import { startEngines } from './prove-engines';

const OPTIONS = {
  ...DEMO,
  ...EVOLUTION,
  static: { type: 'string' },
  port: { type: 'string' },
  proof: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  table: { type: 'string', multiple: true },
} as const;

export const explore: Command = {
  usage:
    '[design or file …] [--demo] [--static folder] [--port number] [--proof report.json] [--environment prod] [--lock file] [--answers file] [--endpoint http://localhost:8000] [--azure-endpoint connection] [--table blog=journal-dev-blog …]',
  summary: 'serves a page on designs: items, patterns to run, findings',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const port = portOf(values.port);
    const shown = await shownNamed(positionals, values.demo);
    const systems = shown.map(({ system }) => system.name);
    const named = { ...values, environment: await environmentNamed(values, systems) };
    const withReports = reportsOn(named, systems);
    const all = (await lookedAt(shown, named)).map(withReports);
    const copies = new Map(all.map((system) => [system.view.name, new Copy(system, () => engineOf(system))]));
    const stop = async () => {
      const running = [...copies.values(), ...all.flatMap(({ held }) => held ?? [])];
      await Promise.all(running.map((engine) => engine.stop()));
    };
    const copyOf = (system: string) => copies.get(system) as Copy;
    if (values.static !== undefined) return writeFiles(values.static, all, copyOf, terminal).finally(stop);
    const { serve } = await import('../../lib/explore/serve/server');
    const serving = await serve({ explored: all, copyOf }, port).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') throw new UsageError(`port ${port} is taken; choose another with --port`);
      if (error.code === 'EACCES')
        throw new UsageError(`port ${port} is not yours to use; choose one above 1023 with --port`);
      throw error;
    });
    terminal.line(`open ${serving.address}`);
    terminal.note('only this machine can open it, until you stop it (Ctrl+C)');
    // The engines end with the process, however it ends.
    return new Promise<number>((resolve) => {
      for (const [signal, code] of Object.entries(SIGNALS)) {
        process.once(signal, async () => {
          await Promise.all([serving.stop(), stop()]);
          resolve(code);
        });
      }
    });
  },
};

/** Writes the site; exit code 1 if a pattern could not be run, so that nobody publishes half a site by mistake. */
async function writeFiles(
  folder: string,
  all: readonly Explored[],
  copyOf: (system: string) => Copy,
  terminal: Terminal,
): Promise<number> {
  const { assertOurs, writeSite } = await import('../../lib/explore/serve/static');
  assertOurs(folder, all);
  const answered = [];
  for (const system of all) answered.push(await withAnswers(system, copyOf(system.view.name), terminal));
  const files = await writeSite(
    folder,
    answered.map((answer) => answer.explored),
  );
  for (const file of files) terminal.line(`${file}: written`);
  return answered.every(({ isWhole }) => isWhole) ? 0 : 1;
}

/** The systems with the items of their cases, or with those at an endpoint, which must have all of their tables. */
async function lookedAt(shown: readonly Shown[], options: HeldOptions & { readonly static?: string }) {
  if (options.static !== undefined && (options.endpoint ?? options['azure-endpoint']) !== undefined)
    throw new UsageError('--static writes the items of the cases; the items at an endpoint are not for files to share');
  const held = await heldBy(
    shown.map(({ system }) => system),
    options,
  );
  const all = shown.map(({ system, cases, origin }) => {
    const shownSystem = explored(system, cases, held.get(system));
    return origin === undefined ? shownSystem : { ...shownSystem, view: { ...shownSystem.view, origin } };
  });
  for (const { view, held: where } of all) {
    for (const { name } of where === undefined ? [] : view.tables) await where?.page(name, undefined, undefined);
  }
  return all;
}

function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new UsageError(`--port must be a number from 0 to 65535, got: '${given}'`);
}

async function engineOf({ system }: Explored) {
  return (await startEngines([system], {})).of(system);
}
