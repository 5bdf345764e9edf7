import { existsSync } from 'node:fs';
import { type Environment, type EnvironmentName, environmentOf, environments } from '../../constructs/environment';
import { namesIn, reservedNames } from '../../lib/blueprint/system';
import { assertSound } from '../../lib/check';
import { nearNames, suggestion } from '../../lib/design/names';
import { counted } from '../../lib/design/show';
import { systemOf } from '../../lib/evolve/lock/make';
import { grantOf, type TableGrant } from '../../lib/permissions/grant';
import { type Place, policyOf, targetArn } from '../../lib/permissions/policy';
import { partitionsText } from '../../lib/permissions/statements';
import { principalTag } from '../../lib/permissions/tenancy';
import { readArguments, readChoice, readOption } from './arguments';
import { bundledSystems } from './bundled';
import { type Command, type Terminal, UsageError } from './command';
import { readProject } from './config';
import { configured, DEMO, type Design, designsNamed, isFile, withoutConfig } from './designs';
import { columns } from './printable';
import { tablesNamed } from './table-names';

const OPTIONS = {
  ...DEMO,
  environment: { type: 'string' },
  account: { type: 'string' },
  region: { type: 'string' },
  key: { type: 'string' },
  table: { type: 'string', multiple: true },
  'tenant-tag': { type: 'string' },
  format: { type: 'string' },
} as const;

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

export const iam: Command = {
  usage:
    '[design or file] [pattern or procedure …] [--demo] [--environment prod] [--account 111122223333] [--region eu-west-1] [--key arn:…] [--table Users=existing-name] [--tenant-tag tenantId] [--format policy|text]',
  summary: 'prints the IAM policy for access patterns, for use outside CDK',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const format = readChoice('--format', values.format, ['policy', 'text']);
    const { designs, named } = await chosenBy(positionals, values.demo);
    const configuredName = (await readProject())?.environment;
    const environment = environmentNamed(values.environment ?? configuredName ?? 'prod');
    const known = [...Object.keys(environments), ...(configuredName === undefined ? [] : [configuredName])];
    if (!known.includes(environment.name))
      terminal.note(
        `--environment: '${environment.name}' is none of ${known.join(', ')}, so the policy assumes an environment of your own with the settings of prod`,
      );
    const place = placeOf(values, environment);
    const request = { names: namesOf(designs, named), grantsOf: granter(designs, values, environment) };
    PRINTERS[format](request, place, terminal);
    terminal.report({ policy: policyOf(request.grantsOf(request.names), place) });
    return 0;
  },
};

/** Treats the first name as a design or a file, unless a configured design has a pattern with that name. */
async function chosenBy(
  names: readonly string[],
  demo: boolean,
): Promise<{ readonly designs: readonly Design[]; readonly named: readonly string[] }> {
  const [first, ...rest] = names;
  if (first === undefined) return { designs: await designsNamed([], demo), named: [] };
  const project = demo || isFile(first) ? undefined : await readProject();
  const own = project === undefined ? [] : (await configured(project)).flatMap(({ designs }) => designs);
  if (own.some((design) => namesIn(design).includes(first))) return { designs: own, named: names };
  const isDesign = own.some((design) => design.name === first) || existsSync(first);
  const patterns = own.flatMap(namesIn);
  // An unknown name is more likely to be a misspelled pattern than a missing file or an unconfigured design.
  const isMeant =
    !/[./\\]/.test(first) &&
    nearNames(first, [...own.map(({ name }) => name), ...Object.keys(await bundledSystems())]).length === 0;
  if (isMeant && !isDesign && !demo && project === undefined) {
    const file = names.find((name) => existsSync(name));
    const others = names.filter((name) => name !== file);
    throw withoutConfig(
      'designs',
      demo,
      `'${first}' is neither a design nor a file; if it is a pattern, name the file first: npx tablewright iam ${[file ?? 'design.ts', ...others].join(' ')}\n`,
    );
  }
  if (!isDesign && ((isMeant && patterns.length > 0) || nearNames(first, patterns).length > 0))
    throw new UsageError(`'${first}' is not a pattern or procedure; ${suggestion(first, patterns)}`);
  return { designs: await designsNamed([first], demo), named: rest };
}

interface Request {
  readonly names: readonly string[];
  /** Creates the grants for the given patterns and procedures, with the physical names of the tables. */
  readonly grantsOf: (names: readonly string[]) => readonly TableGrant[];
}

