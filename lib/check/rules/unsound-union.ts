import { defOf, listedValues, type Schema, shapeOf, takesNothing } from '../../blueprint/attributes/schema';
import {
  discriminatorsOf,
  has,
  isAlike,
  isShared,
  membersOf,
  present,
  valuesOf,
} from '../../blueprint/attributes/unions';
import { isConstant } from '../../blueprint/membership';
import { type EntityBlueprint, entityNamed, type KeySource, keyOf } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { narrow } from '../../blueprint/unions';
import { guardsOf } from '../../blueprint/unique';
import type { UpdateFault } from '../../blueprint/updates';
import { writtenBy, writtenNames } from '../../blueprint/written';
import type { PutPattern, UpdatePattern } from '../../design/pattern';
import { show, withArticle } from '../../design/show';
import type { Fault, Found, TableRule } from '../findings/finding';
import { atAccess, atEntity, atKey } from '../findings/place';
import { conditionAdded, placeIn } from '../requests/update-faults';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  'key-lacks': 'a member of a union lacks an attribute of the primary key',
  'key-differs': 'members of a union have different schemas for an attribute in a key',
  'values-unknown': 'the discriminator of a union is not a string or a number',
  'written-lacks': 'a member of a union lacks an attribute that the library writes',
  'written-differs': 'members of a union have different schemas for an attribute that the library writes',
  'member-unknown': 'an update sets the discriminator to a value that the check cannot know',
  'member-differs':
    'an update changes an attribute that some members lack, or that has different schemas in different members',
  'member-incomplete': 'an update changes the discriminator without setting all attributes of the new member',
  'member-leftover': 'an update changes the discriminator, but keeps attributes of the old member',
  'put-incomplete': 'a put lacks attributes that the member of the union needs',
  'put-foreign': 'a put has an attribute that the member of the union does not have',
} as const;

type Cause = keyof typeof causes;

export const unsoundUnion: TableRule<'unsound-union', Cause> = {
  id: 'unsound-union',
  severity: 'error',
  why: 'Every item of a discriminated union belongs to one of its members. Keys need attributes that all members have in common, and every write must result in a complete member.',
  causes,
  *check(table) {
    const unions = table.entities.filter(({ schema, guards }) => isUnion(schema) && guards === undefined);
    for (const entity of unions) {
      yield* inValues(entity);
      for (const source of entity.keys.values()) yield* inKey(table, entity, source);
      for (const guard of guardsOf(table, entity))
        for (const source of guard.keys.values()) yield* inKey(table, entity, source);
      yield* inWritten(table, entity);
    }
    if (unions.length === 0) return;
    for (const access of table.accesses) {
      const { step } = access;
      const entity = 'entity' in step ? entityNamed(table, step.entity) : undefined;
      if (entity === undefined || !isUnion(entity.schema)) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(table, access, entity, step.item);
      if (step.op !== 'update') continue;
      const narrowed = narrow(step, entity);
      for (const fault of narrowed.faults ?? [])
        yield { ...placeIn(access, fault), ...updateInWords(table, access, entity, narrowed.schema, fault) };
    }
  },
};

function isUnion(schema: Schema): boolean {
  return defOf(schema).discriminator !== undefined;
}

/** Describes which members of a union are meant, as in `kind is 'book' or 'film'`. */
function saying(members: readonly Schema[], { schema }: EntityBlueprint): string {
  const names = discriminatorsOf(schema);
  const inOne = (some: readonly Schema[]) =>
    names
      .filter((name) => some.every((member) => has(member, name)))
      .map((name) => `${name} is ${valuesIn(some, name).join(' or ')}`)
      .join(' and ');
  return names.length === 1 ? inOne(members) : members.map((member) => inOne([member])).join(', or ');
}

/** Returns a discriminator's values in the given members, as code. */
function valuesIn(members: readonly Schema[], name: string): readonly string[] {
  return [...new Set(members.flatMap((member) => valuesOf(member, name)))].map(show);
}

/** Returns, as code, a condition that only items of the given members meet. */
function conditionFor(members: readonly Schema[], { schema }: EntityBlueprint): string {
  const tests = discriminatorsOf(schema).flatMap((name) => {
    const values = valuesIn(members, name);
    if (!members.every((member) => has(member, name))) return [];
    return [`${name}: ${values.length === 1 ? values[0] : `{ in: [${values.join(', ')}] }`}`];
  });
  return `{ ${tests.join(', ')} }`;
}

