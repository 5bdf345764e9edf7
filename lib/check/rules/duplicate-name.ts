import type { TableDesign } from '../../design/table';
import type { Found, TableRule } from '../findings/finding';
import { atEntity, atIndex } from '../findings/place';
import { listCode } from '../findings/values';

const causes = {
  projected: 'an index lists an attribute twice',
  type: 'two entities have the same type',
  pattern: 'two tables of a system have a pattern of the same name',
} as const;

type Cause = keyof typeof causes;

export const duplicateName: TableRule<'duplicate-name', Cause> = {
  id: 'duplicate-name',
  severity: 'error',
  why: 'Two things with the same name get mixed up: the deployment is refused, or an item is mistaken for one of a different kind.',
  causes,
  check: ({ design }) => [...inProjections(design), ...inTypes(design)],
};

function* inProjections({ indexes = {} }: TableDesign): Iterable<Found<Cause>> {
  for (const [name, { projection }] of Object.entries(indexes)) {
    if (typeof projection !== 'object' || new Set(projection).size === projection.length) continue;
    const attributes = [...new Set(projection.filter((attribute, i) => projection.indexOf(attribute) < i))];
    const twice = attributes.join(', ');
    const message = `it names ${twice} twice, which DynamoDB refuses`;
    yield {
      ...atIndex(name, 'projection', { attributes }),
      cause: 'projected',
      message,
      fix: `name ${twice} once`,
      edits: [{ path: atIndex(name, 'projection').path, code: listCode(new Set(projection)) }],
    };
  }
}

/** Without a type attribute, items are distinguished by their keys. */
function* inTypes({ typeAttribute, entities }: TableDesign): Iterable<Found<Cause>> {
  if (typeAttribute === undefined) return;
  const owners = new Map<string, string>();
  for (const [name, { type = name }] of Object.entries(entities)) {
    const owner = owners.get(type);
    owners.set(type, owner ?? name);
    if (owner === undefined) continue;
    // An entity named after its type keeps it.
    const [other, kept] = entities[name]?.type === undefined ? [owner, name] : [name, owner];
    yield {
      ...atEntity(other, 'type', undefined, { entities: [kept], proposed: other }),
      cause: 'type',
      message: `'${type}' is also the type of ${kept}, and only ${typeAttribute} distinguishes them`,
      fix: `give ${other} a type of its own, such as '${other}'`,
      edits: [{ path: atEntity(other, 'type').path, code: `'${other}'` }],
    };
  }
}
