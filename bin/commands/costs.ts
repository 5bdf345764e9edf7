import { environmentOf, environments } from '../../constructs/environment';
import { readStack, stacksIn } from '../../lib/azure-tables/terraform';
import { awsCosts } from '../../lib/costs/aws';
import { azureCosts } from '../../lib/costs/azure';
import { type Cost, monthlyOf } from '../../lib/costs/cost';
import { PRICES, type Prices, pricesFrom } from '../../lib/costs/prices';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import { readJson } from '../../lib/files/read';
import { readArguments, readChoice, readOption } from './arguments';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { comparedOf, printCompared } from './costs-compared';
import { loadedOf, loadNamed, printLoaded } from './costs-load';
import { stackOf } from './costs-stack';
import { DEMO, designsNamed } from './designs';
import { columns } from './printable';
import { noStackIn } from './prove-terraform';

const OPTIONS = {
  ...DEMO,
  environment: { type: 'string', multiple: true },
  assembly: { type: 'string' },
  terraform: { type: 'string' },
  prices: { type: 'string' },
  load: { type: 'string' },
  on: { type: 'string' },
} as const;

/** The costs of one stack. */
interface StackCosts {
  readonly stack: string;
  readonly monthly: number;
  readonly costs: readonly Cost[];
}

export const costs: Command = {
  usage:
    '[design or file …] [--demo] [--environment prod …] [--on azure] | --assembly cdk.out | --terraform cdktf.out [--load load.json] [--prices prices.json]',
  summary: 'shows what a design costs in an environment and under a load',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const prices = values.prices === undefined ? PRICES : pricesIn(values.prices);
    const on = values.on === undefined ? undefined : readChoice('--on', values.on, ['azure']);
    const stacks = await stacksNamed(positionals, { ...values, on }, prices);
    const isOfFolder = values.assembly !== undefined || values.terraform !== undefined;
    const named = isOfFolder ? { systems: [] } : await loadNamed(positionals, values);
    const loaded = on === undefined ? loadedOf(named, prices) : [];
    const compared = on === undefined ? [] : comparedOf(named, prices);
    if (!isOfFolder && values.environment === undefined)
      terminal.line(
        'stacks for each built-in environment (choose with --environment, or pass --assembly for your own):',
      );
    print(stacks, terminal);
    for (const system of loaded) printLoaded(system, terminal);
    for (const system of compared) printCompared(system, terminal);
    terminal.line(
      `The estimates use ${prices.of}, without free tiers; prices change, so check the current prices before you decide.`,
    );
    terminal.report({ prices: prices.of, stacks, ...(loaded.length > 0 && { load: loaded }), ...(on && { compared }) });
    return 0;
  },
};

type Values = Omit<ReturnType<typeof readArguments<typeof OPTIONS>>['values'], 'on'> & {
  readonly on: 'azure' | undefined;
};

/**
 * Returns the costs of the synthesized stacks in a folder. If no folder is given, synthesizes a stack for each design
 * in each environment, and returns their costs.
 */
async function stacksNamed(names: readonly string[], values: Values, prices: Prices): Promise<readonly StackCosts[]> {
  const { assembly, terraform, on, environment = Object.keys(environments) } = values;
  if (assembly !== undefined || terraform !== undefined) {
    if (names.length > 0 || values.environment !== undefined || on !== undefined) {
      throw new UsageError(
        '--assembly and --terraform cover every stack in the folder; omit designs, --environment and --on',
      );
    }
    const onAws = assembly === undefined ? [] : readAssembly(assembly);
    const onAzure = terraform === undefined ? [] : stacksIn(terraform);
    if (terraform !== undefined && onAzure.length === 0) throw noStackIn(terraform);
    return [
      ...onAws.map(({ name, template }) => costsOf(name, awsCosts(template, prices.aws))),
      ...onAzure.map(({ name, file }) => costsOf(name, azureCosts(readStack(file), prices.azure))),
    ];
  }
  const chosen = environment.map((name) =>
    readOption('--environment', () => environmentOf(name as keyof typeof environments)),
  );
  const found: StackCosts[] = [];
  for (const design of await designsNamed(names, values.demo)) {
    for (const own of chosen) found.push(costsOf(`${design.name}-${own.name}`, await stackOf(design, own, prices, on)));
  }
  return found;
}

/** Reads the prices from a user's own file. */
function pricesIn(file: string): Prices {
  const prices = pricesFrom(readJson(file));
  if (typeof prices === 'string') throw new FileError(`--prices '${file}': ${prices}`);
  return prices;
}

function costsOf(stack: string, costs: readonly Cost[]): StackCosts {
  return { stack, monthly: monthlyOf(costs), costs };
}

function print(stacks: readonly StackCosts[], terminal: Terminal): void {
  for (const { stack, monthly, costs } of stacks) {
    terminal.line(`${stack}: ${dollars(monthly)} a month before the first request`);
    const rows = costs.map((cost) => [cost.monthly === 0 ? 'by use' : dollars(cost.monthly), cost.part, cost.price]);
    for (const row of columns(rows)) terminal.line(`  ${row}`);
    terminal.line('');
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
