import type { Description, Remark } from './description';
import { around, type Code, type Entry, laidOut, literal, object, wrapped } from './layout';
import { type Margin, schemaCode } from './schema-source';

/** The source code generated from a description, and the remarks in it that are unsure. */
export interface Source {
  readonly text: string;
  readonly unsure: readonly Remark[];
}

/** Writes the design as TypeScript, with every remark above the line that it concerns. */
export function sourceOf({ tables, system, remarks }: Description): Source {
  const marks: Remark[] = [...remarks];
  const margin: Margin = {
    unsure: (path, why) => marks.push({ path, text: why, unsure: true }),
    comments: (path) => commentsAt(marks, path),
  };
  const names = variables([...tables.map(({ name }) => name), ...(system ? [system.name] : [])]);
  const bodies = tables.map(({ entities, ...table }, i) => {
    const at = (path: readonly string[]) => margin.comments([table.name, ...path]);
    const described = Object.entries(entities).map(([entity, { attributes, ...rest }]) => {
      const path = [table.name, 'entities', entity];
      const code = schemaCode(attributes, margin, [...path, 'attributes']);
      const own = literal(rest, margin.comments, path) as { readonly entries: readonly Entry[] };
      const schema = { lead: 'attributes: ', code, comments: margin.comments([...path, 'attributes']) };
      return {
        name: entity,
        code: { open: '{ ', close: ' }', entries: [schema, ...own.entries] } as Code,
        comments: margin.comments(path),
      };
    });
    const { name, purpose, key, indexes, typeAttribute, ttl, separator, patterns, acknowledge } = table;
    const fields = (value: object) => (literal(value, at) as { readonly entries: readonly Entry[] }).entries;
    const design: Code = {
      open: '{ ',
      close: ' }',
      entries: [
        ...fields({ name, purpose, key, indexes, typeAttribute, ttl, separator }),
        { lead: 'entities: ', code: object(described), comments: at(['entities']) },
        ...fields({ patterns, acknowledge }),
      ],
    };
    return [
      ...at([]).flatMap((comment) => wrapped(comment, 0).map((line) => `// ${line}`)),
      exported(names[i], around('defineTable(', design, ')')),
    ].join('\n');
  });
  const grouped = system === undefined ? [] : [systemCode(system, tables, names)];
  const imports = system === undefined ? 'defineTable' : 'defineSystem, defineTable';
  const head = commentsAt(marks, []).flatMap((comment) => wrapped(comment, 0).map((line) => `// ${line}`));
  const file = [
    [...head, `import { ${imports} } from 'tablewright';`, "import * as z from 'zod';"].join('\n'),
    ...bodies,
    ...grouped,
  ];
  return { text: `${file.join('\n\n')}\n`, unsure: marks.filter(({ unsure }) => unsure) };
}

function exported(name: string | undefined, code: Code): string {
  const start = `export const ${name} = `;
  return `${start}${laidOut(code, 0, start.length + 1)};`;
}

function systemCode(
  { name, ...rest }: NonNullable<Description['system']>,
  tables: Description['tables'],
  names: readonly string[],
): string {
  const listed = tables.map((table, i) => ({ name: table.name, code: names[i] as string }));
  const { purpose, cloud, tenant, ...more } = rest;
  const entriesOf = (value: object) => (literal(value) as { readonly entries: readonly Entry[] }).entries;
  const entries = [
    ...entriesOf({ name, purpose, cloud, tenant }),
    { lead: 'tables: ', code: object(listed) },
    ...entriesOf(more),
  ];
  return exported(names.at(-1), around('defineSystem(', { open: '{ ', close: ' }', entries }, ')'));
}

function commentsAt(remarks: readonly Remark[], path: readonly string[]): readonly string[] {
  const here = remarks.filter(
    (remark) => remark.path.length === path.length && path.every((s, i) => remark.path[i] === s),
  );
  return [...new Set(here.map(({ text: words, unsure }) => `${unsure ? 'unsure: ' : ''}${words}`))];
}

/** Derives distinct variable names from arbitrary names. */
function variables(names: readonly string[]): readonly string[] {
  const taken = new Set<string>(['z', 'defineTable', 'defineSystem']);
  return names.map((name) => {
    const camel = name.replace(/[^\p{L}\p{N}$]+(.)?/gu, (_, next: string = '') => next.toUpperCase());
    const start = /^[\p{L}$]/u.test(camel) ? `${camel.charAt(0).toLowerCase()}${camel.slice(1)}` : `table${camel}`;
    let free = RESERVED.has(start) ? `${start}Table` : start;
    for (let i = 2; taken.has(free); i++) free = `${start}${i}`;
    taken.add(free);
    return free;
  });
}

const RESERVED: ReadonlySet<string> = new Set(
  [
    'await break case catch class const continue debugger default delete do else enum export extends false finally for',
    'function if implements import in instanceof interface let new null package private protected public return static',
    'super switch this throw true try typeof var void while with yield',
  ].flatMap((words) => words.split(' ')),
);
