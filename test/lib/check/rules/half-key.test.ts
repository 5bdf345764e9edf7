import { z } from 'zod';
import { check } from '../../../../lib/check';
import { halfKey } from '../../../../lib/check/rules/half-key';
import type { UpdatePattern } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { requests } from '../../../../lib/dynamodb/requests';
import { findings } from '../../../fixtures/designs';
import { trips } from '../../../fixtures/trips';

type Update = Omit<UpdatePattern, 'op' | 'entity' | 'where'>;

const table = (update: Update): TableDesign => ({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byState: { partition: 'GPK', sort: 'GSK' }, byOwner: { partition: 'OPK', sort: 'due' } },
  entities: {
    Ticket: {
      attributes: z.object({
        tenantId: z.string(),
        ticketId: z.string(),
        state: z.enum(['open', 'done']),
        priority: z.int().min(0).max(9),
        at: z.iso.datetime({ precision: 3 }),
        note: z.string().optional(),
        owner: z.object({ id: z.string() }).optional(),
        due: z.iso.date().optional(),
      }),
      keys: {
        PK: '<tenantId>',
        SK: '<ticketId>',
        GPK: '<tenantId>#<state>#<priority:1>',
        GSK: '<at>',
        OPK: 'OWNER#<owner.id>',
      },
    },
  },
  patterns: {
    change: { op: 'update', entity: 'Ticket', where: { PK: '<tenantId>', SK: '<ticketId>' }, ...update },
  },
});

const values = {
  tenantId: 't',
  ticketId: 'i',
  state: 'done',
  priority: 1,
  at: '2026-01-01T00:00:00.000Z',
  due: '2026-01-02',
};
const made = (update: Update) => () =>
  (requests(table(update), 't') as unknown as Record<string, (values: object) => unknown>).change?.({
    ...values,
    owner: { id: 'o' },
    note: 'n',
  });
const found = (update: Update) => findings(halfKey, table(update));

describe('an update of part of an index key', () => {
  test('an update that sets part of an index key must set the rest of the key', () => {
    const update: Update = { set: { state: 'done' } };
    expect(found(update)).toEqual([
      { path: 'patterns.change.set.state', cause: 'rest-unknown', attributes: ['priority'] },
    ]);
    expect(made(update)).toThrow('; give priority too');
  });

  test('reports an update that changes part of an index key by an addition or a copy', () => {
    const added: Update = { set: { state: 'done' }, add: { priority: 1 } };
    expect(found(added)).toEqual([{ path: 'patterns.change.set.state', cause: 'not-given', attributes: ['priority'] }]);
    expect(made(added)).toThrow('; give priority too');
    expect(found({ set: { at: { attribute: 'due' } } }).map(({ path }) => path)).toEqual(['patterns.change.set.at']);
  });

  test('an update must set both keys of an index if the item may not be in the index yet', () => {
    const update: Update = { set: { due: '<due>' } };
    expect(found(update)).toEqual([
      { path: 'patterns.change.set.due', cause: 'new-to-index', attributes: ['owner.id'] },
    ]);
    expect(made(update)).toThrow('; give owner.id too');
  });

  test.each<readonly [string, Update]>([
    ['sets every part that the primary key does not contain', { set: { state: 'done', priority: '<priority>' } }],
    ['changes the other key of the index', { set: { at: '<at>' } }],
    ['changes an attribute that is in no key', { set: { note: '<note>' } }],
    ['removes the item from the index', { remove: ['due'] }],
    ['adds the item to the index with a complete key', { set: { due: '<due>', owner: '<owner>' } }],
  ])('accepts an update that %s', (_, update) => {
    expect(found(update)).toEqual([]);
    expect(made(update)).not.toThrow();
  });
});

test('reports a step of a transaction at the path of the step', () => {
  const { patterns, ...rest } = table({ set: { state: 'done' } });
  const design: TableDesign = {
    ...rest,
    patterns: { all: { op: 'transaction', steps: { one: patterns?.change as UpdatePattern } } },
  };
  expect(findings(halfKey, design).map(({ path }) => path)).toEqual(['patterns.all.steps.one.set.state']);
});

