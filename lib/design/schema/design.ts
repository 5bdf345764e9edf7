import { z } from 'zod';
import type { AttributesSchema } from '../attributes';
import { template } from './conditions';
import { byName, fields, flag, listOf, notes, text } from './notes';
import { keys, names, pattern, systemPattern } from './patterns';

/**
 * Returns the kind of a schema, or undefined if the value is not a schema. Looks only at the value's fields, so that it
 * also recognizes schemas from another copy of zod. A discriminated union of objects is treated as an object.
 */
export function schemaKind(value: unknown): 'object' | 'other' | 'zod-3' | undefined {
  const { _zod, _def } = Object(value) as { _zod?: { def?: Partial<Record<string, unknown>> }; _def?: unknown };
  const { shape, discriminator, options } = _zod?.def ?? {};
  if (typeof shape === 'object' && shape !== null) return 'object';
  const isUnion = typeof discriminator === 'string' && Array.isArray(options);
  if (isUnion && options.every((option) => schemaKind(option) === 'object')) return 'object';
  if (_zod !== undefined) return 'other';
  return _def === undefined ? undefined : 'zod-3';
}

const attributes = z
  .custom<AttributesSchema>((value) => schemaKind(value) === 'object')
  .register(notes, {
    what: 'a zod object, or a discriminated union of zod objects',
    example: "z.object({ id: z.string() }), with z from 'zod' 4",
  });

const purpose = text('its purpose').optional();

function oneName(example: string) {
  const what =
    'the name of one attribute, whose template may contain several values (only an index can have multi-attribute keys)';
  return z.string().register(notes, { what, example: `'${example}'` });
}

function someNames(example: string) {
  return z
    .union([z.string(), z.array(z.string()).min(1)])
    .register(notes, { what: 'a string, or a list of strings', example: `'${example}'`, whole: true });
}

/** `keys` corresponds to KEYS_ONLY in DynamoDB. */
const projection = z.enum(['all', 'keys']).register(notes, {
  what: "'all', 'keys' or a list of attributes",
  synonyms: { keys_only: 'keys', key_only: 'keys', keysonly: 'keys', keyonly: 'keys' },
});

const index = fields('an index', {
  partition: someNames('GSI1PK'),
  sort: someNames('GSI1SK').optional(),
  purpose,
  projection: z.union([projection, names]).optional(),
  local: flag().optional(),
});

/**
 * Requires at least one value. An empty list would keep every item out of the index; to do that, omit the index's keys
 * from the entity.
 */
const values = z
  .array(z.union([z.string(), z.number(), z.boolean()]))
  .min(1)
  .register(notes, { what: 'a list of strings, numbers or booleans', example: "['open']", whole: true });

const ONE_TEST = "{ status: ['open'] }";
const membership = fields("an entity's index", { while: byName(values, ONE_TEST) });

const unique = fields('a unique value', { keys, owner: names.optional() });

const timestamps = fields(
  'timestamps',
  {
    created: text('createdAt').optional(),
    updated: text('updatedAt').optional(),
    unit: z.enum(['seconds', 'milliseconds']).optional(),
  },
  "{ created: 'createdAt', updated: 'updatedAt' }",
);

const sorted = fields('a computed attribute', {
  sorted: listOf(template, "['<from>', '<to>']"),
  separator: text('~').optional(),
});
const computed = z.union([template, sorted]).register(notes, {
  what: "a template or { sorted: ['…', '…'] }",
  example: "'<name:lower>'",
  whole: true,
});

const entity = fields('an entity', {
  attributes,
  keys: keys.optional(),
  type: text('post').optional(),
  keyOnly: names.optional(),
  stored: byName(text('d'), "{ description: 'd' }").optional(),
  indexes: byName(membership, `{ GSI1: { while: ${ONE_TEST} } }`).optional(),
  unique: byName(unique, "{ email: { keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' } } }").optional(),
  version: text('rev').optional(),
  timestamps: timestamps.optional(),
  computed: byName(computed, "{ sortName: '<name:lower>' }").optional(),
});

const ONE_ENTITY = "{ Post: { attributes: z.object({ … }), keys: { PK: 'POST#<postId>' } } }";
const entities = z
  .record(z.string(), entity)
  .refine((all) => Object.keys(all).length > 0)
  .meta({ minProperties: 1 })
  .register(notes, {
    ...{ what: 'an object', example: ONE_ENTITY },
    notEmpty: {
      cause: 'no-entities',
      message: 'a table needs at least one entity',
      fix: `write entities: ${ONE_ENTITY}`,
    },
  });

const reasons = byName(text('the reason'), "{ 'entities.Post.keys.PK': 'the reason' }");

/** The design of a table, equivalent to `TableDesign`. */
export const tableSchema = fields('a table', {
  name: text('blog'),
  key: fields('a key', { partition: oneName('PK'), sort: oneName('SK').optional() }, "{ partition: 'PK', sort: 'SK' }"),
  entities,
  purpose,
  indexes: byName(index, "{ GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } }").optional(),
  typeAttribute: text('entityType').optional(),
  ttl: text('expires').optional(),
  separator: text('#').optional(),
  patterns: byName(pattern, "{ post: { op: 'get', … } }").optional(),
  acknowledge: byName(reasons, "{ 'hot-partition': { … } }").optional(),
});

const procedure = fields('a procedure', { uses: listOf(text('name'), "['post']"), purpose });

/** The design of a system, equivalent to `SystemDesign`. */
export const systemSchema = fields('a system', {
  name: text('shop'),
  cloud: z.enum(['aws', 'azure']).register(notes, { added: "'aws'" }),
  tables: byName(tableSchema, '{ blog }'),
  purpose,
  tenant: text('tenantId').optional(),
  patterns: byName(systemPattern, "{ checkOut: { op: 'transaction', … } }").optional(),
  procedures: byName(procedure, "{ publish: { uses: ['post'] } }").optional(),
  acknowledge: byName(reasons, "{ 'hot-partition': { … } }").optional(),
});

/**
 * Returns the JSON Schema of the design language, for editors, documentation and designs written in JSON. It makes an
 * entity's `attributes` optional, because JSON cannot represent zod schemas.
 */
export function designJsonSchema(kind: 'table' | 'system') {
  return z.toJSONSchema(kind === 'table' ? tableSchema : systemSchema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === entity) jsonSchema.required = jsonSchema.required?.filter((name) => name !== 'attributes');
    },
  });
}
