import { defOf, listedValues, type Schema, shapeOf, takesNothing } from '../../blueprint/attributes/schema';
import { membersOf, sharedBy, valuesOf } from '../../blueprint/attributes/unions';
import { isConstant } from '../../blueprint/membership';
import { type EntityBlueprint, entityNamed, type KeySource, keyOf } from '../../blueprint/table';
import { partsOf } from '../../blueprint/template-parts';
import { narrow } from '../../blueprint/unions';
import type { UpdateFault } from '../../blueprint/updates';
import { writtenBy, writtenNames } from '../../blueprint/written';
import type { PutPattern, UpdatePattern } from '../../design/pattern';
import { show } from '../../design/show';
import type { Fault, Found, TableRule } from '../findings/finding';
import { atAccess, atEntity, atKey } from '../findings/place';
import { conditionAdded, placeIn } from '../requests/update-faults';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

const causes = {
  'key-lacks': 'a member of a union lacks an attribute of the primary key',
  'key-differs': 'members of a union disagree on an attribute in a key',
  'values-unknown': 'the discriminator of a union is not a text or a number',
  'written-lacks': 'a member of a union lacks an attribute that the library writes',
  'member-unknown': 'an update sets the discriminator to a value that the design does not show',
  'member-differs': 'an update changes an attribute that not every member has, or that members have in different forms',
  'member-incomplete': 'an update changes the discriminator without the whole new member',
  'member-leftover': 'an update changes the discriminator and leaves attributes of the old member',
  'put-incomplete': 'a put leaves out what the member has',
  'put-foreign': 'a put gives a member attributes that it does not have',
} as const;

type Cause = keyof typeof causes;

export const unsoundUnion: TableRule<'unsound-union', Cause> = {
  id: 'unsound-union',
  severity: 'error',
  why: 'Every item of a discriminated union is one of its members. Keys are made from what all members have in common, and a write must leave an item that is a whole member.',
  causes,
  *check(table) {
    const unions = table.entities.filter(({ schema, guards }) => isUnion(schema) && guards === undefined);
    for (const entity of unions) {
      yield* inValues(entity);
      for (const source of entity.keys.values()) yield* inKey(table, entity, source);
      yield* inWritten(table, entity);
    }
    if (unions.length === 0) return;
    for (const access of table.accesses) {
      const { step } = access;
      const entity = 'entity' in step ? entityNamed(table, step.entity) : undefined;
      if (entity === undefined || !isUnion(entity.schema)) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(table, access, entity, step.item);
      if (step.op !== 'update') continue;
      for (const fault of narrow(step, entity).faults ?? [])
        yield { ...placeIn(access, fault), ...updateInWords(access, entity, step, fault) };
    }
  },
};

function isUnion(schema: Schema): boolean {
  return defOf(schema).discriminator !== undefined;
}

function discriminatorOf({ schema }: EntityBlueprint): string {
  return defOf(schema).discriminator as string;
}

/** The values of the discriminator with which an item is this member, as code. */
function shownMember(entity: EntityBlueprint, member: Schema): string {
  return valuesOf(member, discriminatorOf(entity)).map(show).join(' or ');
}

function* inValues(entity: EntityBlueprint): Iterable<Found<Cause>> {
  const name = discriminatorOf(entity);
  if (membersOf(entity.schema).every((member) => valuesOf(member, name).length > 0)) return;
  yield {
    ...atEntity(entity.name, 'attributes', name),
    cause: 'values-unknown',
    message: `'${name}' must say with a text or a number which member an item is`,
    fix: `give each member its own literal: ${name}: z.literal('…')`,
  };
}

function* inKey(table: TableUnderCheck, entity: EntityBlueprint, source: KeySource): Iterable<Found<Cause>> {
  const members = membersOf(entity.schema);
  const isPrimary = keyOf(table.key).some(({ name }) => name === source.attribute);
  for (const { name, path } of partsOf(source.template)) {
    const [head = ''] = path;
    const having = members.filter((member) => Object.hasOwn(shapeOf(member), head));
    const lacking = members.find((member) => !having.includes(member));
    const place = atKey(source, { part: name });
    if (isPrimary && lacking !== undefined && having.length > 0) {
      yield {
        ...place,
        cause: 'key-lacks',
        message: `every item needs ${source.attribute}, but a ${entity.name} whose ${discriminatorOf(entity)} is ${shownMember(entity, lacking)} has no ${head}`,
        fix: `add ${head} to that member, or make ${source.attribute} from attributes that all members have`,
      };
    } else if (
      having.length > 1 &&
      sharedBy(having, head) === undefined &&
      !having.every((one) => isListed(one, head))
    ) {
      yield {
        ...place,
        cause: 'key-differs',
        message: `members of ${entity.name} disagree on <${name}>: each has its own schema for ${head}, so their keys may look or sort differently`,
        fix: `declare it once, and use it in every member: const ${head} = z.…; z.object({ ${head}, … })`,
      };
    }
  }
}

