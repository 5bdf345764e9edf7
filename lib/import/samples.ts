import type { SchemaData } from '../blueprint/attributes/data';
import { takes, unpacked } from '../evolve/schema/rebuild';
import type { Item } from '../items/item';

/**
 * The number of items that a library renders. Three quarters of the items serve to propose the templates, and all of
 * them to verify the templates.
 */
const COUNT = 8;

/**
 * Returns sample values, from which a library renders the items of an entity. Values differ between attributes and
 * between items. Strings have mixed case, and numbers have different lengths, so that the keys show how the library
 * formats values.
 */
export function sampleValues({ shape = {} }: SchemaData, count = COUNT): readonly Item[] {
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      Object.entries(shape).flatMap(([name, schema], at) => {
        const value = sampleOf(schema, i, at);
        return value === undefined ? [] : [[name, value] as const];
      }),
    ),
  );
}

/**
 * Returns a value that fits a schema.
 * @param i the number of the item
 * @param at the position of the attribute; different positions produce different values
 */
function sampleOf(schema: SchemaData, i: number, at: number): unknown {
  switch (schema.type) {
    case 'string':
      return textsOf(i, at).find((text) => takes(schema, text));
    case 'number':
      return [(at + 1) * 10 ** (i % 4) + i, i + at, 1, 0].find((number) => takes(schema, number));
    case 'boolean':
      return i % 2 === 0;
    case 'enum':
    case 'literal': {
      const values = schema.values ?? [];
      return values.length === 0 ? undefined : unpacked(values[i % values.length] as never);
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.shape ?? {}).flatMap(([name, inner], j) => {
          const value = sampleOf(inner, i, at * 7 + j + 20);
          return value === undefined ? [] : [[name, value]];
        }),
      );
    case 'array':
      return schema.element ? [sampleOf(schema.element, i, at + 40)].filter((value) => value !== undefined) : [];
    case 'set': {
      const value = schema.valueType && sampleOf(schema.valueType, i, at + 60);
      return value === undefined ? undefined : new Set([value]);
    }
    case 'record':
      return {};
    case 'custom':
      return schema.class === 'Uint8Array' ? new Uint8Array([i, at]) : undefined;
    case 'union':
      return schema.options?.[0] && sampleOf(schema.options[0], i, at);
    case 'any':
    case 'unknown':
      return `Any${at}x${i}`;
    default:
      return schema.innerType && sampleOf(schema.innerType, i, at);
  }
}

function textsOf(i: number, at: number): readonly string[] {
  const digits = (length: number) =>
    String((at + 1) * 7919 + i * 104_729)
      .padStart(length, '3')
      .slice(-length);
  const when = `20${digits(2)}-0${(i % 9) + 1}-1${at % 10}`;
  return [
    `Va${at}Lue${String.fromCharCode(65 + i)}`,
    `${when}T1${i % 10}:2${at % 10}:3${i % 10}.${digits(3)}Z`,
    `${when}T1${i % 10}:2${at % 10}:3${i % 10}Z`,
    when,
    `9b1deb4d-3b7d-4bad-9bdd-${digits(12)}`,
    `Ana${at}.${i}@Example.com`,
    `https://example.com/A${at}/${i}`,
    `01ARZ3NDEKTSV4RRFF${digits(8)}`,
    digits(5),
  ];
}
