import { z } from 'zod';
import { diff, lockOf } from '../../../../lib/evolve';
import type { PatternDesign } from '../../../../lib/index';
import { before, edited, Order, order, orders, Refund, without } from '../../../fixtures/booked/designs';

const environment = 'prod';
const patternOf = (name: string) => orders.patterns?.[name] as PatternDesign;
const changed = (name: string, edit: object) =>
  edited({ patterns: { ...orders.patterns, [name]: { ...patternOf(name), ...edit } as PatternDesign } });
const changeOf = (name: string, edit: object) => {
  const [change, ...others] = diff(lockOf(before, { environment }), lockOf(changed(name, edit), { environment }));
  expect(others).toEqual([]);
  return change;
};

describe('a parameter that callers must pass under a different name', () => {
  test.each([
    ['in a value', 'editOrder', { set: { note: '<text>' } }, 'callers must pass text instead of note'],
    ['in a condition', 'editOrder', { condition: { total: '<paid>' } }, 'callers must pass paid'],
    ['in a filter', 'ordersOfShop', { filter: { total: { atLeast: '<least>' } } }, 'callers must pass least'],
    [
      'in a key',
      'getOrder',
      { where: { PK: 'SHOP#<shop>', SK: 'ORDER#<id>' } },
      'callers must pass id instead of orderId',
    ],
  ])('a changed parameter %s needs an answer', (_, name, edit, how) => {
    expect(changeOf(name, edit)).toMatchObject({
      rule: 'pattern-changed',
      verdict: 'ask',
      breaks: [{ who: 'callers', how }],
    });
  });

  test('callers may omit a renamed parameter that is optional', () => {
    expect(changeOf('editOrder', { condition: { note: '<note?>' } })).toMatchObject({ verdict: 'safe', breaks: [] });
  });
});

test('a parameter that is renamed along with its attribute needs no answer', () => {
  const attributes = z.object({ ...without(order, 'note'), remark: order.note });
  const editOrder = { ...patternOf('editOrder'), set: { remark: '<remark>' } } as PatternDesign;
  const after = edited({
    entities: { Order: { ...Order, attributes }, Refund },
    patterns: { ...orders.patterns, editOrder },
  });
  const changes = diff(lockOf(before, { environment }), lockOf(after, { environment }), {
    renamed: { 'orders.Order.note': 'remark' },
  });
  expect(changes.map(({ rule }) => rule)).toEqual(['attribute-renamed']);
});

test('reports that callers are affected if results lose attributes', () => {
  expect(changeOf('ordersOfShop', { select: ['orderId', 'total'] })).toMatchObject({
    verdict: 'safe',
    breaks: [{ who: 'callers', how: 'results no longer have note, shop, state' }],
  });
});
