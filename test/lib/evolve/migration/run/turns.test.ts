import { setImmediate as later } from 'node:timers/promises';
import { Turns } from '../../../../../lib/evolve/migration/run/turns';

/** Creates tasks that end on request, and records the order in which they start. */
function tasks() {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const task = (name: string) => {
    started.push(name);
    return new Promise<void>((resolve, reject) => {
      ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
    });
  };
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await later();
  };
  return { started, task, end };
}

test('starts tasks from the next list while the last tasks from the first list are still running', async () => {
  const { started, task, end } = tasks();
  const turns = new Turns(2);
  const first = turns.all(['a', 'b', 'c'], task);
  const second = turns.all(['d', 'e'], task);
  expect(started).toEqual(['a', 'b']);
  await end('a');
  expect(started).toEqual(['a', 'b', 'c']);
  await end('c');
  expect(started).toEqual(['a', 'b', 'c', 'd']);
  await end('b');
  await first;
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  await end('d');
  await end('e');
  await second;
});

test('starts no task after a failure, and reports the failure once all started tasks have ended', async () => {
  const { started, task, end } = tasks();
  const turns = new Turns(2);
  let reported: unknown;
  const first = turns.all(['a', 'b', 'c'], task).catch((error: unknown) => {
    reported = error;
  });
  const second = turns.all(['d'], task);
  second.catch(() => undefined);
  const error = new Error('throttled');
  await end('a', error);
  expect(reported).toBeUndefined();
  await end('b');
  await first;
  expect(reported).toBe(error);
  await expect(second).rejects.toBe(error);
  expect(started).toEqual(['a', 'b']);
});

test('lets started tasks finish after `close`, and starts no further tasks', async () => {
  const { started, task, end } = tasks();
  const turns = new Turns(1);
  const first = turns.all(['a'], task);
  const second = turns.all(['b'], task);
  second.catch(() => undefined);
  const error = new Error('stopped');
  turns.close(error);
  await end('a');
  await first;
  await expect(second).rejects.toBe(error);
  expect(started).toEqual(['a']);
});
