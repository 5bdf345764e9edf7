import { type Size, sizeAt } from '../../blueprint/attributes/sizes';
import { isInside } from '../../blueprint/updates';
import { stepsOf } from '../../design/template';
import type { TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

/** The maximum size of a DynamoDB item, in bytes. */
const MOST = 400 * 1024;

const causes = {
  'always-too-large': 'an attribute is always too large for an item (an error)',
  'may-be-too-large': 'the bounds of an attribute allow values that are too large for an item',
  'grows-with-use': 'a pattern adds to a list or a set that has no maximum size',
} as const;

type Cause = keyof typeof causes;

export const unboundedItem: TableRule<'unbounded-item', Cause> = {
  id: 'unbounded-item',
  severity: 'warning',
  why: 'DynamoDB limits an item to 400 KB. If a list grows with use, its item eventually reaches this limit, and then every write to the list fails.',
  causes,
  *check(table) {
    if (table.cloud !== 'aws') return;
    const appended = appendedTo(table);
    for (const { name, schema, attributes } of table.entities) {
      for (const attribute of attributes) {
        const size = sizeAt(schema, attribute);
        const fault = size && faultOf(attribute, size, appended.has(`${name} ${attribute}`));
        if (fault) yield { ...atEntity(name, 'attributes', attribute), ...fault };
      }
    }
  },
};

/** Returns the lists and sets that updates add to, each as `entity attribute`. */
function appendedTo({ accesses }: TableUnderCheck): ReadonlySet<string> {
  const lists = new Set<string>();
  for (const { step } of accesses) {
    if (step.op !== 'update') continue;
    const { entity, set = {}, add = {} } = step;
    const isAppended = (path: string) => /^{"(ap|pre)pend":/.test(JSON.stringify(set[path]));
    // DynamoDB adds elements only to top-level sets.
    for (const path of [...Object.keys(set).filter(isAppended), ...Object.keys(add).filter((one) => !isInside(one))])
      lists.add(`${entity} ${stepsOf(path)[0]}`);
  }
  return lists;
}

function faultOf(attribute: string, { least, most, isOpen }: Size, isAppended: boolean) {
  const apart = 'store each element as a separate item in the same partition';
  if (least > MOST) {
    const message = `'${attribute}' takes at least ${least} bytes, but an item is limited to ${MOST} bytes, so every put is refused`;
    return {
      severity: 'error',
      cause: 'always-too-large',
      message,
      fix: `store the value in S3, and only its address in '${attribute}'`,
    } as const;
  }
  if (isOpen) {
    if (!isAppended) return undefined;
    const message = `a pattern adds to '${attribute}', which has no maximum size, and DynamoDB refuses every write once the item reaches 400 KB`;
    return {
      cause: 'grows-with-use',
      message,
      fix: `end the schema of '${attribute}' with .max(100), or ${apart}`,
    } as const;
  }
  if (most <= MOST) return undefined;
  const message = `'${attribute}' may take ${most} bytes, but an item is limited to ${MOST} bytes, so larger items are refused`;
  return { cause: 'may-be-too-large', message, fix: `lower the bounds of '${attribute}', or ${apart}` } as const;
}
