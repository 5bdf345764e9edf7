import { nearest } from '../design/names';
import { isObject, show } from '../design/show';
import type { Fault } from './finding';

/** Why a value is not what it should be. */
export const causes = {
  design: 'it is not a design at all',
  unreadable: 'reading something in it throws an error',
  missing: 'a required field is missing',
  'unknown-field': 'there is no such field',
  kind: 'a field has a value of the wrong type',
  word: 'a field has a word that it does not allow',
  schema: 'the attributes of an entity are not a schema',
  'schema-kind': 'the attributes of an entity are a schema, but not an object',
  'zod-3': 'the attributes of an entity are a schema of zod 3',
  'unkept-name': 'an attribute is named __proto__, which is never stored',
  operation: 'a pattern or a step has an operation that does not exist',
  operator: 'a condition has an operator that does not exist',
  'one-operator': 'a condition has no operator, or more than one',
  'returns-nothing': 'a pattern returns no entity',
  'no-entities': 'a table has no entity',
} as const;

/** What is wrong with the shape of a value; its subject is the design as a whole. */
export interface Misshape extends Fault<keyof typeof causes> {
  readonly path: string;
  readonly proposed?: string;
}

/** Looks at a value of unknown type, and adds what is wrong with it. */
export type Shape = (value: unknown, path: string, found: Misshape[]) => void;

/** A value that a predicate accepts; `what` describes it, and `example` is how to write one. */
export function that(what: string, example: string, accepts: (value: unknown) => boolean): Shape {
  return (value, path, found) => {
    if (!accepts(value)) found.push(otherKind(what, example, value, path));
  };
}

/** The fault of a value that has the wrong type. */
export function otherKind(what: string, example: string, value: unknown, path: string): Misshape {
  const message = `must be ${what}, got: ${show(value)}`;
  return { path, cause: 'kind', proposed: example, message, fix: `write ${example}` };
}

export function text(example: string): Shape {
  return that('a string', `'${example}'`, isText);
}

export function word(...words: readonly string[]): Shape {
  const listed = words.map((word) => `'${word}'`);
  const accepts = (value: unknown) => typeof value === 'string' && words.includes(value);
  return (value, path, found) => {
    if (accepts(value)) return;
    const meant = typeof value === 'string' ? nearestWord(value, words) : undefined;
    const fix = `write ${meant === undefined ? listed.join(' or ') : `'${meant}'`}`;
    const message = `must be ${listed.join(' or ')}, got: ${show(value)}`;
    found.push({ path, cause: 'word', proposed: meant, message, fix });
  };
}

/** `desc` is meant to be `descending`. */
function nearestWord(value: string, words: readonly string[]): string | undefined {
  const short = value.toLowerCase();
  return nearest(value, words) ?? words.find((word) => short !== '' && word.startsWith(short));
}

export function listOf(element: Shape, example: string): Shape {
  return (value, path, found) => {
    if (!Array.isArray(value)) found.push(otherKind('a list', example, value, path));
    else for (const member of value) element(member, path, found);
  };
}

/** An object whose members all have the same shape. */
export function byName(element: Shape, example: string): Shape {
  return (value, path, found) => {
    if (!isObject(value)) found.push(otherKind('an object', example, value, path));
    else for (const name of Object.keys(value)) element(value[name], `${path}.${name}`, found);
  };
}

export interface Fields {
  readonly required: Readonly<Record<string, readonly [Shape, string]>>;
  readonly optional: Readonly<Record<string, Shape>>;
}

/** An object with required and optional fields and no others, so that a misspelt one does not go unnoticed. */
export function fields(what: string, { required, optional }: Fields): Shape {
  const shapes = new Map<string, Shape>([
    ...Object.entries(required).map(([name, [shape]]) => [name, shape] as const),
    ...Object.entries(optional),
  ]);
  const needed = Object.keys(required);
  return (value, path, found) => {
    if (!isObject(value)) {
      const example = needed.map((name) => `${name}: ${required[name]?.[1]}`).join(', ');
      found.push(otherKind(what, `{ ${example} }`, value, path));
      return;
    }
    for (const name of needed) {
      if (value[name] !== undefined) continue;
      const proposed = `${name}: ${required[name]?.[1]}`;
      const message = `it is missing, and ${what} needs it`;
      found.push({ path: within(path, name), cause: 'missing', proposed, message, fix: `add ${proposed}` });
    }
    for (const name of Object.keys(value)) {
      const shape = shapes.get(name);
      if (shape === undefined) found.push(stray(what, within(path, name), name, [...shapes.keys()]));
      else if (value[name] !== undefined) shape(value[name], within(path, name), found);
    }
  };
}

function stray(what: string, path: string, name: string, known: readonly string[]): Misshape {
  const meant = nearest(name, known);
  const fix = meant === undefined ? `use one of ${known.join(', ')}, or remove it` : `write ${meant}`;
  return { path, cause: 'unknown-field', proposed: meant, message: `'${name}' is not a field of ${what}`, fix };
}

/** The path of a field; the design itself has an empty path. */
function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
