/** Source code: either text, or entries in brackets, which are printed on one line if they fit. */
export type Code = string | Bracket;

export interface Bracket {
  readonly open: string;
  readonly close: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  /** The text before the code on the same line, such as a name and a colon. */
  readonly lead: string;
  readonly code: Code;
  /** Comment lines above the code. @default - none */
  readonly comments?: readonly string[];
}

const WIDTH = 120;

/** Formats code as Biome and Prettier do, with single quotes and lines of 120 characters. */
export function laidOut(code: Code, indent = 0, taken = 0): string {
  if (typeof code === 'string') return code;
  const flat = flatOf(code);
  if (flat !== undefined && indent + taken + flat.length < WIDTH) return flat;
  if (code.entries.length === 0) return `${code.open}${code.close}`;
  const inner = ' '.repeat(indent + 2);
  const lines = code.entries.flatMap(({ lead, code: value, comments = [] }) => [
    ...comments.flatMap((comment) => wrapped(comment, indent + 2)).map((line) => `${inner}// ${line}`),
    `${inner}${lead}${laidOut(value, indent + 2, lead.length + 1)},`,
  ]);
  return [code.open.trimEnd(), ...lines, `${' '.repeat(indent)}${code.close.trimStart()}`].join('\n');
}

/** Prints the code on one line, or returns undefined if the code has comments. */
function flatOf(code: Code): string | undefined {
  if (typeof code === 'string') return code;
  if (code.entries.length === 0) return `${code.open.trimEnd()}${code.close.trimStart()}`;
  const parts: string[] = [];
  for (const { lead, code: value, comments = [] } of code.entries) {
    const flat = flatOf(value);
    if (flat === undefined || comments.length > 0) return undefined;
    parts.push(`${lead}${flat}`);
  }
  return `${code.open}${parts.join(', ')}${code.close}`;
}

/** Splits a comment into lines that fit the line width. */
export function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && indent + 4 + last.length + word.length < WIDTH)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Adds text before and after code. */
export function around(before: string, code: Code, after: string): Code {
  if (typeof code === 'string') return `${before}${code}${after}`;
  return { ...code, open: `${before}${code.open}`, close: `${code.close}${after}` };
}

export function list(entries: readonly Code[]): Code {
  return { open: '[', close: ']', entries: entries.map((code) => ({ lead: '', code })) };
}

/** An object literal. */
export function object(entries: readonly (Omit<Entry, 'lead'> & { readonly name: string })[]): Code {
  return {
    open: '{ ',
    close: ' }',
    entries: entries.map(({ name, ...entry }) => ({
      lead: entry.code === name ? '' : `${property(name)}: `,
      ...entry,
    })),
  };
}

function property(name: string): string {
  // An unquoted `__proto__: …` would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name);
}

/** A string literal. */
export function text(value: string): string {
  const quoted = JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const inner = quoted.slice(1, -1).replaceAll('\\"', '"');
  return inner.includes("'") && !inner.includes('"') ? `"${inner}"` : `'${inner.replaceAll("'", "\\'")}'`;
}

/** Writes any JSON value as a literal. @param commentsAt returns the comments at a path inside the value */
export function literal(
  value: unknown,
  commentsAt: (path: readonly string[]) => readonly string[] = () => [],
  path: readonly string[] = [],
): Code {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return list(value.map((element) => literal(element)));
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return object(
    entries.map(([name, field]) => {
      const at = [...path, name];
      return { name, code: literal(field, commentsAt, at), comments: commentsAt(at) };
    }),
  );
}
