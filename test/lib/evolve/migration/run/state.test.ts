import {
  type Clock,
  Lease,
  LeaseError,
  type LeaseOptions,
  loadState,
  want,
} from '../../../../../lib/evolve/migration/run/state';
import type { StateStore } from '../../../../../lib/evolve/migration/run/store';

/** An in-memory state store whose saves each take one turn of the event loop. */
function statesInMemory(): StateStore {
  const kept = new Map<string, { readonly value: string; readonly version: string }>();
  return {
    name: 'memory',
    load: async (id) => kept.get(id),
    async save(id, value, version) {
      await new Promise(setImmediate);
      if (kept.get(id)?.version !== version) return undefined;
      const next = String(Number(version ?? 0) + 1);
      kept.set(id, { value, version: next });
      return next;
    },
  };
}

/** The clock of one machine: durations are right, but the time of day is off. */
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
    () => ({ step: 'backfill', phase: 'fill', status: 'running', startedAt: '', passes: [], failures: [] }),
    { owner: 'me', ttl: 60_000, wait: false, ...more },
  );

test('a renewal during the release of a lease does not take the lease again', async () => {
  const states = statesInMemory();
  const lease = await take(states);
  const back = lease.save((state) => ({ ...state, status: 'paused' }), 'back');
  const beat = lease.save((state) => state);
  await Promise.all([back, beat]);
  expect((await loadState(states, 'm'))?.state).toMatchObject({ status: 'paused' });
  expect((await loadState(states, 'm'))?.state.lease).toBeUndefined();
  await expect(take(states)).resolves.toBeInstanceOf(Lease);
});

test('a runner cannot write after it released its lease', async () => {
  const lease = await take(statesInMemory());
  await lease.save((state) => state, 'back');
  expect(() => lease.assertHeld()).toThrow(LeaseError);
  expect(() => lease.assertHeld()).toThrow('the lease is lost (it was released)');
});

describe('on machines whose clocks disagree', () => {
  const DAY = 24 * 60 * 60 * 1000;

  test.each([DAY, -DAY])('a runner is replaced once its lease expires (%i ms apart)', async (apart) => {
    const states = statesInMemory();
    await take(states, { owner: 'the first', ttl: 1000, clock: clockFrom(apart) });
    const clock = clockFrom(0);
    const lease = await take(states, { clock });
    expect(lease.state.token).toBe(2);
    expect(clock.passed).toBeGreaterThanOrEqual(1000);
    expect(clock.passed).toBeLessThan(1500);
  });

  test.each([DAY, -DAY])('a runner that renews its lease keeps it (%i ms apart)', async (apart) => {
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

  test('a runner cannot write after its lease expired', async () => {
    const clock = clockFrom(DAY);
    const lease = await take(statesInMemory(), { ttl: 1000, clock });
    clock.passed = 999;
    expect(() => lease.assertHeld()).not.toThrow();
    clock.passed = 1000;
    expect(() => lease.assertHeld()).toThrow('it was not renewed in time');
  });

  test.each([
    ['pause', 'paused'],
    ['abort', 'aborted'],
  ] as const)('%s sets the status itself if the runner is gone', async (wish, status) => {
    const states = statesInMemory();
    await take(states, { ttl: 1000, clock: clockFrom(DAY) });
    expect(await want(states, 'm', wish, clockFrom(0))).toMatchObject({ status });
    expect((await loadState(states, 'm'))?.state.lease).toBeUndefined();
  });
});
