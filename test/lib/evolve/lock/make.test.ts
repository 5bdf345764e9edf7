import { z } from 'zod';
import { designOf, EvolutionError, lockOf, readLock } from '../../../../lib/evolve';
import { canonicalFile } from '../../../../lib/evolve/canonical';
import { defineTable } from '../../../../lib/index';
import { systems } from '../../../../lib/systems';
import { trips } from '../../../fixtures/trips';

const environment = 'prod';

describe.each(Object.values(systems))('the lock of $name', (system) => {
  const lock = lockOf(system, { environment });

  test('is deterministic', () => {
    expect(lockOf(system, { environment })).toEqual(lock);
  });

  test('a lock is unchanged after a round trip through its file', () => {
    expect(readLock(canonicalFile(lock))).toEqual(JSON.parse(JSON.stringify(lock)));
  });

  test('a design read from a lock has the same keys, indexes and patterns', () => {
    const again = lockOf(designOf(lock), { environment });
    for (const [name, { physical, design }] of Object.entries(lock.tables)) {
      expect(again.tables[name]?.physical).toEqual(physical);
      expect(again.tables[name]?.design?.patterns).toEqual(design?.patterns);
    }
  });
});

const table = (attributes: Parameters<typeof z.object>[0]) =>
  defineTable({
    name: 'notes',
    key: { partition: 'PK' },
    entities: { Note: { attributes: z.object({ id: z.string(), ...attributes }), keys: { PK: 'NOTE#<id>' } } },
  });
const locked = (attributes: Parameters<typeof z.object>[0]) =>
  lockOf({ name: 'app', cloud: 'aws', tables: { notes: table(attributes) } }, { environment });

test('the hash of a lock changes if code in a schema changes, but not if only its formatting changes', () => {
  const one = locked({ n: z.number().refine((n) => n > 1) });
  // biome-ignore format: the odd formatting is what the test is about
  const same = locked({ n: z.number().refine((n) =>
    n > 1) });
  const other = locked({ n: z.number().refine((n) => n > 2) });
  expect(same.hash).toBe(one.hash);
  expect(other.hash).not.toBe(one.hash);
});

test('a lock omits the value of a function default, which may differ on every call', () => {
  const made = () => locked({ at: z.string().default(() => String(Math.random())) });
  expect(made().hash).toBe(made().hash);
});

test('rejects an edited lock with an error that says what to do', () => {
  const lock = JSON.parse(canonicalFile(locked({})));
  lock.tables.notes.physical.ttl = 'expires';
  const read = () => readLock(lock, 'app.prod.lock.json');
  expect(read).toThrow(EvolutionError);
  expect(read).toThrow(/^app\.prod\.lock\.json was edited after it was written: .*tablewright record/);
});

test.each(['', 'no JSON', '[]', '{}', '{"lock":1}', null, 7])('rejects %j as a lock', (given) => {
  expect(() => readLock(given)).toThrow(/^lock (must be|is not JSON)/);
});

test('rejects a lock in a later format', () => {
  expect(() => readLock({ ...locked({}), lock: 2 })).toThrow(/format 2, but this version reads format 1/);
});

test('a lock keeps the former schemas of a removed attribute', () => {
  const before = locked({ note: z.string() });
  const after = lockOf({ name: 'app', cloud: 'aws', tables: { notes: table({}) } }, { environment, after: before });
  expect(after.tables.notes?.design?.entities.Note?.former).toEqual({ note: [{ type: 'string' }] });
});

test("a lock contains a sparse index's condition", () => {
  const system = { name: 'trips', cloud: 'aws', tables: { trips: trips() } } as const;
  const lock = lockOf(system, { environment });
  expect(designOf(lock).tables.trips?.entities.Trip?.indexes).toEqual(trips().entities.Trip?.indexes);
});
