import type { PhysicalTable, PhysicalTables } from '../../blueprint/physical-table';
import type { SystemDesign } from '../../design/system';
import { templateProblem } from '../../dynamodb/template/legible';
import { type KeyProperties, readKeys, type TemplateJson } from '../../dynamodb/template/tables';
import { EvolutionError } from '../lock/read';
import { tablesOfSystem } from './assembly';

/** Where a stack's template and tables are read from: by default the SDK, which is loaded on demand. */
export interface Sources {
  /** CloudFormation's GetTemplate: the text of a template. */
  getTemplate(stack: string): Promise<string>;
  /** DynamoDB's DescribeTable and DescribeTimeToLive; undefined if the table does not exist. */
  describe(table: string): Promise<Described | undefined>;
}

export interface Described {
  readonly table: TableDescription;
  readonly ttl?: string;
}

export interface TableDescription extends KeyProperties {
  readonly GlobalSecondaryIndexes?: (NonNullable<KeyProperties['GlobalSecondaryIndexes']>[number] & {
    readonly IndexStatus?: string;
  })[];
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
}

/**
 * Returns a system's tables in a deployed stack; if a live table differs from its template, the live table takes
 * precedence.
 */
export async function tablesOfStack(
  system: SystemDesign,
  stack: string,
  sources: Sources = sdk(),
): Promise<PhysicalTables> {
  const template = templateOf(await sources.getTemplate(stack), stack);
  const found = Object.entries(tablesOfSystem(system, [{ name: stack, template }])).map(async ([name, templated]) => {
    const described = templated.name === undefined ? undefined : await sources.describe(templated.name);
    const { ttl: _, ...rest } = templated;
    return [name, described === undefined ? templated : { ...rest, ...asDescribed(described) }] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

function templateOf(text: string, stack: string): TemplateJson {
  let template: unknown;
  try {
    template = JSON.parse(text);
  } catch {
    throw new EvolutionError(
      `the template of stack '${stack}' is not JSON, although CDK writes JSON; compare with the output folder of 'cdk synth' instead`,
    );
  }
  const problem = templateProblem(template);
  if (problem !== undefined) throw new EvolutionError(`the template of stack '${stack}' cannot be read: ${problem}`);
  return template as TemplateJson;
}

/** Converts a table as DescribeTable returned it. */
export function asDescribed({ table, ttl }: Described): Pick<PhysicalTable, 'key' | 'indexes' | 'ttl' | 'stream'> {
  const { StreamEnabled, StreamViewType } = table.StreamSpecification ?? {};
  return {
    ...readKeys(table),
    ...(ttl === undefined ? {} : { ttl }),
    stream: StreamEnabled === true ? (StreamViewType ?? null) : null,
  };
}

/** Uses the SDK, with the credentials, region and AWS_ENDPOINT_URL of the process environment. */
function sdk(): Sources {
  return {
    async getTemplate(StackName) {
      const { CloudFormationClient, GetTemplateCommand } = load('@aws-sdk/client-cloudformation');
      const client = new CloudFormationClient({});
      try {
        const { TemplateBody } = await client.send(new GetTemplateCommand({ StackName, TemplateStage: 'Processed' }));
        return String(TemplateBody);
      } finally {
        client.destroy();
      }
    },
    describe: describeWith,
  };
}

/** Describes a table; returns undefined for a missing table. */
export async function describeWith(TableName: string, config: object = {}): Promise<Described | undefined> {
  const { DynamoDBClient, DescribeTableCommand, DescribeTimeToLiveCommand } = load('@aws-sdk/client-dynamodb');
  const client = new DynamoDBClient(config);
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    const isOn = /^ENABL/.test(String(ttl?.TimeToLiveStatus));
    return { table: Table as TableDescription, ...(isOn && { ttl: String(ttl?.AttributeName) }) };
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined;
    throw error;
  } finally {
    client.destroy();
  }
}

interface Answer {
  readonly TemplateBody?: string;
  readonly Table?: object;
  readonly TimeToLiveDescription?: { readonly TimeToLiveStatus?: string; readonly AttributeName?: string };
}

type Sdk = Readonly<Record<string, new (input: object) => { send(command: object): Promise<Answer>; destroy(): void }>>;

/** Loads a package of the SDK; if the package is missing, throws an error that says which package to install. */
function load(
  name: string,
): Record<string, Sdk[string]> &
  Record<
    | 'CloudFormationClient'
    | 'GetTemplateCommand'
    | 'DynamoDBClient'
    | 'DescribeTableCommand'
    | 'DescribeTimeToLiveCommand',
    Sdk[string]
  > {
  try {
    return require(name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new EvolutionError(`--against stack:… needs ${name}: npm install ${name}`);
  }
}