const PRINTERS: Readonly<Record<'policy' | 'text', (request: Request, place: Place, terminal: Terminal) => void>> = {
  policy({ names, grantsOf }, place, terminal) {
    terminal.json(policyOf(grantsOf(names), place));
  },
  text({ names, grantsOf }, place, terminal) {
    // Builds the grants for all names at once, so that an error lists the problems of every name.
    const policy = policyOf(grantsOf(names), place);
    const rows = names.flatMap((name) =>
      grantsOf([name])
        .flatMap(({ table, statements }) =>
          statements.map((statement) => [
            statement.actions.map((action) => action.replace('dynamodb:', '')).join(', '),
            targetArn(table, statement),
            partitionsText(statement),
          ]),
        )
        .map((cells, i) => [i === 0 ? name : '', ...cells]),
    );
    const onKeys = policy.Statement.filter(({ Action }) => Action.every((action) => action.startsWith('kms:')));
    const keyRows = onKeys.map(({ Action, Resource }, i) => [
      i === 0 ? "(the tables' KMS key)" : '',
      Action.map((action) => action.replace('kms:', '')).join(', '),
      Resource,
      'only through DynamoDB',
    ]);
    for (const row of columns([...rows, ...keyRows])) terminal.line(row);
    const { length } = policy.Statement;
    const size = JSON.stringify(policy).length;
    terminal.line(
      `${counted(length, 'statement')}, ${size} characters (the limit is 6144 for a managed policy, and 10240 for a role's inline policies)`,
    );
  },
};

/** Returns the given names, which must all exist; if none are given, returns all names that can be granted. */
function namesOf(designs: readonly Design[], named: readonly string[]): readonly string[] {
  const foreign = designs.find((design) => systemOf(design).cloud !== 'aws');
  if (foreign !== undefined) {
    throw new UsageError(`'${foreign.name}' is designed for another cloud, but IAM policies exist only on AWS`);
  }
  const known = [...new Set(designs.flatMap(namesIn))];
  if (known.length === 0) throw new UsageError('there are no patterns to grant');
  const unknown = named.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const lines = unknown.map((name) => `'${name}' is not a pattern or procedure; ${suggestion(name, known)}`);
    throw new UsageError(lines.join('\n'));
  }
  if (named.length > 0) return [...new Set(named)];
  const reserved = new Set(designs.flatMap((design) => reservedNames(design, known).map(({ name }) => name)));
  return known.filter((name) => !reserved.has(name));
}

function granter(designs: readonly Design[], values: Values, environment: Environment): Request['grantsOf'] {
  for (const design of designs) assertSound(design);
  const existing = existingTables(designs, values.table ?? []);
  const tag = values['tenant-tag'];
  const options = tag === undefined ? {} : { tenant: readOption('--tenant-tag', () => principalTag(tag)) };
  return (names) =>
    designs.flatMap((design) => {
      const known = namesIn(design);
      const here = names.filter((name) => known.includes(name));
      if (here.length === 0) return [];
      const inSystem = 'tables' in design ? `${design.name}-${environment.name}-` : '';
      return grantOf({ of: design, names: here, ...options }).map((grant) => ({
        ...grant,
        table: existing.get(grant.table) ?? `${inSystem}${grant.table}`,
      }));
    });
}

/** Returns the tables' ARNs, with placeholders in angle brackets for missing values. */
function placeOf(values: Values, { encryption }: Environment): Place {
  const region =
    matching('--region', values.region, /^[a-z]{2}(-[a-z]+)+-\d+$/, 'a region such as eu-west-1') ?? '<region>';
  const account = matching('--account', values.account, /^\d{12}$/, '12 digits') ?? '<account>';
  const partition = region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
  const arn = (service: string, resource: string) => `arn:${partition}:${service}:${region}:${account}:${resource}`;
  const key = matching('--key', values.key, /^arn:[^:]+:kms:[^:]+:[^:]+:key\/.+$/, 'the ARN of a KMS key');
  const keyArn = key ?? (encryption === 'customer-managed' ? arn('kms', 'key/<key>') : undefined);
  return {
    region,
    tableArn: (table) => arn('dynamodb', `table/${table}`),
    ...(keyArn === undefined ? {} : { keyArn }),
  };
}

/**
 * Returns the library's environment with this name. Any other name refers to a user's own environment, which is treated
 * like prod.
 */
function environmentNamed(name: string): Environment {
  const own = () => environmentOf({ ...environments.prod, name });
  return Object.hasOwn(environments, name) ? environments[name as EnvironmentName] : readOption('--environment', own);
}

/** Returns the user's names for existing tables, keyed by the table's name in the design. */
function existingTables(designs: readonly Design[], given: readonly string[]): ReadonlyMap<string, string> {
  const known = designs.flatMap((design) => ('tables' in design ? Object.keys(design.tables) : [design.name]));
  return new Map(tablesNamed(given, known));
}

function matching(option: string, given: string | undefined, form: RegExp, words: string): string | undefined {
  if (given === undefined || form.test(given)) return given;
  throw new UsageError(`${option} must be ${words}, got: '${given}'`);
}
