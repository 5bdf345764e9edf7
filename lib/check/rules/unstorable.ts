import { attributeAt } from '../../blueprint/attributes/facts';
import type { EntityBlueprint } from '../../blueprint/table';
import { partsOf, shownPart } from '../../blueprint/template-parts';
import { holdsWhole } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import { listCode } from '../findings/values';

const causes = {
  'in-no-key': 'no key contains the attribute',
  'in-pieces': 'the keys contain only a piece of the attribute',
} as const;

type Cause = keyof typeof causes;

export const unstorable: TableRule<'unstorable', Cause> = {
  id: 'unstorable',
  severity: 'error',
  why: 'An attribute that is kept in keys only, and not whole in any key, is lost when the item is written.',
  causes,
  check: (table) => table.entities.filter(({ design }) => design.keyOnly !== undefined).flatMap(lost),
};

function lost({ name, design, keys }: EntityBlueprint): readonly Found<Cause>[] {
  const { keyOnly = [], attributes } = design;
  const parts = [...keys.values()].flatMap(({ template }) => partsOf(template));
  return keyOnly.flatMap((attribute) => {
    const held = parts.filter((part) => part.path[0] === attribute);
    // A padded number is read back whole, but the date of a timestamp does not show its hour.
    const isWhole = held.some((part) => part.path.length === 1 && holdsWhole(part));
    if (isWhole || attributeAt(attributes, [attribute]) === undefined) return [];
    const [piece] = held;
    const shown = piece && shownPart(piece);
    const rest = keyOnly.length === 1 ? {} : { code: listCode(keyOnly.filter((other) => other !== attribute)) };
    return [
      {
        ...atEntity(name, 'keyOnly', undefined, { attribute }),
        cause: piece === undefined ? 'in-no-key' : 'in-pieces',
        message: `'${attribute}' is kept in keys only, and ${shown === undefined ? 'no key contains it' : `the keys hold only ${shown}`}: it is lost when the item is written`,
        fix: `leave ${attribute} out of keyOnly, or put <${attribute}> into a key`,
        edits: [{ path: atEntity(name, 'keyOnly').path, ...rest }],
      },
    ];
  });
}
