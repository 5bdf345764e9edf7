import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNALS } from '../../lib/engine/process';
import { Copy } from '../../lib/explore/engine/copy';
import { evolutionView } from '../../lib/explore/evolution';
import { proofView } from '../../lib/explore/proof';
import { type Explored, explore as explored } from '../../lib/explore/system';
import type { RunView } from '../../lib/explore/view';
import { readJson } from '../../lib/files/read';
import { readArguments } from './arguments';
import { type Command, type Terminal, UsageError } from './command';
import { readProject } from './config';
import { DEMO } from './designs';
import { lockIn, used } from './evolution';
import { type HeldOptions, heldBy } from './explore-held';
import { type Shown, shownNamed } from './explored';
import { startEngines } from './prove-engines';

const OPTIONS = {
  ...DEMO,
  static: { type: 'string' },
  port: { type: 'string' },
  proof: { type: 'string' },
  environment: { type: 'string' },
  lock: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  table: { type: 'string', multiple: true },
} as const;

export const explore: Command = {
  usage:
    '[design or file …] [--demo] [--static folder] [--port 4848] [--proof report.json] [--environment prod] [--lock file] [--endpoint http://localhost:8000] [--azure-endpoint connection] [--table blog=journal-dev-blog …]',
  summary: 'serves a page on designs: items, patterns to run, findings',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const port = portOf(values.port);
    const shown = await shownNamed(positionals, values.demo);
    const environment = values.environment ?? (await readProject())?.environment ?? 'prod';
    const named = { ...values, environment };
    const all = (await lookedAt(shown, named)).map((one) => withReports(one, named, shown.length));
    const copies = new Map(all.map((one) => [one.view.name, new Copy(one, () => engineOf(one))]));
    const stop = () =>
      Promise.all([...copies.values(), ...all.flatMap(({ held }) => held ?? [])].map((one) => one.stop()));
    if (values.static !== undefined) {
      const { writeSite } = await import('../../lib/explore/serve/static');
      try {
        const answered: Explored[] = [];
        for (const one of all) answered.push(await withAnswers(one, copies.get(one.view.name) as Copy, terminal));
        terminal.line(`${await writeSite(values.static, answered)}: written`);
      } finally {
        await stop();
      }
      return 0;
    }
    const { serve } = await import('../../lib/explore/serve/server');
    const serving = await serve({ explored: all, copyOf: (system) => copies.get(system) as Copy }, port);
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

/** The systems with the items of their cases, or with those of an endpoint, where all of their tables must be. */
async function lookedAt(shown: readonly Shown[], options: HeldOptions & { readonly static?: string }) {
  if (options.static !== undefined && (options.endpoint ?? options['azure-endpoint']) !== undefined)
    throw new UsageError('--static writes the items of the cases; what an endpoint holds is not for files to share');
  const held = await heldBy(
    shown.map(({ system }) => system),
    options,
  );
  const all = shown.map(({ system, cases }) => explored(system, cases, held.get(system)));
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

interface Reports {
  readonly proof?: string;
  readonly lock?: string;
  readonly environment: string;
}

/** With the last proof and the lock, where there are such. */
function withReports(one: Explored, { proof: report, lock: named, environment }: Reports, systems: number): Explored {
  if (named !== undefined && systems > 1) throw new UsageError('a lock is for one system; name that system');
  const { name } = one.view;
  const file = named ?? join('tablewright', `${name}.${environment}.lock.json`);
  const proof = report === undefined ? undefined : reported(report, name);
  const evolution =
    named === undefined && !existsSync(file) ? undefined : used(() => evolutionView(one.system, lockIn(file)));
  return {
    ...one,
    view: {
      ...one.view,
      ...(proof === undefined ? {} : { proof }),
      ...(evolution === undefined ? {} : { evolution }),
    },
  };
}

function reported(file: string, system: string) {
  const report = used(() => readJson(file));
  try {
    return proofView(report, system);
  } catch (error) {
    throw new UsageError(`--proof: '${file}': ${(error as Error).message}`);
  }
}

/** With what came of each case, or of an example: a site of files has no engine. */
async function withAnswers(one: Explored, copy: Copy, terminal: Terminal): Promise<Explored> {
  const { view, cases } = one;
  const problems: string[] = [];
  const answerOf = async (name: string, values: object | undefined): Promise<{ run?: RunView }> => {
    if (values === undefined || problems.length > 0) return {};
    terminal.status(`  ${view.name}: ${name}`);
    try {
      return { run: await copy.run(name, values as Record<string, unknown>) };
    } catch (error) {
      problems.push(`no pattern was run: ${(error as Error).message}`);
      return {};
    }
  };
  const tables = [];
  for (const table of view.tables) {
    const patterns = [];
    for (const pattern of table.patterns) {
      patterns.push({
        ...pattern,
        ...(await answerOf(pattern.name, cases.tables[table.name]?.patterns[pattern.name]?.values ?? pattern.example)),
      });
    }
    tables.push({ ...table, patterns });
  }
  const procedures = [];
  for (const procedure of view.procedures) {
    procedures.push({ ...procedure, ...(await answerOf(procedure.name, cases.procedures?.[procedure.name]?.values)) });
  }
  for (const problem of problems) terminal.note(`${view.name}: ${problem}`);
  return { ...one, view: { ...view, tables, procedures, problems: [...view.problems, ...problems] } };
}
