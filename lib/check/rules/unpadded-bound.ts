import type { SortRange } from '../../blueprint/accesses';
import { entityNamed } from '../../blueprint/table';
import type { Template } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atWhere } from '../places';
import type { PatternAccess, TableUnderCheck } from '../subject';

const causes = {
  'too-short': 'a bound ends with a number of fewer digits than those in the key have',
} as const;

type Cause = keyof typeof causes;

export const unpaddedBound: TableRule<'unpadded-bound', Cause> = {
  id: 'unpadded-bound',
  severity: 'error',
  why: 'Keys are compared as text, in which 7 comes after 0010.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      for (const bound of endsOf(access.range)) yield* inBound(table, access, bound);
    }
  },
};

const NONE: readonly Template[] = [];

/** The ends of a stretch; a beginning need not be a whole number. */
function endsOf(range: SortRange): readonly Template[] {
  if (range.kind === 'between') return [range.from, range.to];
  return range.kind === 'all' || range.kind === 'equals' || range.kind === 'beginsWith' ? NONE : [range.at];
}

function* inBound({ plan }: TableUnderCheck, access: PatternAccess, bound: Template): Iterable<Found<Cause>> {
  const sort = access.key.sort?.name ?? '';
  const asked = access.entities.map((name) => digitsAt(bound, entityNamed(plan, name)?.keys.get(sort)?.template));
  const [first] = asked;
  if (first === undefined || asked.some((other) => other?.width !== first.width)) return;
  const { digits, width } = first;
  // All zeros come before every number, and all nines, as it may be meant, after nearly all.
  if (digits.length >= width || /^(0+|9+)$/.test(digits)) return;
  const padded = `${bound.text.slice(0, -digits.length)}${digits.padStart(width, '0')}`;
  yield {
    ...atWhere(access, sort, { proposed: padded }),
    cause: 'too-short',
    message: `'${bound.text}' ends with ${digits}, and the numbers in the key have ${width} digits`,
    fix: `write '${padded}'`,
  };
}

/** The digits that a bound ends with where a key has a padded number. */
function digitsAt(bound: Template, key: Template | undefined): { digits: string; width: number } | undefined {
  const last = bound.parts.length - 1;
  const text = bound.parts[last];
  if (key === undefined || typeof text !== 'string') return undefined;
  const isSame = bound.parts
    .slice(0, last)
    .every((part, i) => part === key.parts[i] || (typeof part === 'object' && typeof key.parts[i] === 'object'));
  const lead = typeof key.parts[last] === 'string' ? key.parts[last] : '';
  const number = key.parts[lead === '' ? last : last + 1];
  const digits = text.slice(lead.length);
  if (!isSame || !text.startsWith(lead) || !/^\d+$/.test(digits)) return undefined;
  return typeof number === 'object' && typeof number.format === 'number' ? { digits, width: number.format } : undefined;
}
