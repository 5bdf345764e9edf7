import fc from 'fast-check';
import { z } from 'zod';
import * as azure from '../../../lib/azure-tables';
import { check } from '../../../lib/check';
import { defineTable } from '../../../lib/design/table';
import { entities } from '../../../lib/dynamodb';
import type { Item } from '../../../lib/items/item';

const leaves = fc.constantFrom<readonly [string, z.ZodType]>(
  ['string', z.string()],
  ['lower case', z.string().toLowerCase()],
  ['digits', z.string().regex(/^\d+$/)],
  ['number', z.number()],
  ['int', z.int()],
  ['bigint', z.bigint()],
  ['boolean', z.boolean()],
  ['date', z.date()],
  ['coerced number', z.coerce.number()],
  ['coerced string', z.coerce.string()],
  ['enum', z.enum(['1', '0', 'a'])],
  ['numeric enum', z.enum({ a: 1, b: '1', c: 0 } as never)],
  ['literals', z.literal([1, '1', 0, 2n])],
  ['any', z.any()],
  ['unknown', z.unknown()],
  ['custom', z.custom<unknown>((value) => typeof value === 'string' || typeof value === 'number')],
  ['transformed', z.union([z.string(), z.number()]).transform((value) => value)],
  ['text to number', z.string().transform(Number)],
  ['iso date', z.iso.date()],
);

/** Generates schemas for attributes, including unions and optional, nullable and lazy schemas. */
const schemas = fc.oneof(
  leaves,
  fc
    .array(leaves, { minLength: 2, maxLength: 3 })
    .map((all) => [all.map(([name]) => name).join(' or '), z.union(all.map(([, one]) => one) as never)] as const),
  leaves.map(([name, one]) => [`optional ${name}`, one.optional()] as const),
  leaves.map(([name, one]) => [`nullable ${name} or text`, z.union([one.nullable(), z.string()])] as const),
  leaves.map(([name, one]) => [`${name}, later`, z.lazy(() => z.union([one, z.number()]))] as const),
);

const values: readonly unknown[] = [
  ...['1', '0', '-0', '1.0', '01', '0.5', '1e+21', '2', 'a', 'A', 'true', 'null', 'NaN', '2026-01-31', ''],
  ...[1, 0, -0, 0.5, 1e21, 2, -1, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER],
  ...[1n, 0n, 2n, 10n ** 21n, true, false, null, undefined, new Date(0), new Uint8Array([1]), [1], { a: 1 }],
  ...[String(Number.MAX_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER), String(new Date(0))],
];

const templates = fc.constantFrom('X#<id>', '<id>', 'X#<id>#Y', 'X#<id>#<id:4>');

function designOf(schema: z.ZodType, template: string, [partition, sort]: readonly [string, string]) {
  return defineTable({
    name: 'Things',
    key: { partition, sort },
    separator: '_',
    entities: {
      Thing: {
        attributes: z.object({ id: schema }),
        keys: { [partition]: 'P', [sort]: template.replaceAll('#', '_') },
      },
    },
    patterns: {
      thing: { op: 'get', where: { [partition]: 'P', [sort]: template.replaceAll('#', '_') }, returns: ['Thing'] },
    },
  } as never);
}

/** Returns each generated key, with the distinct values that produce it. */
function keysOf(
  make: (id: unknown) => readonly [key: unknown, stored: unknown],
): ReadonlyMap<unknown, readonly unknown[]> {
  const keys = new Map<unknown, unknown[]>();
  for (const value of values) {
    try {
      const [key, stored] = make(value);
      const before = keys.get(key) ?? [];
      if (!before.some((one) => Object.is(one, stored))) keys.set(key, [...before, stored]);
    } catch (error) {
      expect((error as Error).name).toMatch(/^(KeyError|ItemError)$/);
    }
  }
  return keys;
}

test('no two different values of an attribute become the same key on either cloud', () => {
  fc.assert(
    fc.property(schemas, templates, ([, schema], template) => {
      const { item } = entities(designOf(schema, template, ['PK', 'SK']), 't');
      const written = keysOf((id) => {
        const { SK, id: stored } = item('Thing' as never, { id } as never) as Item;
        return [SK, stored];
      });
      for (const made of written.values()) expect(made).toHaveLength(1);
      const { entity } = azure.entities(designOf(schema, template, ['PartitionKey', 'RowKey']), 'Things');
      const stored = keysOf((id) => {
        const made = entity('Thing' as never, { id } as never);
        return [made.rowKey, JSON.stringify(made.id, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))];
      });
      for (const made of stored.values()) expect(made).toHaveLength(1);
    }),
    { numRuns: 300 },
  );
});

test.each<[string, z.ZodType, unknown, unknown]>([
  ['a string or a number', z.union([z.string(), z.number()]), '1', 1],
  ['a number or a bigint', z.union([z.number(), z.bigint()]), 1, 1n],
  ['listed values', z.literal([1, '1']), '1', 1],
  ['anything', z.any(), '1', 1],
  ['a number, or a bigint as a string', z.union([z.string().transform(Number), z.coerce.string()]), 1n, '1'],
])(
  'the check reports that two kinds of values produce the same key for %s, and items accept only one kind',
  (_, schema, taken, refused) => {
    const design = designOf(schema, 'X#<id>', ['PK', 'SK']);
    expect(check(design).map(({ rule, cause }) => `${rule} ${cause}`)).toContain('unkeyable two-kinds');
    const { item } = entities(design, 't');
    expect(item('Thing' as never, { id: taken } as never)).toMatchObject({ SK: 'X_1' });
    const message = /<id> is 1; .* gives the same key, so use that/;
    expect(() => item('Thing' as never, { id: refused } as never)).toThrow(message);
  },
);

test.each<[string, z.ZodType]>([
  ['letters or a number', z.union([z.string().regex(/^[a-z]+$/), z.number()])],
  ['a string coerced to a number', z.coerce.number()],
  ['a string transformed to a number', z.string().transform(Number)],
  ['listed values that render differently', z.literal([1, 'a'])],
])('the check reports nothing for %s, because different values have different keys', (_, schema) => {
  const found = check(designOf(schema, 'X#<id>', ['PK', 'SK']));
  expect(found.map(({ cause }) => cause)).not.toContain('two-kinds');
});
