import { diff, EvolutionError, lockOf, readLock } from '../../../../lib/evolve';
import { canonicalFile, signed } from '../../../../lib/evolve/canonical';
import { booking, controlePgm } from '../../../../lib/systems';

type Node = Record<string, unknown> | unknown[];

/** Lists every property in a value, at any depth, as a pair of its parent object and its name. */
function placesIn(value: unknown): readonly (readonly [Node, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((name) => [
    [value as Node, name] as const,
    ...placesIn((value as Record<string, unknown>)[name]),
  ]);
}

const locks = [lockOf(booking, { environment: 'prod' }), lockOf(controlePgm, { environment: 'prod' })];

test('a lock survives the round trip through its file', () => {
  for (const lock of locks) expect(readLock(canonicalFile(lock))).toEqual(lock);
});

test.each([null, 5, 'x', [], {}])(
  'a lock with any one value replaced by %j is either compared or rejected with a readable message',
  (forged) => {
    for (const lock of locks) {
      const { length } = placesIn(lock);
      // Visiting every 41st place still covers each kind of place.
      for (let at = 0; at < length; at += 41) {
        const { hash: _, ...copy } = structuredClone(lock);
        const [holder, name] = placesIn(copy)[at] ?? [];
        if (holder === undefined) continue;
        (holder as Record<string, unknown>)[name as string] = forged;
        try {
          diff(readLock(signed(copy)), lock);
        } catch (error) {
          expect(error).toBeInstanceOf(EvolutionError);
        }
      }
    }
  },
);

test('the error for an invalid lock names the place and the fix', () => {
  const { hash: _, ...copy } = structuredClone(locks[0]) as unknown as { hash: string; tables: never };
  (copy.tables as Record<string, { physical: unknown }>).Bookings = { physical: 5 };
  expect(() => readLock(signed(copy))).toThrow(
    /^lock\.tables\.Bookings\.physical does not fit the format of a lock .*'npx tablewright record'/,
  );
});
