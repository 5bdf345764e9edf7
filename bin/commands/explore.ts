import { SIGNALS } from '../../lib/engine/process';
import { Copy } from '../../lib/explore/engine/copy';
import { sampled } from '../../lib/explore/engine/held-rows';
import { type Explored, explore as explored } from '../../lib/explore/system';
import { readArguments } from './arguments';
import { type Command, type Terminal, UsageError } from './command';
import { DEMO } from './designs';
import { EVOLUTION } from './evolution';
import { type HeldOptions, heldBy } from './explore-held';
import { environmentNamed, reportsOn } from './explore-reports';
import { withAnswers } from './explore-static';
import { type Shown, shownNamed } from './explored';
import { atPort, readPort } from './ports';
import { startEngines } from './prove-engines';

const OPTIONS = {
  ...DEMO,
  ...EVOLUTION,
  static: { type: 'string' },
  port: { type: 'string' },
  proof: { type: 'string', multiple: true },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  table: { type: 'string', multiple: true },
  copy: { type: 'boolean' },
} as const;

export const explore: Command = {
  usage:
    '[design or file …] [--demo] [--static folder] [--port number] [--proof report.json …] [--environment prod] [--lock file] [--answers file] [--endpoint http://localhost:8000] [--azure-endpoint connection] [--table blog=journal-dev-blog …] [--copy]',
  summary: 'serves a page that shows designs and items, and runs patterns',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const port = readPort('--port', values.port) ?? 0;
    const mayCopy = values.copy === true;
    if (mayCopy && (values.endpoint ?? values['azure-endpoint']) === undefined)
      throw new UsageError('--copy copies the items at an endpoint; also pass --endpoint or --azure-endpoint');
    const shown = await shownNamed(positionals, values.demo);
    const systems = shown.map(({ system }) => system.name);
    const named = { ...values, environment: await environmentNamed(values, systems) };
    const withReports = reportsOn(named, systems);
    const all = (await lookedAt(shown, named)).map(withReports);
    const copies = new Map(
      all.map((system) => [system.view.name, new Copy(system, () => engineOf(system), undefined, mayCopy)]),
    );
    const stop = async () => {
      const running = [...copies.values(), ...all.flatMap(({ held }) => held ?? [])];
      await Promise.all(running.map((engine) => engine.stop()));
    };
    const copyOf = (system: string) => copies.get(system) as Copy;
    if (values.static !== undefined) return writeFiles(values.static, all, copyOf, terminal).finally(stop);
    const { serve } = await import('../../lib/explore/serve/server');
    const places = all.flatMap(({ held }) => held?.name ?? []);
    const isInPlace = places.length === all.length && !mayCopy;
    const engine = isInPlace ? { engine: `the tables at ${places[0]} (read-only)` } : {};
    const serving = await atPort(port, '--port', () => serve({ explored: all, copyOf, ...engine }, port));
    terminal.line(`open ${serving.address}`);
    terminal.note('only this machine can open the page; stop the server with Ctrl+C');
    for (const place of new Set(places)) terminal.note(mayCopy ? COPIED_NOTE : readNote(place));
    terminal.report({ address: serving.address }, [], true);
    // The engines stop when the process exits, even if the cause is a signal or an error.
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

const COPIED_NOTE =
  "--copy: patterns run on a copy of the items, in an embedded engine; until you stop the server, every program on this machine can read the copy through the engine's port";

function readNote(place: string): string {
  return `read patterns run on the tables at ${place}; write patterns are refused unless you pass --copy`;
}

/**
 * Writes the site. Returns exit code 1 if a pattern could not be run, so that a CI pipeline does not publish an
 * incomplete site.
 */
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
  terminal.report(
    { files },
    answered.flatMap(({ problems }) => problems),
  );
  return answered.every(({ isWhole }) => isWhole) ? 0 : 1;
}

/**
 * Returns the systems, with the items of their cases or with the items at an endpoint. An endpoint that the user passes
 * must have all tables of the systems on that endpoint's cloud.
 */
async function lookedAt(shown: readonly Shown[], options: HeldOptions & { readonly static?: string }) {
  if (options.static !== undefined && (options.endpoint ?? options['azure-endpoint']) !== undefined)
    throw new UsageError(
      '--static never writes items from an endpoint to files, because the files may be shared; omit the endpoint to write the items of the cases instead',
    );
  const held = await heldBy(
    shown.map(({ system }) => system),
    options,
  );
  const all: Explored[] = [];
  for (const { system, cases, origin } of shown) {
    const where = held.get(system);
    const items = where && (await sampled(where, explored(system).view.tables));
    const shownSystem = explored(system, cases, where, items);
    all.push(origin === undefined ? shownSystem : { ...shownSystem, view: { ...shownSystem.view, origin } });
  }
  return all;
}

async function engineOf({ system }: Explored) {
  return (await startEngines([system], {})).of(system);
}
