import type { SortRange } from '../../../blueprint/accesses';
import { afterPrefix, textLiteral } from '../../filter';
import { AFTER, BETWEEN, encodeKey, type KeyValue } from '../key-text';
import { mirrored, mirroredPrefix } from '../mirror';
import { invalid } from './refusals';

/** A range of rows in a partition, in ascending order of their keys. */
export interface RowRange {
  readonly equals?: string;
  readonly prefix?: string;
  /** The lower bound, inclusive. */
  readonly from?: string;
  /** The upper bound, exclusive. */
  readonly before?: string;
}

/**
 * The ranges of rows that a query reads.
 * @param held the values of the key attributes before the range attribute
 * @param isLast whether the range attribute is the last attribute in a row's encoded key
 */
export function rowRange(
  kind: SortRange['kind'],
  held: readonly KeyValue[],
  bounds: readonly KeyValue[],
  isLast: boolean,
): readonly RowRange[] {
  const within: readonly RowRange[] = held.length === 0 ? [] : [{ prefix: encodeKey(held) + BETWEEN }];
  const [first = '', last = ''] = bounds.map((bound) => encodeKey([...held, bound]));
  switch (kind) {
    case 'all':
      return within;
    case 'equals':
      return isLast ? [{ equals: first }] : [{ prefix: first + BETWEEN }];
    case 'beginsWith':
      return [{ prefix: first }];
    case 'between':
      if (first > last) throw invalid('the upper bound of a range must be greater than or equal to the lower bound');
      return [...within, { from: first, before: last + AFTER }];
    case 'atLeast':
      return [...within, { from: first }];
    case 'greaterThan':
      return [...within, { from: first + AFTER }];
    case 'atMost':
      return [...within, { before: first + AFTER }];
    default:
      return [...within, { before: first }];
  }
}

/** Returns the tests on the RowKey for a range; for a mirror, reverses the order. */
export function rangeTests({ equals, prefix, from, before }: RowRange, isMirror: boolean): readonly string[] {
  const text = isMirror ? mirrored : (plain: string) => plain;
  const start = prefix === undefined ? undefined : isMirror ? mirroredPrefix(prefix) : prefix;
  return [
    ...(equals === undefined ? [] : [test('eq', text(equals))]),
    ...(start === undefined ? [] : [test('ge', start), test('lt', afterPrefix(start))]),
    ...(from === undefined ? [] : [test(isMirror ? 'le' : 'ge', text(from))]),
    ...(before === undefined ? [] : [test(isMirror ? 'gt' : 'lt', text(before))]),
  ];
}

function test(sign: string, text: string): string {
  return `RowKey ${sign} ${textLiteral(text)}`;
}
