import { z } from 'zod';
import * as mini from 'zod/mini';
import { isRead } from '../../../lib/blueprint/accesses';
import {
  entitiesNamed,
  entityNamed,
  isSortKey,
  keysIn,
  outline,
  outlineOfReads,
  rulesOf,
  type TableOutline,
} from '../../../lib/blueprint/outline';
import { blueprint } from '../../../lib/blueprint/table';
import type { TableDesign } from '../../../lib/design/table';
import { anyDesign } from '../../fixtures/any-design';
import { orders, tableOf } from '../../fixtures/designs';
import fc from '../../support/fuzz';

/* `table.test.ts` tests the fields that only a blueprint has. */

const table = outline(orders);
const names = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name);

describe('the type attribute in the keys of an entity', () => {
  const keyOf = (attributes: z.ZodObject, more: object = {}) => {
    const entities = { Order: { attributes, keys: { PK: '<kind>#<id>', SK: '<kind>' }, ...more } };
    const design = { name: 'orders', key: { partition: 'PK', sort: 'SK' }, typeAttribute: 'kind', entities };
    return outline(design as TableDesign).entities[0]?.keys.get('PK')?.template.text;
  };
  const id = z.string();

  test("a key part that refers to the type attribute is replaced by the entity's type", () => {
    expect(keyOf(z.object({ id }))).toBe('Order#<id>');
    expect(keyOf(z.object({ id }), { type: 'ORDER' })).toBe('ORDER#<id>');
  });

  test('a key part that refers to the type attribute remains a part if the entity declares the attribute', () => {
    expect(keyOf(z.object({ id, kind: z.string() }))).toBe('<kind>#<id>');
  });
});

describe('an outline', () => {
  test('the outline of a design is built only once, and shared with the blueprint', () => {
    expect(outline(orders)).toBe(table);
    expect(outline({ ...orders })).not.toBe(table);
    expect(blueprint(orders).patterns).toBe(table.patterns);
  });

  test('an outline has the patterns of the design, and computes their accesses on demand', () => {
    expect(names(table.patterns)).toEqual(Object.keys(orders.patterns));
    const placeOrder = table.patterns.find(({ name }) => name === 'placeOrder');
    expect(placeOrder).toMatchObject({ name: 'placeOrder', design: orders.patterns.placeOrder });
    expect(placeOrder?.accesses.map(({ action, part }) => [action, part])).toEqual([
      ['put', 'order'],
      ['require', 'customer'],
    ]);
    expect(placeOrder?.accesses).toBe(placeOrder?.accesses);
  });

  test('the outline for reads equals the full outline, except that its write patterns have no accesses', () => {
    const reading = outlineOfReads(orders);
    expect(reading.entities).toEqual(table.entities);
    expect(reading.patterns.map(({ accesses }) => accesses)).toEqual(
      table.patterns.map(({ design, accesses }) => (isRead(design) ? accesses : [])),
    );
  });

  test('the outline of a design with zod/mini schemas equals the outline of the same design with zod schemas', () => {
    const keys = { PK: 'THING#<id>', SK: '<at>', GSI1PK: '<map.a>' };
    const indexes = { byA: { partition: 'GSI1PK', sort: 'n' } };
    const classic = z.object({
      id: z.string(),
      at: z.iso.date(),
      n: z.int(),
      map: z.object({ a: z.string() }).optional(),
    });
    const small = mini.object({
      id: mini.string(),
      at: mini.iso.date(),
      n: mini.int(),
      map: mini.optional(mini.object({ a: mini.string() })),
    });
    const [one, other] = [classic, small].map((attributes) => outline(tableOf({ attributes, keys }, { indexes })));
    const told = ({ key, indexes, keyAttributes, entities }: TableOutline) => ({
      ...{ key, indexes, keyAttributes },
      entities: entities.map(({ attributes, keys, type }) => ({ attributes, keys, type })),
    });
    expect(told(other as TableOutline)).toEqual(told(one as TableOutline));
  });

  test('the outline and its accesses can be built from any design, even an unsound one', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        const { patterns, entities } = outline(design);
        expect(names(entities)).toEqual(Object.keys(design.entities));
        expect(names(patterns)).toEqual(Object.keys(design.patterns ?? {}));
        for (const { accesses } of patterns) expect(Array.isArray(accesses)).toBe(true);
      }),
    );
  });
});

describe('entities', () => {
  test('entitiesNamed finds entities by name, and skips unknown names', () => {
    expect(entityNamed(table, 'Order')).toBe(table.entities[1]);
    for (const name of ['order', 'toString', 'constructor', '']) expect(entityNamed(table, name)).toBeUndefined();
    expect(names(entitiesNamed(table, ['Order', 'Nobody', 'Customer']))).toEqual(['Order', 'Customer']);
  });

  test('an entity in the outline lists the names of its attributes', () => {
    expect(entityNamed(table, 'Customer')?.attributes).toEqual(['customerId', 'email']);
  });

  test('an entity is in an index if it has all keys of the index', () => {
    const inIndex = (entity: string) =>
      table.indexes.flatMap((index) =>
        keysIn(entityNamed(table, entity) ?? { keys: new Map() }, index) ? [index.name] : [],
      );
    expect(inIndex('Customer')).toEqual(['byEmail']);
    expect(inIndex('Order')).toEqual(['byStatus', 'byDay']);
    expect(inIndex('Nobody')).toEqual([]);
  });
});

describe('rulesOf', () => {
  test('rulesOf applies the length limit for sort keys to any attribute that is the sort key of the table or an index', () => {
    const design = outline({ ...orders, indexes: { inverted: { partition: 'SK', sort: 'PK' } } });
    expect(['PK', 'SK', 'total'].map((name) => isSortKey(table, name))).toEqual([false, true, false]);
    expect(isSortKey(design, 'PK')).toBe(true);
    expect(rulesOf(table, 'PK')).toEqual({ separator: '#', maxBytes: 2048 });
    expect(rulesOf(table, 'SK')).toEqual({ separator: '#', maxBytes: 1024 });
    expect(rulesOf(design, 'PK').maxBytes).toBe(1024);
  });

  test('rulesOf returns the separator of the design', () => {
    expect(rulesOf(outline({ ...orders, separator: '|' }), 'PK').separator).toBe('|');
  });
});
