import { getMaxListeners } from 'node:events';
import { endingOfAll } from '../../../lib/engine/ending';

// Node warns of a leak at the eleventh listener, in the terminal of whoever runs twenty requests at once.
test('any number of requests may wait for the same end', () => {
  const ending = endingOfAll();
  expect(getMaxListeners(ending.signal)).toBe(0);
  const ended: number[] = [];
  for (let i = 0; i < 20; i++) ending.signal.addEventListener('abort', () => ended.push(i));
  ending.abort();
  expect(ended).toHaveLength(20);
});
