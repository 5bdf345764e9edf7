import { existsSync, type FSWatcher, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { PhysicalTables } from '../../lib/blueprint/physical-table';
import { type Finding, review } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { SIGNALS } from '../../lib/engine/process';
import { stageOf } from '../../lib/evolve/plan/stage';
import { Copy } from '../../lib/explore/engine/copy';
import { heldIn } from '../../lib/explore/engine/held';
import { sampled } from '../../lib/explore/engine/held-rows';
import { explore } from '../../lib/explore/system';
import { filesImportedBy } from '../../lib/files/imports';
import { readJson } from '../../lib/files/read';
import { emptyLocal, type Local, type LocalOptions, localIn } from '../../lib/local/local';
import type { StreamHandler } from '../../lib/local/streams';
import type { Outcome } from '../../lib/local/tables';
import type { CasesOf } from '../../lib/proof/cases';
import { readArguments, readChoice } from './arguments';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { readProject } from './config';
import { DEMO, sourcesNamed } from './designs';
import { startDynamoDbLocal } from './dev-engine';
import { reportedOf } from './envelope';
import { lockFileOf, planFileOf } from './evolution';
import { shownNamed } from './explored';
import { afresh, loadModule } from './modules';
import { atPort, readPort } from './ports';
import { startEngines } from './prove-engines';

const OPTIONS = {
  ...DEMO,
  environment: { type: 'string' },
  port: { type: 'string' },
  explorer: { type: 'string' },
  data: { type: 'string' },
  handler: { type: 'string' },
  step: { type: 'string' },
  engine: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

/**
 * The folder for the file that contains environment variables for other programs. A .gitignore in the folder keeps the
 * file out of commits.
 */
const FOLDER = '.tablewright';

/** What a line about a table says besides the outcome. */
const MORE: Partial<Record<Outcome, string>> = {
  refilled: ' with the items of the cases',
  recreated: ', because its key attributes changed; it now has only the items of the cases',
};

const PORTS = { aws: 8000, azure: 10002 } as const;

export const dev: Command = {
  usage:
    '[design or file] [--demo] [--environment dev] [--port number] [--explorer number] [--data folder] [--handler file] [--step name] [--engine embedded|dynamodb-local] [--endpoint url] [--azure-endpoint connection]',
  summary: "runs a design's tables on this machine, for your app",
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const engine = readChoice('--engine', values.engine, ['embedded', 'dynamodb-local']);
    const ports = { engine: readPort('--port', values.port), explorer: readPort('--explorer', values.explorer) ?? 0 };
    const environment = values.environment ?? 'dev';
    const loadCases = () => afresh(() => casesFor(positionals, values.demo));
    const cases = await loadCases();
    if (!isSound(cases, terminal)) return 1;
    const local = await begin(cases, { ...values, environment, engine }, ports.engine, terminal);
    const running = new Running(local, { environment, positionals, values, loadCases, terminal });
    try {
      await running.start(cases, ports.explorer);
      return await untilSignal(() => running.stop());
    } catch (error) {
      await running.stop();
      throw error;
    }
  },
};

/** The command line's options, and the objects that the command needs. */
interface Asked {
  readonly environment: string;
  readonly positionals: readonly string[];
  readonly values: Values;
  readonly terminal: Terminal;
  loadCases(): Promise<CasesOf>;
}

/** Runs the tables, the page and the watcher, from start to shutdown. */
class Running {
  private readonly ends: (() => Promise<void> | void)[] = [];
  private readonly watched = new Watched(() => this.renew());
  /** The files whose imports are watched too. */
  private entries: readonly string[] = [];

  public constructor(
    private readonly local: Local,
    private readonly asked: Asked,
  ) {
    this.ends.push(() => local.stop());
  }

  public async start(cases: CasesOf, explorerPort: number): Promise<void> {
    const { terminal, values } = this.asked;
    await this.bring(cases);
    this.writeEnvironment();
    const explorer = await this.serveExplorer(cases, explorerPort);
    terminal.line(`open ${explorer}`);
    this.entries = values.demo ? [] : await entriesOf(this.asked.positionals);
    this.ends.push(() => this.watched.stop());
    this.watched.add(filesImportedBy(this.entries));
    terminal.note(`${this.entries.length > 0 ? 'watching the design; ' : ''}press Ctrl+C to stop`);
    terminal.report({ variables: join(FOLDER, 'dev.env'), explorer, tables: this.tablesOf(cases) }, [], true);
  }

  public async stop(): Promise<void> {
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  /** The deployed name of each table. */
  private tablesOf({ system }: CasesOf): Readonly<Record<string, string>> {
    const names = Object.keys(system.tables);
    return Object.fromEntries(names.map((table) => [table, this.local.tableName(table)]));
  }

  private async bring(cases: CasesOf): Promise<void> {
    const { system } = cases;
    const { terminal } = this.asked;
    const outcomes = await this.local.bring(cases, stepTables(cases, this.asked));
    for (const [table, outcome] of Object.entries(outcomes)) {
      const isOwn = Object.hasOwn(system.tables, table);
      const name = isOwn ? this.local.tableName(table) : table;
      terminal.line(`${name}: ${outcome}${MORE[outcome] ?? ''}`);
      const [first, ...others] = isOwn ? await this.local.misfits(table) : [];
      if (first === undefined) continue;
      const count = others.length === 0 ? '1 item does' : `${others.length + 1} items do`;
      const text = ` ${name}: ${count} not fit the design, so patterns may not find or read them; the first is ${first.key}: ${first.why}; to start again with new tables, ${this.howToStartAgain()}`;
      terminal.line({ style: 'yellow', text: 'warning' }, text);
    }
  }

  /** Never deletes items itself, because the app may have written them. */
  private howToStartAgain(): string {
    const { data, endpoint, 'azure-endpoint': azure } = this.asked.values;
    const again = `start dev again, and source ${join(FOLDER, 'dev.env')} again`;
    if (data !== undefined) return `stop dev, delete '${data}', ${again}`;
    return (endpoint ?? azure) === undefined ? `stop dev, ${again}` : 'delete the table, and restart dev';
  }

  /** Reloads the design after a change. If the design has an error, the tables stay unchanged. */
  private async renew(): Promise<void> {
    const { terminal, loadCases } = this.asked;
    let cases: CasesOf;
    try {
      // The design may import more files than before.
      this.watched.add(filesImportedBy(this.entries.filter((file) => existsSync(file))));
      cases = await loadCases();
    } catch (error) {
      terminal.note(`${(error as Error).message}; the tables stay unchanged`);
      return;
    }
    if (!isSound(cases, terminal)) return terminal.note('the tables stay unchanged until the design is fixed');
    await this.bring(cases).catch((error: Error) => terminal.note(`the tables cannot be updated: ${error.message}`));
  }

  private writeEnvironment(): void {
    const { terminal } = this.asked;
    const lines = Object.entries(this.local.env).map(([name, value]) => `export ${name}='${value}'`);
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
    const file = join(FOLDER, 'dev.env');
    writeFileSync(join(FOLDER, '.gitignore'), '*\n');
    rmSync(file, { force: true });
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    this.ends.push(() => rmSync(file, { force: true }));
    terminal.line(`run this in your app's shell: . ${file}`);
    for (const [name, value] of Object.entries(this.local.env))
      terminal.line(`  ${name}${/SECRET|CONNECTION/.test(name) ? ' (only in that file)' : `=${value}`}`);
  }

  private async serveExplorer(cases: CasesOf, port: number): Promise<string> {
    const { serve } = await import('../../lib/explore/serve/server');
    const { system } = cases;
    const held = heldIn(system, this.local.database, (table) => this.local.tableName(table));
    const explored = explore(system, cases, held, await sampled(held, explore(system).view.tables));
    const copy = new Copy(explored, async () => (await startEngines([system], {})).of(system), undefined, true);
    const serving = await atPort(port, '--explorer', () => serve({ explored: [explored], copyOf: () => copy }, port));
    this.ends.push(async () => {
      await serving.stop();
      await copy.stop();
    });
    return serving.address;
  }
}

/** Returns the system to run and its cases; the cases' items fill the tables. */
async function casesFor(names: readonly string[], demo = false): Promise<CasesOf> {
  const shown = await shownNamed(names, demo);
  const [only, ...more] = shown;
  if (only === undefined || more.length > 0)
    throw new UsageError(
      `'tablewright dev' runs one system; choose one of ${shown.map(({ system }) => system.name).join(', ') || 'your designs'}`,
    );
  return only.cases ?? { system: only.system, tables: {} };
}

/** Returns the files that export the named designs and the project's cases. */
async function entriesOf(names: readonly string[]): Promise<readonly string[]> {
  const sources = await sourcesNamed(names).catch(() => []);
  const project = await readProject().catch(() => undefined);
  const entries = [...sources.flatMap(({ file }) => file ?? []), ...(project?.cases ?? [])];
  return entries.filter((file) => existsSync(file));
}

function isSound({ system }: CasesOf, terminal: Terminal): boolean {
  const { findings } = review(system, { notes: false });
  const errors = findings.filter(({ severity }) => severity === 'error');
  for (const finding of errors) terminal.line({ style: 'red', text: 'error' }, ` ${describe(finding)}`);
  terminal.report(
    { system: system.name },
    findings.map((finding) => reportedOf(finding, { design: system.name })),
  );
  const warnings = findings.length - errors.length;
  if (warnings > 0) terminal.note(`${counted(warnings, 'warning')}; npx tablewright check lists them`);
  return errors.length === 0;
}

function describe({ path, message, fix, rule }: Finding): string {
  return `${path}: ${message}; fix: ${fix}   [${rule}]`;
}

/** Returns the tables at a step of the environment's plan. */
function stepTables({ system }: CasesOf, { environment, values: { step } }: Asked): PhysicalTables | undefined {
  if (step === undefined) return undefined;
  const [lockFile, planFile] = [lockFileOf(system.name, environment), planFileOf(system.name, environment)];
  for (const file of [lockFile, planFile])
    if (!existsSync(file))
      throw new FileError(`--step needs a plan, but there is no '${file}'; write a plan first: npx tablewright plan`);
  const evolution = { lock: readJson(lockFile) as object, plan: readJson(planFile) as object, step };
  const { tables } = stageOf(system, environment, evolution);
  return Object.fromEntries(Object.entries(tables).map(([name, { physical }]) => [name, physical]));
}

/** Starts the engine, or connects to an endpoint. */
async function begin(
  { system }: CasesOf,
  asked: Values & { readonly environment: string; readonly engine: string },
  port: number | undefined,
  terminal: Terminal,
): Promise<Local> {
  const { environment, data, handler, engine } = asked;
  const elsewhere = system.cloud === 'azure' ? asked['azure-endpoint'] : asked.endpoint;
  const options: LocalOptions = {
    environment,
    port: port ?? PORTS[system.cloud],
    ...(data === undefined ? {} : { data: resolve(data) }),
    ...(handler === undefined ? {} : { onChange: await handlerIn(handler) }),
    onFailure: (error) => terminal.note(`${handler}: ${(error as Error).stack ?? String(error)}`),
  };
  const isEmbedded = elsewhere === undefined && engine === 'embedded';
  if (!isEmbedded && (handler !== undefined || data !== undefined))
    throw new UsageError(`--${handler === undefined ? 'data' : 'handler'} needs the embedded engine`);
  if (handler !== undefined && system.cloud === 'azure')
    throw new UsageError('--handler follows DynamoDB streams; Azure Tables has none');
  if (elsewhere !== undefined) return localIn((await startEngines([system], asked)).of(system), options);
  if (engine === 'dynamodb-local') return localIn(await startDynamoDbLocal(options.port as number), options);
  return atPort(options.port as number, '--port', () => emptyLocal(system, options));
}

/** Returns the handler that a module exports: as `handler`, like a Lambda function, or as the default export. */
async function handlerIn(file: string): Promise<StreamHandler> {
  if (!existsSync(file)) throw new FileError(`--handler: there is no file '${file}'`);
  const { loaded } = await loadModule(resolve(file));
  const { handler, default: other } = Object(loaded) as { handler?: unknown; default?: unknown };
  const found = handler ?? (typeof other === 'function' ? other : Object(other).handler);
  if (typeof found !== 'function')
    throw new FileError(
      `'${file}' must export a function named 'handler'; it exports ${Object.keys(Object(loaded)).join(', ') || 'nothing'}`,
    );
  return found as StreamHandler;
}

/** Calls `changed` once for a burst of changes, because editors write a file in several steps and often replace it. */
class Watched {
  private readonly files = new Set<string>();
  private readonly folders = new Map<string, FSWatcher>();
  private timer: NodeJS.Timeout | undefined;
  private turn = Promise.resolve();

  public constructor(private readonly changed: () => Promise<void>) {}

  public add(files: readonly string[]): void {
    for (const file of files) {
      this.files.add(file);
      const folder = dirname(file);
      if (this.folders.has(folder)) continue;
      this.folders.set(
        folder,
        watch(folder, (_, name) => {
          if (name === null || this.files.has(join(folder, name))) this.wait();
        }),
      );
    }
  }

  public stop(): void {
    clearTimeout(this.timer);
    for (const watcher of this.folders.values()) watcher.close();
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.turn = this.turn.then(this.changed);
    }, 100);
  }
}

/** Waits for a signal, and then stops the engine, the page and the watcher. */
function untilSignal(stop: () => Promise<void>): Promise<number> {
  return new Promise((ended, failed) => {
    for (const [signal, code] of Object.entries(SIGNALS)) {
      process.once(signal, () => void stop().then(() => ended(signal === 'SIGINT' ? 0 : code), failed));
    }
  });
}