test('ignores changes to the primary key, because `unwritable` reports them', () => {
  expect(found({ set: { tenantId: 'x' } })).toEqual([]);
});

describe('an update of an item in a conditional index', () => {
  const found = (update: Parameters<typeof trips>[0]) => findings(halfKey, trips(update));

  test("an update of an index key must set or test the attributes in the index's condition", () => {
    const inBoth = { 'data.state': '<state>', called: 'on' };
    expect(found({ set: { day: '<day>' }, condition: inBoth })).toEqual([]);
    expect(
      found({ set: { day: '<day>' }, condition: { called: { not: 'on' }, 'data.state': { in: ['done'] } } }),
    ).toEqual([]);
    expect(found({ set: { day: '<day>' }, condition: { called: 'on' } })).toEqual([
      { path: 'patterns.change.set.day', cause: 'undecided', attributes: ['data.state'] },
    ]);
    expect(
      found({ set: { day: '<day>', called: { attribute: 'name' } }, condition: { 'data.state': 'done' } }),
    ).toEqual([{ path: 'patterns.change.set.day', cause: 'not-given', attributes: ['called'] }]);
  });

  test('an update that can add an item to an index must set or test the sources of all index keys', () => {
    const lacksDay = [{ path: 'patterns.change.set.called', cause: 'new-to-index', attributes: ['day'] }];
    expect(found({ set: { called: 'on' } })).toEqual(lacksDay);
    expect(found({ set: { called: '<called>' } })).toEqual(lacksDay);
    expect(found({ set: { called: 'off' } })).toEqual([]);
    expect(found({ set: { called: 'on' }, condition: { day: '<day>' } })).toEqual([]);
    expect(found({ set: { data: '<data>' }, condition: { day: '<day>' } })).toEqual([]);
  });
});

describe('an update of an item whose index key may be missing', () => {
  const touch = { op: 'update', entity: 'Ticket', where: { PK: '<ticketId>' } } as const;
  const desk = (update: Update): TableDesign => ({
    name: 'desk',
    key: { partition: 'PK' },
    indexes: { byAgent: { partition: 'G1', sort: 'G1S' } },
    entities: {
      Ticket: {
        attributes: z.object({
          ticketId: z.string(),
          status: z.enum(['open', 'pending', 'closed']),
          agentId: z.string().optional(),
          at: z.iso.datetime({ precision: 3 }),
        }),
        keys: { PK: '<ticketId>', G1: 'AGENT#<agentId>', G1S: '<at>#<ticketId>' },
        indexes: { byAgent: { while: { status: ['open', 'pending'] } } },
      },
    },
    patterns: { change: { ...touch, ...update } },
  });
  const found = (update: Update) => findings(halfKey, desk(update));
  const open = { status: 'open' };

  test("an update of an index's sort key must set or test the source of its partition key", () => {
    const set = { at: '<at>' };
    expect(found({ set, condition: open })).toEqual([
      { path: 'patterns.change.set.at', cause: 'may-lack', attributes: ['agentId'] },
    ]);
    for (const agentId of ['<agentId>', { exists: true }, { exists: false }])
      expect(found({ set, condition: { ...open, agentId } })).toEqual([]);
    expect(found({ set: { ...set, agentId: '<agentId>' }, condition: open })).toEqual([]);
  });

  test('rejects an optional parameter in a condition if the update needs its value', () => {
    const condition = { ...open, agentId: '<agentId?>' };
    const optional = [{ path: 'patterns.change.condition.agentId', cause: 'optional-test', attributes: ['agentId'] }];
    expect(found({ set: { at: '<at>' }, condition })).toEqual(optional);
    // A call may omit both parameters, or update an item that is not in the index.
    expect(found({ set: { at: '<at?>' }, condition })).toEqual([]);
    expect(found({ set: { at: '<at>' }, condition: { ...condition, status: '<status>' } })).toEqual([]);
  });

  test('an update that keeps the item in its index need not set any part of the index keys', () => {
    const pending = { set: { status: 'pending' } };
    expect(found({ ...pending, condition: open })).toEqual([]);
    expect(found({ ...pending, condition: { status: { not: 'closed' } } })).toEqual([]);
    expect(found({ ...pending, condition: { status: { in: ['open', 'pending'] } } })).toEqual([]);
    expect(found(pending)).toEqual([
      { path: 'patterns.change.set.status', cause: 'new-to-index', attributes: ['agentId'] },
    ]);
    expect(found({ ...pending, condition: { agentId: { exists: false } } })).toEqual([]);
  });
});

