import { type QuickTest, quickTest } from '../blueprint/attributes/quick';
import {
  isPlainString,
  issueText,
  kindOf,
  normalised,
  outcomeOf,
  type Schema,
  schemaAt,
} from '../blueprint/attributes/schema';
import type { Told } from '../blueprint/index-keys';
import { counterpartOf, givenOf, standsFor } from '../blueprint/keys';
import { type EntityOutline, type KeyAttribute, keyOf, rulesOf, type TableOutline } from '../blueprint/outline';
import { hasParts, lastPart, partsOf } from '../blueprint/template-parts';
import {
  KeyError,
  lonePart,
  type Part,
  renderText,
  renderWith,
  shownValue,
  stepsOf,
  type Template,
  template,
  valueAt,
  withParts,
} from '../design/template';
import { type Item, ItemError, typed } from './item';
import { isBeginning, isBeginningOfPart } from './prefixes';
import { renderer } from './renderer';
import { naturalKey } from './writers';

/** Computes one value in a request from the caller's values. */
export type Value = (parameters: object) => unknown;

/** What a template describes: a whole key, or the lower or upper bound of a range. */
export type Extent = 'whole' | 'bound';

/**
 * The key in a request: the rendered template or, for a natural key, the value of a parameter. The attribute's schema
 * converts each parameter, so that a read builds the same key as the write did.
 */
export function keyValue(
  table: TableOutline,
  entities: readonly EntityOutline[],
  { name }: KeyAttribute,
  asked: Template,
  extent: Extent = 'whole',
): Value {
  const schemas = entities
    .map(({ keys, schema }) => {
      const source = keys.get(name);
      return source?.natural && schemaAt(schema, [source.holds]);
    })
    .filter((schema) => !!schema);
  if (schemas.length > 0 && asked.faults.length === 0) {
    const part = lonePart(asked);
    if (part !== undefined) return naturalValue(asked, part, schemas, extent);
    if (!hasParts(asked)) {
      const value = typed(schemas[0], asked.text);
      return () => value;
    }
  }
  return templateValue(table, entities, name, asked, extent);
}

function naturalValue(asked: Template, part: Part, schemas: readonly Schema[], extent: Extent): Value {
  const { name, path } = part;
  const read = reader(asked, part, schemas, extent);
  return (parameters) => {
    const value = naturalKey(name, valueAt(parameters, path));
    return read === undefined ? value : naturalKey(name, read(value));
  };
}

/** Used if a part has no quick test: no value passes, so the part's reader always decides. */
const NEVER: QuickTest = () => false;

function templateValue(
  table: TableOutline,
  entities: readonly EntityOutline[],
  name: string,
  asked: Template,
  extent: Extent,
): Value {
  const rules = rulesOf(table, name);
  const readers = new Map<Part, Reader>();
  const last = lastPart(asked);
  const formed = withParts(asked, (part) => {
    // Only the last part of a bound may be a prefix of a value.
    const own = extent === 'bound' && part === last ? 'bound' : 'whole';
    const { schemas, format } = standsFor(entities, name, asked, part);
    const inForm = part.format ?? (own === 'whole' ? format : undefined);
    const written = inForm === part.format || inForm === undefined ? part : { ...part, format: inForm };
    const read =
      typeof inForm === 'string'
        ? pieceReader(schemas)
        : typeof part.format === 'number' && typeof format === 'string'
          ? digitsReader(asked, part, format)
          : inForm !== undefined || format === undefined
            ? reader(asked, part, schemas, own)
            : formReader(asked, { ...part, format }, table.separator);
    if (read !== undefined) readers.set(written, read);
    return written;
  });
  const valueFor = (parameters: object) => (part: Part) => {
    const value = valueAt(parameters, part.path);
    const read = readers.get(part);
    return read === undefined || value === undefined || value === null ? value : read(value);
  };
  const slow = (parameters: object) =>
    renderWith(extent === 'bound' ? givenOf(formed, parameters) : formed, valueFor(parameters), rules);
  const tests = partsOf(formed).map((part) => {
    const read = readers.get(part);
    return read && (read.quick ?? NEVER);
  });
  return renderer(formed, rules, slow, tests);
}

interface Reader {
  (value: unknown): unknown;
  /** Recognizes strings that the reader would not change. */
  readonly quick?: QuickTest;
}

/**
 * Returns the function that validates and converts a parameter. Returns undefined if the parameter needs no conversion,
 * which is the usual case.
 */
