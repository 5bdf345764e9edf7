import { z } from 'zod';
import type { Assignment, Condition, KeyCondition, Operand, Size, Test } from '../pattern';
import { flag, listOf, notes, text } from './notes';

/**
 * A plain value, or an object with exactly one operator. A second operator is refused, because the library would ignore
 * it.
 */
function valueOrOperator<T>(
  bare: z.ZodType,
  operands: Readonly<Record<string, z.ZodType>>,
  what: string,
  insteadOfList?: string,
): z.ZodType<T, T> {
  const synonyms = { startswith: 'beginsWith' };
  const operators = Object.keys(operands);
  const alternatives = operators.map((name) => z.strictObject({ [name]: operands[name] as z.ZodType }));
  const schema = z.union([bare, ...alternatives]) as unknown as z.ZodType<T, T>;
  return schema.register(notes, {
    what,
    example: `'…' or { ${operators[0]}: '…' }`,
    operators,
    insteadOfList,
    synonyms,
  });
}

function pairOf(element: z.ZodType, example: string) {
  return z.tuple([element, element]).register(notes, { what: 'a pair', example });
}

export const template = text('POST#<postId>');
const templates = z.tuple([template, template]);

export const keyCondition = valueOrOperator<KeyCondition>(
  template,
  {
    beginsWith: template,
    between: templates.register(notes, { what: 'a pair of strings', example: "['…', '…']", whole: true }),
    atLeast: template,
    atMost: template,
    greaterThan: template,
    lessThan: template,
  },
  'a string or one operator',
);

const plain = z.union([z.string(), z.number(), z.boolean()]);
const attribute = z.strictObject({ attribute: z.string() });

export const operand: z.ZodType<Operand, Operand> = z.union([plain, z.null(), attribute]).register(notes, {
  what: "a string, a number, a boolean, null or { attribute: '…' }",
  example: "'<name>'",
  whole: true,
});

/** The new value of an attribute in an update. */
export const assignment: z.ZodType<Assignment, Assignment> = z
  .union([
    operand,
    z.strictObject({ ifMissing: plain }),
    z.strictObject({ append: z.string() }),
    z.strictObject({ prepend: z.string() }),
  ])
  .register(notes, {
    what: "a string, a number, a boolean, null, { attribute: '…' }, { ifMissing: … }, { append: '<…>' } or { prepend: '<…>' }",
    example: "'<name>'",
    whole: true,
  });

const amount = z
  .union([z.int().min(0), z.string().regex(/<.+>/)])
  .register(notes, { what: '0, a positive integer or a parameter', example: "'<count>'", whole: true });

const size = valueOrOperator<Size>(
  amount,
  {
    ...{ not: amount, atLeast: amount, atMost: amount, greaterThan: amount, lessThan: amount },
    between: pairOf(amount, '[1, 10]'),
  },
  '0, a positive integer, a parameter or one operator',
);

const test = valueOrOperator<Test>(
  operand,
  {
    ...{ not: operand, atLeast: operand, atMost: operand, greaterThan: operand, lessThan: operand },
    between: pairOf(operand, "['…', '…']"),
    beginsWith: text('POST#'),
    contains: operand,
    in: listOf(operand, "['…']"),
    exists: flag(),
    size,
  },
  'a value or one operator',
  "{ in: ['…'] }",
);

const TESTS = "{ status: 'open' }";

/** A condition in a group must contain a test, since an empty condition would match every item. */
const member: z.ZodType<Condition, Condition> = z
  .lazy(() => condition.refine((tests) => Object.keys(tests).length > 0))
  .meta({ minProperties: 1 })
  .register(notes, { what: 'a condition', example: TESTS, notEmpty: true });

/**
 * `any` and `none` take a list of conditions. If an attribute is named `any` or `none`, its value is a test instead.
 */
const group = z.union([
  test,
  z
    .array(member)
    .min(1)
    .register(notes, { what: 'a list of conditions', example: `[${TESTS}]`, notEmpty: true, numbered: true }),
]);

/** Tests, keyed by the path of the tested attribute. */
export const condition: z.ZodType<Condition, Condition> = z
  .object({ any: group.optional(), none: group.optional() })
  .catchall(test)
  .register(notes, { what: 'an object', example: TESTS }) as unknown as z.ZodType<Condition, Condition>;
