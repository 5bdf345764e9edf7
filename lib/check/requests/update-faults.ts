import { kindOf, type Schema, schemaAt } from '../../blueprint/attributes/schema';
import { type EntityOutline, keyOf, type TableOutline } from '../../blueprint/outline';
import { partsOf, partsOfKey } from '../../blueprint/template-parts';
import { isInside, type Touched, touchedBy, touches, type UpdateFault } from '../../blueprint/updates';
import { holderOf } from '../../blueprint/whole-updates';
import { saidIn, sourcesOf } from '../../blueprint/written';
import type { UpdatePattern } from '../../design/pattern';
import type { EntityDesign } from '../../design/table';
import { overlaps, stepsOf } from '../../design/template';
import type { Edit, Fault, Place } from '../findings/finding';
import { atAccess } from '../findings/place';
import type { PatternAccess } from '../table-under-check';

/** Why an update is refused every time. */
export const updateCauses = {
  'nothing-changed': 'an update changes nothing',
  'primary-key': 'an update changes a part of the primary key',
  'primary-key-written': 'an update writes a primary key attribute, which belongs to the table',
  'index-key-written': 'an update writes an index key, which belongs to the table',
  'type-written': 'an update writes the type attribute, which belongs to the table',
  'map-may-lack': 'an update writes into a map that may not exist (a warning)',
  'required-removed': 'an update removes a required attribute',
  'not-a-number':
    'an update adds to something that is neither a number nor a set, adds a number to a set, or changes a set inside a map',
  'not-a-list': 'an update appends to something that is not a list',
  'text-added': 'an update adds something that is not a number',
  'changed-twice': 'an update changes one attribute in two ways',
  'map-and-part': 'an update changes both a map and something inside it',
  'map-not-there': 'an update that may create the item changes something in a map, which a new item lacks',
  'incomplete-item': 'an update that may create the item leaves out a required attribute',
} as const;

export const halfKeyCauses = {
  'rest-unknown': 'an update changes a part of an index key without knowing the rest',
  'new-to-index': 'an update may add an item to an index without knowing its whole key',
  undecided: 'an update changes a key of an index without knowing whether the item is in it',
  'may-lack':
    'an update changes a key of an index without knowing whether the item has the attributes of the other key',
  'optional-test': 'a condition has an optional value that the update needs to keep the keys of an index correct',
  'not-given': 'an update sets a part of an index key to something that only the stored item knows',
  'written-back': 'an update sets several parts of an index key, and so can undo what another caller changed',
} as const;

export type HalfKeyCause = keyof typeof halfKeyCauses;

/** Whether a fault is about the keys of an index, which `half-key` reports. */
export function isHalfKey({ cause }: Pick<UpdateFault, 'cause'>): boolean {
  return cause === 'half-key' || cause === 'undecided' || cause === 'may-lack' || cause === 'optional-test';
}

/** The place of a fault in an update, and its attributes: those that are changed there, or those that are missing. */
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

/** The change in the design's own step that affects a computed attribute; undefined for other attributes. */
export function changeBehind(design: EntityDesign, step: UpdatePattern, attribute: string): Touched | undefined {
  const sources = sourcesOf(design, attribute).filter((name) => name !== attribute);
  return sources.length === 0
    ? undefined
    : touchedBy(saidIn(step)).find((one) => sources.some((name) => overlaps(one.attribute, name)));
}

type Worded = Fault<keyof typeof updateCauses>;

