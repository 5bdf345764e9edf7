import type { AttributesSchema } from '../../design/attributes';
import type { Unions } from '../union-code';
import {
  bare,
  type Check,
  type Def,
  defOf,
  isOpen,
  isPlainString,
  listedValues,
  type Parsed,
  type Schema,
  shapeOf,
} from './schema';

/** The members of a discriminated union, or the schema itself; nested unions are flattened. */
export function membersOf(schema: Schema): readonly Schema[] {
  const { discriminator, options = [], members = options.flatMap(membersOf) } = defOf(schema);
  return discriminator === undefined ? [schema] : members;
}

/** The values of the discriminator with which an item is this member. */
export function valuesOf(member: Schema, discriminator: string): readonly unknown[] {
  const own = shapeOf(member)[discriminator];
  return (own && listedValues(defOf(bare(own)))) ?? [];
}

/**
 * The schema of an attribute that all of these members share; undefined if a member lacks the attribute, or has a
 * different schema for it.
 */
export function sharedBy(members: readonly Schema[], name: string): Schema | undefined {
  const [first, ...others] = distinct(members.map((member) => shapeOf(member)[name]));
  return others.length === 0 ? first : undefined;
}

/**
 * A discriminated union as an object with the attributes of all members, so that code for objects also works for
 * unions. An attribute that only some members have is optional. The union itself still decides about whole items.
 * @param former members whose attributes an item may still have
 */
export function objectOf(
  schema: Schema,
  members: readonly Schema[] = membersOf(schema),
  former: readonly Schema[] = [],
): Schema {
  const def = defOf(schema);
  if (def.discriminator === undefined) return schema;
  const shape: Record<string, Schema> = {};
  for (const name of new Set([...members, ...former].flatMap((member) => Object.keys(shapeOf(member))))) {
    // A condition may name any former value of the discriminator.
    const isFormer = name === def.discriminator || !members.some((member) => Object.hasOwn(shapeOf(member), name));
    shape[name] = either([...members, ...(isFormer ? former : [])].map((member) => shapeOf(member)[name]));
  }
  const open = members.find(isOpen);
  const first = members[0] as Schema;
  const view: Def = {
    type: 'object',
    discriminator: def.discriminator,
    members,
    shape,
    ...(open && { catchall: defOf(open).catchall as Schema }),
    // The check that makes an item one of the members: no attribute alone can decide it.
    checks: [...(def.checks ?? []), { _zod: { def: { check: 'union' } satisfies Check } }],
  };
  const { constr } = first._zod as unknown as { readonly constr: unknown };
  const _zod = { def: view, run: schema._zod.run, constr, union: schema };
  return { _zod, safeParse: (value) => schema.safeParse(value) };
}

/** The part of the code for unions that outlines need, without the code for updates. */
export const outlined: Pick<Unions, 'entity'> = {
  entity(_, design) {
    const schema = design.attributes as unknown as Schema;
    const { discriminator, shape } = defOf(schema);
    if (discriminator === undefined || shape !== undefined) return design;
    return { ...design, attributes: objectOf(schema) as unknown as AttributesSchema };
  },
};

/** The schema that a user wrote, if this is an object made of a union; otherwise the schema itself. */
export function writtenSchema(schema: Schema): Schema {
  return (schema._zod as { readonly union?: Schema }).union ?? schema;
}

function distinct<S extends Schema | undefined>(schemas: readonly S[]): readonly S[] {
  const found = [...new Set(schemas)];
  const text = found.find((schema) => schema !== undefined && isPlainString(schema));
  return found.filter((schema) => schema === undefined || schema === text || !isPlainString(schema));
}

/** Accepts what one of the schemas accepts, and a missing value if one of them is undefined. */
function either(schemas: readonly (Schema | undefined)[]): Schema {
  const options = distinct(schemas.filter((schema) => schema !== undefined));
  const one = options.length === 1 ? (options[0] as Schema) : unionOf(options);
  return schemas.includes(undefined) ? optionalOf(one) : one;
}

function unionOf(options: readonly Schema[]): Schema {
  const def: Def = { type: 'union', options };
  const values = listedValues(def);
  const refused = values && { issues: [{ path: [], message: 'Invalid input', values }] };
  return {
    _zod: {
      def,
      run({ value }, context) {
        const results = options.map((option) => option._zod.run({ value, issues: [] }, context));
        const isTaken = (result: unknown) =>
          result instanceof Promise || (result as { readonly issues: readonly unknown[] }).issues.length === 0;
        return results.find(isTaken) ?? results[0];
      },
    },
    safeParse(value) {
      const results = options.map((option) => option.safeParse(value));
      const taken = results.find(({ success }) => success);
      return taken ?? (refused ? { success: false, error: refused } : (results[0] as Parsed));
    },
  };
}

function optionalOf(innerType: Schema): Schema {
  return {
    _zod: {
      def: { type: 'optional', innerType },
      run: (payload, context) => (payload.value === undefined ? payload : innerType._zod.run(payload, context)),
    },
    safeParse: (value) => (value === undefined ? { success: true, data: undefined } : innerType.safeParse(value)),
  };
}
