import { endingOfAll } from '../../../lib/engine/ending';

// That Node does not take so many for a leak shows in test/bin/prove.slow.test.ts: nothing is written to the terminal.
test('ends as many requests as wait for it', () => {
  const ending = endingOfAll();
  let ended = 0;
  for (let i = 0; i < 20; i++) ending.signal.addEventListener('abort', () => ended++);
  ending.abort();
  expect(ended).toBe(20);
});
