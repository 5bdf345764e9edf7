import type { SystemDesign } from '../../../lib/design/system';
import type { SynthesizedStack } from '../../../lib/dynamodb/template/assembly';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { proofTemplate } from '../../../lib/proof/template';
import { notes } from './notes';

/** Returns a system with the given tables. */
const systemOf = (...tables: string[]): SystemDesign => ({
  name: 'shop',
  cloud: 'aws',
  tables: Object.fromEntries(tables.map((table) => [table, notes.tables.notes])),
});

/**
 * Returns a stack with the given tables. `tables` maps the logical id of each table to its physical name, if it has
 * one.
 */
const stackOf = (name: string, tables: Record<string, string | object | undefined>): SynthesizedStack => ({
  name,
  template: {
    Resources: Object.fromEntries(
      Object.entries(tables).map(([id, TableName]) => [
        id,
        { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName, BillingMode: id } },
      ]),
    ),
  } as TemplateJson,
});

/** Maps each of the system's tables to the logical id of the synthesized table that matches it. */
function placesIn(system: SystemDesign, stacks: readonly SynthesizedStack[], places?: Record<string, string>) {
  const { Resources = {} } = proofTemplate(system, 'proof', stacks, places);
  return Object.fromEntries(
    Object.entries(Resources).map(([table, { Properties }]) => [table, Properties?.BillingMode]),
  );
}

test('copies the synthesized tables under new names', () => {
  const stack = stackOf('Shop', { A: 'shop-prod-orders' });
  expect(proofTemplate(systemOf('orders'), 'proof-1', [stack])).toEqual({
    Resources: {
      orders: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: { TableName: 'shop-proof-1-orders', BillingMode: 'A' },
      },
    },
  });
});

describe('the search for a table', () => {
  test("prefers a name that contains both the system's and the table's name over names that contain only the table's", () => {
    const stacks = [stackOf('Other', { A: 'bank-dev-orders' }), stackOf('Shop', { B: 'shop-dev-orders', C: 'orders' })];
    expect(placesIn(systemOf('orders'), stacks)).toEqual({ orders: 'B' });
  });

  test("finds a table whose name equals the table's name in the design, or ends with it", () => {
    expect(placesIn(systemOf('orders', 'carts'), [stackOf('Shop', { A: 'orders', B: 'x-carts' })])).toEqual({
      orders: 'A',
      carts: 'B',
    });
  });

  test('finds a table by its construct id if CloudFormation generates the name', () => {
    const stack = stackOf('Shop', {
      orders1A2B3C4D: undefined,
      carts5E6F7A8B: { 'Fn::Join': [] },
      cartsArchive1A2B3C4D: '',
    });
    expect(placesIn(systemOf('orders', 'carts'), [stack])).toEqual({
      orders: 'orders1A2B3C4D',
      carts: 'carts5E6F7A8B',
    });
  });

  test('finds the only table in a stack, regardless of its name', () => {
    expect(placesIn(systemOf('orders'), [stackOf('Shop', { TheTable: 'anything' })])).toEqual({ orders: 'TheTable' });
  });

  test('finds a table in any stack', () => {
    const stacks = [stackOf('One', { A: 'shop-dev-orders' }), stackOf('Two', { B: 'shop-dev-carts' })];
    expect(placesIn(systemOf('orders', 'carts'), stacks)).toEqual({ orders: 'A', carts: 'B' });
  });

  test('finds a table by the physical name or logical id that the caller gives', () => {
    const stack = stackOf('Shop', { A: 'shop-dev-orders', B: 'old', C: undefined });
    expect(placesIn(systemOf('orders'), [stack], { orders: 'old' })).toEqual({ orders: 'B' });
    expect(placesIn(systemOf('orders'), [stack], { orders: 'C' })).toEqual({ orders: 'C' });
  });
});

describe('several environments', () => {
  const meant = (environment: string, stacks: readonly SynthesizedStack[]) => {
    const { Resources = {} } = proofTemplate(systemOf('orders'), 'proof', stacks, {}, environment);
    return Resources.orders?.Properties?.BillingMode;
  };

  test("uses the table name to pick the given environment's table", () => {
    const stacks = [stackOf('One', { Dev: 'shop-dev-orders' }), stackOf('Two', { Prod: 'shop-prod-orders' })];
    expect(meant('dev', stacks)).toBe('Dev');
    expect(meant('prod', stacks)).toBe('Prod');
    expect(() => meant('staging', stacks)).toThrow(
      'choose the stack (--stack One) or the environment (--environment dev)',
    );
  });

  test("uses the stack name to pick the given environment's table if CloudFormation generates the table name", () => {
    const stacks = [
      stackOf('Shop-dev', { orders1A2B3C4D: undefined }),
      stackOf('Shop-prod', { orders5E6F7A8B: undefined }),
    ];
    expect(meant('prod', stacks)).toBe('orders5E6F7A8B');
    expect(() => meant('staging', stacks)).toThrow('choose the stack (--stack Shop-dev)');
  });

  test('picks the only table, even if it belongs to another environment', () => {
    expect(meant('prod', [stackOf('One', { Dev: 'shop-dev-orders' })])).toBe('Dev');
  });
});

describe('tables that cannot be found', () => {
  const attempt = (system: SystemDesign, stacks: readonly SynthesizedStack[], places?: Record<string, string>) => () =>
    proofTemplate(system, 'proof', stacks, places);

  test('reports all missing tables at once if no table has a similar name', () => {
    const stack = stackOf('Shop', { A: 'left', B: undefined });
    expect(attempt(systemOf('orders', 'carts'), [stack])).toThrow(
      [
        "2 tables of system 'shop' cannot be found in the stacks",
        "  table 'orders': no table has this name; choose one of left (Shop), B (Shop), for example with --table orders=left",
        "  table 'carts': no table has this name; choose one of left (Shop), B (Shop), for example with --table carts=left",
      ].join('\n'),
    );
  });

  test('reports an ambiguous table if several stacks have a match', () => {
    const stacks = [stackOf('Dev', { A: 'shop-dev-orders' }), stackOf('Prod', { A: 'shop-prod-orders' })];
    expect(attempt(systemOf('orders'), stacks)).toThrow(
      "table 'orders': it could be shop-dev-orders (Dev) or shop-prod-orders (Prod); choose the stack (--stack Dev) or the environment (--environment dev)",
    );
  });

  test('reports an ambiguous table if one stack has several matches', () => {
    expect(attempt(systemOf('orders'), [stackOf('Shop', { A: 'shop-a-orders', B: 'shop-b-orders' })])).toThrow(
      'it could be shop-a-orders (Shop) or shop-b-orders (Shop); choose one (--table orders=A)',
    );
  });

  test('reports that the caller gave a table that does not exist', () => {
    expect(attempt(systemOf('orders'), [stackOf('Shop', { A: 'shop-a-orders' })], { orders: 'B' })).toThrow(
      "table 'orders': no table has this name; choose one of shop-a-orders (Shop), for example with --table orders=shop-a-orders",
    );
  });

  test('reports that the stacks contain no table', () => {
    expect(attempt(systemOf('orders'), [])).toThrow("the stacks contain no table; run 'npx cdk synth' again");
  });
});
