import { type FailedWrite, type FailureKind, RequestError, retry } from '../../../lib/dynamodb';

const failed = (kind: FailureKind, unique?: string) =>
  new RequestError('TransactionCanceledException', kind, kind, [
    { name: 'p', kind, entity: 'E', key: {}, tests: [], isEqual: false, ...(unique && { unique }) } as FailedWrite,
  ]);

/** Fails the given number of times, then returns the attempt number; records the pauses between attempts. */
function trial(times: number, error: unknown, attempts?: number) {
  const pauses: number[] = [];
  const work = async (attempt: number) => {
    if (attempt <= times) throw error;
    return attempt;
  };
  const pause = async (attempt: number) => pauses.push(attempt);
  return { pauses, done: retry(work, { pause, ...(attempts && { attempts }) }) };
}

test.each(['conflict', 'condition', 'stale', 'exists'] as const)(
  'retries the work after an error of kind %s',
  async (kind) => {
    const { done, pauses } = trial(3, failed(kind));
    expect(await done).toBe(4);
    expect(pauses).toEqual([1, 2, 3]);
  },
);

test.each([
  ['a value that is taken', failed('exists', 'email')],
  ['a missing item', failed('missing')],
  ['throttling, which the SDK retries', failed('throttled')],
  ['an error that the caller throws', new Error('cancelled')],
])('throws without retrying after %s', async (_, error) => {
  const { done, pauses } = trial(1, error);
  await expect(done).rejects.toBe(error);
  expect(pauses).toEqual([]);
});

test('throws the error of the last attempt without another pause', async () => {
  const error = failed('conflict');
  const { done, pauses } = trial(3, error, 3);
  await expect(done).rejects.toBe(error);
  expect(pauses).toEqual([1, 2]);
  await expect(trial(100, error).done).rejects.toBe(error);
});

test('refuses an invalid number of attempts', async () => {
  await expect(retry(async () => 1, { attempts: 0 })).rejects.toThrow('attempts must be a positive integer, got: 0');
});
