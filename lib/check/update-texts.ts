import { kindOf, type Schema, schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline, TableOutline } from '../blueprint/outline';
import { keyOf } from '../blueprint/outline';
import { touches, type UpdateFault } from '../blueprint/updates';
import type { UpdatePattern } from '../design/pattern';
import type { Found } from './finding';

type Text = Pick<Found, 'message' | 'fix'>;

/** What a fault of an update is in words, and how to mend it. */
export function textOf(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  { cause, attributes, key, other }: UpdateFault,
): Text {
  const { name } = entity;
  const [attribute = ''] = attributes;
  switch (cause) {
    case 'nothing-changed':
      return { message: 'it changes nothing', fix: 'say what it changes: set: { … }, add: { … } or remove: [ … ]' };
    case 'primary-key':
      return {
        message: `${attribute} is part of ${key?.attribute} ('${key?.template.text}'), and the primary key of an item cannot change`,
        fix: `leave ${attribute} out, or delete the ${name} and put another`,
      };
    case 'written-by-table':
      return writtenByTable(table, entity, attribute, key);
    case 'unknown-attribute':
      return {
        message: `'${attribute}' is not an attribute of ${name}`,
        fix: `use one of ${entity.attributes.join(', ')}, or add it to the design`,
      };
    case 'required-removed':
      return { message: `every ${name} has '${attribute}'`, fix: `make ${attribute} optional, or do not remove it` };
    case 'not-a-number': {
      const kind = kindOf(schemaAt(entity.schema, attribute.split('.')) as Schema);
      const fix = `set it: set: { ${attribute}: … }, or make it a number`;
      return { message: `cannot add to a ${kind}: '${attribute}'`, fix };
    }
    case 'text-added':
      return {
        message: `cannot add '${step.add?.[attribute]}': it is a string`,
        fix: `write a number, or a parameter alone: '<by>'`,
      };
    case 'changed-twice':
      return {
        message:
          other?.attribute === attribute
            ? `'${attribute}' is changed twice, and DynamoDB refuses to do both`
            : `'${other?.attribute}' and '${attribute}' are one inside the other, and DynamoDB refuses to change both`,
        fix: 'keep one of the two',
      };
    case 'map-not-there':
      return {
        message: `a new item has no map to hold '${attribute}'`,
        fix: 'set the whole map, or leave upsert out',
      };
    case 'incomplete-item':
      return {
        message: `a new ${name} would have no ${attributes.join(', ')}`,
        fix: `add ${attributes.join(', ')} to set, or leave upsert out`,
      };
    case 'half-key':
      return halfKey(name, step, { cause, attributes, key, other, place: '' });
  }
}

function writtenByTable(
  table: TableOutline,
  { name }: EntityOutline,
  attribute: string,
  key: UpdateFault['key'],
): Text {
  const message = `the table writes '${attribute}' itself, as ${key === undefined ? 'the type' : `'${key.template.text}'`}`;
  const isPrimary = keyOf(table.key).some((one) => one.name === attribute);
  if (isPrimary) return { message, fix: `leave it out, or delete the ${name} and put another` };
  const parts = key?.template.holes.map((hole) => hole.name).join(', ') ?? '';
  return { message, fix: `leave it out${parts === '' ? '' : `, and change what it is made of: ${parts}`}` };
}

function halfKey(entity: string, { set = {}, add = {}, remove = [] }: UpdatePattern, fault: UpdateFault): Text {
  const { attributes, key } = fault;
  const changed = [...Object.keys(set), ...Object.keys(add), ...remove];
  const isOwn = key !== undefined && changed.some((attribute) => touches(key, attribute));
  const changes = isOwn
    ? `it changes part of ${key?.attribute}`
    : `it changes the key of an index that a ${entity} may be new to, with ${key?.attribute}`;
  const unknown = attributes.map((name) => `<${name}>`).join(', ');
  const asField = (name: string) => `${name.includes('.') ? `'${name}'` : name}: '<${name}>'`;
  return {
    message: `${changes} ('${key?.template.text}') and does not know ${unknown}`,
    fix: attributes.some((name) => changed.includes(name))
      ? `set ${attributes.join(', ')} to a value that is given: '<${attributes[0]}>'`
      : `hold it in a condition: condition: { ${attributes.map(asField).join(', ')} }, or add it to set`,
  };
}
