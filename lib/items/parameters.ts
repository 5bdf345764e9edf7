import { type QuickTest, quickTest } from '../blueprint/attributes/quick';
import {
  isPlainString,
  kindOf,
  normalised,
  outcomeOf,
  type Schema,
  schemaAt,
  show,
} from '../blueprint/attributes/schema';
import type { Told } from '../blueprint/index-keys';
import { counterpartOf, givenOf } from '../blueprint/keys';
import { type EntityOutline, type KeyAttribute, keyOf, rulesOf, type TableOutline } from '../blueprint/outline';
import { hasParts, lastPart, partsOf } from '../blueprint/template-parts';
import {
  type Hole,
  KeyError,
  loneHole,
  renderText,
  renderWith,
  show as shown,
  stepsOf,
  type Template,
  template,
  valueAt,
  withHoles,
} from '../design/template';
import { type Item, ItemError, typed } from './item';
import { isBeginning, isBeginningOfPart } from './prefixes';
import { renderer } from './renderer';
import { naturalKey } from './writers';

/** Makes a value of a request from what the caller gives. */
export type Value = (parameters: object) => unknown;

/** What a template stands for: one whole key, or where a stretch of keys begins or ends. */
export type Extent = 'whole' | 'bound';

/**
 * The key that a request asks for: as the template makes it, or the parameter itself where the key is an attribute of
 * the entities. A parameter passes the schema of what it stands for, so that what was written is what is asked for.
 */
export function keyValue(
  table: TableOutline,
  entities: readonly EntityOutline[],
  { name }: KeyAttribute,
  asked: Template,
  extent: Extent = 'whole',
): Value {
  const owners = entities.filter(({ keys }) => keys.get(name)?.natural);
  const schemas = owners.map(({ schema }) => schemaAt(schema, [name])).filter((schema) => !!schema);
  if (schemas.length > 0 && asked.faults.length === 0) {
    const hole = loneHole(asked);
    if (hole !== undefined) return naturalValue(asked, hole, schemas, extent);
    if (!hasParts(asked)) {
      const value = typed(schemas[0], asked.text);
      return () => value;
    }
  }
  return templateValue(table, entities, name, asked, extent);
}

function naturalValue(asked: Template, hole: Hole, schemas: readonly Schema[], extent: Extent): Value {
  const { name, path } = hole;
  const read = reader(asked, hole, schemas, extent);
  return (parameters) => {
    const value = naturalKey(name, valueAt(parameters, path));
    return read === undefined ? value : naturalKey(name, read(value));
  };
}

/** For what has no quick test: it is always made by its reader. */
const NEVER: QuickTest = () => false;

function templateValue(
  table: TableOutline,
  entities: readonly EntityOutline[],
  name: string,
  asked: Template,
  extent: Extent,
): Value {
  const rules = rulesOf(table, name);
  const readers = new Map<Hole, Reader>();
  const last = lastPart(asked);
  const formed = withHoles(asked, (hole) => {
    // Only the last part of a bound may be less than a whole value.
    const own = extent === 'bound' && hole === last ? 'bound' : 'whole';
    const { schemas, format } = standsFor(entities, name, asked, hole);
    const inForm = hole.format ?? (own === 'whole' ? format : undefined);
    const written = inForm === hole.format || inForm === undefined ? hole : { ...hole, format: inForm };
    const read =
      typeof inForm === 'string'
        ? pieceReader(schemas)
        : typeof hole.format === 'number' && typeof format === 'string'
          ? digitsReader(asked, hole, format)
          : inForm !== undefined || format === undefined
            ? reader(asked, hole, schemas, own)
            : formReader(asked, { ...hole, format });
    if (read !== undefined) readers.set(written, read);
    return written;
  });
  const valueFor = (parameters: object) => (hole: Hole) => {
    const value = valueAt(parameters, hole.path);
    const read = readers.get(hole);
    return read === undefined || value === undefined || value === null ? value : read(value);
  };
  const slow = (parameters: object) =>
    renderWith(extent === 'bound' ? givenOf(formed, parameters) : formed, valueFor(parameters), rules);
  const tests = partsOf(formed).map((hole) => {
    const read = readers.get(hole);
    return read && (read.quick ?? NEVER);
  });
  return renderer(formed, rules, slow, tests);
}

/** The attributes that a parameter stands for in what is read or written, and the format that all their keys give them. */
function standsFor(
  entities: readonly EntityOutline[],
  name: string,
  asked: Template,
  hole: Hole,
): { schemas: readonly Schema[]; format: Hole['format'] } {
  const schemas: Schema[] = [];
  const formats = new Set<Hole['format']>();
  for (const { keys, schema } of entities) {
    const source = keys.get(name);
    const counterpart = source && counterpartOf(asked, hole, source.template);
    if (counterpart === undefined) continue;
    formats.add(counterpart.format);
    const at = schemaAt(schema, counterpart.path);
    if (at) schemas.push(at);
  }
  return { schemas, format: formats.size === 1 ? formats.values().next().value : undefined };
}

interface Reader {
  (value: unknown): unknown;
  /** Strings that it leaves as they are. */
  readonly quick?: QuickTest;
}

/** What is made of a parameter; undefined where it is taken as it is, as most are. */
function reader(asked: Template, { name }: Hole, schemas: readonly Schema[], extent: Extent): Reader | undefined {
  const [first] = schemas;
  if (first === undefined || schemas.some(isPlainString)) return undefined;
  const quick = quickTest(first);
  const read = (value: unknown) => {
    if (typeof value === 'string' && quick?.(value)) return value;
    const accepted = acceptedBy(schemas, value, extent);
    if ('value' in accepted) return accepted.value;
    throw new KeyError(name, `${asked.text}: <${name}> is ${shown(value)}; ${accepted.refusal}`);
  };
  return quick ? Object.assign(read, { quick }) : read;
}

