import type { SystemDesign } from '../../design/system';
import { templateProblem } from '../../dynamodb/template/legible';
import { readKey, type TemplateJson } from '../../dynamodb/template/tables';
import type { IndexResources, TableResources } from '../lock/lock';
import { indexResources, keyResources } from '../lock/make';
import { EvolutionError } from '../lock/read';
import { resourcesIn } from './assembly';

/** Where the template of a stack and its tables are read from: by default the SDK, loaded only then. */
export interface Sources {
  /** CloudFormation's GetTemplate: the text of a template. */
  getTemplate(stack: string): Promise<string>;
  /** DynamoDB's DescribeTable and DescribeTimeToLive; undefined where there is no such table. */
  describe(table: string): Promise<Described | undefined>;
}

export interface Described {
  readonly table: TableDescription;
  readonly ttl?: string;
}

export interface TableDescription {
  readonly KeySchema?: readonly { readonly AttributeName?: string; readonly KeyType?: string }[];
  readonly AttributeDefinitions?: readonly { readonly AttributeName?: string; readonly AttributeType?: string }[];
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
  readonly LocalSecondaryIndexes?: readonly IndexDescription[];
  readonly StreamSpecification?: { readonly StreamEnabled?: boolean; readonly StreamViewType?: string };
}

interface IndexDescription {
  readonly IndexName?: string;
  readonly KeySchema?: TableDescription['KeySchema'];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

/** What a deployed stack says about the tables of a system; where a table differs from its template, the table counts. */
export async function resourcesOfStack(
  system: SystemDesign,
  stack: string,
  sources: Sources = sdk(),
): Promise<Readonly<Record<string, TableResources>>> {
  const template = templateOf(await sources.getTemplate(stack), stack);
  const found = Object.entries(resourcesIn(system, [{ name: stack, template }])).map(async ([table, resources]) => {
    const described = resources.physicalName === undefined ? undefined : await sources.describe(resources.physicalName);
    return [
      table,
      described === undefined ? resources : { ...withoutTtl(resources), ...asDescribed(described) },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

function templateOf(text: string, stack: string): TemplateJson {
  let template: unknown;
  try {
    template = JSON.parse(text);
  } catch {
    throw new EvolutionError(
      `the template of stack '${stack}' is not JSON, as CDK writes it; compare with a folder that 'cdk synth' wrote`,
    );
  }
  const problem = templateProblem(template);
  if (problem !== undefined) throw new EvolutionError(`the template of stack '${stack}' cannot be read: ${problem}`);
  return template as TemplateJson;
}

function withoutTtl({ ttl: _, ...resources }: TableResources): TableResources {
  return resources;
}

function asDescribed({ table, ttl }: Described): Pick<TableResources, 'key' | 'indexes' | 'ttl' | 'stream'> {
  const key = (schema: TableDescription['KeySchema'] = []) => readKey(schema, table.AttributeDefinitions);
  const index = ({ IndexName = '', KeySchema, Projection }: IndexDescription): [string, IndexResources] => {
    const { ProjectionType, NonKeyAttributes = [] } = Projection ?? {};
    const projection = ProjectionType === 'ALL' ? 'all' : ProjectionType === 'INCLUDE' ? NonKeyAttributes : 'keys';
    return [IndexName, indexResources({ name: IndexName, ...key(KeySchema), projection })];
  };
  const { StreamEnabled, StreamViewType } = table.StreamSpecification ?? {};
  return {
    key: keyResources(key(table.KeySchema)),
    indexes: Object.fromEntries([
      ...(table.GlobalSecondaryIndexes ?? []).map(index),
      ...(table.LocalSecondaryIndexes ?? [])
        .map(index)
        .map(([name, resources]) => [name, { ...resources, local: true as const }]),
    ]),
    ...(ttl === undefined ? {} : { ttl }),
    stream: StreamEnabled === true ? (StreamViewType ?? null) : null,
  };
}

/** The SDK, with the credentials, region and AWS_ENDPOINT_URL of the process environment. */
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

/** Describes a table; undefined where it does not exist. */
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

/** Loads a package of the SDK; if it is missing, the error says what to install. */
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
