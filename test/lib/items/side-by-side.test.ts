import { setTimeout as sleep } from 'node:timers/promises';
import { sideBySide } from '../../../lib/items/side-by-side';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

test('sideBySide completes all the work without exceeding the given concurrency', async () => {
  let [running, most] = [0, 0];
  const done: number[] = [];
  const work = async (n: number) => {
    most = Math.max(most, ++running);
    await sleep(1);
    done.push(n);
    running--;
  };
  await sideBySide(numbers(10), work, 3);
  expect([done.sort(), most]).toEqual([numbers(10).sort(), 3]);
  await sideBySide([], work);
});

test('sideBySide starts no further work after a failure, and throws once all running work has ended', async () => {
  const [begun, ended] = [new Set<number>(), new Set<number>()];
  const work = async (n: number) => {
    begun.add(n);
    await sleep(n === 0 ? 1 : 20);
    if (n === 0) throw new Error('no');
    ended.add(n);
  };
  await expect(sideBySide(numbers(10), work, 3)).rejects.toThrow('no');
  expect([...begun]).toEqual([0, 1, 2]);
  expect([...ended]).toEqual([1, 2]);
});