function* inValues(entity: EntityBlueprint): Iterable<Found<Cause>> {
  for (const name of discriminatorsOf(entity.schema)) {
    const having = membersOf(entity.schema).filter((member) => has(member, name));
    if (having.every((member) => valuesOf(member, name).length > 0)) continue;
    yield {
      ...atEntity(entity.name, 'attributes', name),
      cause: 'values-unknown',
      message: `'${name}' must be a string or a number that identifies an item's member`,
      fix: `give each member a different literal: ${name}: z.literal('…')`,
    };
  }
}

function* inKey(table: TableUnderCheck, entity: EntityBlueprint, source: KeySource): Iterable<Found<Cause>> {
  const members = membersOf(entity.schema);
  const isPrimary = keyOf(table.key).some(({ name }) => name === source.attribute);
  for (const { name, path } of partsOf(source.template)) {
    const [head = ''] = path;
    const having = members.filter((member) => has(member, head));
    const lacking = members.find((member) => !having.includes(member));
    const place = atKey(source, { part: name });
    if (isPrimary && lacking !== undefined && having.length > 0) {
      yield {
        ...place,
        cause: 'key-lacks',
        message: `every ${source.entity === entity.name ? 'item' : 'unique value'} needs '${source.attribute}', which contains '${head}', but ${withArticle(entity.name)} whose ${saying([lacking], entity)} has no '${head}'`,
        fix: `add '${head}' to that member, or build '${source.attribute}' from attributes that all members have`,
      };
    } else if (having.length > 1 && !isShared(having, head) && !having.every((one) => isListed(one, head))) {
      yield {
        ...place,
        cause: 'key-differs',
        message: `members of ${entity.name} have different schemas for '${head}', so <${name}> may be formatted or sorted differently in their keys`,
        fix: `declare '${head}' once, and use it in every member: const ${head} = z.…; z.object({ ${head}, … })`,
      };
    }
  }
}

function isListed(member: Schema, name: string): boolean {
  const own = shapeOf(member)[name];
  return own !== undefined && listedValues(defOf(own)) !== undefined;
}

/**
 * Checks that members have the attributes that the library writes. A member needs a computed attribute only if it has
 * the attribute's sources.
 */
function* inWritten({ separator }: TableUnderCheck, entity: EntityBlueprint): Iterable<Found<Cause>> {
  const written = writtenBy(entity.design, separator);
  if (written === undefined) return;
  const { version, created, updated, computed } = written;
  const always = [
    { field: 'version', name: version, parts: [] },
    { field: 'timestamps', name: created, parts: [] },
    { field: 'timestamps', name: updated, parts: [] },
  ] as const;
  for (const { field, name, parts } of [
    ...always,
    ...computed.map((one) => ({ ...one, field: 'computed' as const })),
  ]) {
    if (name === undefined || !Object.hasOwn(shapeOf(entity.schema), name)) continue;
    const place = atEntity(entity.name, field, field === 'computed' ? name : undefined);
    const having = membersOf(entity.schema).filter((member) => has(member, name));
    if (!isShared(having, name))
      yield {
        ...place,
        cause: 'written-differs',
        message: `the library writes '${name}' in one format, but members of ${entity.name} have different schemas for '${name}'`,
        fix: `declare '${name}' once, and use it in every member: const ${name} = z.…; z.object({ ${name}, … })`,
      };
    const lacking = membersOf(entity.schema).find(
      (member) => !has(member, name) && parts.every(({ path: [head = ''] }) => has(member, head)),
    );
    if (lacking === undefined) continue;
    yield {
      ...place,
      cause: 'written-lacks',
      message: `the library writes '${name}', but ${withArticle(entity.name)} whose ${saying([lacking], entity)} has no '${name}'`,
      fix: `add '${name}' to that member`,
    };
  }
}

function* inItem(
  { separator }: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  item: NonNullable<PutPattern['item']>,
): Iterable<Found<Cause>> {
  const [member, other] = membersOf(entity.schema).filter((one) =>
    discriminatorsOf(entity.schema).every((name) => !has(one, name) || valuesOf(one, name).includes(item[name])),
  );
  // If several members fit, only the caller knows which one the item belongs to.
  if (member === undefined || other !== undefined) return;
  const shape = shapeOf(member);
  const declared = writtenBy(entity.design, separator);
  const written = declared === undefined ? [] : writtenNames(declared);
  const missing = Object.keys(shape).filter(
    (attribute) =>
      !Object.hasOwn(item, attribute) && !takesNothing(shape[attribute] as Schema) && !written.includes(attribute),
  );
  const about = `${withArticle(entity.name)} whose ${saying([member], entity)}`;
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    yield {
      ...atAccess(access, 'item', undefined, { attributes: missing }),
      cause: 'put-incomplete',
      message: `the put lacks '${missing.join("', '")}', which ${about} needs`,
      fix: `add ${given}`,
    };
  }
  for (const attribute of Object.keys(item)) {
    if (Object.hasOwn(shape, attribute) || !Object.hasOwn(shapeOf(entity.schema), attribute)) continue;
    const place = atAccess(access, 'item', attribute);
    yield {
      ...place,
      cause: 'put-foreign',
      message: `${about} has no '${attribute}', so every request is refused`,
      fix: `remove '${attribute}'`,
      edits: [{ path: place.path }],
    };
  }
}

