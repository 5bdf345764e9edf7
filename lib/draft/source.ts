import { literal } from '../explore/call';
import { type Expression, outlineOfSource } from '../source/outline';
import type { Draft, TableDraft } from './draft';

/** Describes how a case file imports the system. */
export interface Origin {
  readonly module: string;
  /** The name of the export. If the export is a single table, the file wraps it in a system. */
  readonly name: string;
  readonly isTable?: boolean;
}

const NOTE = `// The engine returned these results when the file was written. Compare each result with what the pattern should return,
// then remove 'unconfirmed: true'.`;

/** The source code of a new file with drafted cases. */
export function fileOf(draft: Draft, system: string, cloud: string, { module, name, isTable }: Origin): string {
  const design = isTable ? `defineSystem({ name: '${system}', cloud: '${cloud}', tables: { ${name} } })` : name;
  const tables = Object.entries(draft.tables).map(([table, own]) => `${keyFor(table)}: ${tableText(own, '    ')},`);
  return [
    ...(isTable ? ["import { defineSystem } from 'tablewright';"] : []),
    "import { defineCases } from 'tablewright/proof';",
    `import { ${name} } from '${module}';`,
    '',
    NOTE,
    `export const ${name}Cases = defineCases(${design}, {`,
    '  tables: {',
    ...tables.map((text) => `    ${text}`),
    '  },',
    ...(Object.keys(draft.patterns).length > 0 ? [`  patterns: ${literal(draft.patterns, '  ')},`] : []),
    '});',
    '',
  ].join('\n');
}

/** Thrown if the part of a file that should receive drafted cases is not an object literal. */
export class Unplaceable extends Error {}

/** Adds drafted cases to the text of a file, leaving the rest unchanged. */
export function textWith(text: string, draft: Draft): string {
  const roots = outlineOfSource(text).objects.filter(({ fields }) => fields.has('tables'));
  const tables = Object.keys(draft.tables);
  const root = roots.find((object) => tables.some((name) => objectAt(object, 'tables')?.fields.has(name)));
  if (root === undefined) throw new Unplaceable(`the file has no 'tables: { … }' with ${tables.join(' or ')}`);
  const inserts: Insert[] = [];
  if (Object.keys(draft.patterns).length > 0)
    inserts.push(insertInto(text, root, 'patterns', draft.patterns, 'tables'));
  for (const [name, own] of Object.entries(draft.tables)) {
    const table = objectAt(objectAt(root, 'tables'), name);
    if (table === undefined) {
      const at = braceAfter(text, root.fields.get('tables')?.at, 'tables');
      inserts.push({ at, text: `\n    ${keyFor(name)}: ${tableText(own, '    ')},` });
      continue;
    }
    for (const field of ['items', 'written', 'stored', 'patterns'] as const)
      if (Object.keys(own[field]).length > 0) inserts.push(insertInto(text, table, field, own[field], 'patterns'));
  }
  // Inserts from the end of the text to the start, so that earlier positions stay valid.
  const ordered = inserts.map((insert, i) => ({ ...insert, i })).sort((a, b) => b.at - a.at || b.i - a.i);
  return ordered.reduce((whole, { at, text: added }) => whole.slice(0, at) + added + whole.slice(at), text);
}

/** Returns the object literal that is a field's value. */
function objectAt(object: Expression | undefined, field: string): Expression | undefined {
  const value = object?.fields.get(field)?.value;
  return value && ([value, ...value.inner].find(({ fields }) => fields.size > 0) ?? value);
}

interface Insert {
  readonly at: number;
  readonly text: string;
}

/** Adds members to a field, or inserts the whole field before an existing field. */
function insertInto(text: string, { fields }: Expression, field: string, members: object, before: string): Insert {
  const known = fields.get(field);
  if (known === undefined) {
    const at = fields.get(before)?.at;
    if (at === undefined) throw new Unplaceable(`the file has neither '${field}: { … }' nor '${before}: { … }'`);
    const indent = indentAt(text, at);
    return { at, text: `${field}: ${literal(members, indent)},\n${indent}` };
  }
  const indent = `${indentAt(text, known.at)}  `;
  const lines = Object.entries(members).map(
    ([name, value]) => `\n${indent}${keyFor(name)}: ${literal(value, indent)},`,
  );
  return { at: braceAfter(text, known.at, field), text: lines.join('') };
}

/** Returns the position after the opening brace of a field's object. */
function braceAfter(text: string, at: number | undefined, field: string): number {
  const opening = at === undefined ? null : /^(?:\w+|'[^']*'|"[^"]*")\s*:\s*\{/.exec(text.slice(at));
  if (opening === null || at === undefined)
    throw new Unplaceable(`'${field}' must be written as an object: '${field}: { … }'`);
  return at + opening[0].length;
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^\s*/.exec(line)?.[0] ?? '';
}

function tableText({ items, written, stored, patterns }: TableDraft, indent: string): string {
  const filled = Object.entries({ items, written, stored }).filter(([, value]) => Object.keys(value).length > 0);
  return literal({ ...Object.fromEntries(filled), patterns }, indent);
}

function keyFor(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name, '');
}
