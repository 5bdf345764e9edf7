import { AZURE_TABLES } from '../../blueprint/clouds';
import type { PatternDesign, TransactionStep } from '../../design/pattern';
import type { Found, Rule } from '../finding';
import type { TableUnderCheck } from '../subject';

const WHOLE = 'read the item, change it, and put it with replace: true and unchanged: true';

export const cloudOperation: Rule = {
  id: 'cloud-operation',
  severity: 'error',
  why: 'Each cloud can do what the other cannot: such a request would be refused when it is made.',
  *check(table) {
    const { design } = table;
    const cloud = cloudOf(table);
    for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
      const path = `patterns.${name}`;
      if (cloud === 'azure') yield* readsOf(path, pattern);
      const steps: readonly (readonly [string, TransactionStep])[] =
        pattern.op === 'transaction'
          ? Object.entries(pattern.steps).map(([step, write]) => [`${path}.steps.${step}`, write])
          : 'returns' in pattern
            ? []
            : [[path, pattern]];
      for (const [place, step] of steps) {
        yield* cloud === 'azure' ? onAzure(place, step, pattern.op === 'transaction') : onDynamoDb(place, step);
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

function* readsOf(path: string, pattern: PatternDesign): Iterable<Found> {
  if (pattern.op === 'batchGet') {
    yield { path, message: 'Azure Tables get one entity at a time', fix: 'write a get for each' };
  }
  for (const [attribute, test] of Object.entries((pattern.op === 'query' && pattern.filter) || {})) {
    const isObject = typeof test === 'object' && test !== null;
    const kind = isObject ? ['exists', 'contains', 'attribute'].find((word) => word in test) : undefined;
    if (kind === undefined) continue;
    yield {
      path: `${path}.filter.${attribute}`,
      message: `Azure Tables compare a property with a value, and know no '${kind}'`,
      fix: 'store a property that can be compared, or filter what comes back',
    };
  }
}

function* onAzure(path: string, step: TransactionStep, isBatch: boolean): Iterable<Found> {
  if (step.condition !== undefined) {
    const fix = 'read the item, test it, and write with unchanged: true';
    yield { path: `${path}.condition`, message: 'Azure Tables test nothing but the ETag', fix };
  }
  if (step.op === 'update' && step.add !== undefined) {
    yield { path: `${path}.add`, message: 'Azure Tables cannot add to a number', fix: WHOLE };
  }
  if (step.op === 'update' && step.remove !== undefined) {
    yield { path: `${path}.remove`, message: 'an Azure merge removes no property', fix: WHOLE };
  }
  if (step.op === 'put' && step.unchanged && !step.replace) {
    yield { path: `${path}.unchanged`, message: 'a new item has not been read before', fix: 'add replace: true' };
  }
  if (step.op === 'delete' && step.unchanged && isBatch) {
    const fix = 'delete it in a request of its own';
    yield { path: `${path}.unchanged`, message: 'an Azure batch deletes without an ETag', fix };
  }
}

function* onDynamoDb(path: string, step: TransactionStep): Iterable<Found> {
  if (!('unchanged' in step) || !step.unchanged) return;
  yield {
    path: `${path}.unchanged`,
    message: 'DynamoDB has no ETag',
    fix: `keep a version, and write condition: { version: '<version>' }`,
  };
}
