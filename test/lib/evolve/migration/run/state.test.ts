import {
  type Clock,
  Lease,
  LeaseError,
  type LeaseOptions,
  loadState,
  want,
} from '../../../../../lib/evolve/migration/run/state';
import type { StateStore } from '../../../../../lib/evolve/migration/run/store';

/** An in-memory state store. Each save waits for `saving`, by default for one turn of the event loop. */
function statesInMemory(saving: () => unknown = () => new Promise(setImmediate)): StateStore {
  const kept = new Map<string, { readonly value: string; readonly version: string }>();
  return {
    name: 'memory',
    load: async (id) => kept.get(id),
    async save(id, value, version) {
      await saving();
      if (kept.get(id)?.version !== version) return undefined;
      const next = String(Number(version ?? 0) + 1);
      kept.set(id, { value, version: next });
      return next;
    },
  };
}

/** A clock that measures durations correctly, but starts at the wrong time of day. */
const clockFrom = (start: number): Clock & { passed: number } => ({
  passed: 0,
  now() {
    return start + this.passed;
  },
  async sleep(milliseconds) {
    await new Promise(setImmediate);
    this.passed += milliseconds;
  },
});

const take = (states: StateStore, more: Partial<LeaseOptions> = {}) =>
  Lease.take(
    states,
    'm',
    () => ({ step: 'backfill', phase: 'fill', tables: {}, status: 'running', startedAt: '', passes: [], failures: [] }),
    { owner: 'me', ttl: 60_000, wait: false, ...more },
  );

test('renewing a lease while it is being released does not acquire it again', async () => {
  const states = statesInMemory();
  const lease = await take(states);
  const back = lease.save((state) => ({ ...state, status: 'paused' }), 'back');
  const beat = lease.save((state) => state);
  await Promise.all([back, beat]);
  expect((await loadState(states, 'm'))?.state).toMatchObject({ status: 'paused' });
  expect((await loadState(states, 'm'))?.state.lease).toBeUndefined();
  await expect(take(states)).resolves.toBeInstanceOf(Lease);
});

test('a runner cannot write after it has released its lease', async () => {
  const lease = await take(statesInMemory());
  await lease.save((state) => state, 'back');
  expect(() => lease.held()).toThrow(LeaseError);
  expect(() => lease.held()).toThrow('the lease is lost (it was released)');
});

describe('on machines whose clocks disagree', () => {
  const DAY = 24 * 60 * 60 * 1000;

  test.each([DAY, -DAY])('a runner is replaced once its lease expires (clocks %i ms apart)', async (apart) => {
    const states = statesInMemory();
    await take(states, { owner: 'the first', ttl: 1000, clock: clockFrom(apart) });
    const clock = clockFrom(0);
    const lease = await take(states, { clock });
    expect(lease.state.token).toBe(2);
    expect(clock.passed).toBeGreaterThanOrEqual(1000);
    expect(clock.passed).toBeLessThan(1500);
  });

  test.each([DAY, -DAY])('a runner that renews its lease keeps it (clocks %i ms apart)', async (apart) => {
    const states = statesInMemory();
    const first = await take(states, { owner: 'the first', ttl: 1000, clock: clockFrom(apart) });
    const clock = clockFrom(0);
    const { sleep } = clock;
    clock.sleep = async (milliseconds) => {
      await sleep.call(clock, milliseconds);
      await first.save((state) => state);
    };
    await expect(take(states, { clock })).rejects.toThrow(
      /^the first is running this migration, and renewed its lease/,
    );
  });

  test.each([
    ['pause', 'paused'],
    ['abort', 'aborted'],
  ] as const)('%s sets the status directly if the runner is gone', async (wish, status) => {
    const states = statesInMemory();
    await take(states, { ttl: 1000, clock: clockFrom(DAY) });
    expect(await want(states, 'm', wish, clockFrom(0))).toMatchObject({ status });
    expect((await loadState(states, 'm'))?.state.lease).toBeUndefined();
  });
});

/** Saves a checkpoint, as a runner does after each page of a pass. */
const checkpoint = (lease: Lease) => lease.save((state) => ({ ...state, passes: [...state.passes] }));

describe('a runner whose lease expired', () => {
  test('a runner renews its expired lease for twice the term if no other runner has acquired the lease', async () => {
    const clock = clockFrom(0);
    const states = statesInMemory();
    const lease = await take(states, { ttl: 1000, clock });
    clock.passed = 999;
    expect(lease.held()).toBeUndefined();
    clock.passed = 1000;
    await expect(lease.held()).resolves.toBeUndefined();
    expect((await loadState(states, 'm'))?.state.lease).toMatchObject({ token: 1, beat: 1, ttl: 2000 });
    clock.passed = 2999;
    expect(lease.held()).toBeUndefined();
  });

  test('a runner stops writing if another runner has acquired its expired lease', async () => {
    const clock = clockFrom(0);
    const states = statesInMemory();
    const lease = await take(states, { ttl: 1000, clock });
    await take(states, { owner: 'the second', clock });
    await expect(lease.held()).rejects.toThrow(
      'the lease is lost (the second took it): this runner writes nothing more',
    );
  });

  test("a runner keeps its lease even if a renewal takes longer than the lease's term", async () => {
    const clock = clockFrom(0);
    const states = statesInMemory(() => clock.sleep(3500));
    const lease = await take(states, { ttl: 1000, clock });
    await expect(lease.held()).resolves.toBeUndefined();
    expect(lease.state).toMatchObject({ token: 1, lease: { ttl: 4000 } });
  });
});

test('pending renewals do not delay the next checkpoint, even if saving the state is slow', async () => {
  let saves = 0;
  const lease = await take(
    statesInMemory(async () => {
      saves++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }),
  );
  const beats = Array.from({ length: 50 }, () => lease.renew());
  await checkpoint(lease);
  expect(saves).toBe(3);
  await Promise.all(beats);
  expect(saves).toBe(3);
});

describe('a runner that takes over an expired lease', () => {
  const replaced = async (own: number, progress: boolean, ttl: number) => {
    const states = statesInMemory();
    const first = await take(states, { ttl, clock: clockFrom(0) });
    if (progress) await checkpoint(first);
    return (await take(states, { ttl: own, clock: clockFrom(0) })).state.lease?.ttl;
  };

  test('a takeover doubles the term if the old owner has saved no progress, because it may be slow rather than dead', async () => {
    expect(await replaced(1000, false, 1000)).toBe(2000);
    expect(await replaced(60_000, false, 1000)).toBe(60_000);
  });

  test('a takeover doubles the term to at most five minutes', async () => {
    expect(await replaced(1000, false, 200_000)).toBe(300_000);
  });

  test('a takeover keeps the requested term if the old owner has saved progress', async () => {
    expect(await replaced(1000, true, 2000)).toBe(1000);
  });
});
