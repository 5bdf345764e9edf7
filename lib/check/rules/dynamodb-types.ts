import { attributeAt } from '../../blueprint/attributes/facts';
import { type Loss, lossesOf } from '../../blueprint/attributes/kept';
import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import type { Fault, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';

const causes = {
  refused: 'the document client refuses to store such a value',
  unread: 'the schema refuses what is read back, so no read accepts it',
  changed: 'the stored value goes through the schema again when it is read, and becomes a different value',
  'may-be-refused': 'some values are refused, or cannot be read back (a warning)',
  'empty-default': 'an omitted attribute becomes an empty set, which DynamoDB refuses',
  'may-be-empty': 'the set may be empty, which DynamoDB refuses (a note)',
} as const;

type Cause = keyof typeof causes;

export const dynamodbTypes: TableRule<'dynamodb-types', Cause> = {
  id: 'dynamodb-types',
  severity: 'error',
  why: 'DynamoDB stores text, numbers, booleans, bytes, lists, maps, and sets whose elements have the same type: any other value is refused, or is read back as something else.',
  causes,
  *check(table) {
    if (table.cloud !== 'aws') return;
    for (const { name, schema, attributes, design } of table.entities) {
      for (const attribute of attributes) {
        // An attribute that exists only in keys is stored there as text.
        if (design.keyOnly?.includes(attribute)) continue;
        const { kind, minimum = 0, maximum = 0 } = attributeAt(design.attributes, [attribute]) ?? {};
        if (kind === 'number' && (minimum >= 1e126 || maximum <= -1e126)) {
          const message = `${attribute} is beyond what DynamoDB can store (up to 9.99e125): no request can store it`;
          yield { ...atEntity(name, 'attributes', attribute), cause: 'refused', message, fix: 'keep it as a string' };
        }
        for (const loss of lossesOf(schemaAt(schema, [attribute]) as Schema)) {
          const path = [attribute, ...loss.path].join('.');
          const place = atEntity(name, 'attributes', path, { value: loss.type });
          const fault = { ...place, ...faultOf(path, loss) };
          if (loss.type !== 'date') yield fault;
          else if (path === table.design.ttl)
            yield {
              ...fault,
              fix: `keep it in seconds: ${path}: z.int()`,
              edits: [{ path: place.path, code: 'z.int()' }],
            };
          else yield { ...fault, edits: [{ path: place.path, code: 'z.iso.datetime({ precision: 3 })' }] };
        }
      }
    }
  },
};

/** What to write instead of each type. */
const INSTEAD: Readonly<Record<string, string>> = {
  date: 'keep it as a string: z.iso.datetime({ precision: 3 })',
  bigint: 'use z.int(), z.coerce.bigint(), or a string for more than 15 digits',
  map: 'use z.record or z.object',
  set: 'use z.set of text, numbers or bytes, or z.array',
  pipe: 'store a plain value, and convert it where it is used: a schema must accept what it returns',
  transform: 'store a plain value, and convert it where it is used: a schema must accept what it returns',
};

function faultOf(path: string, { type, fate, extent }: Loss): Fault<Cause> {
  const what = NAMES[type] ?? `a ${type}`;
  const fix = INSTEAD[type] ?? 'use a string, a number, a boolean, a list or a map';
  if (extent === 'empty') {
    const message = `${path} may be an empty set, and DynamoDB refuses one`;
    return {
      severity: 'note',
      cause: 'may-be-empty',
      message,
      fix: 'write .min(1), and leave the attribute out when it is empty',
    };
  }
  if (extent === 'default') {
    const message = `${path} becomes an empty set when it is left out, and DynamoDB refuses one`;
    return { cause: 'empty-default', message, fix: 'make it optional instead, with .min(1)' };
  }
  const words = {
    refused: `${path} is ${what}, and no request can store it`,
    unread: `${path} is ${what}: the schema refuses the stored value when it is read`,
    changed: `${path} is ${what}: the stored value goes through the schema again when it is read, and becomes a different value`,
  };
  if (extent === 'always') return { cause: fate, message: words[fate], fix };
  return { severity: 'warning', cause: 'may-be-refused', message: `for some values, ${words[fate]}`, fix };
}

const NAMES: Readonly<Record<string, string>> = {
  date: 'a Date',
  map: 'a Map',
  set: 'a set of a different kind',
  pipe: 'turned into something else by its schema',
  transform: 'turned into something else by its schema',
  union: 'one of several kinds',
};
