import { type Content, contentsOf } from '../../blueprint/attributes/contents';
import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import type { Found, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';

const causes = {
  set: 'an attribute is a Set, or contains one',
  map: 'an attribute is a Map, or contains one',
  date: 'an attribute is a Date, or contains one',
  bytes: 'a map or a list contains bytes',
  bigint: 'a map or a list contains a bigint',
} as const;

type Cause = keyof typeof causes;

/**
 * Types that JSON cannot represent, each with a replacement. `inside` marks the types that are refused only within a
 * map or a list, because Azure Tables stores maps and lists as JSON.
 */
const INSTEAD: Readonly<Record<string, { cause: Cause; what: string; fix: string; inside?: boolean }>> = {
  set: { cause: 'set', what: 'a Set', fix: 'use z.array' },
  map: { cause: 'map', what: 'a Map', fix: 'use z.record or z.object' },
  date: { cause: 'date', what: 'a Date', fix: 'store the date as a string: z.iso.datetime({ precision: 3 })' },
  custom: {
    cause: 'bytes',
    what: 'bytes in a map or a list',
    fix: 'store the bytes in a separate attribute',
    inside: true,
  },
  bigint: {
    cause: 'bigint',
    what: 'a bigint in a map or a list',
    fix: 'store the bigint in a separate attribute',
    inside: true,
  },
};

export const azureTypes: TableRule<'azure-types', Cause> = {
  id: 'azure-types',
  severity: 'error',
  why: 'Azure Tables stores maps and lists as JSON, which cannot represent sets, Maps, Dates, bytes or bigints, so a write with such a value is refused.',
  causes,
  *check(table) {
    if (table.cloud !== 'azure') return;
    for (const { name, schema, attributes } of table.entities) {
      for (const attribute of attributes) {
        for (const content of contentsOf(schemaAt(schema, [attribute]) as Schema))
          yield* lost(name, attribute, content);
      }
    }
  },
};

function* lost(entity: string, attribute: string, { path, type, coerced }: Content): Iterable<Found<Cause>> {
  const instead = Object.hasOwn(INSTEAD, type) ? INSTEAD[type] : undefined;
  // A coerced date's schema parses the stored text back into a Date.
  if (instead === undefined || (type === 'date' && coerced) || (instead.inside && path.length === 0)) return;
  const place = atEntity(entity, 'attributes', [attribute, ...path].join('.'));
  yield {
    ...place,
    ...(type === 'date' && { edits: [{ path: place.path, code: 'z.iso.datetime({ precision: 3 })' }] }),
    cause: instead.cause,
    message: `a read from an Azure table cannot restore ${instead.what}`,
    fix: instead.fix,
  };
}
