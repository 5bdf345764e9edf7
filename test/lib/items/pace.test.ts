import { Pace } from '../../../lib/items/pace';

test('Pace waits if more capacity is used than the rate allows, and saves up at most one second of unused capacity', async () => {
  let now = 0;
  const pace = new Pace(
    10,
    () => now,
    async (milliseconds) => {
      now += milliseconds;
    },
  );
  const usedAt: number[] = [];
  for (let i = 0; i < 8; i++) {
    await pace.ready();
    usedAt.push(now);
    pace.used(5);
  }
  // The units of the first second are available at once, followed by five units every half second.
  expect(usedAt.map((at) => Math.round(at / 100) / 10)).toEqual([0, 0, 0, 0.5, 1, 1.5, 2, 2.5]);
  now += 60_000;
  const later = now;
  for (let i = 0; i < 4; i++) {
    await pace.ready();
    pace.used(5);
  }
  expect(now - later).toBeGreaterThanOrEqual(500);
});

test('Pace never waits if it has no rate', async () => {
  const pace = new Pace(undefined, Date.now, () => Promise.reject(new Error('waited')));
  pace.used(1e9);
  await pace.ready();
});
