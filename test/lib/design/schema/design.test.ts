import { z } from 'zod';
import type { AttributesSchema } from '../../../../lib/design/attributes';
import type { Condition, PatternDesign } from '../../../../lib/design/pattern';
import type { condition } from '../../../../lib/design/schema/conditions';
import { designJsonSchema, systemSchema, tableSchema } from '../../../../lib/design/schema/design';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, IndexDesign, KeyDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { orders } from '../../../fixtures/designs';
import { soundDesigns } from '../../../fixtures/sound-designs';

const tables = [orders, ...soundDesigns].flatMap((design) =>
  'tables' in design ? Object.values(design.tables) : [design],
);

/** The type without `readonly`, which zod never infers. */
type Mutable<T> = T extends AttributesSchema
  ? T
  : T extends readonly unknown[] | object
    ? { -readonly [K in keyof T]: Mutable<T[K]> }
    : T;

/** Whether two types accept each other's values. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type FieldsByOp<P> = P extends { readonly op: infer Op extends string } ? { [K in Op]: keyof P } : never;
type Steps<P> = P extends { readonly steps: { readonly [name: string]: infer Step } } ? Step : never;
type Table = z.input<typeof tableSchema>;
type Pattern = NonNullable<Table['patterns']>[string];

test('the zod schema and the TypeScript types describe the same designs', () => {
  // These lines fail to compile if one side has a field that the other lacks.
  const accepted = (design: Mutable<TableDesign>): Table => design;
  const returned = (design: z.output<typeof systemSchema>): SystemDesign => design;
  const same: readonly [
    Same<keyof TableDesign, keyof Table>,
    Same<keyof SystemDesign, keyof z.input<typeof systemSchema>>,
    Same<keyof KeyDesign, keyof Table['key']>,
    Same<keyof IndexDesign, keyof NonNullable<Table['indexes']>[string]>,
    Same<keyof EntityDesign, keyof Table['entities'][string]>,
    Same<FieldsByOp<PatternDesign>, FieldsByOp<Pattern>>,
    Same<FieldsByOp<Steps<PatternDesign>>, FieldsByOp<Steps<Pattern>>>,
    Same<Mutable<Condition>, Mutable<z.input<typeof condition>>>,
  ] = [true, true, true, true, true, true, true, true];
  expect(same.every(Boolean)).toBe(true);
  for (const design of tables)
    expect(tableSchema.safeParse(accepted(design as Mutable<TableDesign>)).success).toBe(true);
  for (const design of Object.values(systems)) expect(returned(systemSchema.parse(design)).name).toBe(design.name);
});

/** Returns a design as a JSON file would contain it, without zod schemas. */
const inJson = (design: object) =>
  JSON.parse(JSON.stringify(design, (name, value) => (name === 'attributes' && '_zod' in value ? undefined : value)));

describe('the design as JSON Schema', () => {
  const table = z.fromJSONSchema(designJsonSchema('table') as Parameters<typeof z.fromJSONSchema>[0]);
  const system = z.fromJSONSchema(designJsonSchema('system') as Parameters<typeof z.fromJSONSchema>[0]);

  test.each(Object.entries(systems))('the JSON Schema accepts the system %s', (_, design) => {
    expect(system.safeParse(inJson(design)).error).toBeUndefined();
    expect(JSON.stringify(inJson(design))).not.toContain('_zod');
  });

  test.each(tables.map((design) => [design.name, design] as const))(
    'the JSON Schema accepts the table %s',
    (_, design) => {
      expect(table.safeParse(inJson(design)).error).toBeUndefined();
    },
  );

  const { entities, key, ...rest } = inJson(orders);
  test.each([
    ['a table without a key', { ...rest, entities }],
    ['a table without entities', { ...rest, key, entities: {} }],
    ['an unknown field', { ...rest, key, entities, index: {} }],
    ['an unknown operation', { ...rest, key, entities, patterns: { all: { op: 'sweep', returns: ['Order'] } } }],
    [
      'two operators',
      {
        ...rest,
        key,
        entities,
        patterns: { all: { op: 'query', returns: ['Order'], where: { PK: 'x', SK: { atLeast: 'a', lessThan: 'b' } } } },
      },
    ],
    [
      'an empty group of conditions',
      { ...rest, key, entities, patterns: { all: { op: 'scan', returns: ['Order'], filter: { any: [] } } } },
    ],
    ['an unknown cloud', { name: 'shop', cloud: 'gcp', tables: {} }],
  ])('the JSON Schema refuses %s', (_, design) => {
    expect(('tables' in design ? system : table).safeParse(design).success).toBe(false);
  });
});
