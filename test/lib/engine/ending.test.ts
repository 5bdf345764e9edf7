import { endingOfAll } from '../../../lib/engine/ending';

// test/bin/prove.slow.test.ts checks that Node does not warn about leaking listeners.
test('aborts every pending request', () => {
  const ending = endingOfAll();
  let ended = 0;
  for (let i = 0; i < 20; i++) ending.signal.addEventListener('abort', () => ended++);
  ending.abort();
  expect(ended).toBe(20);
});
