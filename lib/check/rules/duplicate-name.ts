import type { TableDesign } from '../../design/table';
import type { Found, TableRule } from '../findings/finding';
import { atEntity, atIndex } from '../findings/place';
import { listCode } from '../findings/values';

const causes = {
  projected: 'an index lists an attribute twice',
  type: 'two entities have the same type',
  pattern: 'two tables of a system have patterns with the same name',
} as const;

type Cause = keyof typeof causes;

export const duplicateName: TableRule<'duplicate-name', Cause> = {
  id: 'duplicate-name',
  severity: 'error',
  why: 'A duplicate name is ambiguous: the cloud refuses the deployment, or a read mistakes an item of one entity for an item of another.',
  causes,
  check: ({ design }) => [...inProjections(design), ...inTypes(design)],
};

function* inProjections({ indexes = {} }: TableDesign): Iterable<Found<Cause>> {
  for (const [name, { projection }] of Object.entries(indexes)) {
    if (typeof projection !== 'object' || new Set(projection).size === projection.length) continue;
    const attributes = [...new Set(projection.filter((attribute, i) => projection.indexOf(attribute) < i))];
    const twice = `'${attributes.join("', '")}'`;
    const message = `the projection lists ${twice} twice, which DynamoDB refuses`;
    yield {
      ...atIndex(name, 'projection', { attributes }),
      cause: 'projected',
      message,
      fix: `list ${twice} only once`,
      edits: [{ path: atIndex(name, 'projection').path, code: listCode(new Set(projection)) }],
    };
  }
}

/** Skips tables without a type attribute, because their keys show which entity an item belongs to. */
function* inTypes({ typeAttribute, entities }: TableDesign): Iterable<Found<Cause>> {
  if (typeAttribute === undefined) return;
  const owners = new Map<string, string>();
  for (const [name, { type = name }] of Object.entries(entities)) {
    const owner = owners.get(type);
    owners.set(type, owner ?? name);
    if (owner === undefined) continue;
    // If only one of the entities declares the type explicitly, that entity has to change.
    const [other, kept] = entities[name]?.type === undefined ? [owner, name] : [name, owner];
    yield {
      ...atEntity(other, 'type', undefined, { entities: [kept], proposed: other }),
      cause: 'type',
      message: `'${type}' is also the type of ${kept}, so '${typeAttribute}' cannot distinguish ${other} from ${kept}`,
      fix: `give ${other} a unique type, such as '${other}'`,
      edits: [{ path: atEntity(other, 'type').path, code: `'${other}'` }],
    };
  }
}
