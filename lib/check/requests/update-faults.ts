import { kindOf, type Schema, schemaAt } from '../../blueprint/attributes/schema';
import { type EntityOutline, keyOf, type TableOutline } from '../../blueprint/outline';
import { partsOf, partsOfKey } from '../../blueprint/template-parts';
import { isInside, type Touched, touchedBy, touches, type UpdateFault } from '../../blueprint/updates';
import { holderOf } from '../../blueprint/whole-updates';
import { saidIn, sourcesOf } from '../../blueprint/written';
import type { UpdatePattern } from '../../design/pattern';
import { withArticle } from '../../design/show';
import type { EntityDesign } from '../../design/table';
import { overlaps, stepsOf } from '../../design/template';
import type { Edit, Fault, Place } from '../findings/finding';
import { atAccess } from '../findings/place';
import type { PatternAccess } from '../table-under-check';

/**
 * The causes of faults in an update. A pattern with one of these faults has all of its requests refused, unless the
 * fault is a warning.
 */
export const updateCauses = {
  'nothing-changed': 'an update changes nothing',
  'primary-key': 'an update changes a part of the primary key',
  'primary-key-written': 'an update sets a primary key attribute, which only Tablewright may write',
  'index-key-written': 'an update sets an index key attribute, which only Tablewright may write',
  'type-written': 'an update sets the type attribute, which only Tablewright may write',
  'map-may-lack': 'an update writes into a map that may not exist (a warning)',
  'required-removed': 'an update removes a required attribute',
  'not-a-number':
    'an update adds to an attribute that is neither a number nor a set, adds a number to a set, or changes a set inside a map',
  'not-a-list': 'an update appends to an attribute that is not a list',
  'text-added': 'an update adds a value that is not a number',
  'changed-twice': 'an update changes one attribute in two ways',
  'map-and-part': 'an update changes both a map and an attribute inside the map',
  'map-not-there':
    'an update that may create the item changes an attribute inside a map, but a new item has no such map',
  'incomplete-item': 'an update that may create the item leaves out a required attribute',
} as const;

export const halfKeyCauses = {
  'rest-unknown': 'an update changes a part of an index key without knowing the rest of the key',
  'new-to-index': 'an update may add an item to an index without knowing the whole index key',
  undecided: 'an update changes an index key without knowing whether the item is in the index',
  'may-lack':
    "an update changes one of an index's keys without knowing whether the item has the attributes of the other key",
  'optional-test': "a condition's value is optional, but the update needs it to keep the index keys correct",
  'not-given': 'an update sets a part of an index key to a value that is known only from the stored item',
  'written-back': 'an update sets several parts of an index key, so it can overwrite a concurrent change',
} as const;

export type HalfKeyCause = keyof typeof halfKeyCauses;

/** Whether a fault is about the keys of an index. `half-key` reports these faults. */
export function isHalfKey({ cause }: Pick<UpdateFault, 'cause'>): boolean {
  return cause === 'half-key' || cause === 'undecided' || cause === 'may-lack' || cause === 'optional-test';
}

/**
 * Returns the place of a fault in an update, with the attribute that the update changes, or the attributes that are
 * missing from the update.
 */
export function placeIn(access: PatternAccess, { cause, place, attributes }: UpdateFault): Place {
  const [field = '', ...path] = place.split('.');
  const isMissing = isHalfKey({ cause }) || /^(incomplete-item|member-(incomplete|leftover))$/.test(cause);
  return atAccess(
    access,
    field === '' ? undefined : field,
    path.length === 0 ? undefined : path.join('.'),
    isMissing ? { attributes } : { attribute: attributes[0] },
  );
}

/**
 * Returns the change in the step, as the design defines it, that affects a computed attribute; undefined for an
 * attribute that is not computed.
 */
export function changeBehind(design: EntityDesign, step: UpdatePattern, attribute: string): Touched | undefined {
  const sources = sourcesOf(design, attribute).filter((name) => name !== attribute);
  return sources.length === 0
    ? undefined
    : touchedBy(saidIn(step)).find((one) => sources.some((name) => overlaps(one.attribute, name)));
}

type Worded = Fault<keyof typeof updateCauses>;

