import { mapOf } from '../map';
import type { SystemView, TableView } from '../view';

/** Formats a system as Markdown: its tables, keys and patterns, and a Mermaid map of each table. */
export function markdownOf({ name, purpose, tables }: SystemView): string {
  return [
    `# ${text(name)}`,
    '',
    ...(purpose === undefined ? [] : [text(purpose), '']),
    ...tables.flatMap(tableLines),
  ].join('\n');
}

function tableLines(table: TableView): readonly string[] {
  const { name, purpose, places, entities, patterns } = table;
  const attributes = [...new Set(places.flatMap(({ partition, sort }) => [...partition, ...sort]))];
  return [
    `## ${text(name)}`,
    '',
    ...(purpose === undefined ? [] : [text(purpose), '']),
    ...grid(
      ['entity', ...attributes],
      entities.map(({ name: entity, keys }) => [
        text(entity),
        ...attributes.map((attribute) => {
          const key = keys.find((candidate) => candidate.attribute === attribute);
          return key === undefined ? '' : code(key.template.map((mark) => mark.text).join(''));
        }),
      ]),
    ),
    '',
    ...grid(
      ['pattern', 'does', 'at', 'of'],
      patterns.map(({ name: pattern, op, accesses }) => [
        text(pattern),
        op,
        [...new Set(accesses.map(({ index }) => text(index ?? 'the table')))].join(', '),
        [...new Set(accesses.flatMap((access) => access.entities))].map(text).join(', '),
      ]),
    ),
    '',
    '```mermaid',
    mermaidOf(table),
    '```',
    '',
  ];
}

/** Formats the map of a table as a Mermaid flowchart. */
export function mermaidOf(table: TableView): string {
  const { entities, places, patterns, edges } = mapOf(table);
  // The ids contain numbers instead of names, because names may contain characters that Mermaid does not accept.
  const ids = new Map([...entities, ...places, ...patterns].map(({ id }, i) => [id, `n${i}`]));
  const node = (open: string, close: string) => (shown: { readonly id: string; readonly label: string }) =>
    `  ${ids.get(shown.id)}${open}"${label(shown.label)}"${close}`;
  return [
    'flowchart LR',
    ...entities.map(node('(', ')')),
    ...places.map(node('[(', ')]')),
    ...patterns.map(node('[', ']')),
    ...edges.map(({ from, to, writes }) => `  ${ids.get(from)} ${writes ? '-.->' : '-->'} ${ids.get(to)}`),
  ].join('\n');
}

/** Escapes a label: even between quotes, Mermaid interprets `#…;` as a character and Markdown syntax as markup. */
function label(name: string): string {
  return oneLine(name).replace(/[^\p{L}\p{N} _.:-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

function grid(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head.map(text)), line(head.map(() => '---')), ...rows.map(line)];
}

/** Escapes text for Markdown. */
function text(value: string): string {
  return oneLine(value).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (sign) => `\\${sign}`);
}

function code(value: string): string {
  const fence = '`'.repeat(Math.max(0, ...[...value.matchAll(/`+/g)].map(([run]) => run.length)) + 1);
  const padded = fence.length > 1 ? ` ${oneLine(value)} ` : oneLine(value);
  return `${fence}${padded.replaceAll('|', '\\|')}${fence}`;
}

function oneLine(value: string): string {
  return value.replaceAll(/\s+/g, ' ');
}