/** A piece of a time may be given as the time, as its schema takes it, or as the piece alone, which is looked at later. */
function pieceReader(schemas: readonly Schema[]): Reader | undefined {
  if (schemas.length === 0 || schemas.some(isPlainString)) return undefined;
  return (value) => {
    const accepted = acceptedBy(schemas, value, 'whole');
    return 'value' in accepted ? accepted.value : value;
  };
}

/** A piece of a time may also be given as a number, in digits: it is not the time, but must be a piece of one. */
function digitsReader(asked: Template, hole: Hole, format: Hole['format']): Reader {
  return (value) => {
    renderText(asked, { ...hole, format }, renderText(asked, hole, value));
    return value;
  };
}

/** What is made of the last part of a bound where the key has a date or padded digits: that, or the beginning of it. */
function formReader(asked: Template, hole: Hole): Reader {
  return (value) => {
    if (typeof value === 'string' && isBeginningOfPart(hole, value)) return value;
    return renderText(asked, hole, value);
  };
}

/** The value as the first schema that takes it makes it, or why none does. */
function acceptedBy(
  schemas: readonly Schema[],
  value: unknown,
  extent: Extent,
): { readonly value: unknown } | { readonly refusal: string } {
  let refusal = '';
  for (const schema of schemas) {
    for (const given of [value, ...numberIn(schema, value)]) {
      const parsed = outcomeOf(schema, given);
      if (parsed.success) return { value: parsed.data };
      refusal ||= show(parsed.error);
    }
  }
  const prefix = extent === 'bound' ? schemas.find((schema) => isBeginning(schema, value)) : undefined;
  return prefix === undefined ? { refusal } : { value: normalised(prefix, value as string) };
}

/**
 * A part of another name than the attribute's is a string to the compiler, also where the attribute is a number. One that a
 * number cannot hold to the last digit is none.
 */
function numberIn(schema: Schema, value: unknown): readonly (number | bigint)[] {
  if (typeof value !== 'string' || kindOf(schema) !== 'number' || !/^-?\d+(\.\d+)?$/.test(value)) return [];
  const number = Number(value);
  if (!Number.isInteger(number)) return [number];
  return [...(Number.isSafeInteger(number) ? [number] : []), ...(value.includes('.') ? [] : [BigInt(value)])];
}

/** The value of an attribute that a parameter of the key tells, as the item has it. */
export function toldValue(
  { schema }: EntityOutline,
  { asked, hole, source }: Exclude<Told, { operand: unknown }>,
): Value {
  const counterpart = counterpartOf(asked, hole, source.template) as Hole;
  const at = schemaAt(schema, counterpart.path);
  const read = at ? reader(asked, hole, [at], 'whole') : undefined;
  return (parameters) => {
    const value = valueAt(parameters, hole.path);
    if (value === undefined || value === null) return undefined;
    return read === undefined ? value : read(value);
  };
}

/** What an attribute is compared with, as the attribute itself would be written; without entities it is their size. */
export function comparedValue(
  entities: readonly EntityOutline[] | undefined,
  path: string,
  comparison: string,
  value: unknown,
): unknown {
  let refusal = 'a size is a whole number from 0';
  if (entities === undefined) {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value;
  } else {
    if (value === null || comparison === 'contains') return value;
    const schemas = entities.map(({ schema }) => schemaAt(schema, stepsOf(path))).filter((at) => at !== undefined);
    if (schemas.length === 0 || schemas.some((schema) => schema === null || isPlainString(schema))) return value;
    const extent = comparison === 'equals' || comparison === 'in' || comparison === 'not' ? 'whole' : 'bound';
    const accepted = acceptedBy(schemas as readonly Schema[], value, extent);
    if ('value' in accepted) return accepted.value;
    ({ refusal } = accepted);
  }
  throw new ItemError(`${path} is compared with ${shown(value)}: ${refusal}`);
}

/** A whole primary key. */
export function keyBuilder(
  table: TableOutline,
  where: Readonly<Record<string, string>>,
  entities: readonly EntityOutline[],
): (values: object) => Item {
  const parts = keyOf(table.key).map((key) => {
    if (!Object.hasOwn(where, key.name))
      throw new ItemError(`'${key.name}' is part of the primary key; add it to 'where'`);
    return { name: key.name, value: keyValue(table, entities, key, template(where[key.name] as string)) };
  });
  const [partition, sort] = parts as [KeyPart, KeyPart?];
  if (sort !== undefined && isTwice(table, where, entities)) {
    return (values) => {
      // As a sort key, since that is the one that may be less long.
      const text = sort.value(values);
      const key: Item = {};
      key[partition.name] = text;
      key[sort.name] = text;
      return key;
    };
  }
  return (values) => {
    const key: Item = {};
    key[partition.name] = partition.value(values);
    if (sort !== undefined) key[sort.name] = sort.value(values);
    return key;
  };
}

interface KeyPart {
  readonly name: string;
  readonly value: Value;
}

/** Whether one template makes both keys of all entities, as is usual for what is alone in its partition. */
function isTwice(
  { key }: TableOutline,
  where: Readonly<Record<string, string>>,
  entities: readonly EntityOutline[],
): boolean {
  const [partition, sort] = keyOf(key).map(({ name }) => name) as [string, string];
  return (
    where[partition] === where[sort] &&
    entities.every(({ keys }) => {
      const [first, second] = [keys.get(partition), keys.get(sort)];
      return !first?.natural && !second?.natural && first?.template === second?.template;
    })
  );
}
