import type { SchemaData } from '../blueprint/attributes/data';
import { stored } from '../blueprint/stored';
import { counted } from '../design/show';
import { type IndexDesign, namesInKey } from '../design/table';
import type { Item } from '../items/item';
import type { DescribedEntity, Description, Evidence, Remark } from './description';
import { describedEntity, type Frame, isHeldOut, type Known } from './entities';
import { proposedPatterns, upper } from './patterns';
import { optional } from './values';

/** The attributes in which other libraries and most teams store the name of an entity. */
const TYPE_ATTRIBUTES = [
  ...['__edb_e__', '_et', '_type', '__typename', 'entityType', 'entity_type', 'EntityType', '_entity', 'entity'],
  ...['kind', 'type', 'Type', 'itemType', 'item_type', 'objectType'],
];

/** The attributes that libraries write in addition to the type, but never use in a key. */
const BOOKKEEPING = new Set(['__edb_v__', '_ct', '_md', '_version', '_lastChangedAt']);

/** The maximum number of items per entity to compare with what the design would store. */
const COMPARED = 500;

export interface Sample {
  readonly name: string;
  readonly key: Frame['key'];
  readonly indexes?: Readonly<Record<string, IndexDesign>>;
  readonly ttl?: string;
  readonly items: readonly Item[];
  /** Whether these are all of the table's items. */
  readonly complete: boolean;
  /** The groups of items that the source defines. @default - the groups are found in the items */
  readonly groups?: readonly (Pick<Known, 'name' | 'templates' | 'hints' | 'declared'> & {
    readonly items: readonly Item[];
  })[];
}

/** Describes a table, with one entity for each kind of item in a sample. */
export function describedItems({ name, key, indexes, ttl, items, complete, groups }: Sample): Description {
  const typeAttribute = TYPE_ATTRIBUTES.find((attribute) => isType(attribute, items));
  const frame: Frame = {
    name,
    key,
    ...(indexes && { indexes }),
    ...(typeAttribute !== undefined && { typeAttribute }),
    ...(ttl !== undefined && { ttl }),
    separator: separatorIn(items, namesInKey(key)),
  };
  const known: readonly Group[] =
    groups?.map((group) => ({ ...group, ...typeOf(typeAttribute, group.items) })) ?? grouped(frame, items);
  const entities: Record<string, DescribedEntity> = {};
  const remarks: Remark[] = [];
  const evidence: Evidence[] = [];
  for (const { items: own, ...group } of known) {
    const examples = own.slice(0, COMPARED).map((item) => ({ item, values: item }));
    const made = describedEntity(frame, { ...group, examples, complete, proposing: { except: BOOKKEEPING } });
    entities[group.name] = made.entity;
    remarks.push(...made.remarks);
    if (group.isOdd)
      remarks.push({ path: [name, 'entities', group.name], text: `${ODD}: ${shown(frame, own)}`, unsure: true });
    evidence.push(
      ...examples.map(({ item }, i) => ({
        ...{ table: name, entity: group.name, item, isHeldOut: isHeldOut(i, examples.length) },
      })),
    );
  }
  if (ttl !== undefined) expiring(ttl, entities);
  const { separator, ...rest } = frame;
  const table = { ...rest, ...(separator !== '#' && { separator }), entities };
  remarks.push({
    path: [name, 'patterns'],
    text: 'proposed from the keys; name these patterns after the questions that your code asks',
  });
  return { tables: [{ ...table, patterns: proposedPatterns(table) }], remarks, evidence };
}

const SECONDS: SchemaData = { type: 'number', format: 'safeint' };

/**
 * Declares the TTL attribute, in seconds, in every entity that has it or is open. If no entity has it, declares it in
 * all of them.
 */
export function expiring(ttl: string, entities: Record<string, DescribedEntity>): void {
  const expiryOf = ({ attributes, stored: names }: DescribedEntity) => {
    const expiry = stored.attributeOf(names, ttl);
    return { expiry, known: attributes.shape?.[expiry] };
  };
  const isUnseen = Object.values(entities).every((entity) => expiryOf(entity).known === undefined);
  for (const [name, entity] of Object.entries(entities)) {
    const { attributes } = entity;
    const { expiry, known } = expiryOf(entity);
    if (known === undefined && !isUnseen && attributes.catchall === undefined) continue;
    const schema = known?.type === 'number' ? SECONDS : optional(SECONDS);
    entities[name] = { ...entity, attributes: { ...attributes, shape: { ...attributes.shape, [expiry]: schema } } };
  }
}

