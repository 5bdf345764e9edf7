import { type Content, contentsOf } from '../../blueprint/attributes/contents';
import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import type { Found, Rule } from '../finding';
import { cloudOf } from './cloud-operation';

/** What JSON does not hold, and what to write instead; `inside`: only in a map or a list, which are JSON there. */
const INSTEAD: Readonly<Record<string, { what: string; fix: string; inside?: boolean }>> = {
  set: { what: 'a Set', fix: 'use z.array' },
  map: { what: 'a Map', fix: 'use z.record or z.object' },
  date: { what: 'a Date', fix: 'use z.iso.datetime, with a precision' },
  custom: { what: 'bytes in a map or a list', fix: 'give them an attribute of their own', inside: true },
  bigint: { what: 'a bigint in a map or a list', fix: 'give it an attribute of its own', inside: true },
};

export const azureTypes: Rule = {
  id: 'azure-types',
  severity: 'error',
  why: 'Azure Tables keep maps and lists as JSON, which does not give such a value back: its write would be refused.',
  *check(table) {
    if (cloudOf(table) !== 'azure') return;
    for (const { name, schema, attributes } of table.plan.entities) {
      for (const attribute of attributes) {
        const path = `entities.${name}.attributes.${attribute}`;
        for (const content of contentsOf(schemaAt(schema, [attribute]) as Schema)) yield* lost(path, content);
      }
    }
  },
};

function* lost(attribute: string, { path, type, coerced }: Content): Iterable<Found> {
  const instead = Object.hasOwn(INSTEAD, type) ? INSTEAD[type] : undefined;
  // A date that is made of text comes back as one.
  if (instead === undefined || (type === 'date' && coerced) || (instead.inside && path.length === 0)) return;
  yield {
    path: [attribute, ...path].join('.'),
    message: `${instead.what} is not read from an Azure table as it was written`,
    fix: instead.fix,
  };
}
