import type { AttributesSchema } from '../../design/attributes';
import type { EntityOutline } from '../outline';
import type { Unions } from '../union-code';
import { bare, type Check, type Def, defOf, isOpen, listedValues, type Parsed, type Schema, shapeOf } from './schema';

/**
 * Returns the members of a discriminated union, with nested unions flattened. Any other schema has a single member:
 * itself.
 */
export function membersOf(schema: Schema): readonly Schema[] {
  const { discriminator, options = [], members = options.flatMap(membersOf) } = defOf(schema);
  return discriminator === undefined ? [schema] : members;
}

/** Returns the discriminator values that identify an item as this member. */
export function valuesOf(member: Schema, discriminator: string): readonly unknown[] {
  const own = shapeOf(member)[discriminator];
  return (own && listedValues(defOf(bare(own)))) ?? [];
}

/** Whether a member has an attribute. */
export function has(member: Schema, name: string): boolean {
  return Object.hasOwn(shapeOf(member), name);
}

/**
 * Returns the discriminators of a union. A union has several discriminators if one of its members is itself a union
 * with a different discriminator.
 */
export function discriminatorsOf(schema: Schema): readonly string[] {
  const { discriminator, options = [] } = defOf(writtenSchema(schema));
  return discriminator === undefined ? [] : [...new Set([discriminator, ...options.flatMap(discriminatorsOf)])];
}

/** Whether an attribute has the same schema in all given members. Ignores optional and default wrappers. */
export function isShared(members: readonly Schema[], name: string): boolean {
  const schemas = members.flatMap((member) => shapeOf(member)[name] ?? []);
  return schemas.length === members.length && distinct(schemas.map(present)).length < 2;
}

/**
 * Turns a discriminated union into an object with the attributes of all members, so that code for objects also works
 * for unions. An attribute that only some members have is optional. The union itself still validates whole items.
 * @param former members of an earlier schema, whose attributes an item may still have
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
    // A condition may compare the discriminator with any former value.
    const isFormer = name === def.discriminator || !members.some((member) => has(member, name));
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
    // No single attribute shows whether an item fits a member, so this check stands for the union's own validation.
    checks: [...(def.checks ?? []), { _zod: { def: { check: 'union' } satisfies Check } }],
  };
  const { constr } = first._zod as unknown as { readonly constr: unknown };
  const _zod = { def: view, run: schema._zod.run, constr, union: writtenSchema(schema) };
  return { _zod, safeParse: (value) => schema.safeParse(value) };
}

/** The union code needed for outlines and items. The code for updates is separate. */
export const outlined: Pick<Unions, 'entity' | 'as'> = {
  entity(_, design) {
    const schema = design.attributes as unknown as Schema;
    const { discriminator, shape } = defOf(schema);
    if (discriminator === undefined || shape !== undefined) return design;
    return { ...design, attributes: objectOf(schema) as unknown as AttributesSchema };
  },
  as(item, entity) {
    const { schema } = entity;
    if (defOf(schema).discriminator === undefined) return entity;
    const names = discriminatorsOf(schema);
    const [own, other] = membersOf(schema).filter((one) =>
      names.every((name) => !has(one, name) || valuesOf(one, name).includes(item[name])),
    );
    // If an item does not fit exactly one member, the whole union validates it.
    if (own === undefined || other !== undefined) return entity;
    const made = narrowed.get(entity) ?? new Map<Schema, EntityOutline>();
    narrowed.set(entity, made);
    const known = made.get(own) ?? {
      ...entity,
      schema: objectOf(schema, [own]),
      attributes: Object.keys(shapeOf(own)),
    };
    made.set(own, known);
    return known;
  },
};

/** Caches each entity, narrowed to each member of its union. */
const narrowed = new WeakMap<EntityOutline, Map<Schema, EntityOutline>>();

/**
 * Returns the schema that the user wrote: for an object built from a union, the union; for any other schema, the schema
 * itself.
 */
export function writtenSchema(schema: Schema): Schema {
  return (schema._zod as { readonly union?: Schema }).union ?? schema;
}

/** Removes optional and default wrappers, so that the schema describes a value that is present. */
export function present(schema: Schema): Schema {
  const { type, innerType } = defOf(schema);
  return innerType !== undefined && (type === 'optional' || type === 'default') ? present(innerType) : schema;
}

function distinct(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.filter((schema, i) => schemas.findIndex((other) => isAlike(schema, other)) === i);
}

/** The maximum depth to which schemas are compared, since a recursive schema has no end. */
const DEEP = 32;

/**
 * Whether two schemas, or parts of schemas, are equivalent. Two functions are equivalent only if they are identical.
 */
export function isAlike(a: unknown, b: unknown, depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || depth > DEEP) return false;
  if (a instanceof RegExp) return String(a) === String(b);
  const [one, other] = [a, b].map((part) => ((part as Partial<Schema>)._zod?.def ?? part) as Record<string, unknown>);
  // `superRefine` stores its function outside the definition, so two such checks cannot be compared.
  if (one?.check === 'custom') return false;
  const names = new Set([one, other].flatMap((part) => Object.keys(part as object)));
  // An error message does not affect which values a schema accepts.
  return [...names].every((name) => name === 'error' || isAlike(one?.[name], other?.[name], depth + 1));
}

/**
 * Returns a schema that accepts every value that at least one of the given schemas accepts. If one of these schemas is
 * undefined, the result also accepts a missing value.
 */
function either(schemas: readonly (Schema | undefined)[]): Schema {
  const options = distinct(schemas.filter((schema) => schema !== undefined));
  const [first, ...others] = distinct(options.map(present));
  const isWhole = options.length === 1;
  const one = isWhole ? (options[0] as Schema) : others.length === 0 ? (first as Schema) : unionOf(options);
  const mayLack = schemas.includes(undefined) || (others.length === 0 && !isWhole);
  return mayLack ? optionalOf(one) : one;
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
