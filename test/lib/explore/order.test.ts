import type { SystemDesign } from '../../../lib/design/system';
import { orderOf } from '../../../lib/explore/order';
import { explore } from '../../../lib/explore/system';
import { systems } from '../../../lib/systems';

test('orders attributes as in the design, and unknown attributes alphabetically, at every depth', () => {
  const order = orderOf(explore(systems.blog as SystemDesign).view);
  const post = { subcategoryId: 'a', postId: 'p', zeta: 1, alpha: { b: 1, a: [{ d: 1, c: 2 }] } };
  const names = JSON.stringify(order({ cursor: 'x', items: [post, { postId: 'p', subcategoryId: 'a' }] }));
  expect(names).toBe(
    '{"items":[{"postId":"p","subcategoryId":"a","alpha":{"a":[{"c":2,"d":1}],"b":1},"zeta":1},{"postId":"p","subcategoryId":"a"}],"cursor":"x"}',
  );
});
