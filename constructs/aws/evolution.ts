import { type CfnGlobalTable, StreamViewType, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Stack, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { PhysicalTable } from '../../lib/blueprint/physical-table';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Evolution, Stage } from '../../lib/evolve';
import type { Environment } from '../environment';
import type { TableOptions } from './table-props';

type Evolve = typeof import('../../lib/evolve');

/** The evolution code is loaded only if the stack has a lock, because most stacks have none. */
const evolve = (): Evolve => require('../../lib/evolve');

/** How this deployment creates a table: as the design defines it or, in a step of a plan, as that step defines it. */
export interface Deployment {
  /** The table's options, with the stream that the table has in this deployment. */
  readonly options: TableOptions;
  /** The table's resources in this step. @default - the design's resources */
  readonly physical?: PhysicalTable;
  /** The deployed design, as long as grants must also cover it. */
  readonly former?: TableDesign;
  /** The extra requests that a release sends while items move, as a design with a procedure for each write. */
  readonly moving?: SystemDesign;
  /** The view type of the table's stream. @default - the table has no stream */
  readonly stream: StreamViewType | undefined;
  /** Whether this step of the plan disables the table's stream. */
  readonly isStreamOff: boolean;
  /** Sets the properties that CDK has no prop for. Throws if CloudFormation would replace the deployed table. */
  settle(table: TableV2): void;
}

/** A table in one step of a plan. */
interface TableStage {
  readonly physical: PhysicalTable;
  /** The table as the lock describes it. */
  readonly locked?: PhysicalTable;
  /** The deployed design, as long as grants must also cover it. */
  readonly former?: TableDesign;
  /** The extra requests that a release sends while items move, as a design with a procedure for each write. */
  readonly moving?: SystemDesign;
  /** The step of the plan; undefined without a plan. */
  readonly step?: string;
}

const made = new WeakMap<Evolution, Map<string, Stage>>();

/**
 * Returns the tables of a system in this deployment; undefined without a lock. Computes the tables only once per system
 * and environment.
 */
export function stageOfSystem(
  design: SystemDesign,
  environment: Environment,
  evolution: Evolution | undefined,
): Stage | undefined {
  if (evolution === undefined) return undefined;
  const known = made.get(evolution) ?? new Map<string, Stage>();
  made.set(evolution, known);
  const id = `${design.name} ${environment.name}`;
  const stage = known.get(id) ?? evolve().stageOf(design, environment.name, evolution);
  known.set(id, stage);
  return stage;
}

interface EvolvingTable extends TableOptions {
  readonly design: TableDesign;
  readonly system?: SystemDesign;
  readonly evolution?: Evolution;
}

/** The only place where evolution changes how a table is created. */
export function deploymentOf(scope: Construct, id: string, props: EvolvingTable, environment: Environment): Deployment {
  const stage = stageOfTable(props, environment);
  const place = [scope.node.path, id].filter((part) => part !== '').join('/');
  const dynamoStream = stage === undefined ? props.dynamoStream : streamAt(place, stage, props.dynamoStream);
  // Replication needs a stream of both old and new images.
  const stream = dynamoStream ?? (props.replicas?.length ? StreamViewType.NEW_AND_OLD_IMAGES : undefined);
  return {
    options: { ...props, dynamoStream },
    stream,
    isStreamOff: stream === undefined && props.dynamoStream !== undefined,
    ...(stage && { physical: stage.physical }),
    ...(stage?.former && { former: stage.former }),
    ...(stage?.moving && { moving: stage.moving }),
    settle(table) {
      if (stage !== undefined) settle(table, stage, props.tableName);
    },
  };
}

/** Like `stageOfSystem`, but for one table, which may belong to a system. */
function stageOfTable({ design, system, evolution }: EvolvingTable, environment: Environment): TableStage | undefined {
  if (evolution === undefined) return undefined;
  const { systemOf } = evolve();
  const stage = stageOfSystem(system ?? systemOf(design), environment, evolution) as Stage;
  const former = stage.former?.tables[design.name];
  const locked = stage.lock.tables[design.name]?.physical;
  return {
    physical: stage.tables[design.name]?.physical as PhysicalTable,
    ...(locked === undefined ? {} : { locked }),
    ...(former === undefined ? {} : { former }),
    ...(stage.moving === undefined ? {} : { moving: stage.moving }),
    ...(stage.phase === undefined ? {} : { step: stage.phase.step }),
  };
}

/** Returns the stream's view type in this deployment. To change the view type, the plan first disables the stream. */
function streamAt(
  place: string,
  { physical, locked, step }: TableStage,
  wanted: StreamViewType | undefined,
): StreamViewType | undefined {
  const was = locked?.stream;
  // Any deployment can add a new stream.
  if (was === undefined || was === null) return wanted;
  if (step !== undefined) return (physical.stream ?? undefined) as StreamViewType | undefined;
  if (was === wanted) return wanted;
  const { EvolutionError } = evolve();
  throw new EvolutionError(
    `${place}: the deployed stream has the view type ${was}, but would ${wanted === undefined ? 'be removed' : `have ${wanted}`}; synthesize the table without 'evolution', and plan the change: npx tablewright plan --assembly cdk.out`,
  );
}

/** Sets the properties that CDK has no prop for. Throws if CloudFormation would replace the deployed table. */
function settle(table: TableV2, { physical, locked }: TableStage, tableName: string | undefined): void {
  const resource = table.node.defaultChild as CfnGlobalTable;
  if (physical.ttlOff !== undefined) {
    const off = { AttributeName: physical.ttlOff, Enabled: false };
    resource.addPropertyOverride('TimeToLiveSpecification', off);
  }
  const logicalId = Stack.of(table).resolve(resource.logicalId);
  refuseOther(table, 'logical id', locked?.logicalId, logicalId, 'leave the construct in its old place');
  const name = Token.isUnresolved(tableName) ? undefined : tableName;
  refuseOther(table, 'table name', locked?.name, name, 'keep the old name');
}

function refuseOther(
  table: TableV2,
  what: string,
  before: string | undefined,
  now: string | undefined,
  fix: string,
): void {
  if (before === undefined || now === undefined || before === now) return;
  const { EvolutionError } = evolve();
  throw new EvolutionError(
    `${table.node.path}: the deployed ${what} is '${before}', but would become '${now}': CloudFormation would replace the table with an empty one; ${fix}`,
  );
}
