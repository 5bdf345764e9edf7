import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Environment, environments } from '../../constructs/environment';
import { counted } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { describeDifferences } from '../../lib/dynamodb/template/differences';
import { type TemplateJson, tablesIn } from '../../lib/dynamodb/template/tables';
import { type Lock, lockOf } from '../../lib/evolve';
import { differencesOf } from '../../lib/evolve/deployed/evidence';
import { tablesOfLock } from '../../lib/evolve/plan/waves';
import type { CasesOf } from '../../lib/proof/cases';
import { fixtureIn } from '../../lib/proof/fixture';
import { type AnyDatabase, deployedName } from '../../lib/proof/tables';
import { seenAt } from './against';
import { readArguments } from './arguments';
import { assertMeant, BECAUSE } from './because';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { lockFileOf, lockIn, planFileOf, subjectOf } from './evolution';
import { deployedOf, remove, writeData } from './evolution-files';
import { shownNamed } from './explored';
import { startEngines } from './prove-engines';
import { cloudFormationOf, terraformJsonOf } from './synthesize';

const OPTIONS = {
  environment: { type: 'string' },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  deploy: { type: 'string' },
  disposable: { type: 'boolean' },
  write: { type: 'boolean' },
  ...BECAUSE,
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

export const recreate: Command = {
  usage:
    '[design or file] [--environment dev] [--endpoint url] [--azure-endpoint connection] [--deploy command] [--disposable] [--write [--because reason]]',
  summary: 'recreates the tables of an environment, filled from the cases',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const { environment = 'dev' } = values;
    assertDisposable(environment, values.disposable);
    const { system } = await subjectOf(positionals, { environment });
    const cases = (await shownNamed(positionals)).find((shown) => shown.system.name === system.name)?.cases;
    assertPlace(system, values);
    if (values.write) assertMeant(values.because, `deletes every item of '${environment}'`);
    const settings = { ...environments.dev, name: environment };
    const engines = await startEngines([system], placeOf(values));
    try {
      const about = { system, environment: settings, ...(cases && { cases }) };
      return await recreateIn(engines.of(system), about, values, terminal);
    } finally {
      await engines.stop();
    }
  },
};

/** Refuses an environment that may contain data worth keeping. */
function assertDisposable(environment: string, isSaid = false): void {
  const known = Object.values(environments).find(({ name }) => name === environment);
  if (known?.protectData === true)
    throw new UsageError(
      `environment '${environment}' protects its data, so its tables are never recreated; write a plan instead: npx tablewright plan`,
    );
  if (known === undefined && !isSaid)
    throw new UsageError(
      `this would delete every item of '${environment}'; to confirm that all of its data is disposable, add --disposable`,
    );
}

/** Refuses to delete a stack's tables, because CloudFormation would not notice the deletion. */
function assertPlace({ cloud }: SystemDesign, { endpoint, 'azure-endpoint': account, deploy }: Values): void {
  if (cloud === 'azure') {
    if (account === undefined) throw new UsageError("the tables' address is unknown; pass --azure-endpoint");
    return;
  }
  if ((endpoint === undefined || endpoint === 'aws') && deploy === undefined)
    throw new UsageError(
      "tables on AWS belong to a stack; pass the command that recreates them, such as --deploy 'npx cdk destroy -f journal-dev && npx cdk deploy journal-dev', or --endpoint for a local DynamoDB",
    );
}

function placeOf({ endpoint, 'azure-endpoint': account }: Values) {
  return { endpoint: endpoint ?? 'aws', 'azure-endpoint': account };
}

interface About {
  readonly system: SystemDesign;
  readonly environment: Environment;
  readonly cases?: CasesOf;
}

async function recreateIn(
  database: AnyDatabase,
  { system, environment, cases = { system, tables: {} } }: About,
  values: Values,
  terminal: Terminal,
): Promise<number> {
  const lockFile = lockFileOf(system.name, environment.name);
  const before = existsSync(lockFile) ? lockIn(lockFile) : undefined;
  const names = namesOf(system, environment.name, before);
  const title = `${system.name} (${environment.name}) at ${database.name}`;
  if (!values.write) {
    terminal.line(
      `${title}: would delete ${names.join(', ')} and all their items, and recreate the tables; pass --write to do so`,
    );
    terminal.report({ tables: names, written: false });
    return 0;
  }
  const template = await (system.cloud === 'azure' ? terraformJsonOf : cloudFormationOf)(system, environment);
  const lock = lockOf(system, {
    environment: environment.name,
    deployed: deployedIn(system, template as TemplateJson),
  });
  if (values.deploy === undefined) {
    for (const name of names) await database.drop(name).catch(unlessMissing);
    await fill(database, template);
    await writeData(lockFile, lock);
  } else {
    // The lock is written before the deployment, because a stack that reads the lock refuses changes that the lock does
    // not contain.
    await writeData(lockFile, lock);
    try {
      deployed(values.deploy);
      await assertDeployed(lock, values.endpoint);
    } catch (error) {
      if (before === undefined) await remove(lockFile);
      else await writeData(lockFile, before);
      throw error;
    }
    await fill({ ...database, provision: async () => [] } as AnyDatabase, template);
  }
  await remove(planFileOf(system.name, environment.name));
  const from = Object.keys(cases.tables).length === 0 ? 'empty, because there are no cases' : 'filled from the cases';
  terminal.line(`${title}: ${counted(Object.keys(system.tables).length, 'table')} recreated, ${from}`);
  terminal.line(`${lockFile}: recorded; commit this file`);
  terminal.report({ tables: names, written: true, lock: lockFile });
  return 0;

  function fill(into: AnyDatabase, made: object): Promise<void> {
    const input = { system, cases, template: made, environment: environment.name } as Parameters<typeof fixtureIn>[1];
    return fixtureIn(into, input, () => undefined).reset();
  }

  async function assertDeployed(expected: Lock, endpoint: string | undefined): Promise<void> {
    if (system.cloud === 'azure') return;
    const tables = tablesOfLock(expected);
    const live = Object.keys(tables).map((table) => `table:${deployedName(system, environment.name, table)}`);
    const found = differencesOf(
      tables,
      await seenAt(live, { system, environment: environment.name, tables }, endpoint),
    );
    if (found.length > 0)
      throw new FileError(`after --deploy, the tables differ from the design\n${describeDifferences(found)}`);
  }
}

/** Returns the deployed names of all tables in the lock or in the design. */
function namesOf(system: SystemDesign, environment: string, lock: Lock | undefined): readonly string[] {
  const recorded = Object.entries(lock?.tables ?? {}).map(
    ([table, { physical }]) => physical.name ?? deployedName(system, environment, table),
  );
  const designed = Object.keys(system.tables).map((table) => deployedName(system, environment, table));
  return [...new Set([...recorded, ...designed])];
}

function deployedIn(system: SystemDesign, template: TemplateJson) {
  if (system.cloud === 'azure') return {};
  const made = tablesIn(template);
  const found = Object.keys(system.tables).flatMap((table) => {
    const physical = made.find(({ name = '' }) => name.endsWith(`-${table}`));
    return physical === undefined ? [] : [[table, physical] as const];
  });
  return deployedOf(Object.fromEntries(found));
}

function deployed(command: string): void {
  const { status, error } = spawnSync(command, { shell: true, stdio: ['inherit', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`the --deploy command ended with exit code ${status}; the lock is unchanged`);
}

function unlessMissing(error: Error & { readonly statusCode?: number }): void {
  if (error.name !== 'ResourceNotFoundException' && error.statusCode !== 404) throw error;
}
