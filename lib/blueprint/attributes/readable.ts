import { listForm } from './lists';
import { samplesOf } from './samples';
import { bare, defOf, listedValues, parsedBy, type Schema, schemaAt, shapeOf } from './schema';

/**
 * How an item relates to the first item: a neighbor is in the same partitions, and a stranger is in different
 * partitions.
 */
export type Relation = 'neighbor' | 'stranger';

/** Returns the largest number of values that the schema lists for any of the named attributes. */
export function mostListed(attributes: Schema, names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => listedIn(attributes, name).length));
}

/** Returns the values that the schema lists for an attribute; empty if the schema lists no values. */
export function listedIn(attributes: Schema, name: string): readonly unknown[] {
  const schema = schemaAt(attributes, [name]);
  return (schema && listedValues(defOf(bare(schema)))) ?? [];
}

/**
 * Returns a readable value that an attribute's schema accepts, such as `'order-2'` for the second `orderId`. The same
 * attribute and number always yield the same value, so that items with the same number belong together.
 * @param preferred values to try first
 */
export function readableValue(
  schema: Schema,
  name: string,
  number: number,
  relation: Relation = 'neighbor',
  preferred: readonly unknown[] = [],
): unknown {
  const listed = listedValues(defOf(bare(schema)));
  const turn = relation === 'neighbor' ? 0 : number - 2;
  const candidates = [
    ...preferred,
    ...(listed === undefined ? [] : [listed[turn % listed.length]]),
    ...(defOf(bare(schema)).type === 'string' ? textsFor(name, number) : []),
    ...(['number', 'int'].includes(defOf(bare(schema)).type) ? [number * 10, number, number / 10] : []),
    ...(defOf(bare(schema)).type === 'object' ? [readableObject(bare(schema), number)] : []),
    ...setsFor(schema, name, number),
  ];
  const found = candidates.find((candidate) => candidate !== undefined && parsedBy(schema, candidate)?.success);
  if (found !== undefined) return found;
  const samples = samplesOf(schema).map(({ given }) => given);
  return samples[Math.min(number, samples.length) - 1] ?? samples[0];
}

/** Returns the schema of an attribute, and whether an item may lack the attribute. */
export function memberOf(
  attributes: Schema,
  name: string,
): { readonly schema: Schema; readonly optional: boolean } | undefined {
  const schema = schemaAt(attributes, [name]);
  return schema ? { schema, optional: parsedBy(schema, undefined)?.success === true } : undefined;
}

/** Whether the schema of an entity accepts a whole item. */
export function accepts(attributes: Schema, values: object): boolean {
  return parsedBy(attributes, values)?.success === true;
}

function readableObject(schema: Schema, number: number): object {
  const members = Object.entries(shapeOf(schema)).map(([name, member]) => [name, readableValue(member, name, number)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Proposes a set with one element, because DynamoDB does not store empty sets. */
function setsFor(schema: Schema, name: string, number: number): readonly unknown[] {
  const element = listForm(schema, 'set')?.element;
  return element ? [new Set([readableValue(element, name, number)])] : [];
}

/** Returns candidate strings for an attribute with this name, in different formats and with the most readable first. */
function textsFor(name: string, number: number): readonly string[] {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const isId = words.length > 1 && ['id', 'key', 'code', 'number'].includes(words.at(-1) as string);
  const noun = (isId ? words.slice(0, -1) : words).join('-') || 'value';
  const title = noun.charAt(0).toUpperCase() + noun.slice(1).replaceAll('-', ' ');
  const letter = 'abcdefghi'.charAt(number - 1);
  const day = String(number).padStart(2, '0');
  const digits = String(number).padStart(12, '0');
  return [
    ...(isId || words.at(-1) === 'id' ? [`${noun}-${number}`] : [`${title} ${number}`, `${noun}-${number}`]),
    `${noun}${number}`,
    `${noun}-${letter}`,
    `${title} ${letter.toUpperCase()}`,
    `2026-01-${day}T12:00:00.000Z`,
    `2026-01-${day}T12:00:00Z`,
    `2026-01-${day}`,
    `2026-01-${day}T12`,
    `2026-${day}`,
    `1.${number}.0`,
    `1${number}:00`,
    `${noun}${number}@example.com`,
    `https://example.com/${noun}-${number}`,
    `018f3e7b-1c7c-7cc0-98c4-${digits}`,
    `9b1deb4d-3b7d-4bad-9bdd-${digits}`,
    `01ARZ3NDEKTSV4RRFFQ69G5FA${number}`,
    `+4915112345${String(number).padStart(3, '0')}`,
    String(number),
  ];
}
