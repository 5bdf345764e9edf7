import { Lease, LeaseError, loadState } from '../../../../../lib/evolve/migration/run/state';
import type { StateStore } from '../../../../../lib/evolve/migration/run/store';

/** States in memory, each save of which takes a turn of the event loop. */
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

const take = (states: StateStore) =>
  Lease.take(
    states,
    'm',
    () => ({ step: 'backfill', phase: 'fill', status: 'running', startedAt: '', passes: [], failures: [] }),
    { owner: 'me', ttl: 60_000, wait: false, now: Date.now, sleep: async () => undefined },
  );

test('a renewal that comes while the lease is given back does not take it again', async () => {
  const states = statesInMemory();
  const lease = await take(states);
  const back = lease.save((state) => ({ ...state, status: 'paused' }), 'back');
  const beat = lease.save((state) => state);
  await Promise.all([back, beat]);
  expect((await loadState(states, 'm'))?.state).toMatchObject({ status: 'paused' });
  expect((await loadState(states, 'm'))?.state.lease).toBeUndefined();
  await expect(take(states)).resolves.toBeInstanceOf(Lease);
});

test('nothing is written with a lease that was given back', async () => {
  const lease = await take(statesInMemory());
  await lease.save((state) => state, 'back');
  expect(() => lease.assertHeld()).toThrow(LeaseError);
  expect(() => lease.assertHeld()).toThrow('the lease is lost (it was released)');
});
