import { z } from 'zod';
import { check } from '../../../lib/check/check';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';

const status = z.enum(['open', 'paid', 'sent']);

/**
 * Returns a design in which all entities have the same attributes. Patterns change every second entity and read the
 * others.
 */
function designOf(size: number, watched: <T extends object>(value: T) => T): TableDesign {
  const names = Array.from({ length: size }, (_, i) => `Kind${i}`);
  const keyOf = (name: string) => ({ PK: 'SHOP#<shopId>', SK: `${name}#<code>` });
  const entityOf = (name: string): EntityDesign => ({
    attributes: z.object({ shopId: z.uuid(), code: z.uuid(), email: z.email(), kindTitle: z.string(), status }),
    keys: { ...keyOf(name), G1PK: 'SHOP#<shopId>', G1SK: `${name}#<status>#<code>` },
    unique: { email: { keys: { PK: `${name}#EMAIL#<email:lower>`, SK: 'EMAIL' } } },
  });
  const update = (name: string): PatternDesign => ({
    op: 'update',
    entity: name,
    where: keyOf(name),
    set: { status: '<status>', kindTitle: '<kindTitle>' },
  });
  return {
    name: 'growth',
    key: { partition: 'PK', sort: 'SK' },
    indexes: { G1: { partition: 'G1PK', sort: 'G1SK' } },
    entities: Object.fromEntries(names.map((name) => [name, watched(entityOf(name))])),
    patterns: Object.fromEntries(
      names.map((name, i): [string, PatternDesign] => [
        `pattern${i}`,
        watched(i % 2 === 0 ? update(name) : { op: 'get', where: keyOf(name), returns: [name] }),
      ]),
    ),
  };
}

/** Counts how often the check reads a field of an entity or a pattern, and how many findings it returns. */
function workOf(size: number, notes: boolean) {
  let reads = 0;
  const watched = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, field, receiver) {
        reads += 1;
        return Reflect.get(target, field, receiver);
      },
    });
  const findings = check(designOf(size, watched), { notes }).length;
  return { reads, findings };
}

test.each([false, true])(
  'the check reads at most 2.2 times as many fields for twice as many entities (notes: %s)',
  (notes) => {
    const [once, twice] = [workOf(60, notes), workOf(120, notes)];
    expect(once.reads).toBeGreaterThan(60);
    expect(twice.reads / once.reads).toBeLessThan(2.2);
    expect(twice.findings).toBeLessThanOrEqual(2 * once.findings);
  },
);
