import type {
  Condition,
  Operand,
  PatternDesign,
  QueryPattern,
  ScanPattern,
  TransactionStep,
  UpdatePattern,
} from '../design/pattern';
import type { Access } from './accesses';
import { AZURE_TABLES } from './clouds';
import { testsIn } from './conditions';
import { isCopy } from './index-keys';
import type { PatternBlueprint } from './outline';
import { shareIn } from './shares';
import { fanOf } from './template-parts';
import { isInside } from './updates';
import { saidIn } from './written';

/** A feature that a pattern needs but the cloud does not support. */
export interface AbilityFault {
  readonly cause: AbilityCause;
  /** The step of a transaction that needs the feature. */
  readonly step?: string;
  /** The field of the pattern or step that needs the feature. */
  readonly field?: string;
  /** The attribute that the field refers to, or the path of a test within a filter. */
  readonly place?: string;
  /** The word or number that the cloud does not support. */
  readonly value?: string | number;
  readonly message: string;
  readonly fix: string;
}

export type AbilityCause =
  | 'one-at-a-time'
  | 'one-table'
  | 'no-index'
  | 'one-partition'
  | 'ascending-only'
  | 'page-size'
  | 'no-such-test'
  | 'inside-map'
  | 'etag-alone'
  | 'reads-in-batch'
  | 'no-addition'
  | 'no-removal'
  | 'no-copy'
  | 'new-item-unchanged'
  | 'batch-delete-unchanged'
  | 'batch-size'
  | 'no-batch-write'
  | 'fixed-steps'
  | 'no-unique'
  | 'nothing-returned'
  | 'no-etag';

const WHOLE = 'read the item, change it, and put it with replace: true and unchanged: true';

/**
 * Lists the features that a pattern needs but Azure Tables does not support. The check reports these features, a move
 * to Azure warns about them, and building a request that needs one throws.
 */
export function faultsOnAzure({ design, accesses }: PatternBlueprint): readonly AbilityFault[] {
  if (shareIn(design) !== undefined) return [ONE_TABLE];
  switch (design.op) {
    case 'get':
      return [];
    case 'find':
      return [NO_UNIQUE];
    case 'batchGet':
    case 'transactGet':
      return [
        {
          cause: 'one-at-a-time',
          message: 'Azure Tables reads one entity at a time',
          fix: 'write a get for each entity, and send the gets in parallel; their results are not one consistent snapshot',
        },
      ];
    case 'query':
    case 'scan':
      return [...inFan(design), ...inQuery(design)];
    case 'batchWrite': {
      const message = 'Azure Tables writes several entities at once only within one partition, as one atomic batch';
      return [
        {
          cause: 'no-batch-write',
          message,
          fix: 'write a pattern for a single put or delete, and send several of its requests in parallel',
        },
      ];
    }
    default: {
      if (accesses.some(({ unique }) => unique !== undefined)) return [NO_UNIQUE];
      const isBatch = design.op === 'transaction';
      const steps = accesses.flatMap((access) => inNamedStep(access, isBatch));
      return isBatch ? [...inBatch(accesses.length), ...steps] : steps;
    }
  }
}

const ONE_TABLE: AbilityFault = {
  cause: 'one-table',
  message: 'a request to Azure Tables reaches only one table',
  fix: 'write a pattern for each table, and a procedure whose writes are ordered so that a failure can be repaired',
};

const NO_UNIQUE: AbilityFault = {
  cause: 'no-unique',
  message: 'a guard is in a separate partition, but an Azure Tables transaction is limited to one partition',
  fix: "leave out 'unique', and use the value as the item's key",
};

/** Lists the features that a pattern needs but DynamoDB does not support. */
export function faultsOnDynamoDb({ accesses }: PatternBlueprint): readonly AbilityFault[] {
  const message = 'DynamoDB has no ETags';
  const fix = `give the entity a version, and write condition: { version: '<version>' }`;
  return accesses.flatMap(({ step, part }) =>
    'unchanged' in step && step.unchanged ? [{ cause: 'no-etag', step: part, field: 'unchanged', message, fix }] : [],
  );
}

/**
 * Lists a step's faults, including those in the fields that the library adds to an upsert. A separate finding reports
 * entities with a version.
 */
function inNamedStep({ part: step, step: write }: Access, isBatch: boolean): readonly AbilityFault[] {
  const own = saidIn(write as TransactionStep);
  const faults = [...inStep(own, isBatch), ...inUpsert(write as TransactionStep, own)];
  return faults.map((fault) => ({ step, ...fault }));
}

/** An Azure upsert cannot tell whether the item is new, so it cannot decide whether to write the creation time. */
function* inUpsert(whole: TransactionStep, own: TransactionStep): Iterable<AbilityFault> {
  if (whole.op !== 'update' || own.op !== 'update') return;
  for (const [name, operand] of Object.entries(whole.set ?? {})) {
    if (!isCopy(operand) || Object.hasOwn(own.set ?? {}, name)) continue;
    const message = `an Azure upsert cannot write '${name}' only to new items`;
    const fix = `leave out 'upsert', and put a new item; or leave created: '${name}' out of 'timestamps'`;
    yield { cause: 'no-copy', field: 'upsert', value: name, message, fix };
  }
}

function* inFan(design: PatternDesign): Iterable<AbilityFault> {
  const fan = fanOf(design);
  if (fan === undefined) return;
  const [field, what, fix] =
    fan.each === undefined
      ? (['where', 'every shard', 'make the shard number a parameter'] as const)
      : (['each', 'a list of partitions', `leave 'each' out, and send one query per element in parallel`] as const);
  const message = `the Azure Tables client queries one partition at a time, not ${what}`;
  yield { cause: 'one-partition', field, message, fix };
}