/** The message and fix for a fault in an update; undefined if another rule reports it. */
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
      const fix = 'say what it changes: set: { … }, add: { … } or remove: [ … ]';
      return { cause, message: 'it changes nothing', fix };
    }
    case 'primary-key':
      return {
        cause,
        message: `${attribute} is part of ${key?.attribute} ('${key?.template.text}'), but the primary key of an item cannot change`,
        fix: `leave ${attribute} out, or delete the ${name} and put a new one`,
      };
    case 'written-by-table':
      return writtenByTable(table, entity, attribute, key);
    case 'required-removed': {
      const message = `the schema of ${name} requires '${attribute}', so a ${name} without it could no longer be read: every request is refused`;
      return { cause, message, fix: `make ${attribute} optional, or do not remove it` };
    }
    case 'not-a-number': {
      const kind = kindOf(schemaAt(entity.schema, stepsOf(attribute)) as Schema);
      if (kind === 'other' && isInside(attribute)) {
        const message = `'${attribute}' is a set inside a map or a list, and DynamoDB adds elements only to sets outside of them`;
        return { cause, message, fix: `make the set an attribute of the ${name}, or set the whole set` };
      }
      if (kind === 'other') {
        const message = `'${attribute}' is a set, and takes a list of elements: every request is refused`;
        const field = fault.place.split('.')[0];
        return { cause, message, fix: `write ${field}: { ${attribute}: ['<element>'] }` };
      }
      const message = `'${attribute}' is a ${kind}, and a pattern adds only to numbers and sets: every request is refused`;
      const fix =
        kind === 'list'
          ? `append to it: set: { ${attribute}: { append: '<${attribute}>' } }`
          : `set it as a whole: set: { ${attribute}: '<${attribute}>' }, or make it a number`;
      return { cause, message, fix };
    }
    case 'not-a-list': {
      const kind = kindOf(schemaAt(entity.schema, stepsOf(attribute)) as Schema);
      const message = `'${attribute}' is a ${kind === 'other' ? 'set' : kind}, and only lists are appended to: every request is refused`;
      const whole = `set it as a whole: set: { ${attribute}: '<${attribute}>' }`;
      const fix = kind === 'other' ? `write add: { ${attribute}: ['<element>'] }` : `${whole}, or make it a list`;
      return { cause, message, fix };
    }
    case 'text-added': {
      const amount = step.add?.[attribute] ?? step.subtract?.[attribute];
      const message =
        typeof amount === 'object'
          ? `cannot add a list of elements: '${attribute}' is not a set`
          : `cannot add '${amount}': it is a string`;
      return { cause, message, fix: `write a number, or a parameter alone: '<by>'` };
    }
    case 'changed-twice':
      return changedTwice(fault);
    case 'map-not-there': {
      const message = `a new item has no map or list to contain '${attribute}'`;
      return { cause, message, fix: 'set it as a whole, or leave upsert out' };
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
        const message = `a new ${name} would have no ${piece}, because its key contains only a piece of it: no read would accept it`;
        return { cause, message, fix: `write <${piece}> without a format in the key, or leave upsert out` };
      }
      return {
        cause,
        message: `a new ${name} would have no ${attributes.join(', ')}`,
        fix: `add ${attributes.join(', ')} to set, or leave upsert out`,
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
  const fix = 'keep one of the two';
  if (other?.attribute === attribute) {
    const fields = `by ${other?.field} and by ${place.split('.')[0]}`;
    const message = `'${attribute}' is changed ${fields}, and DynamoDB refuses to do both`;
    return { cause: 'changed-twice', message, fix };
  }
  const message = `'${other?.attribute}' and '${attribute}' overlap, and DynamoDB refuses to change both`;
  return { cause: 'map-and-part', message, fix };
}

function writtenByTable(
  table: TableOutline,
  { name }: EntityOutline,
  attribute: string,
  key: UpdateFault['key'],
): Worded {
  if (key === undefined && attribute !== table.typeAttribute) {
    const message = `'${attribute}' is a key attribute of the table, which ${name} does not have`;
    return { cause: 'index-key-written', message, fix: `leave it out, or give ${name} a template for it` };
  }
  const message = `'${attribute}' belongs to the table, which writes it as ${key === undefined ? 'the type' : `'${key.template.text}'`}`;
  if (key === undefined) return { cause: 'type-written', message, fix: 'leave it out' };
  if (keyOf(table.key).some((key) => key.name === attribute)) {
    return { cause: 'primary-key-written', message, fix: `leave it out, or delete the ${name} and put a new one` };
  }
  const names = partsOf(key.template)
    .map((part) => part.name)
    .join(', ');
  const fix = `leave it out${names === '' ? '' : `, and change its parts: ${names}`}`;
  return { cause: 'index-key-written', message, fix };
}

