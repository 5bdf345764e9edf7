import { type Size, sizeAt } from '../../blueprint/attributes/sizes';
import { wordsOf } from '../../blueprint/words';
import type { UpdatePattern } from '../../design/pattern';
import { stepsOf } from '../../design/template';
import type { TableRule } from '../finding';
import { atEntity } from '../places';
import type { TableUnderCheck } from '../subject';
import { cloudOf } from './cloud-operation';

/** How many bytes a DynamoDB item holds at most. */
const MOST = 400 * 1024;

const causes = {
  'always-too-large': 'an attribute is always too large for an item (an error)',
  'may-be-too-large': 'the bounds of an attribute let it grow too large for an item',
  'grows-with-use': 'a list or a map has no bound, and holds something that grows with use, or a pattern appends to it',
  'no-bound': 'a list or a map has no bound (a note)',
} as const;

type Cause = keyof typeof causes;

export const unboundedItem: TableRule<'unbounded-item', Cause> = {
  id: 'unbounded-item',
  severity: 'warning',
  why: 'An item holds at most 400 KB: a list that grows with use works until the day its item can no longer be written.',
  causes,
  *check(table) {
    if (cloudOf(table) !== 'aws') return;
    const appended = appendedTo(table);
    for (const { name, schema, attributes } of table.plan.entities) {
      for (const attribute of attributes) {
        const size = sizeAt(schema, attribute);
        const fault = size && faultOf(attribute, size, appended.has(`${name} ${attribute}`));
        if (fault) yield { ...atEntity(name, 'attributes', attribute), ...fault };
      }
    }
  },
};

/** Words for things that accumulate with use. */
const GROWING: ReadonlySet<string> = new Set(
  'comments messages events logs log history followers following likes reactions replies readings measurements entries orders transactions visits views activity activities audit changes versions revisions notifications posts items members participants subscribers'.split(
    ' ',
  ),
);

/** The lists that an update appends to, as `entity attribute`. */
function appendedTo({ accesses }: TableUnderCheck): ReadonlySet<string> {
  const lists = new Set<string>();
  for (const { step } of accesses) {
    for (const [path, value] of step.op === 'update' ? Object.entries(step.set ?? {}) : []) {
      const isAdded = typeof value === 'object' && value !== null && ('append' in value || 'prepend' in value);
      if (isAdded) lists.add(`${(step as UpdatePattern).entity} ${stepsOf(path)[0]}`);
    }
  }
  return lists;
}

const LISTED: ReadonlySet<string> = new Set(['ids', 'names', 'keys', 'list', 'refs', 'map']);

/** Whether a name says that there will be more and more: `comments`, `commentIds`. */
function isGrowing(name: string): boolean {
  const words = wordsOf(name);
  const [last = '', before = ''] = words.toReversed();
  return GROWING.has(last) || (LISTED.has(last) && (GROWING.has(before) || GROWING.has(`${before}s`)));
}

function faultOf(attribute: string, { least, most, isOpen, open }: Size, isAppended: boolean) {
  const apart = 'keep each as an item of its own, in the partition of this one';
  if (least > MOST) {
    const message = `${attribute} takes at least ${least} bytes, but an item holds ${MOST}`;
    return {
      severity: 'error',
      cause: 'always-too-large',
      message,
      fix: 'keep it in S3, and only its address here',
    } as const;
  }
  if (isOpen) {
    const grows = isAppended || isGrowing(attribute) || (open !== undefined && isGrowing(open));
    const message = `${attribute} has no bound, but it is all in one item, which can hold at most 400 KB`;
    return {
      severity: grows ? 'warning' : 'note',
      cause: grows ? 'grows-with-use' : 'no-bound',
      message,
      fix: `say how many there can be: .max(100); or ${apart}`,
    } as const;
  }
  if (most <= MOST) return undefined;
  const message = `${attribute} may take ${most} bytes, but an item holds ${MOST}`;
  return { cause: 'may-be-too-large', message, fix: `lower its bounds, or ${apart}` } as const;
}
