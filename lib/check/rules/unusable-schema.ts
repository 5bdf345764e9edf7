import { unusableIn } from '../../blueprint/attributes/unusable';
import type { TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';

const causes = {
  'takes-nothing': 'no value satisfies the schema of an attribute that every item must have',
  asynchronous: 'a schema validates asynchronously, but requests validate synchronously',
} as const;

type Cause = keyof typeof causes;

export const unusableSchema: TableRule<'unusable-schema', Cause> = {
  id: 'unusable-schema',
  severity: 'error',
  why: 'Every write and every read validates items with the schema, so all of them fail if it accepts no value or is asynchronous.',
  causes,
  *check(table) {
    for (const { name, schema } of table.entities) {
      for (const { path, why } of unusableIn(schema)) {
        const place = atEntity(name, 'attributes', path.length === 0 ? undefined : path.join('.'));
        yield { ...place, ...faultOf(name, path, why) };
      }
    }
  },
};

function faultOf(entity: string, path: readonly string[], cause: Cause) {
  const what = path.length === 0 ? `the schema of ${entity}` : `the schema of '${path.join('.')}'`;
  return cause === 'takes-nothing'
    ? {
        cause,
        message: `no value satisfies ${what}, so every put of ${entity} is refused`,
        fix: 'let the schema accept a value, or make the attribute optional',
      }
    : {
        cause,
        message: `${what} is asynchronous, so every request that uses it for validation is refused`,
        fix: 'use synchronous checks, and call other services before the request',
      };
}
