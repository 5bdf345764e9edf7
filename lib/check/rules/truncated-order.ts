import { attributeAt } from '../../blueprint/attributes/facts';
import { isBucket, isPieceOfTime, partsOf, partsOfKey, shownPart } from '../../blueprint/template-parts';
import type { QueryPattern } from '../../design/pattern';
import type { Part } from '../../design/template';
import type { Fault, TableRule } from '../findings/finding';
import { atAccess, atEntity } from '../findings/place';
import { heldAttributes, type PatternAccess } from '../table-under-check';
import { type Sorted, sortedOf } from './order-unserved';

const causes = {
  'month-before-year':
    'the sort key has a month without the year before it, or a day or an hour without the rest of the date',
  piece: 'the sort key has only a piece of the time',
} as const;

type Cause = keyof typeof causes;

export const truncatedOrder: TableRule<'truncated-order', Cause> = {
  id: 'truncated-order',
  severity: 'error',
  why: 'A sort key that contains only a piece of a time sorts only by that piece.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      const { orderBy } = access.design as QueryPattern;
      const sort = access.sort?.name;
      if (orderBy === undefined || access.design.op !== 'query' || sort === undefined) continue;
      for (const sorted of access.entities.flatMap((name) => sortedOf(table, name, access))) {
        const fault = truncated(sorted, orderBy, access);
        if (fault === undefined) continue;
        const { format: value } = sorted.by as Part;
        const about = { attribute: orderBy, value, entities: [sorted.entity.name] };
        yield { ...atAccess(access, 'orderBy', undefined, about), ...fault };
      }
    }
  },
};

function truncated(
  { entity, attribute, template, by }: Sorted,
  orderBy: string,
  access: PatternAccess,
): Fault<Cause> | undefined {
  // `order-unserved` reports a key that sorts by a different attribute.
  if (by === undefined || by.name !== orderBy || !(isPieceOfTime(by.format) || isBucket(by.format))) return undefined;
  const at = partsOf(template).indexOf(by);
  const pieces = leadingPartsOf(partsOf(template).slice(at), orderBy);
  const held = heldAttributes(access).flatMap(({ name }) => partsOfKey(entity, name));
  const before = [...held, ...partsOf(template).slice(0, at)];
  const isYearKnown = before.some(({ name, format }) => name === orderBy && (format === 'year' || format === 'date'));
  const isDay = attributeAt(entity.design.attributes, by.path)?.format === 'date';
  const isWhole = pieces.some(({ format }) => format === undefined || (isDay && format === 'date'));
  const isInOrder = isInOrderAfter(by, isYearKnown, before);
  if (isWhole && isInOrder) return undefined;
  const shown = pieces.map((piece) => shownPart(piece)).join(', ');
  return {
    cause: isInOrder ? 'piece' : 'month-before-year',
    message: `the sort key of ${entity.name} ('${template.text}') sorts by ${shown}, not by the whole '${orderBy}', so the query returns items in a different order`,
    fix: `write <${orderBy}> instead of <${orderBy}:${by.format}> in '${attribute}' of ${entity.name}, or choose a different order`,
    ...(pieces.length === 1 && {
      edits: [{ path: atEntity(entity.name, 'keys', attribute).path, replace: [shownPart(by), `<${orderBy}>`] }],
    }),
  };
}

/** Whether a piece of a time sorts correctly: a month needs a known year, a day a known month, and an hour a known day. */
function isInOrderAfter({ name, format }: Part, isYearKnown: boolean, before: readonly Part[]): boolean {
  const isKnown = (piece: Part['format']) => before.some((part) => part.name === name && part.format === piece);
  const isDayKnown = isKnown('date') || (isYearKnown && isKnown('month') && isKnown('day'));
  if (format === 'hour') return isDayKnown;
  if (format === 'day') return isYearKnown && isKnown('month');
  return format !== 'month' || isYearKnown;
}

/** Returns the leading parts that belong to one attribute. */
function leadingPartsOf(parts: readonly Part[], name: string): readonly Part[] {
  const end = parts.findIndex((part) => part.name !== name);
  return end === -1 ? parts : parts.slice(0, end);
}