/**
 * A condition to add, as the fix and as an edit; no edit if the update already has a condition, because a person must
 * combine the two.
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
  // No update sets what the library writes.
  const isSettable = !attributes.some((name) => [version, ...Object.values(timestamps ?? {})].includes(name));
  const orSet = isSettable ? ', or add it to set' : '';
  const changed = [...Object.keys(set), ...Object.keys(add), ...remove];
  const asField = (name: string) => `${isInside(name) ? `'${name}'` : name}: '<${name}>'`;
  const isOwn = key !== undefined && changed.some((attribute) => touches(key, attribute));
  const isThere = attributes.some((name) => changed.includes(name));
  const changes = isOwn
    ? `it changes part of ${key?.attribute}`
    : `it may add a ${entity} to ${index ?? 'an index'}, and writes ${key?.attribute}`;
  const unknown = missing.map((name) => `<${name}>`).join(', ');
  const names = attributes.join(', ');
  const condition = `{ ${attributes.map(asField).join(', ')} }`;
  const edits = isThere ? undefined : conditionAdded(access, condition);
  if (cause === 'optional-test') {
    const message = `a call without '${names}' is always refused: it would change a key of ${index} without knowing ${names}`;
    const fix = `write a parameter without '?': condition: ${condition}; for items without it, add a pattern with { exists: false }`;
    return { cause, message, fix };
  }
  if (cause === 'may-lack') {
    const fields = (exists: boolean) =>
      attributes.map((name) => `${isInside(name) ? `'${name}'` : name}: { exists: ${exists} }`).join(', ');
    return {
      cause,
      message: `a ${entity} is in ${index} only if it has ${names}, but the update changes a key of ${index} without knowing whether it does`,
      fix: `add condition: { ${fields(true)} }${isSettable ? `, or add ${names} to set` : ''}; for items without it, add a pattern with condition: { ${fields(false)} }`,
    };
  }
  if (cause === 'undecided') {
    return {
      cause: isThere ? 'not-given' : 'undecided',
      message: `a ${entity} is in ${index} only while ${names} ${attributes.length === 1 ? 'has' : 'have'} certain values, but the update does not know ${attributes.length === 1 ? 'which it has' : 'which they have'}`,
      fix: isThere
        ? `set ${names} to a value that the caller gives: '<${attributes[0]}>'`
        : `add it to a condition: condition: ${condition}${orSet}`,
      ...(edits && { edits }),
    };
  }
  return {
    ...(edits && { edits }),
    cause: isThere ? 'not-given' : isOwn ? 'rest-unknown' : 'new-to-index',
    message: `${changes} ('${key?.template.text}') without knowing ${unknown}`,
    fix: isThere
      ? `set ${attributes.join(', ')} to a value that the caller gives: '<${attributes[0]}>'`
      : `add it to a condition: condition: ${condition}${orSet}`,
  };
}

export function writtenBackInWords([changed = '', ...others]: readonly string[]): Fault<HalfKeyCause> {
  const held = others.map((name) => `${isInside(name) ? `'${name}'` : name}: '<${name}>'`);
  return {
    cause: 'written-back',
    severity: 'note',
    message: `a caller who changes only ${changed} writes back the ${others.join(', ')} it read, and undoes a change that another caller made in the meantime`,
    fix: `if callers change ${changed} alone, set only that, and hold the rest: condition: { ${held.join(', ')} }`,
  };
}
