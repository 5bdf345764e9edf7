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

/** What a consumer of changes may be told beside the entities, as Lambda has it. */
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

/** A table whose changes can be followed. */
interface Followed extends Pick<IDesignedTable, 'design' | 'table'> {
  /** Its design as it is deployed, while a plan is under way. */
  readonly former?: TableDesign | undefined;
  /** What its stream carries; undefined where it has none. */
  readonly stream: StreamViewType | undefined;
  /** How the construct is given a stream. */
  readonly remedy: string;
}

/** Has a function called with the changes of some entities, as `changes` of `tablewright/dynamodb` handles them. */
export function onChange(
  { design, table, former, stream, remedy }: Followed,
  fn: IFunction,
  entities: readonly string[],
  options: ConsumerOptions,
): EventSourceMapping {
  assertEntities(design, entities);
  if (stream !== StreamViewType.NEW_AND_OLD_IMAGES) {
    const has = stream === undefined ? 'has no stream' : `has a stream of ${stream}, without old and new values`;
    throw new Error(`table '${design.name}' ${has}, so its changes cannot be followed; ${remedy}`);
  }
  const id = `${Names.nodeUniqueId(table.node)}Changes`;
  if (fn.node.tryFindChild(id) !== undefined) {
    throw new Error(
      `${fn.node.path} already follows the table '${design.name}'; name all its entities in one call of onChange`,
    );
  }
  table.grantStreamRead(fn);
  const filters = filtersOf([design, ...(former === undefined ? [] : [former])], entities);
  return fn.addEventSourceMapping(id, {
    // From the first record that there is: nothing that is written while the function is deployed is passed over.
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
  if (entities.length === 0) throw new Error(`${place}: name the entities whose changes matter: ${known.join(', ')}`);
  const unknown = entities.find((name) => entityNamed(outline(design), name) === undefined);
  if (unknown !== undefined)
    throw new Error(`${place}: '${unknown}' is not one of its entities; ${suggestion(unknown, known)}`);
}

/** As Lambda takes them; undefined where a record of an entity cannot be told by its keys, or where they are too many. */
function filtersOf(designs: readonly TableDesign[], entities: readonly string[]) {
  const told = designs.map((design) => streamFilters(design, entities));
  if (told.includes(undefined)) return undefined;
  const patterns = [...new Set(told.flatMap((some) => some ?? []).map((filter) => JSON.stringify(filter)))];
  return patterns.length > MOST_FILTERS ? undefined : patterns.map((pattern) => ({ pattern }));
}

/** Lambda takes no more for one event source; the handler passes over what it is not asked for. */
const MOST_FILTERS = 5;
