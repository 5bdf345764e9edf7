import * as z from 'zod';
import { pattern } from '../../design/schema/patterns';

/**
 * Returns the first place where a value does not fit the format of a lock, and what is expected there; undefined if the
 * value fits.
 */
export function lockFault(value: unknown): { readonly place: string; readonly expected: string } | undefined {
  const parsed = lock().safeParse(value);
  if (parsed.success) return undefined;
  const [{ path, message } = { path: [], message: '' }] = parsed.error.issues;
  return { place: path.map(String).join('.'), expected: message };
}

/** Built lazily, because most programs read no lock. */
function lock(): z.ZodType {
  const text = z.string();
  const texts = z.array(text);
  const named = <T extends z.ZodType>(schema: T) => z.record(text, schema);
  const attribute = z.object({ name: text.min(1), type: z.enum(['string', 'number', 'binary']) });
  const key = { partitionBy: z.array(attribute).min(1), sortBy: z.array(attribute) };
  const physical = z.looseObject({
    name: text.optional(),
    logicalId: text.optional(),
    type: text.optional(),
    key: z.looseObject(key),
    indexes: z.array(
      z.looseObject({
        ...key,
        name: text,
        projection: z.union([z.enum(['all', 'keys']), texts]),
        local: z.boolean().optional(),
      }),
    ),
    ttl: text.optional(),
    ttlOff: text.optional(),
    replicas: texts.optional(),
    stream: text.nullish(),
  });
  const expression = z.looseObject({ source: text, flags: text.regex(/^[dgimsuvy]*$/) });
  const schema: z.ZodType = z.lazy(() =>
    z.looseObject({
      type: text,
      to: texts.optional(),
      innerType: schema.optional(),
      in: schema.optional(),
      out: schema.optional(),
      left: schema.optional(),
      right: schema.optional(),
      shape: named(schema).optional(),
      catchall: schema.optional(),
      keyType: schema.optional(),
      valueType: schema.optional(),
      element: schema.optional(),
      items: z.array(schema).optional(),
      rest: schema.optional(),
      options: z.array(schema).optional(),
      pieces: z.array(z.unknown()).optional(),
      values: z.array(z.unknown()).optional(),
      pattern: expression.optional(),
      checks: z.array(z.looseObject({ check: text, pattern: expression.optional() })).optional(),
    }),
  );
  const entity = z.looseObject({
    type: text,
    attributes: schema,
    keys: named(text),
    keyOnly: texts,
    indexes: named(z.looseObject({ while: named(z.array(z.unknown())).optional() })).optional(),
    unique: named(z.looseObject({ keys: named(text), owner: texts.optional() })).optional(),
    stored: named(text).optional(),
    version: text.optional(),
    timestamps: z.looseObject({ created: text.optional(), updated: text.optional() }).optional(),
    computed: named(z.union([text, z.looseObject({ sorted: texts })])).optional(),
    former: named(z.array(schema)),
  });
  return z.looseObject({
    lock: z.number(),
    system: text,
    environment: text,
    cloud: z.enum(['aws', 'azure']),
    tenant: text.optional(),
    tables: named(
      z.looseObject({
        physical,
        design: z
          .looseObject({
            separator: text,
            typeAttribute: text.optional(),
            entities: named(entity),
            patterns: named(pattern),
            former: named(entity),
          })
          .optional(),
      }),
    ),
    procedures: named(texts),
    progress: z.looseObject({ plan: text, step: text, returns: z.number().optional() }).optional(),
    undone: z.number().optional(),
    hash: text.min(1),
  });
}
