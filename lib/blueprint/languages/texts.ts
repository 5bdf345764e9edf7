import type { AttributeFacts } from '../attributes/facts';
import { type Language, languageOf } from './language';
import { overlaps } from './relation';
import { valuesOf } from './values';

/** Every non-empty string that an attribute can be, or a superset of these strings. */
function textsOf(facts: AttributeFacts | undefined): Language {
  return languageOf([valuesOf(facts, { separator: '', natural: true })]);
}

/** Whether two attributes share no non-empty value; false if the schemas do not prove this. */
export function areApart(a: AttributeFacts | undefined, b: AttributeFacts | undefined): boolean {
  return !overlaps(textsOf(a), textsOf(b));
}
