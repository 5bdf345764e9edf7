import { DYNAMODB } from '../../blueprint/clouds';
import { testsIn } from '../../blueprint/conditions';
import { storedAs } from '../../blueprint/stored';
import { type EntityBlueprint, entitiesNamed } from '../../blueprint/table';
import { nearest } from '../../design/names';
import { stepsOf } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atAccess, atEntity } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  unknown: '`stored` lists an attribute that the entity does not have',
  illegal: 'a stored name is empty, or longer than DynamoDB allows',
  taken: 'a stored name is also the name of another attribute, or two attributes have the same stored name',
  'written-by-table': 'a stored name is the name of the type attribute, or of a key attribute that has a template',
  key: '`stored` renames an attribute that is a key of the table or of an index',
  'key-only': '`stored` renames an attribute that is stored only in keys',
  'two-names': 'a pattern tests or selects an attribute that different entities store under different names',
} as const;

type Cause = keyof typeof causes;

export const unsoundStored: TableRule<'unsound-stored', Cause> = {
  id: 'unsound-stored',
  severity: 'error',
  why: 'The table stores an attribute only under its stored name, so each stored name must belong to exactly one attribute.',
  causes,
  *check(table) {
    const unsound = new Set<string>();
    for (const entity of table.entities) {
      for (const [attribute, name] of Object.entries(entity.design.stored ?? {})) {
        const fault = faultOf(table, entity, attribute, name);
        if (fault === undefined) continue;
        unsound.add(entity.name);
        yield { ...atEntity(entity.name, 'stored', attribute), ...fault };
      }
    }
    if (table.entities.every(({ design }) => design.stored === undefined)) return;
    for (const access of table.accesses)
      if (!access.entities.some((name) => unsound.has(name))) yield* inAccess(table, access);
  },
};

type Fault = Pick<Found<Cause>, 'cause' | 'message' | 'fix' | 'edits'>;

function faultOf(table: TableUnderCheck, entity: EntityBlueprint, attribute: string, name: string): Fault | undefined {
  const { stored = {}, keys = {}, keyOnly = [] } = entity.design;
  if (!entity.attributes.includes(attribute)) {
    const meant = nearest(attribute, entity.attributes);
    const fix = meant === undefined ? `use one of ${entity.attributes.join(', ')}` : `write ${meant}: '${name}'`;
    const edits =
      meant === undefined ? {} : { edits: [{ path: atEntity(entity.name, 'stored', attribute).path, rename: meant }] };
    return { cause: 'unknown', message: `'${attribute}' is not an attribute of ${entity.name}`, fix, ...edits };
  }
  if (name === '' || Buffer.byteLength(name) > DYNAMODB.attributeNameBytes) {
    const message = `'${name.slice(0, 20)}' is not a legal attribute name`;
    return {
      cause: 'illegal',
      message,
      fix: `use a name of 1 to ${DYNAMODB.attributeNameBytes} bytes, such as ${attribute}: '${attribute.slice(0, 1)}'`,
    };
  }
  const isKey = (one: string) => table.keyAttributes.some((key) => key.name === one);
  if (isKey(attribute) && name !== attribute) {
    const message = `'${attribute}' is a key of the table or of an index, so it cannot have the stored name '${name}'`;
    return {
      cause: 'key',
      message,
      fix: `rename the key attribute to '${name}', or remove '${attribute}' from the stored names`,
    };
  }
  if (name === table.typeAttribute || Object.hasOwn(keys, name)) {
    const what = name === table.typeAttribute ? "the item's type" : `the key '${keys[name]}'`;
    return { cause: 'written-by-table', message: `'${name}' already contains ${what}`, fix: 'use another name' };
  }
  const all = Object.keys(stored);
  const before = all.slice(0, all.indexOf(attribute)).find((one) => stored[one] === name);
  const other = before ?? entity.attributes.find((one) => one !== attribute && one === name);
  if (other !== undefined) {
    const message = `the name '${name}' already belongs to '${other}', so one of them would overwrite the other`;
    return { cause: 'taken', message, fix: `use a name that no other attribute of ${entity.name} has` };
  }
  if (!keyOnly.includes(attribute)) return undefined;
  const message = `'${attribute}' is stored only in keys, so it has no stored name`;
  return { cause: 'key-only', message, fix: `remove '${attribute}' from the stored names, or from keyOnly` };
}

/** Reports attributes that a request tests or selects, but that its entities store under different names. */
function* inAccess(table: TableUnderCheck, access: PatternAccess): Iterable<Found<Cause>> {
  const { step } = access;
  const entities = entitiesNamed(table, access.entities);
  const filter = 'filter' in step ? (step.filter ?? {}) : {};
  const named = [
    ...testsIn(filter).map(({ path, place }) => ({ field: 'filter', place, attribute: stepsOf(path)[0] as string })),
    ...('select' in step ? (step.select ?? []) : []).map((attribute) => ({
      field: 'select',
      place: undefined,
      attribute,
    })),
  ];
  for (const { field, place, attribute } of named) {
    const [first, second] = storedAs(entities, attribute);
    const foreign = entities.find(({ design }) =>
      Object.entries(design.stored ?? {}).some(([one, name]) => one !== attribute && name === first?.name),
    );
    if (first === undefined || (second === undefined && (field === 'select' || foreign === undefined))) continue;
    const message =
      second === undefined
        ? `'${attribute}' is stored as '${first.name}', but ${foreign?.name} stores a different attribute under this name`
        : `'${attribute}' is stored as '${first.name}' in ${first.entity}, but as '${second.name}' in ${second.entity}`;
    const fix =
      second === undefined
        ? `use different stored names in ${first.entity} and ${foreign?.name}`
        : `write stored: { ${attribute}: '${first.name}' } in both entities, or query one entity at a time`;
    yield { ...atAccess(access, field, place, { attribute }), cause: 'two-names', message, fix };
  }
}