/** Returns the message and the fix for a fault in an update; undefined if another rule reports the fault. */
export function updateInWords(
  table: TableOutline,
  entity: EntityOutline,
  step: UpdatePattern,
  fault: UpdateFault,
): Worded | undefined {
  const { cause, attributes, key } = fault;
  const { name } = entity;
  const [attribute = ''] = attributes;
  switch (cause) {
    case 'nothing-changed': {
      const fix = 'write what to change: set: { … }, add: { … } or remove: [ … ]';
      return { cause, message: 'the update changes nothing', fix };
    }
    case 'primary-key':
      return {
        cause,
        message: `'${attribute}' is part of the key ${key?.attribute} ('${key?.template.text}'), but an item's primary key cannot change`,
        fix: `remove '${attribute}' from the update, or delete the ${name} and put a new one`,
      };
    case 'written-by-table':
      return writtenByTable(table, entity, attribute, key);
    case 'required-removed': {
      const message = `the schema of ${name} requires '${attribute}', so removing it would make the item unreadable: every request is refused`;
      return { cause, message, fix: `make '${attribute}' optional, or do not remove it` };
    }
    case 'not-a-number': {
      const kind = kindOf(schemaAt(entity.schema, stepsOf(attribute)) as Schema);
      if (kind === 'other' && isInside(attribute)) {
        const message = `'${attribute}' is a set inside a map or a list, but DynamoDB adds elements only to top-level sets`;
        return {
          cause,
          message,
          fix: `make the set a top-level attribute of ${name}, or replace the whole value with set: { … }`,
        };
      }
      if (kind === 'other') {
        const field = fault.place.split('.')[0];
        const message = `'${attribute}' is a set, so '${field}' needs a list of elements: every request is refused`;
        return { cause, message, fix: `write ${field}: { ${attribute}: ['<element>'] }` };
      }
      const message = `'${attribute}' is ${withArticle(kind)}, but a pattern can add only to numbers and sets: every request is refused`;
      const fix =
        kind === 'list'
          ? `append to the list: set: { ${attribute}: { append: '<${attribute}>' } }`
          : `write the whole value: set: { ${attribute}: '<${attribute}>' }, or make '${attribute}' a number`;
      return { cause, message, fix };
    }
    case 'not-a-list': {
      const kind = kindOf(schemaAt(entity.schema, stepsOf(attribute)) as Schema);
      const message = `'${attribute}' is ${withArticle(kind === 'other' ? 'set' : kind)}, but a pattern can append only to lists: every request is refused`;
      const whole = `write the whole value: set: { ${attribute}: '<${attribute}>' }`;
      const fix =
        kind === 'other' ? `write add: { ${attribute}: ['<element>'] }` : `${whole}, or make '${attribute}' a list`;
      return { cause, message, fix };
    }
    case 'text-added': {
      const amount = step.add?.[attribute] ?? step.subtract?.[attribute];
      const message =
        typeof amount === 'object'
          ? `cannot add a list of elements, because '${attribute}' is not a set`
          : `cannot add '${amount}', because it is a string`;
      return { cause, message, fix: `write a number, or a parameter without other text, such as '<by>'` };
    }
    case 'changed-twice':
      return changedTwice(fault);
    case 'map-not-there': {
      const message = `a new item has no map or list to contain '${attribute}'`;
      return { cause, message, fix: "set the whole map or list, or remove 'upsert'" };
    }
    case 'map-may-lack': {
      const holder = holderOf(attribute);
      const message = `'${holder}' is optional, and DynamoDB refuses to write '${attribute}' into a map that does not exist`;
      const fix = `add condition: { '${holder}': { exists: true } }, or set the whole map`;
      return { severity: 'warning', cause, message, fix };
    }
    case 'incomplete-item': {
      const inKey = keyOf(table.key).flatMap((key) => partsOfKey(entity, key.name).map((part) => part.name));
      const [piece] = attributes.filter((attribute) => inKey.includes(attribute));
      if (piece !== undefined) {
        const message = `the key of a new ${name} would contain only a piece of '${piece}', but '${piece}' is required, so no read would accept the item`;
        return { cause, message, fix: `write <${piece}> without a format in the key, or remove 'upsert'` };
      }
      return {
        cause,
        message: `a new ${name} would have no '${attributes.join("', '")}'`,
        fix: `also set '${attributes.join("', '")}', or remove 'upsert'`,
      };
    }
    case 'unknown-attribute':
    case 'half-key':
    case 'undecided':
    case 'may-lack':
    case 'optional-test':
    case 'member-unknown':
    case 'member-differs':
    case 'member-incomplete':
    case 'member-leftover':
      return undefined;
  }
}

function changedTwice({ place, attributes: [attribute], other }: UpdateFault): Worded {
  const fix = 'keep only one of the two changes';
  if (other?.attribute === attribute) {
    const message = `'${other?.field}' and '${place.split('.')[0]}' both change '${attribute}', which DynamoDB refuses`;
    return { cause: 'changed-twice', message, fix };
  }
  const message = `'${other?.attribute}' and '${attribute}' overlap, and DynamoDB refuses to change both in one update`;
  return { cause: 'map-and-part', message, fix };
}