function isListed(member: Schema, name: string): boolean {
  const own = shapeOf(member)[name];
  return own !== undefined && listedValues(defOf(own)) !== undefined;
}

/** Every item has the version and the timestamps; a computed attribute is in every item that has its sources. */
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
    const lacking = membersOf(entity.schema).find((member) => {
      const shape = shapeOf(member);
      return !Object.hasOwn(shape, name) && parts.every(({ path: [head = ''] }) => Object.hasOwn(shape, head));
    });
    if (lacking === undefined) continue;
    yield {
      ...atEntity(entity.name, field, field === 'computed' ? name : undefined),
      cause: 'written-lacks',
      message: `the library writes ${name}, but a ${entity.name} whose ${discriminatorOf(entity)} is ${shownMember(entity, lacking)} does not have it`,
      fix: `add ${name} to that member`,
    };
  }
}

function* inItem(
  { separator }: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  item: NonNullable<PutPattern['item']>,
): Iterable<Found<Cause>> {
  const name = discriminatorOf(entity);
  const kind = item[name];
  if (kind === undefined || !isConstant(kind as string)) return;
  const [member] = membersOf(entity.schema).filter((one) => valuesOf(one, name).includes(kind));
  if (member === undefined) return;
  const shape = shapeOf(member);
  const declared = writtenBy(entity.design, separator);
  const written = declared === undefined ? [] : writtenNames(declared);
  const missing = Object.keys(shape).filter(
    (attribute) =>
      !Object.hasOwn(item, attribute) && !takesNothing(shape[attribute] as Schema) && !written.includes(attribute),
  );
  const about = `a ${entity.name} whose ${name} is ${show(kind)}`;
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    yield {
      ...atAccess(access, 'item', undefined, { attributes: missing }),
      cause: 'put-incomplete',
      message: `${about} has ${missing.join(', ')}, but this put leaves ${missing.length === 1 ? 'it' : 'them'} out`,
      fix: `add ${given}`,
    };
  }
  for (const attribute of Object.keys(item)) {
    if (Object.hasOwn(shape, attribute) || !Object.hasOwn(shapeOf(entity.schema), attribute)) continue;
    const place = atAccess(access, 'item', attribute);
    yield {
      ...place,
      cause: 'put-foreign',
      message: `${about} has no ${attribute}: every request is refused`,
      fix: `leave it out`,
      edits: [{ path: place.path }],
    };
  }
}

function updateInWords(
  access: PatternAccess,
  entity: EntityBlueprint,
  step: UpdatePattern,
  { cause, attributes }: UpdateFault,
): Fault<Cause> & Pick<Found<Cause>, 'edits'> {
  const name = discriminatorOf(entity);
  const [attribute = ''] = attributes;
  const list = attributes.join(', ');
  if (cause === 'member-differs') {
    const [head = ''] = attribute.split(/[.[]/);
    const members = membersOf(entity.schema);
    const having = members.filter((member) => Object.hasOwn(shapeOf(member), head));
    const alike = having.filter((member) => shapeOf(member)[head] === shapeOf(having[0] as Schema)[head]);
    const values = alike.flatMap((member) => valuesOf(member, name)).map(show);
    const condition = `{ ${name}: ${values.length === 1 ? values[0] : `{ in: [${values.join(', ')}] }`} }`;
    const edits = conditionAdded(access, condition);
    const kinds = having.map((member) => shownMember(entity, member)).join(' or ');
    return {
      cause,
      message:
        having.length < members.length
          ? `only a ${entity.name} whose ${name} is ${kinds} has ${attribute}, but the update may find another`
          : `members of ${entity.name} have different schemas for ${attribute}, and the update may find any of them`,
      fix: `say which it changes: condition: ${condition}`,
      ...(edits && { edits }),
    };
  }
  if (cause === 'member-incomplete') {
    const given = attributes.map((one) => `${one}: '<${one}>'`).join(', ');
    return {
      cause,
      message: `a ${entity.name} whose ${name} becomes ${show(step.set?.[name])} may lack ${list}, and no read would accept it`,
      fix: `give the whole member: set: { ${given} }; or put a new item with replace: true`,
    };
  }
  if (cause === 'member-leftover') {
    return {
      cause,
      message: `a ${entity.name} whose ${name} becomes ${show(step.set?.[name])} has no ${list}, but the update leaves ${attributes.length === 1 ? 'it' : 'them'} in the item`,
      fix: `remove ${attributes.length === 1 ? 'it' : 'them'}: remove: [${attributes.map(show).join(', ')}]`,
    };
  }
  return {
    cause: 'member-unknown',
    message: `the update changes ${name} to a value that only the caller knows, so nobody can tell which attributes the item needs`,
    fix: `write one update for each value, such as set: { ${name}: ${show(valuesOf(membersOf(entity.schema)[0] as Schema, name)[0])}, … }, or put a new item with replace: true`,
  };
}