function reader(asked: Template, { name }: Part, schemas: readonly Schema[], extent: Extent): Reader | undefined {
  const [first] = schemas;
  if (first === undefined || schemas.some(isPlainString)) return undefined;
  const quick = quickTest(first);
  const read = (value: unknown) => {
    if (typeof value === 'string' && quick?.(value)) return value;
    const accepted = acceptedBy(schemas, value, extent);
    if ('value' in accepted) return accepted.value;
    throw new KeyError(name, `${asked.text}: <${name}> is ${shownValue(value)}; ${accepted.refusal}`);
  };
  return quick ? Object.assign(read, { quick }) : read;
}

/** The caller may pass a whole timestamp, which the schema validates, or only the piece, which is checked later. */
function pieceReader(schemas: readonly Schema[]): Reader | undefined {
  if (schemas.length === 0 || schemas.some(isPlainString)) return undefined;
  return (value) => {
    const accepted = acceptedBy(schemas, value, 'whole');
    return 'value' in accepted ? accepted.value : value;
  };
}

/** The caller may also pass a piece of a timestamp as a number. The digits of the number must form a valid piece. */
function digitsReader(asked: Template, part: Part, format: Part['format']): Reader {
  return (value) => {
    renderText(asked, { ...part, format }, renderText(asked, part, value));
    return value;
  };
}

/**
 * A reader for the last part of a bound, if the key has a date or padded digits there. The reader accepts a whole value
 * or a prefix of a value.
 */
function formReader(asked: Template, part: Part, separator: string): Reader {
  return (value) => {
    if (typeof value === 'string' && isBeginningOfPart(part, value)) return value;
    return renderText(asked, part, value, separator);
  };
}

/**
 * Returns the output of the first schema that accepts the value. If every schema refuses the value, returns the first
 * reason.
 */
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
      refusal ||= issueText(parsed.error);
    }
  }
  const prefix = extent === 'bound' ? schemas.find((schema) => isBeginning(schema, value)) : undefined;
  return prefix === undefined ? { refusal } : { value: normalised(prefix, value as string) };
}

/**
 * Returns the numbers that a string may represent. A part whose name differs from its attribute's name has the type
 * string, even if the attribute is a number. Integers are also tried as bigints, which represent every integer exactly.
 */
function numberIn(schema: Schema, value: unknown): readonly (number | bigint)[] {
  if (typeof value !== 'string' || kindOf(schema) !== 'number' || !/^-?\d+(\.\d+)?$/.test(value)) return [];
  const number = Number(value);
  if (!Number.isInteger(number)) return [number];
  return [...(Number.isSafeInteger(number) ? [number] : []), ...(value.includes('.') ? [] : [BigInt(value)])];
}

/** Reads an attribute's value from a key parameter, and converts it to the stored form. */
export function toldValue(
  { schema }: EntityOutline,
  { asked, part, source }: Exclude<Told, { operand: unknown }>,
): Value {
  const counterpart = counterpartOf(asked, part, source.template) as Part;
  const at = schemaAt(schema, counterpart.path);
  const read = at ? reader(asked, part, [at], 'whole') : undefined;
  return (parameters) => {
    const value = valueAt(parameters, part.path);
    if (value === undefined || value === null) return undefined;
    return read === undefined ? value : read(value);
  };
}

/** Whether a comparison needs whole values, not prefixes. */
export function isExact(comparison: string): boolean {
  return /^(equals|in|not)$/.test(comparison);
}

/**
 * Returns the operand of a comparison in the attribute's stored form. If no entities are given, the operand is a size.
 */
export function comparedValue(
  entities: readonly EntityOutline[] | undefined,
  path: string,
  comparison: string,
  value: unknown,
): unknown {
  let refusal = 'a size is a non-negative integer';
  if (entities === undefined) {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value;
  } else {
    if (value === null || comparison === 'contains') return value;
    const schemas = entities.map(({ schema }) => schemaAt(schema, stepsOf(path))).filter((at) => at !== undefined);
    if (schemas.length === 0 || schemas.some((schema) => schema === null || isPlainString(schema))) return value;
    const extent = isExact(comparison) ? 'whole' : 'bound';
    const accepted = acceptedBy(schemas as readonly Schema[], value, extent);
    if ('value' in accepted) return accepted.value;
    ({ refusal } = accepted);
  }
  throw new ItemError(`${path} is compared with ${shownValue(value)}: ${refusal}`);
}

/** Builds a whole primary key. */
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
  return (values) => {
    const key: Item = {};
    for (const { name, value } of parts) key[name] = value(values);
    return key;
  };
}
