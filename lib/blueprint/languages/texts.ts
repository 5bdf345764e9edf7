import type { AttributeFacts } from '../attributes/facts';
import { type Language, languageOf } from './language';
import { overlaps } from './relation';
import { valuesOf } from './values';

/** Every text but the empty one that an attribute can be, or more than those. */
function textsOf(facts: AttributeFacts | undefined): Language {
  return languageOf([valuesOf(facts, { separator: '', natural: true })]);
}

/** Whether no text but the empty one can be a value of both attributes; false if that is not certain. */
export function areApart(a: AttributeFacts | undefined, b: AttributeFacts | undefined): boolean {
  return !overlaps(textsOf(a), textsOf(b));
}
