import type { AttributeFacts } from '../attributes/facts';
import { type Language, languageOf } from './language';
import { overlaps } from './relation';
import { valuesOf } from './values';

/** Returns a language that contains every non-empty string that an attribute can have as its value. */
function textsOf(facts: AttributeFacts | undefined): Language {
  return languageOf([valuesOf(facts, { separator: '', natural: true })]);
}

/** Whether the schemas prove that two attributes have no non-empty value in common. */
export function areApart(a: AttributeFacts | undefined, b: AttributeFacts | undefined): boolean {
  return !overlaps(textsOf(a), textsOf(b));
}
