import { type AttributeFacts, attributeAt, namesWithin } from '../blueprint/attributes/facts';
import { defOf } from '../blueprint/attributes/schema';
import { membersOf } from '../blueprint/attributes/unions';
import type { TableDesign } from '../design/table';
import type { Design } from './example';

/**
 * Returns designs as lines of TypeScript. A value that spans several lines in one design does so in every design, so
 * that a comparison shows only real differences. Supports only the parts of zod that the examples use.
 */
export function sourcesOf(...designs: readonly Design[]): readonly (readonly string[])[] {
  const sources = designs.map((design) => ('tables' in design ? system(design) : table(design)));
  const wide = new Set(sources.flatMap((source) => [...widePlaces(source, '', 0)]));
  return sources.map((source) => render(source, '', '', wide).split('\n'));
}

const WIDTH = 100;

/**
 * Text that stays on one line, or items between brackets. If the items do not fit on one line, each of them gets its
 * own line.
 */
type Source = string | { readonly open: string; readonly items: readonly Item[]; readonly close: string };

interface Item {
  readonly lead: string;
  readonly source: Source;
}

/** Finds the places of all values that do not fit on one line. */
function* widePlaces(source: Source, place: string, before: number): Iterable<string> {
  if (typeof source === 'string' || before + flat(source).length < WIDTH) return;
  yield place;
  const indent = 2 * place.split('/').length;
  for (const { lead, source: inner } of source.items)
    yield* widePlaces(inner, `${place}/${lead}`, indent + lead.length);
}

function render(source: Source, place: string, indent: string, wide: ReadonlySet<string>): string {
  if (typeof source === 'string' || !wide.has(place)) return flat(source);
  const deeper = `${indent}  `;
  const items = source.items.map(
    ({ lead, source: inner }) => `${deeper}${lead}${render(inner, `${place}/${lead}`, deeper, wide)},`,
  );
  return [source.open, ...items, `${indent}${source.close}`].join('\n');
}

function flat(source: Source): string {
  if (typeof source === 'string') return source;
  const items = source.items.map((item) => item.lead + flat(item.source)).join(', ');
  const space = source.open.endsWith('{') && items !== '' ? ' ' : '';
  return `${source.open}${space}${items}${space}${source.close}`;
}

function system({ tables, ...rest }: Extract<Design, { tables: unknown }>): Source {
  const items = Object.entries(tables).map(([name, design]) => named(name, table(design)));
  return { open: 'defineSystem({', items: [...fields(rest), named('tables', braces(items))], close: '})' };
}

/** The order in which the fields of a table are printed. */
const ORDER = ['name', 'key', 'indexes', 'typeAttribute', 'ttl', 'separator', 'entities', 'patterns', 'acknowledge'];

function table(design: TableDesign): Source {
  const given = Object.keys(design).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  const items = given.map((field) =>
    named(field, field === 'entities' ? entities(design) : value(design[field as keyof TableDesign])),
  );
  return { open: 'defineTable({', items, close: '})' };
}

function entities({ entities }: TableDesign): Source {
  return braces(
    Object.entries(entities).map(([name, { attributes, ...rest }]) =>
      named(name, braces([named('attributes', whole(attributes)), ...fields(rest)])),
    ),
  );
}

function value(given: unknown): Source {
  if (Array.isArray(given))
    return { open: '[', items: given.map((element) => ({ lead: '', source: value(element) })), close: ']' };
  if (typeof given === 'object' && given !== null) return braces(fields(given));
  return typeof given === 'string' ? `'${given}'` : String(given);
}

function fields(given: object): readonly Item[] {
  return Object.entries(given).map(([name, member]) => named(name, value(member)));
}

function braces(items: readonly Item[]): Source {
  return { open: '{', items, close: '}' };
}

function named(name: string, source: Source): Item {
  return { lead: `${/^\w+$/.test(name) ? name : `'${name}'`}: `, source };
}

type Schema = TableDesign['entities'][string]['attributes'];

/** Returns the source of an entity's attributes: an object, or a union of objects. */
function whole(schema: Schema): Source {
  const { discriminator } = defOf(schema as never);
  if (discriminator === undefined) return map(schema, []);
  const items = membersOf(schema as never).map((member) => ({ lead: '', source: map(member as never, []) }));
  return { open: `z.discriminatedUnion('${discriminator}', [`, items, close: '])' };
}

function map(schema: Schema, path: readonly string[]): Source {
  const items = namesWithin(schema, path).map((name) => named(name, attribute(schema, [...path, name])));
  return { open: 'z.object({', items, close: '})' };
}

function attribute(schema: Schema, path: readonly string[]): Source {
  const facts = attributeAt(schema, path) as AttributeFacts;
  if (facts.kind === 'map') return map(schema, path);
  return `${plain(facts)}${facts.optional ? '.optional()' : ''}`;
}

function plain({ kind, format = 'string', values, isDate, ...facts }: AttributeFacts): string {
  if (isDate) return 'z.date()';
  if (values?.length === 1) return `z.literal(${flat(value(values[0]))})`;
  if (values !== undefined) return `z.enum(${flat(value(values))})`;
  if (kind === 'number') return `z.${facts.integer ? 'int' : 'number'}()${bounds(facts)}`;
  if (kind === 'string' && format === 'regex') {
    return `z.string()${(facts.patterns ?? []).map(([source, flags]) => `.regex(/${source}/${flags})`).join('')}`;
  }
  if (kind === 'string' && format === 'string') return `z.string()${bounds(facts)}`;
  if (format !== 'datetime') return kind === 'string' ? `z.${format}()` : `z.${kind}()`;
  const { precision, zoned } = facts;
  const options = { ...(zoned && { offset: true }), ...(precision === undefined ? {} : { precision }) };
  return `z.iso.datetime(${Object.keys(options).length === 0 ? '' : flat(value(options))})`;
}

/** Returns the bounds that a schema sets explicitly, without the implicit bounds of `z.int()`. */
function bounds({ minimum = -Infinity, maximum = Infinity }: Pick<AttributeFacts, 'minimum' | 'maximum'>): string {
  const least = minimum > Number.MIN_SAFE_INTEGER ? `.min(${minimum})` : '';
  return `${least}${maximum < Number.MAX_SAFE_INTEGER ? `.max(${maximum})` : ''}`;
}
