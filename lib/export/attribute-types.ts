import { samplesOf } from '../blueprint/attributes/samples';
import { schemaAt } from '../blueprint/attributes/schema';
import type { TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { storedValue } from '../dynamodb/migration/stored';

const KEYS = { string: 'S', number: 'N', binary: 'B' } as const;

/** Returns the DynamoDB type of the attribute with this stored name, or the string type if no sample shows the type. */
export function typeNameOf({ keyAttributes, entities, typeAttribute }: TableOutline, name: string): string {
  const key = keyAttributes.find((one) => one.name === name);
  if (key !== undefined) return KEYS[key.type];
  if (name === typeAttribute) return 'S';
  for (const { schema, attributes, design } of entities) {
    const attribute = naming.attributeOf(design.stored, name);
    const own = attributes.includes(attribute) ? schemaAt(schema, [attribute]) : undefined;
    for (const { stored } of own ? samplesOf(own) : []) {
      if (stored === undefined || stored === null) continue;
      try {
        return Object.keys(storedValue(name, stored))[0] ?? 'S';
      } catch {
        // This sample cannot be stored, but the next one might be.
      }
    }
  }
  return 'S';
}
