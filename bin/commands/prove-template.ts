import { randomBytes } from 'node:crypto';
import { stacksIn, type TerraformJson } from '../../lib/azure-tables/terraform';
import { blueprint } from '../../lib/blueprint/table';
import { suggestion } from '../../lib/design/names';
import type { SystemDesign } from '../../lib/design/system';
import { readAssembly, type SynthesizedStack } from '../../lib/dynamodb/template/assembly';
import { compareTable, type Difference, describeDifferences } from '../../lib/dynamodb/template/differences';
import { type TemplateJson, tablesIn } from '../../lib/dynamodb/template/tables';
import { inTemporaryFolder } from '../../lib/files/folder';
import { candidatesIn, environmentIn, proofStacks, proofTemplate } from '../../lib/proof/template';
import { FileError, UsageError } from './command';
import { terraformOf } from './prove-terraform';

/** An environment of its own: whatever the endpoint, no table that is deployed has its name, and so none is touched. */
export const ENVIRONMENT = `proof-${randomBytes(4).toString('hex')}`;

export interface TemplateOptions {
  /** A folder that `cdk synth` wrote. @default - each system is synthesized here, as in dev */
  readonly assembly?: string;
  readonly stack?: readonly string[];
  /** Pairs of a table and its place, as `orders=OrdersTable1A2B3C4D`. */
  readonly table?: readonly string[];
  /** A folder that the Azure app wrote. @default 'cdktf.out' */
  readonly terraform?: string;
  /** Whose tables are proved, where there are those of several. @default 'dev' */
  readonly environment?: string;
  /** Whether the environment was asked for, so that the tables of another are not proved in its place. */
  readonly isAsked?: boolean;
}

/** A template, and where it is from, for a person to read. */
export interface Found<T> {
  readonly template: T;
  readonly from: string;
  /** Where the tables that were synthesized are not those of the design. @default - it was not looked for */
  readonly differences?: readonly Difference[];
}

type Finder<T> = (system: SystemDesign) => Promise<Found<T>>;

/** Finds the template that would be deployed, not the design: so that a wrong template cannot pass. */
export function templateFinder(
  options: TemplateOptions,
  systems: readonly SystemDesign[],
): Finder<TemplateJson | TerraformJson> {
  const { terraform = 'cdktf.out', stack = [] } = options;
  if (options.assembly === undefined && options.table !== undefined) throw new UsageError(NEEDS_ASSEMBLY);
  const elsewhere = () => stacksIn(terraform).map(({ name }) => name);
  let onAws: Finder<TemplateJson> | undefined;
  return async (system) => {
    if (system.cloud === 'azure') {
      const own = options.assembly === undefined ? stack : stack.filter((name) => elsewhere().includes(name));
      return terraformOf(system, terraform, own, options);
    }
    // Its stacks are looked for when there is a system that may be in them: --stack may name one of the other cloud.
    onAws ??= awsFinder(options, systems, elsewhere);
    return onAws(system);
  };
}

const NEEDS_ASSEMBLY = '--stack and --table need --assembly';

/** As systems are synthesized where there is no assembly. */
const USUAL = 'dev';

/** @param elsewhere the stacks of the other cloud, which may be named, too */
function awsFinder(
  { assembly, stack = [], table = [], environment = USUAL, isAsked = false }: TemplateOptions,
  systems: readonly SystemDesign[],
  elsewhere: () => readonly string[],
): Finder<TemplateJson> {
  if (assembly === undefined) {
    if (stack.length + table.length > 0) throw new UsageError(NEEDS_ASSEMBLY);
    if (isAsked) throw new UsageError('--environment needs --assembly: without one, there is the design alone');
    return synthesize;
  }
  const all = readAssembly(assembly);
  for (const name of stack) {
    if (all.some((one) => one.name === name) || elsewhere().includes(name)) continue;
    throw new UsageError(
      `--stack: there is no '${name}' in '${assembly}'; there are ${all.map((one) => one.name).join(', ')}`,
    );
  }
  const named = all.filter(({ name }) => stack.includes(name));
  const chosen = named.length === 0 ? all : named;
  const places = Object.fromEntries(table.map((pair) => readPlace(pair, systems)));
  return async (system) => {
    // As the constructs do, whoever made these stacks.
    (await import('../../lib/check')).assertSound(system);
    if (isAsked) assertThere(system, environment, chosen, assembly);
    const stacks = asked(() => proofStacks(system, chosen, places, environment));
    const from = `stack${stacks.length === 1 ? '' : 's'} ${stacks.join(', ')} (${assembly})`;
    const template = proofTemplate(system, ENVIRONMENT, chosen, places, environment);
    return { template, from, differences: differencesIn(system, template) };
  };
}

function differencesIn({ tables }: SystemDesign, template: TemplateJson): readonly Difference[] {
  return tablesIn(template).flatMap((table) => {
    const design = tables[table.logicalId];
    return design === undefined ? [] : [...compareTable(blueprint(design), table)];
  });
}

/** What a failure is likely to come from, where the tables of an assembly are not those of the design; else nothing. */
export function staleness(from: string, differences: readonly Difference[] = []): string | undefined {
  if (differences.length === 0) return undefined;
  const lines = describeDifferences(differences).split('\n');
  return [
    `the tables of ${from} are not those of the design; if the design was changed since, run 'npx cdk synth' again`,
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}

/** Refuses an environment that no table is of, where their names tell. */
function assertThere(
  system: SystemDesign,
  environment: string,
  stacks: readonly SynthesizedStack[],
  assembly: string,
): void {
  const all = stacks.flatMap(candidatesIn);
  const known = Object.keys(system.tables).flatMap((table) =>
    all.flatMap((candidate) => environmentIn(system, table, candidate) ?? []),
  );
  if (known.length === 0 || known.includes(environment)) return;
  throw new UsageError(
    `--environment: '${assembly}' has no table of '${system.name}' in '${environment}'; ${suggestion(environment, [...new Set(known)])}`,
  );
}

function readPlace(pair: string, systems: readonly SystemDesign[]): readonly [string, string] {
  const [, table, place] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
  if (table === undefined || place === undefined) {
    throw new UsageError(
      `--table must be a table and its name or logical id, such as orders=my-orders, got: '${pair}'`,
    );
  }
  const known = [...new Set(systems.flatMap(({ tables }) => Object.keys(tables)))];
  if (!known.includes(table)) {
    throw new UsageError(`--table: there is no table '${table}'; ${suggestion(table, known)}, got: '${pair}'`);
  }
  return [table, place];
}

/** Which table is meant has to be said. */
function asked<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new FileError((error as Error).message);
  }
}

async function synthesize(design: SystemDesign): Promise<Found<TemplateJson>> {
  process.env.CDK_VALIDATION ??= 'false';
  // First, since it says what to install where there is no aws-cdk-lib.
  const { environments, SystemStack } = await import('../../constructs/aws/index');
  const { App } = await import('aws-cdk-lib/core');
  return inTemporaryFolder((outdir) => {
    const app = new App({ analyticsReporting: false, outdir });
    const environment = { ...environments.dev, name: ENVIRONMENT };
    const { stackName } = new SystemStack(app, design.name, { design, environment });
    const { template } = app.synth().getStackByName(stackName);
    return { template, from: 'the design, as in dev (no --assembly given)' };
  });
}
