import type { TableDesign } from '../../design/table';
import type { Found, Rule } from '../finding';

export const duplicateName: Rule = {
  id: 'duplicate-name',
  severity: 'error',
  why: 'Two things of one name are one: the deployment is refused, or an item is taken for what it is not.',
  check: ({ design }) => [...inProjections(design), ...inTypes(design)],
};

function* inProjections({ indexes = {} }: TableDesign): Iterable<Found> {
  for (const [name, { projection }] of Object.entries(indexes)) {
    if (typeof projection !== 'object' || new Set(projection).size === projection.length) continue;
    const twice = [...new Set(projection.filter((one, i) => projection.indexOf(one) < i))].join(', ');
    const message = `it names ${twice} twice, which DynamoDB refuses`;
    yield { path: `indexes.${name}.projection`, message, fix: `name ${twice} once` };
  }
}

/** Without a type attribute, items are told apart by their keys. */
function* inTypes({ typeAttribute, entities }: TableDesign): Iterable<Found> {
  if (typeAttribute === undefined) return;
  const owners = new Map<string, string>();
  for (const [name, { type = name }] of Object.entries(entities)) {
    const owner = owners.get(type);
    owners.set(type, owner ?? name);
    if (owner === undefined) continue;
    // What is named after its type is in its right.
    const [other, kept] = entities[name]?.type === undefined ? [owner, name] : [name, owner];
    yield {
      path: `entities.${other}.type`,
      message: `'${type}' is the type of ${kept} too, and ${typeAttribute} is what tells them apart when they are read`,
      fix: `give ${other} a type of its own, such as '${other}'`,
    };
  }
}
