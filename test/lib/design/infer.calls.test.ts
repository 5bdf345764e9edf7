import type { PatternValues } from '../../../lib';
import { render, template } from '../../../lib/design/template';
import { type NewOrder, type Shop, shop } from './infer-shop';

/* The compiler checks these calls (`npm run types`): it must refuse the marked calls, and accept all others. */

/** The functions of a client for the table, one for each pattern. */
type Calls = {
  readonly [P in keyof Shop['patterns']]: (values: PatternValues<Shop, P>) => { values: PatternValues<Shop, P> };
};
const run = new Proxy({}, { get: () => (values: object) => ({ values }) }) as Calls;

// @ts-expect-error an unknown pattern
void run.nope;
// @ts-expect-error a missing part
run.getOrder({ customerId: 'c1' });
// @ts-expect-error a part of the wrong type
run.getOrder({ customerId: 'c1', orderId: 1 });
// @ts-expect-error a part that the pattern does not have
run.getOrder({ customerId: 'c1', orderId: 'o1', more: 'x' });
// @ts-expect-error not a value of the enum
run.ordersBetween({ customerId: 'c1', from: '1', to: '2', total: 0, status: 'gone' });
// @ts-expect-error half a range
run.ordersBetween({ customerId: 'c1', from: '1', total: 0 });
// @ts-expect-error padding needs a number
run.ordersOfDay({ at: '2026-01-31', items: '0001' });
// @ts-expect-error `day` is inside a map
run.customersOfDay({ day: '2026-01-31' });
// @ts-expect-error only the part with `?` may be left out
run.some({ orderId: 'o1' });
// @ts-expect-error a missing attribute of the item
run.createOrder({ orderId: 'o1', customerId: 'c1', at: '2026-01-31T00:00:00Z', status: 'open' });
// @ts-expect-error the amount must be a number
run.createFirstOrder({ code: 'x', customerId: 'c1', at: '2026-01-31T00:00:00Z', amount: '10' });
// @ts-expect-error the values that `set` and `add` need are missing
run.changeCustomer({ customerId: 'c1', first: 'A', last: 'B', name: 'A B', tier: 'free', remark: '' });
// @ts-expect-error the item of the `put` step is missing
run.placeOrder({ archive: 'c0', left: 1, times: 1, friendId: 'c2', tier: 'free' });

const order: NewOrder = { orderId: 'o1', customerId: 'c1', at: '2026-01-31T00:00:00Z', total: 10, status: 'open' };
// @ts-expect-error a value for the `update` step is missing
run.placeOrder({ order, archive: 'c0', times: 1, friendId: 'c2', tier: 'free' });

test('the keys of a pattern can be rendered from values that pass the type check', () => {
  const rules = { separator: '#', maxBytes: 2048 };
  const { values } = run.ordersOfDay({ at: '2026-01-31T12:00:00Z', items: 7 });
  const { GSI1PK, GSI1SK } = shop.patterns.ordersOfDay.where;
  expect(render(template(GSI1PK), values, rules)).toBe('DAY#2026-01-31');
  expect(render(template(GSI1SK.atLeast), values, rules)).toBe('0007');

  const placed = run.placeOrder({ order, archive: 'c0', left: 1, times: 1, friendId: 'c2', tier: 'free' });
  const { customer } = shop.patterns.placeOrder.steps;
  expect(render(template(customer.where.PK), placed.values, rules)).toBe('CUSTOMER#c1');

  const nested = run.deep({ a: { b: { c: 'x', n: 7 } } });
  expect(render(template('<a.b.c>#<a.b.n:4>'), nested.values, rules)).toBe('x#0007');
});
