import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import type {
  EventSourceMapping,
  EventSourceMappingOptions,
  IFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import { Names } from 'aws-cdk-lib/core';
import { entityNamed, outline } from '../../lib/blueprint/outline';
import { streamFilters } from '../../lib/blueprint/stream-filters';
import { suggestion } from '../../lib/design/names';
import type { TableDesign } from '../../lib/design/table';
import type { IDesignedTable } from './designed-table';

/** The Lambda options for a consumer of changes. */
export type ConsumerOptions = Partial<
  Pick<
    EventSourceMappingOptions,
    | 'batchSize'
    | 'enabled'
    | 'maxBatchingWindow'
    | 'maxRecordAge'
    | 'onFailure'
    | 'parallelizationFactor'
    | 'retryAttempts'
    | 'startingPosition'
  >
>;

/** A table whose changes consumers can follow. */
interface Followed extends Pick<IDesignedTable, 'design' | 'table'> {
  /** The deployed design while a plan is under way. */
  readonly former?: TableDesign | undefined;
  /** The view type of the table's stream; undefined without a stream. */
  readonly stream: StreamViewType | undefined;
  /** Tells the user how to give this table a stream. */
  readonly remedy: string;
}

/**
 * Calls a function with the changes to some entities. The function's handler must be made with `changes` from
 * `tablewright/dynamodb`.
 */
export function onChange(
  { design, table, former, stream, remedy }: Followed,
  fn: IFunction,
  entities: readonly string[],
  options: ConsumerOptions,
): EventSourceMapping {
  assertEntities(design, entities);
  if (stream !== StreamViewType.NEW_AND_OLD_IMAGES) {
    const has =
      stream === undefined ? 'has no stream' : `has a ${stream} stream, which does not contain both old and new values`;
    throw new Error(`table '${design.name}' ${has}, so consumers cannot follow its changes; ${remedy}`);
  }
  const id = `${Names.nodeUniqueId(table.node)}Changes`;
  if (fn.node.tryFindChild(id) !== undefined) {
    throw new Error(
      `${fn.node.path} already follows table '${design.name}'; pass all entities that it follows in a single call to onChange`,
    );
  }
  table.grantStreamRead(fn);
  const filters = filtersOf([design, ...(former === undefined ? [] : [former])], entities);
  return fn.addEventSourceMapping(id, {
    // Starts at the oldest record, so the function misses no write during the deployment.
    startingPosition: 'TRIM_HORIZON' as StartingPosition,
    ...options,
    eventSourceArn: table.tableStreamArn as string,
    bisectBatchOnError: true,
    reportBatchItemFailures: true,
    ...(filters === undefined ? {} : { filters }),
  });
}

function assertEntities(design: TableDesign, entities: readonly string[]): void {
  const known = Object.keys(design.entities);
  const place = `onChange of table '${design.name}'`;
  if (entities.length === 0) throw new Error(`${place}: pass the entities to follow: ${known.join(', ')}`);
  const unknown = entities.find((name) => entityNamed(outline(design), name) === undefined);
  if (unknown !== undefined)
    throw new Error(`${place}: '${unknown}' is not an entity of the table; ${suggestion(unknown, known)}`);
}

/**
 * Returns Lambda's event filters; undefined if a record's keys do not reveal its entity, or if there would be too many
 * filters.
 */
function filtersOf(designs: readonly TableDesign[], entities: readonly string[]) {
  const filters = designs.map((design) => streamFilters(design, entities));
  if (filters.includes(undefined)) return undefined;
  const patterns = [...new Set(filters.flatMap((own) => own ?? []).map((filter) => JSON.stringify(filter)))];
  return patterns.length > MOST_FILTERS ? undefined : patterns.map((pattern) => ({ pattern }));
}

/** Lambda's limit on filters per event source. Without filters, the handler itself ignores changes to other entities. */
const MOST_FILTERS = 5;
