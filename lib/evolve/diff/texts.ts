import { shownPart } from '../../blueprint/template-parts';
import { mapParts, template } from '../../design/template';
import { newNameOf } from './answers';
import type { EntityPair } from './sides';

/** The new name of one of the entity's attributes. */
export function attributeNow({ answers, before, formerName }: EntityPair, attribute: string): string {
  return newNameOf(answers, before.name, formerName, attribute);
}

/** Applies the new attribute names to a key template from the lock. */
export function renamedText(pair: EntityPair, text: string): string {
  return withNames(text, (name) => attributeNow(pair, name));
}

/** Renames the attributes in a key template. */
export function withNames(text: string, nameOf: (attribute: string) => string): string {
  return mapParts(
    template(text),
    (literal) => literal,
    ({ path: [first = '', ...rest], format, optional }) => {
      const name = [nameOf(first), ...rest].join('.');
      const shown = shownPart({ name, format });
      return optional ? shown.replace(/>$/, '?>') : shown;
    },
  ).join('');
}
