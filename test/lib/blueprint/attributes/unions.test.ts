import { z } from 'zod';
import * as mini from 'zod/mini';
import { outline } from '../../../../lib/blueprint/outline';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { type Item, makeItem, readItem } from '../../../../lib/items/item';

const id = z.string();

/** Returns functions that write and read the items of an entity with the given attributes. */
function shelf(attributes: EntityDesign['attributes'], more: Partial<TableDesign> = {}) {
  const entities = { Thing: { attributes, keys: { PK: 'THING#<id>' } } };
  const table = outline({ name: 'shelf', key: { partition: 'PK' }, entities, ...more });
  const [thing] = table.entities;
  if (thing === undefined) throw new Error('no entity');
  return {
    write: (values: Item) => makeItem(table, thing, values),
    read: (item: Item, selected?: readonly string[]) => readItem(table, thing, { PK: 'THING#1', ...item }, selected),
  };
}

describe.each([
  ['zod', z],
  ['zod/mini', mini as unknown as typeof z],
])('a union with %s', (_, lib) => {
  const { write, read } = shelf(
    lib.discriminatedUnion('kind', [
      lib.strictObject({ id, kind: lib.literal('box'), size: lib.number() }),
      lib.strictObject({ id, kind: lib.literal('bag'), size: lib.string(), color: lib.optional(lib.string()) }),
      lib.looseObject({ id, kind: lib.literal('pile') }),
    ]) as never,
  );

  test('a read drops every attribute that a strict member does not declare, even if another member declares it', () => {
    expect(read({ id: '1', kind: 'box', size: 1, color: 'red', dust: 2 })).toEqual({ id: '1', kind: 'box', size: 1 });
  });

  test("a read keeps every attribute of an open member's item, even if another member declares the attribute", () => {
    const pile = { id: '1', kind: 'pile', size: 'large', color: 3, dust: 2 };
    expect(read(pile)).toEqual(pile);
    expect(write(pile)).toEqual({ ...pile, PK: 'THING#1' });
  });

  test('members of a union may declare the same attribute with different types', () => {
    expect(write({ id: '1', kind: 'box', size: 1 })).toMatchObject({ size: 1 });
    expect(() => write({ id: '1', kind: 'box', size: 'L' })).toThrow('Thing: size: ');
    expect(() => write({ id: '1', kind: 'bag', size: 1 })).toThrow('Thing: size: ');
    expect(() => read({ id: '1', kind: 'bag', size: 1 })).toThrow('Thing PK "THING#1": size: ');
  });

  test('a put and a read refuse an item that matches no member of the union', () => {
    expect(() => write({ id: '1', kind: 'hat' })).toThrow('Thing: kind: ');
    expect(() => read({ id: '1', size: 1 })).toThrow('Thing PK "THING#1": kind: ');
  });
});

test("a put refuses another member's attribute, and the error lists the attributes of the item's own member", () => {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ id, kind: z.literal('box'), size: z.number() }),
    z.object({ id, kind: z.literal('bag'), color: z.string() }),
  ]);
  expect(() => shelf(attributes).write({ id: '1', kind: 'box', size: 1, color: 'red' })).toThrow(
    "'color' is not an attribute of Thing; it has id, kind, size",
  );
});

test("a read applies the defaults of the item's member only if it selects the discriminator", () => {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ id, kind: z.literal('box'), size: z.number().default(7) }),
    z.object({ id, kind: z.literal('bag'), size: z.number().default(9) }),
  ]);
  const { read } = shelf(attributes);
  expect(read({ kind: 'bag' }, ['kind', 'size'])).toEqual({ kind: 'bag', size: 9 });
  expect(read({}, ['size'])).toEqual({});
});

test('a read restores a null index key attribute, which is not stored, even if only one member has the attribute', () => {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ id, kind: z.literal('box'), owner: z.string().nullable() }),
    z.object({ id, kind: z.literal('bag') }),
  ]);
  const { write, read } = shelf(attributes, { indexes: { byOwner: { partition: 'owner', sort: 'PK' } } });
  const box = { id: '1', kind: 'box', owner: null };
  expect(write(box)).not.toHaveProperty('owner');
  expect(read(write(box))).toEqual(box);
  expect(read(write({ id: '1', kind: 'bag' }))).toEqual({ id: '1', kind: 'bag' });
});

test("a member's defaults, transforms and refinements apply only to items of that member", () => {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ id, kind: z.literal('box'), label: z.string().default('plain') }),
    z
      .object({ id, kind: z.literal('bag'), label: z.string().transform((text) => text.toUpperCase()) })
      .refine(({ label }) => label !== 'NONE', 'a bag has a label'),
  ]);
  const { write } = shelf(attributes);
  expect(write({ id: '1', kind: 'box' })).toMatchObject({ label: 'plain' });
  expect(write({ id: '1', kind: 'bag', label: 'tea' })).toMatchObject({ label: 'TEA' });
  expect(write({ id: '1', kind: 'box', label: 'NONE' })).toMatchObject({ label: 'NONE' });
  expect(() => write({ id: '1', kind: 'bag', label: 'none' })).toThrow('Thing: a bag has a label');
});

test('a read identifies an item of a nested union by both discriminators', () => {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ id, kind: z.literal('box') }),
    z.discriminatedUnion('cloth', [
      z.strictObject({ id, kind: z.literal('bag'), cloth: z.literal('silk'), threads: z.int() }),
      z.strictObject({ id, kind: z.literal('bag'), cloth: z.literal('wool'), sheep: z.string() }),
    ]),
  ]);
  const silk = { id: '1', kind: 'bag', cloth: 'silk', threads: 3 };
  expect(shelf(attributes).read({ ...silk, sheep: 'Dolly' })).toEqual(silk);
});