function writtenByTable(
  table: TableOutline,
  { name }: EntityOutline,
  attribute: string,
  key: UpdateFault['key'],
): Worded {
  if (key === undefined && attribute !== table.typeAttribute) {
    const message = `'${attribute}' is a key attribute of the table, but ${name} has no template for it`;
    return {
      cause: 'index-key-written',
      message,
      fix: `remove '${attribute}', or give ${name} a template for this key`,
    };
  }
  const message = `Tablewright itself writes '${attribute}', as ${key === undefined ? 'the type' : `'${key.template.text}'`}`;
  if (key === undefined) return { cause: 'type-written', message, fix: `remove '${attribute}' from the update` };
  if (keyOf(table.key).some((key) => key.name === attribute)) {
    return {
      cause: 'primary-key-written',
      message,
      fix: `remove '${attribute}' from the update, or delete the ${name} and put a new one`,
    };
  }
  const names = partsOf(key.template)
    .map((part) => part.name)
    .join(', ');
  const fix = `remove '${attribute}' from the update${names === '' ? '' : `, and set the parts of its template instead: ${names}`}`;
  return { cause: 'index-key-written', message, fix };
}

/**
 * Returns the edits that add a condition to an update; undefined if the update already has a condition, because only a
 * person can combine the two.
 */
export function conditionAdded(access: PatternAccess, condition: string): readonly Edit[] | undefined {
  if ((access.step as UpdatePattern).condition !== undefined) return undefined;
  return [{ path: atAccess(access, 'condition').path, code: condition }];
}

export function halfKeyInWords(
  access: PatternAccess,
  { name: entity, design }: EntityOutline,
  { set = {}, add = {}, remove = [] }: UpdatePattern,
  { cause, attributes: missing, key, index }: UpdateFault,
): Fault<HalfKeyCause> {
  const isAboutValues = cause === 'half-key' || cause === 'undecided';
  const attributes = isAboutValues ? [...new Set(missing.flatMap((name) => sourcesOf(design, name)))] : missing;
  const { version, timestamps } = design;
  // An update cannot set attributes that the library writes.
  const isSettable = !attributes.some((name) => [version, ...Object.values(timestamps ?? {})].includes(name));
  const orSet = isSettable ? `, or also set '${attributes.join("', '")}'` : '';
  const changed = [...Object.keys(set), ...Object.keys(add), ...remove];
  const asField = (name: string) => `${isInside(name) ? `'${name}'` : name}: '<${name}>'`;
  const isOwn = key !== undefined && changed.some((attribute) => touches(key, attribute));
  const isThere = attributes.some((name) => changed.includes(name));
  const changes = isOwn
    ? `the update changes part of the key ${key?.attribute}`
    : `the update may add ${withArticle(entity)} to ${index ?? 'an index'}, and writes the key ${key?.attribute}`;
  const unknown = missing.map((name) => `<${name}>`).join(', ');
  const names = `'${attributes.join("', '")}'`;
  const condition = `{ ${attributes.map(asField).join(', ')} }`;
  const edits = isThere ? undefined : conditionAdded(access, condition);
  if (cause === 'optional-test') {
    const message = `every call without ${names} is refused, because it would change a key of ${index} without knowing ${names}`;
    const fix = `write a parameter without '?': condition: ${condition}; for items without ${names}, add a second pattern with { exists: false }`;
    return { cause, message, fix };
  }
  if (cause === 'may-lack') {
    const fields = (exists: boolean) =>
      attributes.map((name) => `${isInside(name) ? `'${name}'` : name}: { exists: ${exists} }`).join(', ');
    return {
      cause,
      message: `only ${withArticle(entity)} with ${names} is in ${index}, but the update changes a key of ${index} without knowing whether the ${entity} has ${names}`,
      fix: `add condition: { ${fields(true)} }${orSet}; for items without ${names}, add a second pattern with condition: { ${fields(false)} }`,
    };
  }
  if (cause === 'undecided') {
    return {
      cause: isThere ? 'not-given' : 'undecided',
      message: `${withArticle(entity)} is in ${index} only for certain values of ${names}, but the update does not know the current ${attributes.length === 1 ? 'value' : 'values'}`,
      fix: isThere
        ? `set ${names} to a value from the caller: '<${attributes[0]}>'`
        : `add condition: ${condition}${orSet}`,
      ...(edits && { edits }),
    };
  }
  return {
    ...(edits && { edits }),
    cause: isThere ? 'not-given' : isOwn ? 'rest-unknown' : 'new-to-index',
    message: `${changes} ('${key?.template.text}') without knowing ${unknown}`,
    fix: isThere
      ? `set ${names} to a value from the caller: '<${attributes[0]}>'`
      : `add condition: ${condition}${orSet}`,
  };
}

export function writtenBackInWords([changed = '', ...others]: readonly string[]): Fault<HalfKeyCause> {
  const held = others.map((name) => `${isInside(name) ? `'${name}'` : name}: '<${name}>'`);
  return {
    cause: 'written-back',
    severity: 'note',
    message: `a caller that changes only '${changed}' also writes back the values of '${others.join("', '")}' that it read earlier, which can overwrite a concurrent change`,
    fix: `if callers change only '${changed}', set only '${changed}', and check the rest with condition: { ${held.join(', ')} }`,
  };
}
