import { attributeAt } from '../../blueprint/attributes/facts';
import type { EntityBlueprint } from '../../blueprint/table';
import { partsOf, shownPart } from '../../blueprint/template-parts';
import { holdsWhole } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import { listCode } from '../findings/values';

const causes = {
  'in-no-key': '`keyOnly` lists an attribute that no key contains',
  'in-pieces': '`keyOnly` lists an attribute, but the keys contain only a piece of it',
} as const;

type Cause = keyof typeof causes;

export const unstorable: TableRule<'unstorable', Cause> = {
  id: 'unstorable',
  severity: 'error',
  why: 'An item stores the attributes in `keyOnly` only in its keys, so a value is lost if no key contains the whole attribute.',
  causes,
  check: (table) => table.entities.filter(({ design }) => design.keyOnly !== undefined).flatMap(lost),
};

function lost({ name, design, keys }: EntityBlueprint): readonly Found<Cause>[] {
  const { keyOnly = [], attributes } = design;
  const parts = [...keys.values()].flatMap(({ template }) => partsOf(template));
  return keyOnly.flatMap((attribute) => {
    const held = parts.filter((part) => part.path[0] === attribute);
    // A read can restore a padded number from a key, but not the hour of a timestamp from its date.
    const isWhole = held.some((part) => part.path.length === 1 && holdsWhole(part));
    if (isWhole || attributeAt(attributes, [attribute]) === undefined) return [];
    const [piece] = held;
    const shown = piece && shownPart(piece);
    const rest = keyOnly.length === 1 ? {} : { code: listCode(keyOnly.filter((other) => other !== attribute)) };
    return [
      {
        ...atEntity(name, 'keyOnly', undefined, { attribute }),
        cause: piece === undefined ? 'in-no-key' : 'in-pieces',
        message: `'${attribute}' is stored only in keys, but ${shown === undefined ? `no key contains <${attribute}>` : `the keys contain only ${shown}`}, so every write loses the value`,
        fix: `remove '${attribute}' from keyOnly, or put <${attribute}> into a key`,
        edits: [{ path: atEntity(name, 'keyOnly').path, ...rest }],
      },
    ];
  });
}
