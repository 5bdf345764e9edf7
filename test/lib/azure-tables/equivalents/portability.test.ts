import { z } from 'zod';
import { portability } from '../../../../lib/azure-tables/equivalents/portability';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { trips } from '../../../fixtures/trips';

const attributes = z.object({ id: z.string(), n: z.int(), at: z.string(), map: z.object({ a: z.string() }) });
const things = (rest: Partial<TableDesign> = {}): TableDesign => ({
  name: 'things',
  key: { partition: 'id' },
  entities: { Thing: { attributes: attributes.omit({ map: true }) } },
  ...rest,
});
const linesOf = (design: TableDesign) => portability({ name: 's', cloud: 'aws', tables: { things: design } }).lines;
/** What is said beyond what is true of every table. */
const said = (rest: Partial<TableDesign>) => {
  const always = new Set(linesOf(things()).map(({ message }) => message));
  return linesOf(things(rest))
    .filter(({ message }) => !always.has(message))
    .map(({ path, message }) => `${path}: ${message}`);
};
const ofPattern = (pattern: PatternDesign) => said({ patterns: { p: pattern } });

test('whatever the design, there is no recovery, and keys and properties are shorter', () => {
  expect(linesOf(things()).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'tables: Azure Tables have no point-in-time recovery and no backup of their own',
    'tables: PartitionKey and RowKey hold 512 characters each, while DynamoDB allows 2048 and 1024 bytes',
    'tables: a property holds at most 64 KiB (32,768 characters of text), while DynamoDB allows 400 KB',
  ]);
});

test('a system that was designed for Azure has nothing to carry over', () => {
  const Rows = things({ name: 'Rows', key: { partition: 'PartitionKey', sort: 'RowKey' } });
  expect(portability({ name: 's', cloud: 'azure', tables: { Rows } })).toMatchObject({
    tables: [{ name: 'Rows' }],
    lines: [],
  });
});

describe('told at its place is', () => {
  test('what the check finds, with the same words', () => {
    expect(said({ ttl: 'n' })).toEqual(['tables.things.ttl: Azure Tables never expire an entity']);
  });

  test('what the check finds and the design acknowledges, with the reason', () => {
    const lines = linesOf(things({ ttl: 'n', acknowledge: { 'azure-portability': { ttl: 'a job deletes them' } } }));
    expect(lines.find(({ path }) => path === 'tables.things.ttl')).toEqual({
      path: 'tables.things.ttl',
      message: 'Azure Tables never expire an entity',
      fix: 'delete old entities on a schedule',
      acknowledged: 'a job deletes them',
    });
  });

  test('an index, with the table that takes its place', () => {
    expect(said({ indexes: { byTime: { partition: 'at' } } })).toEqual([
      'tables.things.indexes.byTime: it becomes the table thingsbyTime (RowKey id), which the application must write itself, never in one batch with another table',
    ]);
  });

  test('a key that is no text', () => {
    expect(said({ key: { partition: 'id', sort: 'n' } })).toEqual([
      "tables.things.key.sort: 'n' is a number, and Azure keys are strings",
    ]);
    expect(said({ indexes: { byN: { partition: 'n' } } })[1]).toBe(
      "tables.things.indexes.byN.partition: 'n' is a number, and Azure keys are strings",
    );
  });

  test('an attribute of a type or a name that Azure does not have', () => {
    const odd = z.object({
      id: z.string(),
      list: z.array(z.string()),
      map: z.object({}),
      Timestamp: z.string(),
      'a-b': z.int(),
    });
    expect(said({ entities: { Odd: { attributes: odd } } })).toEqual([
      "tables.things.entities.Odd.attributes.Timestamp: 'Timestamp' is not a legal name of an Azure property",
      "tables.things.entities.Odd.attributes.a-b: 'a-b' is not a legal name of an Azure property",
      'tables.things.entities.Odd.attributes.list: a list is not a type of an Azure property',
      'tables.things.entities.Odd.attributes.map: a map is not a type of an Azure property',
    ]);
  });

  const query = { op: 'query', where: { id: '<id>' }, returns: ['Thing'] } as const;

  test.each([
    ['at', { contains: 'x' }, "Azure Tables compare a property with a value, and have no 'contains'"],
    ['at', { exists: true }, "Azure Tables compare a property with a value, and have no 'exists'"],
    ['at', { attribute: 'id' }, 'Azure Tables compare a property with a value, not with another property'],
    [
      'at',
      { lessThan: { attribute: 'id' } },
      'Azure Tables compare a property with a value, not with another property',
    ],
    ['map.a', 'x', "'map.a' is inside a map or a list, which Azure Tables store as text"],
  ] as const)('a filter of %s by %j', (attribute, test, message) => {
    expect(ofPattern({ ...query, filter: { [attribute]: test } })).toEqual([
      `tables.things.patterns.p.filter.${attribute}: ${message}`,
    ]);
  });

  test.each(['x', 1, { between: [1, 2] }, { beginsWith: 'x' }, { in: ['a', 'b'] }, { not: 'x' }] as const)(
    'nothing of a filter by %j, which Azure can do',
    (test) => {
      expect(ofPattern({ ...query, filter: { at: test } })).toEqual([]);
    },
  );

  test('a page that is too long, and several reads in one', () => {
    expect(ofPattern({ ...query, pageSize: 1000 })).toEqual([]);
    expect(ofPattern({ ...query, pageSize: 1001 })).toEqual([
      'tables.things.patterns.p.pageSize: a page of Azure Tables has 1 to 1000 entities, not 1001',
    ]);
    expect(ofPattern({ op: 'batchGet', keys: { a: { id: '<a>' }, b: { id: '<b>' } }, returns: ['Thing'] })).toEqual([
      'tables.things.patterns.p: Azure Tables read one entity at a time',
    ]);
  });

  test('a condition, a sum in place, and a change inside a map', () => {
    expect(ofPattern({ op: 'put', entity: 'Thing', condition: { at: 'x' } })).toEqual([
      'tables.things.patterns.p.condition: Azure Tables test only the ETag',
    ]);
    expect(
      ofPattern({
        op: 'update',
        entity: 'Thing',
        where: { id: '<id>' },
        set: { 'map.a': '<a>', at: '<at>' },
        add: { n: 1 },
        remove: ['map.b'],
      }),
    ).toEqual([
      'tables.things.patterns.p.add.n: Azure Tables cannot add to a number in place',
      'tables.things.patterns.p.remove: an Azure merge cannot remove a property',
      "tables.things.patterns.p.set.map.a: 'map.a' is inside a map or a list, which Azure Tables store as one property",
    ]);
    expect(ofPattern({ op: 'put', entity: 'Thing' })).toEqual([]);
  });

  test('what a transaction requires of another row', () => {
    const where = { id: '<id>' };
    const steps = { check: { op: 'require', entity: 'Thing', where, condition: { n: 1 } } } as const;
    expect(ofPattern({ op: 'transaction', steps })).toEqual([
      'tables.things.patterns.p.steps.check: an Azure batch only writes: it cannot depend on an entity it does not change',
    ]);
  });
});

