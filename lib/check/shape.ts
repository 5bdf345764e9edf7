import { nearest } from '../design/names';
import { isObject, show } from '../design/show';
import type { Found } from './finding';

/** Looks at a value of unknown kind, and adds what it is not. */
export type Shape = (value: unknown, path: string, found: Found[]) => void;

/** A value that a predicate accepts; `what` says which, `example` how to write one. */
export function that(what: string, example: string, accepts: (value: unknown) => boolean): Shape {
  return (value, path, found) => {
    if (!accepts(value)) found.push({ path, message: `must be ${what}, got: ${show(value)}`, fix: `write ${example}` });
  };
}

export function text(example: string): Shape {
  return that('a text', `'${example}'`, isText);
}

export function word(...words: readonly string[]): Shape {
  const listed = words.map((one) => `'${one}'`);
  const accepts = (value: unknown) => typeof value === 'string' && words.includes(value);
  return (value, path, found) => {
    if (accepts(value)) return;
    const meant = typeof value === 'string' ? nearestWord(value, words) : undefined;
    const fix = `write ${meant === undefined ? listed.join(' or ') : `'${meant}'`}`;
    found.push({ path, message: `must be ${listed.join(' or ')}, got: ${show(value)}`, fix });
  };
}

/** `desc` is meant to be `descending`. */
function nearestWord(value: string, words: readonly string[]): string | undefined {
  const short = value.toLowerCase();
  return nearest(value, words) ?? words.find((one) => short !== '' && one.startsWith(short));
}

export function listOf(element: Shape, example: string): Shape {
  return (value, path, found) => {
    if (!Array.isArray(value)) {
      found.push({ path, message: `must be a list, got: ${show(value)}`, fix: `write ${example}` });
    } else for (const one of value) element(one, path, found);
  };
}

/** Names, each with something of one shape. */
export function byName(element: Shape, example: string): Shape {
  return (value, path, found) => {
    if (!isObject(value)) {
      found.push({ path, message: `must be an object, got: ${show(value)}`, fix: `write ${example}` });
    } else for (const name of Object.keys(value)) element(value[name], `${path}.${name}`, found);
  };
}

export interface Fields {
  readonly required: Readonly<Record<string, readonly [Shape, string]>>;
  readonly optional: Readonly<Record<string, Shape>>;
}

/** The fields of one thing: some it must have, some it may, and no others, so that none is misspelt in silence. */
export function fields(what: string, { required, optional }: Fields): Shape {
  const shapes = new Map<string, Shape>([
    ...Object.entries(required).map(([name, [shape]]) => [name, shape] as const),
    ...Object.entries(optional),
  ]);
  const needed = Object.keys(required);
  return (value, path, found) => {
    if (!isObject(value)) {
      const example = needed.map((name) => `${name}: ${required[name]?.[1]}`).join(', ');
      found.push({ path, message: `must be ${what}, got: ${show(value)}`, fix: `write { ${example} }` });
      return;
    }
    for (const name of needed) {
      if (value[name] !== undefined) continue;
      const fix = `add ${name}: ${required[name]?.[1]}`;
      found.push({ path: within(path, name), message: `${what} needs it, and it is missing`, fix });
    }
    for (const name of Object.keys(value)) {
      const shape = shapes.get(name);
      if (shape === undefined) found.push(stray(what, within(path, name), name, [...shapes.keys()]));
      else if (value[name] !== undefined) shape(value[name], within(path, name), found);
    }
  };
}

function stray(what: string, path: string, name: string, known: readonly string[]): Found {
  const meant = nearest(name, known);
  const fix = meant === undefined ? `use one of ${known.join(', ')}, or remove it` : `write ${meant}`;
  return { path, message: `'${name}' is no field of ${what}`, fix };
}

/** The place of a field; a design itself has no name. */
function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
