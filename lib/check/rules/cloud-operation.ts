import { hasSteps, isRead } from '../../blueprint/accesses';
import { hasAzureKeys } from '../../blueprint/clouds';
import { testsIn } from '../../blueprint/conditions';
import type { PatternDesign, Write } from '../../design/pattern';
import type { Found, TableRule } from '../finding';
import { atPattern, type Request } from '../places';
import type { TableUnderCheck } from '../subject';

const WHOLE = 'read the item, change it, and put it with replace: true and unchanged: true';

const causes = {
  'batch-get': 'Azure Tables have no batchGet',
  filter: 'a filter on Azure does more than compare with a value',
  condition: 'Azure Tables have no conditions',
  add: 'Azure Tables cannot add to a number',
  remove: 'Azure Tables cannot remove an attribute',
  'unchanged-new': 'a put of a new item says unchanged',
  'unchanged-in-batch': 'a delete in a transaction on Azure says unchanged',
  'batch-write': 'Azure Tables have no batchWrite',
  'fixed-steps': 'a transaction on Azure lets the caller decide the number of steps',
  returns: 'Azure Tables return nothing for a write',
  'no-etag': 'a write on DynamoDB says unchanged, which needs an ETag',
} as const;

type Cause = keyof typeof causes;

export const cloudOperation: TableRule<'cloud-operation', Cause> = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud can do things the other cannot: such a request would be refused when it is sent.',
  causes,
  *check(table) {
    const { plan } = table;
    const cloud = cloudOf(table);
    for (const { name, design: pattern } of plan.patterns) {
      if (cloud === 'azure') yield* readsOf({ name }, pattern);
      if (cloud === 'azure' && pattern.op === 'batchWrite') {
        const message = 'Azure Tables write several entities at once only within one partition, all or nothing';
        const fix = 'write a put or a delete, and send several side by side';
        yield { ...atPattern({ name }), cause: 'batch-write', message, fix };
        continue;
      }
      const steps: readonly (readonly [Request, Write])[] = hasSteps(pattern)
        ? Object.entries(pattern.steps).map(([step, write]) => [{ name, step }, write])
        : isRead(pattern)
          ? []
          : [[{ name }, pattern]];
      for (const [request, step] of steps) {
        yield* cloud === 'azure' ? onAzure(request, step, pattern.op === 'transaction') : onDynamoDb(request, step);
      }
    }
  },
};

/** The cloud of a table; a table without a system is for Azure if its keys have Azure's names. */
export function cloudOf({ design, cloud, system }: TableUnderCheck): TableUnderCheck['cloud'] {
  return system === undefined && hasAzureKeys(design) ? 'azure' : cloud;
}

function* readsOf(request: Request, pattern: PatternDesign): Iterable<Found<Cause>> {
  if (pattern.op === 'batchGet') {
    const message = 'Azure Tables read one entity at a time';
    yield { ...atPattern(request), cause: 'batch-get', message, fix: 'write a get for each' };
  }
  for (const { path: attribute, test, place } of testsIn(('filter' in pattern && pattern.filter) || {})) {
    const isObject = typeof test === 'object' && test !== null;
    const kind = isObject ? ['exists', 'contains', 'attribute', 'size'].find((word) => word in test) : undefined;
    if (kind === undefined) continue;
    yield {
      ...atPattern(request, 'filter', place, { attribute, value: kind }),
      cause: 'filter',
      message: `Azure Tables compare a property with a value, and have no '${kind}'`,
      fix: 'store a property that can be compared, or filter the results yourself',
    };
  }
}

function* onAzure(request: Request, step: Write, isBatch: boolean): Iterable<Found<Cause>> {
  for (const field of ['each', 'optional'].filter((name) => name in step)) {
    const message = 'an Azure batch has exactly the steps that its pattern names';
    const fix =
      'write a transaction for each number of items, or send separate writes in an order that can be repaired';
    yield { ...atPattern(request, field), cause: 'fixed-steps', message, fix };
  }
  if ('returns' in step) {
    const message = 'Azure Tables return only the ETag of a write';
    yield { ...atPattern(request, 'returns'), cause: 'returns', message, fix: 'read the item' };
  }
  if (step.condition !== undefined) {
    const fix = 'read the item, test it, and write with unchanged: true';
    const message = 'Azure Tables test only the ETag';
    yield { ...atPattern(request, 'condition'), cause: 'condition', message, fix };
  }
  for (const field of ['add', 'subtract'].filter((name) => name in step)) {
    yield { ...atPattern(request, field), cause: 'add', message: 'Azure Tables cannot add to a number', fix: WHOLE };
  }
  if (step.op === 'update' && step.remove !== undefined) {
    yield {
      ...atPattern(request, 'remove'),
      cause: 'remove',
      message: 'an Azure merge cannot remove a property',
      fix: WHOLE,
    };
  }
  if (step.op === 'put' && step.unchanged && !step.replace) {
    const message = 'a new item cannot be unchanged';
    yield { ...atPattern(request, 'unchanged'), cause: 'unchanged-new', message, fix: 'add replace: true' };
  }
  if (step.op === 'delete' && step.unchanged && isBatch) {
    const fix = 'delete it in a request of its own';
    const message = 'an Azure batch deletes without an ETag';
    yield { ...atPattern(request, 'unchanged'), cause: 'unchanged-in-batch', message, fix };
  }
}

function* onDynamoDb(request: Request, step: Write): Iterable<Found<Cause>> {
  if (!('unchanged' in step) || !step.unchanged) return;
  yield {
    ...atPattern(request, 'unchanged'),
    cause: 'no-etag',
    message: 'DynamoDB has no ETag',
    fix: `keep a version, and write condition: { version: '<version>' }`,
  };
}
