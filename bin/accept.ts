import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemDesign } from '../lib/design/system';
import { dynamoDbClient } from '../lib/dynamodb/engine/connection';
import type { Database } from '../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../lib/dynamodb/engine/dynamodb';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { SIGNALS } from '../lib/engine/process';
import { replacePublic } from '../lib/files/write';
import { prove } from '../lib/proof/prove';
import { systemsOf } from '../lib/systems';
import { cases as casesOf } from '../lib/systems/cases';
import { type Account, accountOf } from './accept/cloud';
import { Consumption } from './accept/counted';
import { planTrials } from './accept/plan';
import { isAccepted, pageOf, type Trial } from './accept/report';
import { roleTrials } from './accept/roles';
import { ENVIRONMENT, throwawayTemplate } from './accept/stack';
import { readArguments } from './commands/arguments';
import { UsageError } from './commands/command';
import { exitCodeOf, standardTerminal, tell } from './commands/standard';

const OPTIONS = {
  profile: { type: 'string' },
  region: { type: 'string' },
  endpoint: { type: 'string' },
  system: { type: 'string' },
  items: { type: 'string' },
  reports: { type: 'string' },
  cleanup: { type: 'string' },
} as const;

const terminal = standardTerminal(process);

/**
 * The suffix of a marker file. Each marker file is named after its run, and exists until all of the run's resources are
 * destroyed.
 */
const UNFINISHED = '.unfinished';

async function accept(args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, OPTIONS);
  const { profile, region, endpoint, reports = 'acceptance' } = values;
  if ((profile === undefined) === (endpoint === undefined))
    throw new UsageError(
      'pass --profile <name> for AWS, or --endpoint http://… (or --endpoint embedded) for another DynamoDB engine',
    );
  const account = profile === undefined ? undefined : accountOf(profile, region);
  const at = await account?.whoami();
  if (profile !== undefined) process.env.AWS_PROFILE = profile;
  if (at !== undefined) process.env.AWS_REGION = at.region;
  mkdirSync(reports, { recursive: true });
  const database = await databaseAt(endpoint);
  try {
    if (values.cleanup !== undefined) {
      const names = values.cleanup === 'all' ? unfinishedIn(reports) : [nameGiven(values.cleanup)];
      for (const name of names) await destroy(name, database, account, reports);
      terminal.line(`${names.length === 0 ? 'nothing' : names.join(', ')} cleaned up`);
      return 0;
    }
    return await acceptOn(database, account, at, values, reports);
  } finally {
    await database.stop();
  }
}

async function acceptOn(
  plain: Database,
  account: Account | undefined,
  at: { readonly account: string; readonly region: string } | undefined,
  values: ReturnType<typeof readArguments<typeof OPTIONS>>['values'],
  reports: string,
): Promise<number> {
  const { system: wanted = 'booking', items = '500' } = values;
  const bundled = systemsOf('aws').find(({ name }) => name === wanted);
  if (bundled === undefined)
    throw new UsageError(
      `--system must be one of ${systemsOf('aws')
        .map(({ name }) => name)
        .join(', ')}, got: '${wanted}'`,
    );
  if (!/^[1-9]\d*$/.test(items)) throw new UsageError(`--items must be a whole number of at least 1, got: '${items}'`);
  const cases = casesOf[wanted] as (typeof casesOf)[string];
  const name = `accept-${randomBytes(4).toString('hex')}`;
  const system: SystemDesign = { ...bundled, name };
  const began = new Date();
  const trials: Trial[] = [];
  const consumption = new Consumption();
  const database = consumption.of(plain);
  const add = (trial: Trial) => {
    trials.push(trial);
    terminal.line(`${trial.result.padEnd(8)} ${trial.part}: ${trial.name}${trial.detail ? ` (${trial.detail})` : ''}`);
  };
  const guard = signals(values);
  for (const earlier of unfinishedIn(reports))
    terminal.note(`the run ${earlier} did not finish; remove its resources: ${guard.advice(earlier)}`);
  terminal.line(`${wanted} as ${name}, at ${database.name}`);
  writeFileSync(join(reports, `${name}${UNFINISHED}`), `${began.toISOString()}\n`);
  try {
    const template = throwawayTemplate(system, name);
    let tables = database;
    let outputs: Readonly<Record<string, string>> | undefined;
    if (account === undefined) {
      add({
        part: 'deploy',
        name: 'the stack',
        result: 'left out',
        detail: 'only AWS has CloudFormation; on this engine, the tables are created from the template',
      });
    } else {
      const file = join(tmpdir(), `${name}.json`);
      writeFileSync(file, JSON.stringify(template), { mode: 0o600 });
      outputs = await account.deploy(name, file).finally(() => rmSync(file));
      add({ part: 'deploy', name: 'the stack', result: 'ok' });
      // The proof uses the stack's tables. It neither creates nor drops tables: the stack's tables exist until the
      // stack is destroyed.
      tables = { ...database, provision: async () => [], drop: async () => undefined };
    }
    for await (const { name: pattern, failure, unproved } of prove(tables, {
      system,
      cases,
      template,
      environment: ENVIRONMENT,
    })) {
      const result = failure !== undefined ? 'FAILED' : unproved !== undefined ? 'left out' : 'ok';
      const detail = failure ?? unproved;
      add({ part: 'proof', name: pattern, result, ...(detail === undefined ? {} : { detail }) });
      if (guard.isStopped()) break;
    }
    if (account === undefined || at === undefined || outputs === undefined)
      add({
        part: 'roles',
        name: 'what the granted roles may and may not do',
        result: 'left out',
        detail: 'only AWS has IAM',
      });
    else
      for await (const trial of roleTrials({
        ...{ system, cases, account, at, outputs, consumption, isStopped: guard.isStopped },
      }))
        add(trial);
    if (!guard.isStopped()) {
      for await (const trial of planTrials({ database, name, items: Number(items), isStopped: guard.isStopped }))
        add(trial);
    }
    if (guard.isStopped())
      add({ part: 'destroy', name: 'interrupted', result: 'FAILED', detail: 'a signal stopped the run' });
  } catch (error) {
    add({ part: 'destroy', name: 'interrupted', result: 'FAILED', detail: (error as Error).message });
  } finally {
    await destroy(name, database, account, reports).then(
      () => add({ part: 'destroy', name: 'the stack and every table', result: 'ok' }),
      (error: Error) =>
        add({
          part: 'destroy',
          name: 'the stack and every table',
          result: 'FAILED',
          detail: `${error.message}; ${guard.advice(name)}`,
        }),
    );
    guard.off();
  }
  const where = at === undefined ? database.name : `AWS, ${at.region}`;
  const report = { name, system: wanted, where, began, ended: new Date(), trials, units: consumption.units };
  const day = `${began.toISOString().slice(0, 10)}-${wanted}-${at === undefined ? 'endpoint' : at.region}`;
  // An interrupted run must not overwrite the report of a completed run.
  const file = join(reports, `${day}${guard.isStopped() ? '-interrupted' : ''}.md`);
  await replacePublic(file, pageOf(report));
  terminal.line(`${isAccepted(report) ? 'accepted' : 'NOT accepted'}: ${file}`);
  return guard.code() ?? (isAccepted(report) ? 0 : 1);
}