function updateInWords(
  { cloud }: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  narrowed: Schema,
  { cause, place, attributes }: UpdateFault,
): Fault<Cause> & Pick<Found<Cause>, 'edits'> {
  const { set = {} } = access.step as UpdatePattern;
  const [attribute = ''] = attributes;
  const names = `'${attributes.join("', '")}'`;
  if (cause === 'member-differs') {
    const worded = differingInWords(access, entity, membersOf(narrowed), place, attribute);
    if (cloud === 'aws') return worded;
    // Azure Tables cannot check conditions, so only the key can show which member an update changes.
    const { cause: own, message } = worded;
    return {
      cause: own,
      message,
      fix: 'read the item, and put the whole item with replace: true and unchanged: true',
    };
  }
  const name = place.slice(place.indexOf('.') + 1);
  const becoming = `${withArticle(entity.name)} whose ${name} becomes ${show(set[name])}`;
  if (cause === 'member-incomplete') {
    const given = attributes.map((one) => `${one}: '<${one}>'`).join(', ');
    return {
      cause,
      message: `${becoming} may have no valid ${names}, and then no read accepts the item`,
      fix: `set the whole member: set: { ${given} }, or put a new item with replace: true`,
    };
  }
  if (cause === 'member-leftover') {
    return {
      cause,
      message: `${becoming} has no ${names}, but the update leaves ${names} in the item`,
      fix: `write remove: [${attributes.map(show).join(', ')}]`,
    };
  }
  const others = discriminatorsOf(entity.schema).filter((one) => one !== name && !Object.hasOwn(set, one));
  if (others.length > 0 && isConstant(set[name] as string))
    return {
      cause: 'member-unknown',
      message: `${becoming} may belong to any of several members, depending on '${others.join("', '")}'`,
      fix: `also set '${others.join("', '")}', or test '${others.join("', '")}' in the condition`,
    };
  const [first] = valuesIn(membersOf(entity.schema), name);
  return {
    cause: 'member-unknown',
    message: `the update changes '${name}' to a value that comes from the caller or from the stored item, so the check cannot tell which attributes the item needs`,
    fix: `write one update for each value, such as set: { ${name}: ${first}, … }, or put a new item with replace: true`,
  };
}

/** @param members the members to which the stored item may belong */
function differingInWords(
  access: PatternAccess,
  entity: EntityBlueprint,
  members: readonly Schema[],
  place: string,
  attribute: string,
): Fault<Cause> & Pick<Found<Cause>, 'edits'> {
  const [head = ''] = attribute.split(/[.[]/);
  const having = members.filter((member) => has(member, head));
  const own = (member: Schema) => shapeOf(member)[head] as Schema;
  const needing = having.filter((member) => !takesNothing(own(member)));
  const isRequired = place === 'remove' && having.length === members.length && needing.length < having.length;
  const [first = members[0] as Schema, ...rest] = isRequired
    ? having.filter((member) => !needing.includes(member))
    : having;
  // A condition that combines two discriminators may also match other members.
  const alike =
    discriminatorsOf(entity.schema).length > 1
      ? []
      : rest.filter((one) => isAlike(present(own(one)), present(own(first))));
  const condition = conditionFor([first, ...alike], entity);
  const edits = conditionAdded(access, condition);
  let message = `members of ${entity.name} have different schemas for '${attribute}', and the update may change an item of any member`;
  if (isRequired)
    message = `the update may remove '${attribute}' from ${withArticle(entity.name)} whose ${saying(needing, entity)}, but every such item needs '${attribute}'`;
  else if (having.length < members.length)
    message = `only ${withArticle(entity.name)} whose ${saying(having, entity)} has '${attribute}', but the update may change an item of another member`;
  const isOther = !isRequired && having.length === members.length;
  return {
    cause: 'member-differs',
    message,
    fix: `limit the update to one member with condition: ${condition}${isOther ? `, or declare '${head}' once, and use it in every member` : ''}`,
    ...(edits && { edits }),
  };
}