describe('a computed attribute in an index key', () => {
  const update = (set: object, condition?: object): TableDesign => ({
    name: 'contacts',
    key: { partition: 'PK', sort: 'SK' },
    indexes: { byTeam: { partition: 'GPK', sort: 'GSK' } },
    entities: {
      Contact: {
        attributes: z.object({
          ...{ id: z.string(), name: z.string(), team: z.string().optional(), sortName: z.string() },
          createdAt: z.iso.datetime({ precision: 3 }),
        }),
        keys: { PK: 'CONTACT#<id>', SK: 'CONTACT', GPK: 'TEAM#<team>', GSK: '<sortName>#<createdAt>' },
        computed: { sortName: '<name:lower>' },
        timestamps: { created: 'createdAt' },
      },
    },
    patterns: {
      change: {
        op: 'update',
        entity: 'Contact',
        where: { PK: 'CONTACT#<id>', SK: 'CONTACT' },
        set,
        ...(condition && { condition }),
      } as UpdatePattern,
    },
  });
  const lines = (set: object, condition?: object) =>
    check(update(set, condition)).flatMap(({ rule, path, fix }) => (rule === 'half-key' ? [`${path}: ${fix}`] : []));

  test('accepts a computed index key if a condition fixes the sources of the computed attribute', () => {
    expect(lines({ team: '<team>' }, { name: '<name>', createdAt: '<createdAt>' })).toEqual([]);
  });

  test('proposes a condition on the sources of a computed attribute, and `set` only for sources that a caller may write', () => {
    expect(lines({ team: '<team>' })).toEqual([
      "patterns.change.set.team: add condition: { name: '<name>', createdAt: '<createdAt>' }",
    ]);
    expect(lines({ team: '<team>' }, { createdAt: '<createdAt>' })).toEqual([
      "patterns.change.set.team: add condition: { name: '<name>' }, or also set 'name'",
    ]);
  });

  test('reports a fault in a computed index key at the source that the update sets', () => {
    expect(lines({ name: '<name>' }, { createdAt: '<createdAt>' })).toEqual([
      expect.stringMatching(
        /^patterns\.change\.set\.name: add condition: { team: { exists: true } }, or also set 'team'/,
      ),
    ]);
  });
});

describe('an update that sets several parts of one index key', () => {
  const both: Update = { set: { state: '<state>', priority: '<priority>' } };

  test('notes that an update of several key parts can overwrite a concurrent change', () => {
    expect(found(both)).toEqual([{ path: 'patterns.change.set', cause: 'written-back', severity: 'note' }]);
  });

  test('accepts an update of several key parts if its condition compares any attribute with a parameter', () => {
    expect(found({ ...both, condition: { priority: '<former>' } })).toEqual([]);
    expect(found({ ...both, condition: { note: '<note>' } })).toEqual([]);
    expect(found({ ...both, condition: { note: { exists: true } } })).not.toEqual([]);
  });

  test('accepts an update of several key parts if the caller sets only one part', () => {
    expect(found({ set: { state: 'done', priority: '<priority>' } })).toEqual([]);
    expect(found({ set: { state: '<state>' }, condition: { priority: '<priority>' } })).toEqual([]);
  });
});
