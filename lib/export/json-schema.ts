import * as z from 'zod';
import { writtenSchema } from '../blueprint/attributes/unions';
import { outline } from '../blueprint/outline';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/**
 * Returns a JSON Schema with one definition per entity. A definition contains the entity's attributes, but not its
 * keys, its type attribute, or validation that is code.
 */
export function toJsonSchema(design: TableDesign | SystemDesign): object {
  const tables = 'tables' in design ? Object.values(design.tables) : [design];
  const entities = tables.flatMap((table) =>
    outline(table)
      .entities.filter(({ guards }) => guards === undefined)
      .map(
        ({ name, schema }) =>
          [tables.length > 1 ? `${table.name}.${name}` : name, jsonSchemaOf(writtenSchema(schema))] as const,
      ),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: design.name,
    ...(design.purpose !== undefined && { description: design.purpose }),
    $defs: Object.fromEntries(entities),
  };
}

function jsonSchemaOf(schema: object): object {
  const { $schema: _, ...own } = z.toJSONSchema(schema as z.ZodType, { unrepresentable: 'any', io: 'input' });
  return own;
}