async function databaseAt(endpoint: string | undefined): Promise<Database> {
  if (endpoint === 'embedded') return embeddedEngine();
  return dynamoDbEngine(endpoint === undefined ? {} : { endpoint });
}

/** Deletes the stack and every table whose name begins with the run's name. */
async function destroy(name: string, database: Database, account: Account | undefined, reports: string): Promise<void> {
  await account?.destroy(name);
  const { core, client } = await dynamoDbClient(database.endpoint, undefined, database.credentials);
  try {
    let from: string | undefined;
    const found: string[] = [];
    do {
      const page = await client.send(new core.ListTablesCommand({ ExclusiveStartTableName: from }));
      found.push(...(page.TableNames ?? []).filter((table) => table.startsWith(`${name}-`)));
      from = page.LastEvaluatedTableName;
    } while (from !== undefined);
    for (const table of found) await database.drop(table);
  } finally {
    client.destroy();
  }
  rmSync(join(reports, `${name}${UNFINISHED}`), { force: true });
}

function unfinishedIn(reports: string): readonly string[] {
  return readdirSync(reports).flatMap((file) =>
    file.endsWith(UNFINISHED) ? [nameGiven(file.slice(0, -UNFINISHED.length))] : [],
  );
}

/**
 * Refuses a name that no run could have. Cleanup deletes every table and stack whose name begins with the given name,
 * so an arbitrary name could match resources that no run created.
 */
function nameGiven(name: string): string {
  if (/^accept-[0-9a-f]{8}$/.test(name)) return name;
  throw new UsageError(`--cleanup takes the name of a run, such as accept-1a2b3c4d, or 'all', got: '${name}'`);
}

/** On the first signal, stops the current part and destroys all resources; on the second signal, exits. */
function signals({ profile, endpoint }: { profile?: string | undefined; endpoint?: string | undefined }) {
  const where = profile === undefined ? `--endpoint ${endpoint}` : `--profile ${profile}`;
  const advice = (name: string) => `npm run accept -- ${where} --cleanup ${name}`;
  let code: number | undefined;
  const handlers = Object.entries(SIGNALS).map(([signal, itsCode]) => {
    const stop = () => {
      if (code !== undefined) {
        terminal.note(`some resources are left; remove them: ${advice('all')}`);
        process.exit(itsCode);
      }
      code = itsCode;
      terminal.note('stopping, and destroying every resource of the run');
    };
    process.on(signal, stop);
    return () => process.off(signal, stop);
  });
  const off = () => {
    for (const end of handlers) end();
  };
  return { isStopped: () => code !== undefined, code: () => code, off, advice };
}

accept(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    tell(terminal, error, 'accept: ');
    process.exit(exitCodeOf(error));
  },
);
