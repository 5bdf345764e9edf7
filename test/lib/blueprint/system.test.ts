import { namesIn, patternsNamed, tablesOf } from '../../../lib/blueprint/system';
import { defineSystem, type SystemDesign } from '../../../lib/design/system';
import { touchedBy } from '../../../lib/permissions/azure-tables';
import { grantOf } from '../../../lib/permissions/grant';
import { carts, orders, shop } from '../../fixtures/designs';

/** One procedure shares its name with a pattern, one has a name of its own, and one uses no patterns. */
const system: SystemDesign = defineSystem({
  name: 'shop',
  cloud: 'aws',
  tables: {
    orders,
    carts: {
      ...carts,
      patterns: {
        getCart: { op: 'get', where: { PK: 'CART#<cartId>', SK: 'CART' }, returns: ['Cart'] },
        addCart: { op: 'put', entity: 'Cart' },
      },
    },
  },
  procedures: {
    placeOrder: { uses: ['getCart', 'getCustomer'] },
    checkOut: { uses: ['placeOrder', 'addCart'] },
    sayHello: { uses: [] },
  },
});

const named = (...names: readonly string[]) =>
  Object.fromEntries(
    patternsNamed(system, names).map(({ table, patterns }) => [table, patterns.map(({ name }) => name)]),
  );

test('tablesOf treats a single table as a system with one table', () => {
  expect(tablesOf(orders)).toEqual([['orders', orders]]);
  expect(tablesOf(shop).map(([name]) => name)).toEqual(['orders', 'carts', 'stock']);
  expect(patternsNamed(orders, ['getCustomer'])).toMatchObject([{ table: 'orders', design: orders }]);
});

test('namesIn lists the patterns of a system before its procedures', () => {
  expect(namesIn(system)).toEqual([
    ...Object.keys(orders.patterns),
    ...['getCart', 'addCart'],
    ...['placeOrder', 'checkOut', 'sayHello'],
  ]);
  expect(namesIn(carts)).toEqual([]);
});

describe('patternsNamed', () => {
  test('the name of a pattern refers to that pattern, and not to patterns of other tables', () => {
    expect(named('getCart')).toEqual({ carts: ['getCart'] });
    expect(named('customerByEmail', 'addCart')).toEqual({ orders: ['customerByEmail'], carts: ['addCart'] });
  });

  test('the name of a procedure refers to the patterns that the procedure uses', () => {
    expect(named('checkOut')).toEqual({ orders: ['placeOrder'], carts: ['addCart'] });
    expect(named('sayHello')).toEqual({});
  });

  test('a name shared by a procedure and a pattern refers to that pattern and to the patterns that the procedure uses', () => {
    expect(named('placeOrder')).toEqual({ orders: ['getCustomer', 'placeOrder'], carts: ['getCart'] });
  });

  test('patternsNamed returns each pattern once, even if several names refer to the pattern', () => {
    expect(named('getCart', 'placeOrder', 'getCart')).toEqual(named('placeOrder'));
  });

  test('the name of a built-in object property refers to no pattern', () => {
    expect(named('constructor', 'toString', '__proto__')).toEqual({});
  });
});

describe('a procedure that shares its name with a pattern', () => {
  const patterns = ['placeOrder', 'getCustomer', 'getCart'];
  /** The system without procedures, in which `placeOrder` is only a pattern. */
  const { procedures: _, ...bare } = system;

  test('on AWS, a grant for a name shared by a procedure and a pattern covers both', () => {
    const granted = (of: SystemDesign, names: readonly string[]) => grantOf({ of, names });
    expect(granted(system, ['placeOrder'])).toEqual(granted(bare, patterns));
    expect(granted(system, ['placeOrder'])).not.toEqual(granted(bare, ['placeOrder']));
  });

  test('on Azure, a name shared by a procedure and a pattern refers to the tables of both', () => {
    const touched = (of: SystemDesign, names: readonly string[]) =>
      touchedBy(of, names).map(({ table, writes }) => [table, writes]);
    expect(touched(system, ['placeOrder'])).toEqual(touched(bare, patterns));
    expect(touched(system, ['placeOrder'])).not.toEqual(touched(bare, ['placeOrder']));
  });
});