const ODD = 'these items have neither a type nor a key form in common';

interface Group extends Pick<Known, 'name' | 'type' | 'templates' | 'hints' | 'declared'> {
  readonly items: readonly Item[];
  /** Whether neither a type nor the keys of these items suggest a name for the entity. */
  readonly isOdd?: boolean;
}

function grouped(frame: Frame, items: readonly Item[]): readonly Group[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const type = frame.typeAttribute === undefined ? undefined : item[frame.typeAttribute];
    const group = typeof type === 'string' ? type : `\n${shapeOf(frame, item)}`;
    groups.set(group, [...(groups.get(group) ?? []), item]);
  }
  const taken = new Set<string>();
  return [...groups].map(([group, own]) => {
    const isTyped = !group.startsWith('\n');
    const words = isTyped ? group : (/([\p{L}]\w*)(?=[^|]*$)/u.exec(group)?.[1] ?? /([\p{L}]\w*)/u.exec(group)?.[1]);
    const isPlain = words === undefined && groups.size === 1 && hasCommon(own, namesInKey(frame.key));
    const name = free(nameOf(words ?? (isPlain ? frame.name.replace(/([^s])s$/, '$1') : 'Item'), isTyped), taken);
    return {
      name,
      ...(isTyped && { type: group }),
      items: own,
      ...(words === undefined && !isPlain && { isOdd: true }),
    };
  });
}

function typeOf(attribute: string | undefined, items: readonly Item[]): Pick<Known, 'type'> {
  const type = attribute === undefined ? undefined : items[0]?.[attribute];
  return typeof type === 'string' ? { type } : {};
}

/** Whether all items have some attribute in common besides their key. */
function hasCommon(items: readonly Item[], keys: readonly string[]): boolean {
  const [first = {}, ...more] = items;
  return Object.keys(first).some((name) => !keys.includes(name) && more.every((item) => item[name] !== undefined));
}

/**
 * Whether an attribute distinguishes the entities: almost every item has it, and its values are single words from a
 * small set.
 */
function isType(attribute: string, items: readonly Item[]): boolean {
  const values = items.flatMap((item) => (item[attribute] === undefined ? [] : [item[attribute]]));
  const isWord = (value: unknown) => typeof value === 'string' && /^[\p{L}][\p{L}\p{N}_.:-]*$/u.test(value);
  return values.length > 0 && values.length >= items.length * 0.9 && values.every(isWord) && new Set(values).size <= 50;
}

const SEPARATORS = ['#', '|', '~', '/', ':', '::', '_'];

function separatorIn(items: readonly Item[], keys: readonly string[]): string {
  const texts = items.flatMap((item) => keys.map((key) => item[key]).filter((key) => typeof key === 'string'));
  const isUsual = (separator: string) =>
    texts.filter((text) => /^[\p{L}_$]+$/u.test(text.split(separator)[0] ?? '') && text.includes(separator)).length;
  return SEPARATORS.find((separator) => separator.length === 1 && isUsual(separator) > texts.length / 4) ?? '#';
}

/** The form of an item's key: its words, and a star in place of every other part. */
function shapeOf({ key, separator }: Frame, item: Item): string {
  return namesInKey(key)
    .map((name) => {
      const value = item[name];
      if (typeof value !== 'string') return '*';
      const parts = value.split(separator);
      return parts.map((part, i) => (isLiteral(part, i, parts.length) ? part : '*')).join(separator);
    })
    .join('|');
}

function isLiteral(part: string, place: number, count: number): boolean {
  if (/^[A-Z$][A-Z_]*$/.test(part)) return true;
  return place === 0 && count > 1 && /^[\p{L}$_]+$/u.test(part);
}

function shown(frame: Frame, items: readonly Item[]): string {
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const counts = names.map((name) => `${name} in ${items.filter((item) => item[name] !== undefined).length}`);
  const list = counts.slice(0, 12).join(', ');
  return `${counted(items.length, 'item')} of the form ${shapeOf(frame, items[0] ?? {})}, with ${list}`;
}

function nameOf(words: string, isTyped: boolean): string {
  const parts = (isTyped ? words : words.toLowerCase()).split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return parts.map(upper).join('') || 'Item';
}

function free(name: string, taken: Set<string>): string {
  let found = name;
  for (let i = 2; taken.has(found); i++) found = `${name}${i}`;
  taken.add(found);
  return found;
}
