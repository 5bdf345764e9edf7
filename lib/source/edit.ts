import type { Edit } from '../check/findings/finding';
import { isObject } from '../design/show';
import type { Expression } from './outline';
import { type Found, type Node, Sources } from './sources';

/** An edit that replaces a range of a file with new text. */
export interface TextEdit {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Translates an edit of a design into an edit of its source code, or returns a sentence that explains why this is
 * impossible.
 */
export type Editor = (design: { readonly name: string }, edit: Edit) => TextEdit | string;

/**
 * @param file the module that exports the designs; the editor also reads the modules that this module imports by a
 * relative path
 * @param designs all designs that the module exports; an edit must not change anything else in these designs
 * @param read the text of a file; undefined if it cannot be read
 */
export function editorIn(
  file: string,
  designs: readonly { readonly name: string }[],
  read: (file: string) => string | undefined,
): Editor {
  const sources = new Sources(read);
  return (design, edit) => {
    const { path } = edit;
    const found = sources.inDesign(file, design.name, path);
    if (found === undefined) return 'the source does not contain this design, because code computes it at run time';
    const rest = path.slice(found.length + 1);
    if (rest !== '' && (edit.code === undefined || rest.includes('.')))
      return `the source does not contain ${path}, because code computes it at run time`;
    const target = targetOf(sources, found, rest !== '');
    const isShared = (other: string, at: string) => {
      const place = sources.inDesign(file, other, at);
      return place !== undefined && targetOf(sources, place, place.length < at.length) === target;
    };
    for (const { name, ...rest } of designs) {
      const alike = [...objectsIn(rest)].map((at) => `${at}${path.slice(path.lastIndexOf('.'))}`);
      const shared = alike.find((at) => (at !== path || name !== design.name) && isShared(name, at));
      if (shared !== undefined)
        return `the same code also defines ${shared} of ${name}, so the edit would change both fields`;
    }
    if (rest !== '') return inserted(sources, found, rest, edit.code as string);
    const placed = edited(sources, found, edit, valueAt(design, path));
    return typeof placed === 'string' ? placed : { file: found.file, ...placed };
  };
}

/** Identifies the target of an edit: a field, or the object that gets a new field. */
function targetOf(sources: Sources, found: Found, isInsert: boolean): string {
  const object = isInsert ? objectOf(sources, found) : undefined;
  return object === undefined ? `${found.file} ${found.at}` : `${object.file} in ${object.value.from}`;
}

/**
 * Yields the paths of all objects in a design. Treats an entity's attributes as a single object, because they are a
 * schema.
 */
function* objectsIn(value: object, path = ''): Iterable<string> {
  for (const [name, inner] of Object.entries(value)) {
    if (!isObject(inner)) continue;
    const at = `${path}${name}`;
    yield at;
    if (name !== 'attributes') yield* objectsIn(inner, `${at}.`);
  }
}

/**
 * Returns the value at a path. Names in the path may themselves contain dots. Returns undefined for a path into
 * `attributes`, because `attributes` is a schema.
 */
function valueAt(value: unknown, path: string): unknown {
  if (path === '' || !isObject(value)) return path === '' ? value : undefined;
  const names = Object.keys(value).filter((name) => name !== 'attributes' && `${path}.`.startsWith(`${name}.`));
  return names.map((name) => valueAt(value[name], path.slice(name.length + 1))).find((one) => one !== undefined);
}

type Change = Omit<TextEdit, 'file'>;

function edited(
  sources: Sources,
  { file, at, value }: Node & { readonly at: number },
  { code, replace, rename }: Edit,
  known: unknown,
): Change | string {
  const { from, to } = value;
  const source = sources.text(file);
  const now = source.slice(from, to);
  if (typeof known === 'string' && value.text !== known) return `the source has ${now}, but the design has '${known}'`;
  if (rename !== undefined) {
    const name = /^(?:(['"]).*?\1|[^\s:,}]+)/.exec(source.slice(at))?.[0] ?? '';
    return from === at ? { from, to, text: `${rename}: ${now}` } : { from: at, to: at + name.length, text: rename };
  }
  if (replace !== undefined) {
    const [before, after] = replace;
    const first = now.indexOf(before);
    if (first < 0 || now.indexOf(before, first + 1) >= 0) return `${now} must contain '${before}' exactly once`;
    return { from: from + first, to: from + first + before.length, text: after };
  }
  if (code === undefined) return removed(source, at, to);
  const written = quotedAs(source, code);
  // Replaces only the string, because a cast may follow it, as in `'x' as const`.
  if (value.text !== undefined) return { from, to: from + textLength(now), text: written };
  if (!code.startsWith('z.')) return { from, to, text: from === at ? `${now}: ${written}` : written };
  const declared = schemaText(sources, { file, value }, now);
  const optional = SCHEMA.exec(declared)?.groups;
  if (optional === undefined) return `replacing ${now} with ${code} might lose part of the schema`;
  const whole = `${written}${optional.optional ?? ''}`;
  return { from, to, text: from === at ? `${now}: ${whole}` : whole };
}

/** Matches a schema that consists of a single call. An edit can replace such a schema without losing other checks. */
const SCHEMA = /^z(?:\.iso)?\.\w+\([^()]*\)(?<optional>\.optional\(\))?$/;

/** Returns the source text of a schema. If the schema is a variable, returns the text of the variable's value. */
function schemaText(sources: Sources, { file, value }: Node, now: string): string {
  const [names] = value.references;
  if (names === undefined || !/^[\w.$]+$/.test(now)) return now;
  const variable = sources.referred(file, names);
  return variable === undefined ? now : sources.text(variable.file).slice(variable.value.from, variable.value.to);
}

function textLength(now: string): number {
  const end = /^(['"`])(?:\\.|(?!\1)[\s\S])*\1/.exec(now)?.[0];
  return end?.length ?? now.length;
}

/** Adds a field at the end of an object, on its own line if the other fields are on their own lines. */
function inserted(sources: Sources, parent: Node, name: string, code: string): TextEdit | string {
  const object = objectOf(sources, parent);
  const source = sources.text(parent.file);
  if (object === undefined)
    return `${source.slice(parent.value.from, parent.value.to).split('\n')[0]} is not an object literal`;
  const { file, value } = object;
  const text = sources.text(file);
  const last = value.last as number;
  const isEmpty = last === value.from + 1;
  const field = `${/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : `'${name}'`}: ${quotedAs(text, code)}`;
  const indent = /\n([ \t]*)$/.exec(text.slice(0, firstIn(value)))?.[1];
  if (indent === undefined) return { file, from: last, to: last, text: isEmpty ? ` ${field} ` : `, ${field}` };
  return { file, from: last, to: last, text: `,\n${indent}${field}` };
}

function firstIn({ fields, inner, from }: Expression): number {
  const all = [...Array.from(fields.values(), ({ at }) => at), ...inner.map((one) => one.from - 3)];
  return all.length === 0 ? from + 1 : Math.min(...all);
}

/**
 * Returns the object literal at the start of an expression. If the expression is only a variable, returns the object
 * literal in the variable's value. Returns undefined for a call, because a call may transform its arguments.
 */
function objectOf(sources: Sources, { file, value }: Node): Node | undefined {
  if (value.last !== undefined) return { file, value };
  const [first] = value.inner;
  if (first?.last !== undefined && first.from === value.from) return { file, value: first };
  const [names] = value.references;
  const isName = names !== undefined && value.inner.length === 0;
  const variable = isName ? sources.referred(file, names) : undefined;
  return variable === undefined || variable.value === value ? undefined : objectOf(sources, variable);
}

/** Removes a field with its comma, and the whole line if nothing else is on it. */
function removed(source: string, at: number, end: number): Change {
  const comma = /^\s*,/.exec(source.slice(end))?.[0].length ?? 0;
  const to = end + comma;
  const before = /[ \t]*$/.exec(source.slice(0, at))?.[0].length ?? 0;
  const isOwnLine = source[at - before - 1] === '\n' && /^[ \t]*\n/.test(source.slice(to));
  if (isOwnLine) return { from: at - before, to: source.indexOf('\n', to) + 1, text: '' };
  if (comma > 0) return { from: at, to: to + (/^[ \t]*/.exec(source.slice(to))?.[0].length ?? 0), text: '' };
  const earlier = /,\s*$/.exec(source.slice(0, at))?.[0].length ?? 0;
  return { from: at - earlier, to: end, text: '' };
}

/** Converts code to the quote style that is more common in the file. */
function quotedAs(source: string, code: string): string {
  const isDouble = source.split('"').length > source.split("'").length;
  return isDouble && !code.includes('"') ? code.replaceAll("'", '"') : code;
}

/** Applies non-overlapping changes to a string. */
export function withChanges(text: string, changes: readonly Change[]): string {
  const last = [...changes].sort((a, b) => b.from - a.from);
  return last.reduce((edited, { from, to, text: by }) => edited.slice(0, from) + by + edited.slice(to), text);
}