function* inQuery({ index, pageSize = 1, filter = {}, ...rest }: QueryPattern | ScanPattern): Iterable<AbilityFault> {
  if (index !== undefined) {
    const fix = `keep a lookup table for '${index}'`;
    yield { cause: 'no-index', field: 'index', message: 'Azure Tables has no indexes', fix };
  }
  if ('order' in rest && rest.order === 'descending') {
    const fix = 'store a key that decreases over time, or read the whole partition and reverse the order of its items';
    const message = 'Azure Tables reads in ascending order only';
    yield { cause: 'ascending-only', field: 'order', message, fix };
  }
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > AZURE_TABLES.pageItems) {
    const message = `Azure Tables returns 1 to ${AZURE_TABLES.pageItems} entities per page, not ${pageSize}`;
    yield {
      cause: 'page-size',
      field: 'pageSize',
      value: pageSize,
      message,
      fix: `write pageSize: ${AZURE_TABLES.pageItems}, and read further pages with the cursor`,
    };
  }
  yield* inFilter(filter);
}

function* inFilter(filter: Condition): Iterable<AbilityFault> {
  for (const { path: attribute, test, place } of testsIn(filter)) {
    const at = { field: 'filter', place };
    if (isInside(attribute)) {
      const message = `'${attribute}' is inside a map or a list, which Azure Tables stores as a JSON string`;
      yield { cause: 'inside-map', ...at, message, fix: 'filter the results in your own code' };
    }
    const word = unknownTest(test);
    if (word === undefined) continue;
    yield {
      cause: 'no-such-test',
      ...at,
      value: word,
      message: `Azure Tables can only compare a property with a value, ${word === 'attribute' ? 'not with another property' : `and has no '${word}'`}`,
      fix: 'store a property that can be compared, or filter the results yourself',
    };
  }
}

function unknownTest(test: unknown): string | undefined {
  if (test === null) return 'null';
  if (typeof test !== 'object') return undefined;
  const word = ['exists', 'contains', 'attribute', 'size'].find((operator) => operator in test);
  if (word !== undefined) return word;
  const operands = Object.values(test).flat() as readonly Operand[];
  return operands.some((operand) => isCopy(operand)) ? 'attribute' : undefined;
}

function* inBatch(steps: number): Iterable<AbilityFault> {
  if (steps <= AZURE_TABLES.batchItems) return;
  const message = `the batch contains ${steps} entities, but Azure Tables accepts at most ${AZURE_TABLES.batchItems}`;
  yield { cause: 'batch-size', field: 'steps', value: steps, message, fix: 'write fewer items at once' };
}

function* inStep(step: TransactionStep, isBatch: boolean): Iterable<AbilityFault> {
  for (const field of ['each', 'optional'].filter((name) => name in step)) {
    const message = 'an Azure batch has exactly the steps that its pattern lists';
    const fix =
      'write a separate transaction for each possible number of items, or send separate writes, ordered so that a failure can be repaired';
    yield { cause: 'fixed-steps', field, message, fix };
  }
  if ('returns' in step) {
    const message = 'a write to Azure Tables returns only the ETag';
    yield { cause: 'nothing-returned', field: 'returns', message, fix: 'read the item' };
  }
  if (step.op === 'require') {
    const message = 'an Azure batch cannot depend on an entity that the batch does not change';
    const fix = "if the entity is in the batch's partition, add a step that writes it unchanged with its ETag";
    yield { cause: 'reads-in-batch', message, fix };
    return;
  }
  if (Object.keys(step.condition ?? {}).length > 0) {
    const fix = 'read the item, test it, and write with unchanged: true';
    yield { cause: 'etag-alone', field: 'condition', message: 'Azure Tables can test only the ETag', fix };
  }
  if (step.op === 'update') yield* inUpdate(step);
  if (step.op === 'put' && step.unchanged && !step.replace) {
    const message = 'a put of a new item cannot have unchanged: true';
    yield { cause: 'new-item-unchanged', field: 'unchanged', message, fix: 'add replace: true' };
  }
  if (step.op === 'delete' && step.unchanged && isBatch) {
    const message = 'an Azure batch deletes entities without checking their ETags';
    const fix = 'delete the entity in a separate request';
    yield { cause: 'batch-delete-unchanged', field: 'unchanged', message, fix };
  }
}

function* inUpdate({ set = {}, add = {}, subtract = {}, remove = [] }: UpdatePattern): Iterable<AbilityFault> {
  for (const [field, amounts] of Object.entries({ add, subtract })) {
    for (const [place, amount] of Object.entries(amounts)) {
      const message = `Azure Tables cannot ${typeof amount === 'object' ? 'change a set' : 'add to a number'} in place`;
      yield { cause: 'no-addition', field, place, message, fix: WHOLE };
    }
  }
  if (remove.length > 0) {
    const message = 'an Azure merge cannot remove a property';
    yield { cause: 'no-removal', field: 'remove', message, fix: WHOLE };
  }
  for (const [place, operand] of Object.entries(set)) {
    const at = { field: 'set', place };
    if (isInside(place)) {
      const message = `'${place}' is inside a map or a list, which Azure Tables stores as one property`;
      yield { cause: 'inside-map', ...at, message, fix: 'set the whole property' };
    }
    if (isCopy(operand))
      yield { cause: 'no-copy', ...at, message: 'an Azure merge cannot use stored values', fix: WHOLE };
  }
}