test('every line has a place that is in the design, and a fix', () => {
  for (const system of Object.values(systems)) {
    for (const { path, fix } of portability(system).lines) {
      expect(fix).not.toBe('');
      // The last step of a filter, an update or a schema may have dots in it, or be behind zod's own data.
      const [, table, part, name, field] = path.split('.');
      const design = table === undefined ? system : system.tables[table];
      expect(design).toBeDefined();
      const at = [part, name, field].reduce<unknown>(
        (value, step) => (step === undefined ? value : (value as Record<string, unknown>)?.[step]),
        design,
      );
      expect(`${path} ${at === undefined}`).toBe(`${path} false`);
    }
  }
});

test('the four systems come to 25 tables, with as many lines as their designs give reason for', () => {
  const reports = Object.values(systems)
    .filter(({ cloud }: SystemDesign) => cloud === 'aws')
    .map((system) => portability(system));
  expect(reports.map(({ system, tables, lines }) => [system, tables.length, lines.length])).toEqual([
    ['trimobe', 6, 72],
    ['blog', 4, 43],
    ['booking', 11, 37],
    ['transporte', 4, 124],
  ]);
});

describe('of the systems that come along', () => {
  const about = (system: string, path: string) =>
    portability(systems[system] as SystemDesign)
      .lines.filter((line) => line.path === path)
      .map(({ message }) => message);

  test('it is told that createTripWithWaybill can span two partitions', () => {
    expect(about('transporte', 'tables.TransporteApp.patterns.createTripWithWaybill.steps')).toEqual([
      'it can write to 2 partitions (USER#<userId>, USER#<carta.userId>), but an Azure batch writes to one',
    ]);
  });

  test('it is told that updateConversation can set null, which a merge cannot', () => {
    for (const attribute of ['slotStart', 'slotEnd']) {
      expect(about('booking', `tables.ConversationState.patterns.updateConversation.set.${attribute}`)).toEqual([
        `'${attribute}' may be set to null, which Azure does not store, and a merge removes nothing`,
      ]);
    }
    expect(about('booking', 'tables.ConversationState.patterns.updateConversation.set.state')).toEqual([]);
    expect(about('booking', 'tables.ConversationState.entities.ConversationState.attributes.slotStart')).toEqual([
      'null is not stored: it reads as left out, unless the schema requires null',
    ]);
  });
});

describe('a transaction', () => {
  const key = { partition: 'PK', sort: 'SK' } as const;
  const entity = (kind: string) => ({
    attributes: z.object({ owner: z.string(), id: z.string() }),
    keys: { PK: 'OWNER#<owner>', SK: `${kind}#<id>` },
  });
  const lines = (steps: Extract<PatternDesign, { op: 'transaction' }>['steps']) =>
    linesOf({
      name: 'things',
      key,
      entities: { A: entity('A'), B: entity('B') },
      patterns: { both: { op: 'transaction', steps } },
    })
      .filter(({ path }) => path === 'tables.things.patterns.both.steps')
      .map(({ message }) => message);

  test('of one item, or of items of one owner, is in one partition', () => {
    expect(lines({ a: { op: 'put', entity: 'A' } })).toEqual([]);
    expect(
      lines({
        a: { op: 'put', entity: 'A' },
        b: { op: 'delete', entity: 'B', where: { PK: 'OWNER#<a.owner>', SK: 'B#<a.id>' } },
      }),
    ).toEqual([]);
  });

  test('of items that are given on their own can be in two', () => {
    expect(lines({ a: { op: 'put', entity: 'A' }, b: { op: 'put', entity: 'B' } })).toEqual([
      'it can write to 2 partitions (OWNER#<a.owner>, OWNER#<b.owner>), but an Azure batch writes to one',
    ]);
  });
});

test('an index that items enter and leave has rows that the application writes and deletes', () => {
  const { lines } = portability({ name: 'trips', cloud: 'aws', tables: { trips: trips() } });
  expect(lines.filter(({ path }) => path.includes('.indexes.by') && path.includes('entities'))).toEqual([
    {
      path: 'tables.trips.entities.Trip.indexes.byState',
      message:
        'a change of data.state brings a Trip into tripsbyState or takes it out; DynamoDB would do that by itself',
      fix: 'write or delete its row in tripsbyState with every such change, and clean up leftover rows',
    },
    expect.objectContaining({ path: 'tables.trips.entities.Trip.indexes.byDay' }),
  ]);
});
