import { z } from 'zod';
import { assignment, condition, keyCondition, operand, template } from './conditions';
import { byName, fields, flag, listOf, notes, text } from './notes';

const purpose = text('its purpose').optional();
const isSet = flag().optional();
const entity = text('Post');
export const keys = byName(template, "{ PK: 'POST#<postId>', SK: 'POST' }", "{ PK: '…', SK: '…' }");
/**
 * A write needs the whole key of its item. If a design gives a range instead, the message explains how to write several
 * items.
 */
const wholeKey = byName(
  z.string().register(notes, {
    ...{ what: 'a string', example: "'POST#<postId>'" },
    insteadOfObject:
      'give the whole key of one item; to write several items, query them and send this pattern for each one',
  }),
  "{ PK: 'POST#<postId>', SK: 'POST' }",
  "{ PK: '…', SK: '…' }",
);
export const names = listOf(text('name'), "['name']");

/** With an empty `returns`, the pattern would treat every item that it reads as unexpected. */
const returns = z
  .array(entity)
  .min(1)
  .register(notes, {
    ...{ what: 'a list', example: "['Post']" },
    notEmpty: {
      cause: 'returns-nothing',
      message: 'the pattern returns nothing',
      fix: "name the entities that it reads: ['Post']",
    },
  });
const read = { purpose, returns, consistent: isSet, unexpired: isSet };

const pageSize = z.number().register(notes, { what: 'a number', example: '20' }).optional();
const index = text('GSI1').optional();
const filter = condition.optional();
const list = text('lines');

const amount = z.union([z.number(), z.string()]);
const amounts = byName(
  z.union([amount, z.array(amount).min(1)]).register(notes, {
    ...{ what: 'a number, a string or a list of set elements', example: "1, or ['<tag>']", whole: true },
  }),
  '{ count: 1 }',
).optional();
/** `remove` lists whole attributes, and `subtract` lists elements to remove from a set. */
const insteadOfObject =
  "'remove' names whole attributes; to remove elements from a set, write subtract: { tags: ['<tag>'] }";
const removed = z
  .array(z.string().register(notes, { what: 'a string', example: "'name'", insteadOfObject }))
  .register(notes, { what: 'a list', example: "['name']", insteadOfObject });
const operands = byName(operand, "{ title: '<title>' }").optional();

const put = {
  purpose,
  op: z.literal('put'),
  entity,
  item: operands,
  replace: isSet,
  condition: filter,
  unchanged: isSet,
};
const update = {
  ...{ purpose, op: z.literal('update'), entity, where: wholeKey },
  set: byName(assignment, "{ title: '<title>' }").optional(),
  ...{ add: amounts, subtract: amounts, remove: removed.optional() },
  ...{ condition: filter, upsert: isSet, unchanged: isSet },
};
const remove = { purpose, op: z.literal('delete'), entity, where: wholeKey, condition: filter, unchanged: isSet };

const release = {
  ...{ purpose, op: z.literal('release'), entity, unique: text('email') },
  where: byName(template, "{ email: '<email>', personId: '<personId>' }", "{ email: '<email>' }"),
};

const each = { each: list.optional() };
/** The schema allows only `false`, since `true` is the default. */
const atomic = {
  atomic: z.literal(false).register(notes, { what: 'false or omitted', example: 'false', whole: true }).optional(),
};
const reserved = { procedureOnly: isSet };
const shared = { across: byName(text('orders'), "{ order: 'orders' }").optional() };

function stepWith<S extends z.core.$ZodLooseShape>(more: S) {
  return z
    .discriminatedUnion('op', [
      fields('a put', { ...put, ...each, ...atomic, optional: isSet, ...more }),
      fields('an update', { ...update, ...each, ...atomic, ...more }),
      fields('a delete', { ...remove, ...each, ...atomic, ...more }),
      fields('a release', { ...release, ...each, ...atomic, ...more }),
      fields('a require', { op: z.literal('require'), entity, where: keys, condition, ...each, ...atomic, ...more }),
    ])
    .register(notes, { what: 'a step' });
}

const step = stepWith({});

/** The steps of a batch have no conditions, so a put must state that it overwrites existing items. */
const overwrites = z
  .literal(true)
  .register(notes, { what: 'true, because a batch overwrites existing items', example: 'true', whole: true });
const batchStep = z
  .discriminatedUnion('op', [
    fields('a put in a batch', { op: z.literal('put'), entity, each: list, replace: overwrites, item: operands }),
    fields('a delete in a batch', { op: z.literal('delete'), entity, each: list, where: keys }),
  ])
  .register(notes, { what: 'a step' });

const conditions = byName(keyCondition, "{ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }", "{ PK: '…' }");

export const pattern = z
  .discriminatedUnion('op', [
    fields('a get', { op: z.literal('get'), ...read, where: keys }),
    fields('a find', { op: z.literal('find'), ...read, unique: text('email') }),
    fields('a query', {
      ...{ op: z.literal('query'), ...read, where: conditions, index, filter, select: names.optional() },
      ...{ each: list.optional(), merge: isSet, group: byName(entity, "{ posts: 'Post' }").optional() },
      ...{ order: z.enum(['ascending', 'descending']).optional(), orderBy: text('publishedAt').optional(), pageSize },
    }),
    fields('a scan', { op: z.literal('scan'), ...read, index, filter, pageSize }),
    fields('a batchGet', {
      op: z.literal('batchGet'),
      ...read,
      keys: byName(keys, "{ first: { PK: '…', SK: '…' } }"),
      ...each,
      ...shared,
    }),
    fields('a transactGet', {
      ...{ op: z.literal('transactGet'), purpose, returns, unexpired: isSet, ...shared },
      keys: byName(keys, "{ first: { PK: '…', SK: '…' } }"),
    }),
    fields('a put', { ...put, returns: z.enum(['old']).optional(), ...reserved }),
    fields('an update', { ...update, returns: z.enum(['new', 'old']).optional(), ...reserved }),
    fields('a delete', { ...remove, returns: z.enum(['old']).optional(), ...reserved }),
    fields('a release', { ...release, ...reserved }),
    fields('a transaction', {
      ...{ purpose, op: z.literal('transaction'), steps: byName(step, "{ post: { op: 'put', … } }") },
      ...{ ...reserved, ...shared, ...atomic },
    }),
    fields('a batchWrite', {
      ...{ purpose, op: z.literal('batchWrite'), ...reserved },
      steps: byName(batchStep, "{ lines: { op: 'put', each: 'lines', … } }"),
    }),
  ])
  .register(notes, { what: 'a pattern' });

const inTable = { table: text('orders') };
const reads = byName(
  fields('a read', { ...inTable, where: keys, returns }),
  "{ order: { table: 'orders', where: { PK: '…' }, returns: ['Order'] } }",
);

/** A system's pattern, in which each step or read names its table. */
export const systemPattern = z
  .discriminatedUnion('op', [
    fields('a transaction', {
      ...{ purpose, op: z.literal('transaction'), ...reserved },
      steps: byName(stepWith(inTable), "{ order: { table: 'orders', op: 'put', … } }"),
    }),
    fields('a transactGet', { purpose, op: z.literal('transactGet'), reads }),
    fields('a batchGet', { purpose, op: z.literal('batchGet'), ...each, reads, consistent: isSet }),
  ])
  .register(notes, { what: 'a pattern of a system' });
