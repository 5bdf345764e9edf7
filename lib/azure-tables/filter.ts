import { AZURE_TABLES } from '../blueprint/clouds';
import { comparisonOf, isGroup, testsIn } from '../blueprint/conditions';
import type { EntityOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { Condition, Operand } from '../design/pattern';
import { KeyError } from '../design/template';
import { ItemError } from '../items/item';
import { operandValue } from '../items/operands';
import { comparedValue } from '../items/parameters';
import { type Column, columnsOf } from './edm';

const SIGNS = { equals: 'eq', not: 'ne', atLeast: 'ge', atMost: 'le', greaterThan: 'gt', lessThan: 'lt' } as const;

/** Returns a string as a filter literal. Quotes are doubled, so that a quote cannot end the literal. */
export function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns an OData comparison. `values` are literals, except that the prefix for `beginsWith` is a plain string. */
export function compared(comparison: string, name: string, values: readonly string[]): string {
  const [value, end] = values as [string, string?];
  switch (comparison) {
    case 'beginsWith':
      return `${name} ge ${textLiteral(value)} and ${name} lt ${textLiteral(afterPrefix(value))}`;
    case 'between':
      return `${name} ge ${value} and ${name} le ${end}`;
    case 'in':
      return `(${values.map((listed) => `${name} eq ${listed}`).join(' or ')})`;
    default:
      return `${name} ${SIGNS[comparison as keyof typeof SIGNS]} ${value}`;
  }
}

/** Returns the OData condition on one key. `texts` are plain strings, not literals. */
export function keyTest(name: string, comparison: string, texts: readonly string[]): string {
  return compared(comparison, name, comparison === 'beginsWith' ? texts : texts.map(textLiteral));
}

/**
 * Returns the first string that sorts after all strings with this prefix. Azure filters have no `startswith`, so a
 * filter on a prefix compares with this string.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  const last = characters.pop()?.codePointAt(0);
  // Refuses a prefix that has no successor: no code unit sorts after U+FFFF, and no character sorts after U+10FFFF.
  if (last === undefined || last === 0xffff || last === 0x10ffff) {
    throw new KeyError(
      'prefix',
      `a prefix must end with a character that has a successor, got: ${JSON.stringify(prefix)}`,
    );
  }
  // Skips the surrogates, which are not characters.
  return characters.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}

/** Refuses a filter on maps, lists or their parts, because maps and lists are stored as JSON strings. */
export function assertFilterable(name: string, entities: readonly EntityOutline[], filter: Condition): void {
  for (const { path, place } of testsIn(filter)) {
    const column = columnNamed(entities, path);
    if (column === undefined || column.isJson) {
      throw new ItemError(
        `${name}.filter.${place}: a filter cannot test maps, lists or their parts, because Azure Tables stores them as JSON; filter the results yourself`,
      );
    }
  }
}

/** Returns a filter's tests, without those whose optional `<part?>` the caller omits. */
export function filterTests(entities: readonly EntityOutline[], filter: Condition, values: object): readonly string[] {
  return Object.entries(filter).flatMap(([path, test]) => {
    if (isGroup(test)) {
      const members = test.map((member) => filterTests(entities, member, values)).filter(({ length }) => length > 0);
      if (members.length === 0) return [];
      return `${path === 'any' ? '' : 'not '}(${members.map((tests) => `(${tests.join(' and ')})`).join(' or ')})`;
    }
    const [comparison, operands] = comparisonOf(test);
    const column = columnNamed(entities, path) as Column;
    const given = operands
      .map((operand) => operandValue(operand as Exclude<Operand, object>, values))
      .filter((value) => value !== undefined)
      .map((value) => comparedValue(entities, path, comparison, value));
    if (given.length === 0) return [];
    if (given.length < operands.length && comparison !== 'in')
      throw new KeyError(path, `${path}: give both ends of the range, or neither`);
    return [
      compared(
        comparison,
        naming.path(entities, path),
        comparison === 'beginsWith' ? given.map(String) : given.map((v) => literal(column, v)),
      ),
    ];
  });
}

function columnNamed(entities: readonly EntityOutline[], path: string): Column | undefined {
  const key = Object.values(AZURE_TABLES.key).find((name) => name === path);
  if (key !== undefined) return { name: key, type: 'String', isJson: false, precisions: [0] };
  const stored = naming.path(entities, path);
  return entities.map((entity) => columnsOf(entity).get(stored)).find((column) => column !== undefined);
}

/** A value as a literal of the column's type: a literal of a different type would match nothing. */
export function literal({ name, type }: Column, value: unknown): string {
  const refused = (what: string) =>
    new ItemError(`${name}: expected ${what} to compare with, got: ${JSON.stringify(value)}`);
  switch (type) {
    case 'Int32':
    case 'Int64':
      if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) throw refused('a whole number');
      return `${value}${type === 'Int64' ? 'L' : ''}`;
    case 'Double':
      if (!Number.isFinite(value)) throw refused('a number');
      return Number.isInteger(value) && !String(value).includes('e') ? `${value}.0` : String(value);
    case 'Boolean':
      if (typeof value !== 'boolean') throw refused('true or false');
      return String(value);
    case 'DateTime':
      if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/.test(value)) {
        throw refused('a timestamp in UTC (2026-01-31T12:00:00Z)');
      }
      return `datetime'${value}'`;
    case 'Binary':
      if (!(value instanceof Uint8Array)) throw refused('bytes');
      return `X'${Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')}'`;
    default:
      if (typeof value !== 'string') throw refused('text');
      return textLiteral(value);
  }
}
