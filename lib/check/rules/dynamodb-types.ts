import { attributeAt } from '../../blueprint/attributes/facts';
import { type Loss, lossesOf } from '../../blueprint/attributes/kept';
import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import type { Fault, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';

const causes = {
  refused: 'an attribute has a type that the document client refuses to store',
  unread: 'the schema refuses the stored value, so every read fails',
  changed: 'every read applies the schema again, and returns a value other than the stored one',
  'may-be-refused': 'some values of an attribute are refused, or cannot be read back (a warning)',
  'empty-default': 'an omitted attribute becomes an empty set, which DynamoDB refuses',
  'may-be-empty': 'a set may be empty, which DynamoDB refuses (a note)',
} as const;

type Cause = keyof typeof causes;

export const dynamodbTypes: TableRule<'dynamodb-types', Cause> = {
  id: 'dynamodb-types',
  severity: 'error',
  why: 'DynamoDB stores strings, numbers, booleans, bytes, lists, maps, and sets whose elements have the same type. A value of any other type is refused, or comes back as a different value when it is read.',
  causes,
  *check(table) {
    if (table.cloud !== 'aws') return;
    for (const { name, schema, attributes, design } of table.entities) {
      for (const attribute of attributes) {
        // An attribute that exists only in keys is stored there as text.
        if (design.keyOnly?.includes(attribute)) continue;
        const { kind, minimum = 0, maximum = 0 } = attributeAt(design.attributes, [attribute]) ?? {};
        if (kind === 'number' && (minimum >= 1e126 || maximum <= -1e126)) {
          const message = `every value of '${attribute}' is too large for DynamoDB, which stores numbers only up to 9.99e125`;
          yield {
            ...atEntity(name, 'attributes', attribute),
            cause: 'refused',
            message,
            fix: `store '${attribute}' as a string`,
          };
        }
        for (const loss of lossesOf(schemaAt(schema, [attribute]) as Schema)) {
          const path = [attribute, ...loss.path].join('.');
          const place = atEntity(name, 'attributes', path, { value: loss.type });
          const fault = { ...place, ...faultOf(path, loss) };
          if (loss.type !== 'date') yield fault;
          else if (path === table.design.ttl)
            yield {
              ...fault,
              fix: `store the time in seconds: ${path}: z.int()`,
              edits: [{ path: place.path, code: 'z.int()' }],
            };
          else yield { ...fault, edits: [{ path: place.path, code: 'z.iso.datetime({ precision: 3 })' }] };
        }
      }
    }
  },
};

/** The fix for each type that DynamoDB does not store. */
const INSTEAD: Readonly<Record<string, string>> = {
  date: 'store the date as a string: z.iso.datetime({ precision: 3 })',
  bigint: 'use z.int(), z.coerce.bigint(), or a string for more than 15 digits',
  map: 'use z.record or z.object',
  set: 'use z.array, or a z.set of strings, numbers or bytes',
  pipe: 'store a plain value, and convert it in your own code: a schema must accept its own output',
  transform: 'store a plain value, and convert it in your own code: a schema must accept its own output',
};

function faultOf(path: string, { type, fate, extent }: Loss): Fault<Cause> {
  const what = NAMES[type] ?? `a ${type}`;
  const fix = INSTEAD[type] ?? 'use a string, a number, a boolean, a list or a map';
  if (extent === 'empty') {
    const message = `'${path}' may be an empty set, which DynamoDB refuses`;
    return {
      severity: 'note',
      cause: 'may-be-empty',
      message,
      fix: 'write .min(1), and omit the attribute when the set is empty',
    };
  }
  if (extent === 'default') {
    const message = `an omitted '${path}' becomes an empty set, which DynamoDB refuses`;
    return { cause: 'empty-default', message, fix: 'replace the default with .min(1).optional()' };
  }
  const words = {
    refused: `'${path}' is ${what}, which no request can store`,
    unread: `'${path}' is ${what}, so every read fails, because the schema refuses the stored value`,
    changed: `'${path}' is ${what}, so every read applies the schema again, and returns a value other than the stored one`,
  };
  if (extent === 'always') return { cause: fate, message: words[fate], fix };
  return { severity: 'warning', cause: 'may-be-refused', message: `for some values, ${words[fate]}`, fix };
}

const NAMES: Readonly<Record<string, string>> = {
  date: 'a Date',
  map: 'a Map',
  set: 'a set of unsupported elements',
  pipe: 'a value that its schema transforms',
  transform: 'a value that its schema transforms',
  union: 'a union of several types',
};
