import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedSystem, DesignedTable } from '../../../constructs/aws';
import { matchers } from '../../../constructs/testing';
import { carts, orders, shop } from '../../fixtures/designs';

expect.extend(matchers);

function cartsTemplate(): Template {
  const stack = new Stack(new App(), 'Stack');
  new DesignedTable(stack, 'Carts', { design: carts, environment: 'dev' });
  return Template.fromStack(stack);
}

describe('a template that provisions a design', () => {
  test('passes', () => {
    expect(cartsTemplate()).toProvision(carts);
  });

  test("`toProvision` passes for the template's own environment", () => {
    expect(cartsTemplate()).toProvision(carts, { environment: 'dev' });
  });

  test('`toProvision` passes for a whole system', () => {
    const stack = new Stack(new App(), 'Stack');
    new DesignedSystem(stack, 'Shop', { design: shop, environment: 'prod' });
    expect(Template.fromStack(stack)).toProvision(shop, { environment: 'prod' });
  });

  test('`not.toProvision` fails for a matching template, and says that it matches', () => {
    const template = cartsTemplate();
    expect(() => expect(template).not.toProvision(carts)).toThrow(
      "expected the template not to provision 'carts', but it does",
    );
  });
});

describe('a template that does not provision a design', () => {
  test('`not.toProvision` passes', () => {
    expect(cartsTemplate()).not.toProvision(orders);
  });

  test('`toProvision` fails with a message that lists every difference', () => {
    const template = cartsTemplate();
    const message = [
      "the template does not provision 'orders':",
      'orders.indexes.byDay: expected an index with key day (string), number (number), got no such index',
      'orders.indexes.byEmail: expected an index with key email (string), got no such index',
      'orders.indexes.byStatus: expected an index with key GSI1PK (string), GSI1SK (string), got no such index',
      'orders.ttl: expected expiresAt, got no TTL',
    ];
    expect(() => expect(template).toProvision(orders)).toThrow(new Error(message.join('\n')));
  });

  test('`toProvision` fails for a different environment', () => {
    const template = cartsTemplate();
    expect(() => expect(template).toProvision(carts, { environment: 'prod' })).toThrow(
      'carts.pointInTimeRecovery: expected 35 days, got 7 days',
    );
  });
});
