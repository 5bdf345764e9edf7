import type { z } from 'zod';
import { type Note, notes } from '../../design/schema/notes';
import { isObject } from '../../design/show';
import {
  empty,
  type Misshape,
  missing,
  otherKind,
  otherSchema,
  otherWord,
  stray,
  unknownOperation,
  unknownOperator,
} from './wording';

/** The fields of a zod schema definition that the design language uses. */
interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly catchall?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly items?: readonly z.ZodType[];
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly unknown[];
}

/**
 * Adds every reason why a schema of the design language rejects a value, each with its place in the value. Adds nothing
 * if the schema accepts the value.
 */
export function misshapes(schema: z.ZodType, value: unknown, path: string, found: Misshape[]): void {
  const note: Note = notes.get(schema) ?? {};
  const def = defOf(schema);
  const { innerType = def.getter?.() } = def;
  if (note.notEmpty !== undefined && isEmpty(value)) found.push(empty(note, value, path));
  else if (innerType !== undefined) misshapes(innerType, value, path, found);
  else if (note.operators !== undefined) inCondition(def, note, value, path, found);
  else if (note.whole) {
    if (!schema.safeParse(value).success) found.push(otherKind(note, value, path));
  } else if (def.type === 'object') inFields(def, note, value, path, found);
  else if (def.type === 'record') {
    if (!isObject(value)) found.push(otherKind(note, value, path));
    else
      for (const name of Object.keys(value))
        misshapes(def.valueType as z.ZodType, value[name], within(path, name), found);
  } else if (def.type === 'array' || def.type === 'tuple') inList(def, note, value, path, found);
  else if (def.type === 'union') inAlternatives(def, note, value, path, found);
  else if (!schema.safeParse(value).success) {
    if (def.entries !== undefined) found.push(otherWord(note, Object.values(def.entries), value, path));
    else found.push(def.type === 'custom' ? otherSchema(note, value, path) : otherKind(note, value, path));
  }
}

function inFields({ shape = {}, catchall }: Def, note: Note, value: unknown, path: string, found: Misshape[]): void {
  const needed = Object.keys(shape).filter((name) => defOf(shape[name] as z.ZodType).type !== 'optional');
  const addedOf = (name: string) => {
    const { added, example } = notes.get(shape[name] as z.ZodType) ?? {};
    return `${name}: ${added ?? example ?? `'${wordIn(shape[name])}'`}`;
  };
  if (!isObject(value)) {
    const example = note.example ?? `{ ${needed.map(addedOf).join(', ')} }`;
    found.push(otherKind({ ...note, example }, value, path));
    return;
  }
  for (const name of needed) {
    if (value[name] === undefined) found.push(missing(note, addedOf(name), within(path, name)));
  }
  const rest = catchall === undefined || defOf(catchall).type === 'never' ? undefined : catchall;
  for (const name of Object.keys(value)) {
    const schema = Object.hasOwn(shape, name) ? shape[name] : rest;
    if (schema === undefined) found.push(stray(note, name, Object.keys(shape), within(path, name)));
    else if (value[name] !== undefined || schema === rest) misshapes(schema, value[name], within(path, name), found);
  }
}

function inList({ element, items }: Def, note: Note, value: unknown, path: string, found: Misshape[]): void {
  if (!Array.isArray(value) || (items !== undefined && value.length !== items.length)) {
    found.push(otherKind(note, value, path));
    return;
  }
  for (const [i, member] of value.entries()) {
    misshapes((items?.[i] ?? element) as z.ZodType, member, note.numbered ? `${path}.${i}` : path, found);
  }
}

/**
 * Checks a value against one alternative of a union. For a pattern or a step, `op` selects the alternative. Otherwise,
 * the alternative depends on whether the value is a list.
 */
function inAlternatives(
  { options = [], discriminator }: Def,
  note: Note,
  value: unknown,
  path: string,
  found: Misshape[],
): void {
  if (discriminator === undefined) {
    const isList = (option: z.ZodType) => defOf(option).type === 'array';
    const meant = options.find((option) => isList(option) === Array.isArray(value));
    misshapes(meant as z.ZodType, value, path, found);
    return;
  }
  const wordOf = (option: z.ZodType) => wordIn(defOf(option).shape?.[discriminator]);
  const given = isObject(value) ? value[discriminator] : undefined;
  const meant = options.find((option) => wordOf(option) === given);
  const words = options.map(wordOf);
  if (meant !== undefined) misshapes(meant, value, path, found);
  else if (isObject(value)) found.push(unknownOperation(note, given, words, `${path}.${discriminator}`));
  else found.push(otherKind({ ...note, example: `{ ${discriminator}: '${words[0]}', … }` }, value, path));
}

/** A condition must have exactly one operator, because the library would ignore a second one. */
function inCondition({ options = [] }: Def, note: Note, value: unknown, path: string, found: Misshape[]): void {
  const { operators = [] } = note;
  if (options[0]?.safeParse(value).success) return;
  if (!isObject(value)) {
    found.push(otherKind(note, value, path));
    return;
  }
  const names = Object.keys(value);
  for (const name of names.filter((name) => !operators.includes(name))) {
    found.push(unknownOperator(note, name, operators, `${path}.${name}`));
  }
  if (names.length !== 1) {
    const got = names.length === 0 ? 'none' : names.join(' and ');
    const fix = operators.includes('between')
      ? `write one operator, such as { between: ['…', '…'] }`
      : `write ${note.example}`;
    found.push({ path, cause: 'one-operator', message: `must have one operator, got: ${got}`, fix });
  }
  for (const name of names.filter((name) => operators.includes(name))) {
    const { shape = {} } = defOf(options[operators.indexOf(name) + 1] as z.ZodType);
    misshapes(shape[name] as z.ZodType, value[name], `${path}.${name}`, found);
  }
}

function defOf(schema: z.ZodType): Def {
  return schema.def as Def;
}

/** Returns the only value that a literal schema accepts, as a string. */
function wordIn(literal: z.ZodType | undefined): string {
  return String(literal && defOf(literal).values?.[0]);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Returns the path of a field. The path of the design itself is empty. */
function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
