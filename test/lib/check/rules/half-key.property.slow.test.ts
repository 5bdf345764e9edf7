import { z } from 'zod';
import { halfKey } from '../../../../lib/check/rules/half-key';
import { unwritable } from '../../../../lib/check/rules/unwritable';
import type { Operand, UpdatePattern } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { requests } from '../../../../lib/dynamodb/requests';
import { findings } from '../../../fixtures/designs';
import fc from '../../../support/fuzz';

/* The check and the engine agree: the engine refuses exactly the updates that the check reports. */

const values = {
  tenantId: 't',
  ticketId: 'i',
  state: 'done',
  priority: 1,
  at: '2026-01-01T00:00:00.000Z',
  team: 'a',
  place: 'b',
  due: '2026-01-02',
  note: 'n',
};
type Name = keyof typeof values;

const table = (change: Partial<UpdatePattern>): TableDesign => ({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    byState: { partition: 'GPK', sort: 'GSK' },
    byTeam: { partition: 'TPK', sort: 'due' },
    byPlace: { partition: 'place', sort: 'GSK' },
  },
  entities: {
    Ticket: {
      attributes: z.object({
        tenantId: z.string(),
        ticketId: z.string(),
        state: z.enum(['open', 'done']),
        priority: z.int().min(0).max(9),
        at: z.iso.datetime({ precision: 3 }),
        team: z.string().optional(),
        place: z.string().nullable(),
        due: z.iso.date().optional(),
        note: z.string().default('none'),
      }),
      keys: {
        PK: '<tenantId>',
        SK: '<ticketId>',
        GPK: '<tenantId>#<state>#<priority:1>',
        GSK: '<at:year>#<at>#<ticketId>',
        TPK: '<team>#<state>',
      },
    },
  },
  patterns: {
    change: { ...change, op: 'update', entity: 'Ticket', where: { PK: '<tenantId>', SK: '<ticketId>' } },
  },
});

type Kind = 'set' | 'maybe' | 'copy' | 'remove' | 'add';

function updateOf(kinds: Partial<Record<Name, Kind>>, upsert: boolean): Partial<UpdatePattern> {
  const of = (kind: Kind) => (Object.keys(kinds) as Name[]).filter((name) => kinds[name] === kind);
  const set: Record<string, Operand> = {};
  for (const name of of('set')) set[name] = `<${name}>`;
  for (const name of of('maybe')) set[name] = `<${name}?>`;
  for (const name of of('copy')) set[name] = { attribute: name };
  return { set, remove: of('remove'), add: Object.fromEntries(of('add').map((name) => [name, 1])), upsert };
}

const others = ['state', 'priority', 'at', 'team', 'place', 'due', 'note'] as const;
const kind = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Kind>('set') },
  fc.constantFrom<Kind>('maybe', 'copy', 'remove'),
);
const kinds = fc.record(Object.fromEntries(others.map((name) => [name, kind])), {
  requiredKeys: [],
  noNullPrototype: true,
}) as fc.Arbitrary<Partial<Record<Name, Kind>>>;
const anyUpdate = fc
  .tuple(
    kinds,
    fc.oneof(
      { weight: 8, arbitrary: fc.constant({}) },
      fc.constantFrom<Partial<Record<Name, Kind>>>({ tenantId: 'set' }, { priority: 'add' }),
    ),
    fc.boolean(),
  )
  .map(([some, more, upsert]) => updateOf({ ...some, ...more }, upsert));

function isRefused(design: TableDesign): boolean {
  try {
    const patterns = requests(design, 't') as unknown as Record<string, (given: object) => unknown>;
    patterns.change?.(values);
    return false;
  } catch {
    return true;
  }
}

test('reports an update if and only if the engine refuses the update', () => {
  const seen = { found: 0, quiet: 0 };
  fc.assert(
    fc.property(anyUpdate, (change) => {
      const design = table(change);
      const all = [...findings(unwritable, design), ...findings(halfKey, design)];
      const found = all.filter(({ severity }) => severity !== 'note');
      if (found.length > 0) seen.found++;
      else seen.quiet++;
      expect({ change, refused: found.length > 0 }).toEqual({ change, refused: isRefused(design) });
    }),
    { numRuns: 1_000 },
  );
  // The test proves something only if both outcomes occur often.
  expect(Math.min(seen.found, seen.quiet)).toBeGreaterThan(20);
});
