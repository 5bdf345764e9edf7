import type { CfnGlobalTable, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Stack, Token } from 'aws-cdk-lib/core';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Evolution, Stage, TableResources } from '../../lib/evolve';
import type { Environment } from '../environment';

type Evolve = typeof import('../../lib/evolve');

/** Loaded only if a lock is given, which most stacks do not have. */
const evolve = (): Evolve => require('../../lib/evolve');

/** A table in one step of a plan. */
export interface TableStage {
  readonly resources: TableResources;
  /** Its resources in the lock. */
  readonly locked?: TableResources;
  /** The deployed design, as long as grants are for both. */
  readonly former?: TableDesign;
  /** The step of the plan; undefined if there is none. */
  readonly step?: string;
}

const made = new WeakMap<Evolution, Map<string, Stage>>();

/** The tables of a system in this deployment, worked out once; undefined if nothing says what is deployed. */
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

/** The same for one table, which may belong to a system. */
export function stageOfTable(
  { design, system, evolution }: { design: TableDesign; system?: SystemDesign; evolution?: Evolution },
  environment: Environment,
): TableStage | undefined {
  if (evolution === undefined) return undefined;
  const { systemOf } = evolve();
  const stage = stageOfSystem(system ?? systemOf(design), environment, evolution) as Stage;
  const former = stage.former?.tables[design.name];
  const locked = stage.lock.tables[design.name]?.resources;
  return {
    resources: stage.tables[design.name]?.resources as TableResources,
    ...(locked === undefined ? {} : { locked }),
    ...(former === undefined ? {} : { former }),
    ...(stage.phase === undefined ? {} : { step: stage.phase.step }),
  };
}

/** What a stream shows in this deployment: to change, it is first switched off, as the plan says. */
export function streamAt(
  place: string,
  { resources, locked, step }: TableStage,
  wanted: StreamViewType | undefined,
): StreamViewType | undefined {
  const was = locked?.stream;
  // Any deployment can add a new stream.
  if (was === undefined || was === null) return wanted;
  if (step !== undefined) return (resources.stream ?? undefined) as StreamViewType | undefined;
  if (was === wanted) return wanted;
  const { EvolutionError } = evolve();
  throw new EvolutionError(
    `${place}: its deployed stream shows ${was}, but would ${wanted === undefined ? 'be gone' : `show ${wanted}`}; synthesize it without 'evolution', and plan it: tablewright plan --assembly cdk.out`,
  );
}

/** Sets what CDK has no prop for, and refuses to replace a table that has data. */
export function settle(table: TableV2, { resources, locked }: TableStage, tableName: string | undefined): void {
  const resource = table.node.defaultChild as CfnGlobalTable;
  if (resources.ttlOff !== undefined) {
    const off = { AttributeName: resources.ttlOff, Enabled: false };
    resource.addPropertyOverride('TimeToLiveSpecification', off);
  }
  const logicalId = Stack.of(table).resolve(resource.logicalId);
  refuseOther(table, 'the id in the template', locked?.logicalId, logicalId, 'leave the construct where it was');
  const name = Token.isUnresolved(tableName) ? undefined : tableName;
  refuseOther(table, 'the name of the table', locked?.physicalName, name, 'leave the name as it was');
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
    `${table.node.path}: ${what} is '${before}' as deployed, but would become '${now}': an empty table would replace it; ${fix}`,
  );
}
