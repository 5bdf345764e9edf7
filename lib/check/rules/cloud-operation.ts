import { AZURE_TABLES } from '../../blueprint/clouds';
import type { PatternDesign, TransactionStep } from '../../design/pattern';
import type { Found, TableRule } from '../finding';
import { atPattern, type Request } from '../places';
import type { TableUnderCheck } from '../subject';

const WHOLE = 'read the item, change it, and put it with replace: true and unchanged: true';

const causes = {
  'batch-get': 'Azure Tables have no batchGet',
  filter: 'a filter on Azure asks for more than a comparison with a value',
  condition: 'Azure Tables have no conditions',
  add: 'Azure Tables cannot add to a number',
  remove: 'Azure Tables cannot remove an attribute',
  'unchanged-new': 'a put of a new item asks for it to be unchanged',
  'unchanged-in-batch': 'a delete in a transaction on Azure asks for the item to be unchanged',
  'no-etag': 'a write on DynamoDB asks for the item to be unchanged, which takes an ETag',
} as const;

type Cause = keyof typeof causes;

export const cloudOperation: TableRule<'cloud-operation', Cause> = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud can do what the other cannot: such a request would be refused when it is made.',
  causes,
  *check(table) {
    const { plan } = table;
    const cloud = cloudOf(table);
    for (const { name, design: pattern } of plan.patterns) {
      if (cloud === 'azure') yield* readsOf({ name }, pattern);
      const steps: readonly (readonly [Request, TransactionStep])[] =
        pattern.op === 'transaction'
          ? Object.entries(pattern.steps).map(([step, write]) => [{ name, step }, write])
          : 'returns' in pattern
            ? []
            : [[{ name }, pattern]];
      for (const [request, step] of steps) {
        yield* cloud === 'azure' ? onAzure(request, step, pattern.op === 'transaction') : onDynamoDb(request, step);
      }
    }
  },
};

/** A table alone is for the cloud whose keys it has. */
export function cloudOf({ design, cloud, system }: TableUnderCheck): TableUnderCheck['cloud'] {
  const { partition, sort } = AZURE_TABLES.key;
  const hasAzureKeys = design.key.partition === partition && design.key.sort === sort;
  return system === undefined && hasAzureKeys ? 'azure' : cloud;
}

function* readsOf(request: Request, pattern: PatternDesign): Iterable<Found<Cause>> {
  if (pattern.op === 'batchGet') {
    const message = 'Azure Tables get one entity at a time';
    yield { ...atPattern(request), cause: 'batch-get', message, fix: 'write a get for each' };
  }
  for (const [attribute, test] of Object.entries((pattern.op === 'query' && pattern.filter) || {})) {
    const isObject = typeof test === 'object' && test !== null;
    const kind = isObject ? ['exists', 'contains', 'attribute'].find((word) => word in test) : undefined;
    if (kind === undefined) continue;
    yield {
      ...atPattern(request, 'filter', attribute, { value: kind }),
      cause: 'filter',
      message: `Azure Tables compare a property with a value, and know no '${kind}'`,
      fix: 'store a property that can be compared, or filter what comes back',
    };
  }
}

function* onAzure(request: Request, step: TransactionStep, isBatch: boolean): Iterable<Found<Cause>> {
  if (step.condition !== undefined) {
    const fix = 'read the item, test it, and write with unchanged: true';
    const message = 'Azure Tables test nothing but the ETag';
    yield { ...atPattern(request, 'condition'), cause: 'condition', message, fix };
  }
  if (step.op === 'update' && step.add !== undefined) {
    yield { ...atPattern(request, 'add'), cause: 'add', message: 'Azure Tables cannot add to a number', fix: WHOLE };
  }
  if (step.op === 'update' && step.remove !== undefined) {
    yield {
      ...atPattern(request, 'remove'),
      cause: 'remove',
      message: 'an Azure merge removes no property',
      fix: WHOLE,
    };
  }
  if (step.op === 'put' && step.unchanged && !step.replace) {
    const message = 'a new item has not been read before';
    yield { ...atPattern(request, 'unchanged'), cause: 'unchanged-new', message, fix: 'add replace: true' };
  }
  if (step.op === 'delete' && step.unchanged && isBatch) {
    const fix = 'delete it in a request of its own';
    const message = 'an Azure batch deletes without an ETag';
    yield { ...atPattern(request, 'unchanged'), cause: 'unchanged-in-batch', message, fix };
  }
}

function* onDynamoDb(request: Request, step: TransactionStep): Iterable<Found<Cause>> {
  if (!('unchanged' in step) || !step.unchanged) return;
  yield {
    ...atPattern(request, 'unchanged'),
    cause: 'no-etag',
    message: 'DynamoDB has no ETag',
    fix: `keep a version, and write condition: { version: '<version>' }`,
  };
}
