import { nearest } from '../../design/names';
import { schemaKind } from '../../design/schema/design';
import type { Note } from '../../design/schema/notes';
import { isObject, show } from '../../design/show';
import type { Fault } from '../findings/finding';

/** The reasons why a value does not have the shape of a design. */
export const causes = {
  design: 'the value is not a design',
  unreadable: 'reading the design throws an error',
  missing: 'a required field is missing',
  'unknown-field': 'a field does not exist in the design language',
  kind: 'a field has a value of the wrong type',
  word: 'a field has a value that is not one of the allowed words',
  schema: "an entity's attributes are not a schema",
  'schema-kind': "an entity's attributes are a schema, but not an object schema",
  'zod-3': "an entity's attributes are a zod 3 schema",
  'unkept-name': 'an attribute is named `__proto__`, which is never stored',
  operation: 'a pattern or a step has an operation that does not exist',
  operator: 'a condition has an operator that does not exist',
  'one-operator': 'a condition has no operator, or more than one',
  'returns-nothing': 'a pattern returns no entity',
  'no-entities': 'a table has no entity',
} as const;

/** A fault in the shape of a value. The finding's subject is the whole design. */
export interface Misshape extends Fault<keyof typeof causes> {
  readonly path: string;
  readonly proposed?: string;
}

/** Describes a value that has the wrong type. */
export function otherKind(note: Note, value: unknown, path: string): Misshape {
  const { what, example, insteadOfList, insteadOfObject } = note;
  if (insteadOfObject !== undefined && isObject(value)) {
    const message = `must be one value, got: ${show(value)}`;
    return { path, cause: 'kind', message, fix: insteadOfObject };
  }
  const proposed = asTexts(note, value) ?? (Array.isArray(value) ? insteadOfList : undefined) ?? example;
  return { path, cause: 'kind', proposed, message: `must be ${what}, got: ${show(value)}`, fix: `write ${proposed}` };
}

/** Formats a number, or a pair that contains numbers, as strings for a key condition. Requests convert the strings back. */
function asTexts({ what, example = '' }: Note, value: unknown): string | undefined {
  // Only key conditions accept templates, so only there can a number be meant as a string. A name, for example, is
  // never a number.
  if (typeof value === 'number') return /<|beginsWith/.test(example) ? `'${value}'` : undefined;
  const isPair = what === 'a pair of strings' && Array.isArray(value) && value.length === 2;
  const isText = (end: unknown) => typeof end === 'number' || typeof end === 'string';
  return isPair && value.every(isText) ? `['${value.join("', '")}']` : undefined;
}

export function empty(note: Note, value: unknown, path: string): Misshape {
  return note.notEmpty === true ? otherKind(note, value, path) : ({ path, ...note.notEmpty } as Misshape);
}

export function otherWord(note: Note, words: readonly string[], value: unknown, path: string): Misshape {
  const what = note.what ?? words.map((word) => `'${word}'`).join(' or ');
  const meant = typeof value === 'string' ? wordMeant(note, value, words) : undefined;
  const fix = `write ${meant === undefined ? what : `'${meant}'`}`;
  const edits = meant === undefined ? {} : { edits: [{ path, code: `'${meant}'` }] };
  return { path, cause: 'word', proposed: meant, message: `must be ${what}, got: ${show(value)}`, fix, ...edits };
}

/** Returns the allowed word that was probably meant, such as `descending` for `desc`. */
function wordMeant({ synonyms = {} }: Note, value: string, words: readonly string[]): string | undefined {
  const short = value.toLowerCase();
  const isBegun = (word: string) => short !== '' && word.startsWith(short);
  return Object.hasOwn(synonyms, short) ? synonyms[short] : (nearest(value, words) ?? words.find(isBegun));
}

const SCHEMAS = {
  other: { cause: 'schema-kind', got: 'a different kind of schema' },
  'zod-3': { cause: 'zod-3', got: 'a zod 3 schema' },
} as const;

/** Describes attributes that are not a zod 4 object. */
export function otherSchema({ what, example }: Note, value: unknown, path: string): Misshape {
  const kind = schemaKind(value);
  const { cause, got } =
    kind === 'other' || kind === 'zod-3' ? SCHEMAS[kind] : ({ cause: 'schema', got: show(value) } as const);
  return { path, cause, message: `must be ${what}, got: ${got}`, fix: `write ${example}` };
}

export function missing({ what }: Note, added: string, path: string): Misshape {
  return {
    path,
    cause: 'missing',
    proposed: added,
    message: `this required field of ${what} is missing`,
    fix: `add ${added}`,
  };
}

export function stray({ what }: Note, name: string, known: readonly string[], path: string): Misshape {
  const meant = nearest(name, known);
  const fix = meant === undefined ? `use one of ${known.join(', ')}, or remove '${name}'` : `write ${meant}`;
  const edits = meant === undefined ? {} : { edits: [{ path, rename: meant }] };
  return {
    path,
    cause: 'unknown-field',
    proposed: meant,
    message: `'${name}' is not a field of ${what}`,
    fix,
    ...edits,
  };
}

export function unknownOperation({ what }: Note, given: unknown, known: readonly string[], path: string): Misshape {
  const meant = typeof given === 'string' ? nearest(given, known) : undefined;
  const isNested = known.includes('require') && (given === 'transaction' || given === 'batchWrite');
  const fix = isNested
    ? `list the steps directly; or, to write in several requests, move them to a separate pattern with atomic: false`
    : meant === undefined
      ? `use one of ${known.join(', ')}`
      : `write '${meant}'`;
  const edits = meant === undefined ? {} : { edits: [{ path, code: `'${meant}'` }] };
  const message = `${show(given)} is not an operation of ${what}`;
  return { path, cause: 'operation', proposed: meant, message, fix, ...edits };
}

export function unknownOperator(note: Note, name: string, known: readonly string[], path: string): Misshape {
  const meant = note.synonyms?.[name.toLowerCase()] ?? nearest(name, known);
  const fix = meant === undefined ? `use one of ${known.join(', ')}` : `write ${meant}`;
  const edits = meant === undefined ? {} : { edits: [{ path, rename: meant }] };
  return { path, cause: 'operator', proposed: meant, message: `'${name}' is not an operator`, fix, ...edits };
}
