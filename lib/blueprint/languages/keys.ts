import { mapParts, type Part, type Template, widthOf } from '../../design/template';
import type { AttributeFacts } from '../attributes/facts';
import { isBucket, isPieceOfTime } from '../template-parts';
import { DIGIT, intersection, type Language, languageOf, many, type Piece, text, times } from './language';
import { BUCKETS, inKeys, NOT_LOWER, NOT_UPPER, PIECES_OF_TIME, type ValueSpace, valuesOf } from './values';

/** What is known about the values that fill a template. */
export interface KeySpace extends ValueSpace {
  /** Returns what is known about the attribute in a part; undefined if nothing is known, as for a parameter. */
  facts?(part: Part): AttributeFacts | undefined;
  /**
   * Returns a piece for a part without a format. This piece takes precedence over a piece derived from the attribute's
   * facts.
   */
  given?(part: Part): Piece | undefined;
}

/** Returns the language of all keys that a template can render. */
export function keysOf(template: Template, space: KeySpace): Language {
  return languageOf(mapParts(template, text, (part) => pieceOf(part, space)));
}

/** Returns a piece for the values that can fill a part. */
export function pieceOf(part: Part, space: KeySpace): Piece {
  return formatted(part, space) ?? space.given?.(part) ?? valuesOf(space.facts?.(part), space);
}

function formatted(part: Part, { separator }: KeySpace): Piece | undefined {
  const { format } = part;
  if (format === undefined) return undefined;
  if (format === 'encoded') return many(inKeys(separator));
  if (format === 'lower' || format === 'upper')
    return many(intersection(inKeys(separator), format === 'lower' ? NOT_UPPER : NOT_LOWER));
  if (isPieceOfTime(format)) return PIECES_OF_TIME[format];
  return isBucket(format) ? BUCKETS[widthOf(part) as keyof typeof BUCKETS] : times(widthOf(part) as number, DIGIT);
}
