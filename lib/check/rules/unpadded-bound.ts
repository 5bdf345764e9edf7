import type { SortRange } from '../../blueprint/accesses';
import { entityNamed } from '../../blueprint/table';
import { digitsAt } from '../../blueprint/template-parts';
import type { Template } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atWhere } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  'too-short': 'a bound ends with a number that has fewer digits than the numbers in the key',
} as const;

type Cause = keyof typeof causes;

export const unpaddedBound: TableRule<'unpadded-bound', Cause> = {
  id: 'unpadded-bound',
  severity: 'error',
  why: 'Keys sort as text, so 7 comes after 0010.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      for (const bound of endsOf(access.range)) yield* inBound(table, access, bound);
    }
  },
};

const NONE: readonly Template[] = [];

/** Returns the bounds of a range, but no prefix, because a prefix need not end with a complete number. */
function endsOf(range: SortRange): readonly Template[] {
  if (range.kind === 'between') return [range.from, range.to];
  return range.kind === 'all' || range.kind === 'equals' || range.kind === 'beginsWith' ? NONE : [range.at];
}

function* inBound(table: TableUnderCheck, access: PatternAccess, bound: Template): Iterable<Found<Cause>> {
  const sort = access.sort?.name ?? '';
  const endings = access.entities.map((name) => {
    const key = entityNamed(table, name)?.keys.get(sort)?.template;
    return key && digitsAt(bound, key);
  });
  const [first] = endings;
  if (first === undefined || endings.some((other) => other?.width !== first.width)) return;
  const { digits, width } = first;
  // A bound of only zeros sorts before every number, and a bound of only nines after nearly every number. Either may be
  // intentional.
  if (digits.length >= width || /^(0+|9+)$/.test(digits)) return;
  const padded = `${bound.text.slice(0, -digits.length)}${digits.padStart(width, '0')}`;
  yield {
    ...atWhere(access, sort, { proposed: padded }),
    cause: 'too-short',
    message: `'${bound.text}' ends with ${digits}, but the numbers in the key have ${width} digits`,
    fix: `write '${padded}'`,
    edits: [{ path: atWhere(access, sort).path, replace: [`'${bound.text}'`, `'${padded}'`] }],
  };
}
