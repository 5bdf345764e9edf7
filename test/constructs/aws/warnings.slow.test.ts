import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { App, Annotations as CdkAnnotations, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { AdoptedTable, DesignedSystem, DesignedTable, SystemStack } from '../../../constructs/aws';
import type { SystemDesign } from '../../../lib/design/system';
import type { TableDesign } from '../../../lib/design/table';
import { systemsOf } from '../../../lib/systems';

/** A table with two warnings, or three if its system has a tenant. */
const things: TableDesign = {
  name: 'things',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'id' } },
  entities: {
    Thing: {
      attributes: z.object({ id: z.string(), tenantId: z.string(), n: z.int().min(0).max(99) }),
      keys: { PK: 'THINGS', SK: 'THING#<n>#<id>' },
    },
  },
};
const acknowledge = {
  'unpadded-number': { 'entities.Thing.keys.SK': 'their order does not matter' },
  'unused-index': { indexes: 'the report that reads it is not written yet' },
};
const tenanted = (...tables: TableDesign[]): SystemDesign => ({
  name: 'acme',
  cloud: 'aws',
  tenant: 'tenantId',
  tables: Object.fromEntries(tables.map((table) => [table.name, table])),
});

/** Returns the construct path and the text of every warning in a stack. */
function warningsOf(make: (stack: Stack) => void): readonly string[] {
  const stack = new Stack(new App(), 'Test');
  make(stack);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ id, entry }) => `${id} ${entry.data}`);
}

const unpadded = [
  "entities.Thing.keys.SK: 'THING#<n>#<id>': the number <n> sorts as text, so 10 comes before 9",
  "(fix: pad the number: SK: 'THING#<n:2>#<id>')",
  '[ack: tablewright:unpadded-number:entities.Thing.keys.SK]',
].join(' ');
const unused =
  'indexes.GSI1: no pattern reads this index (fix: remove the index, or add a pattern that reads it) [ack: tablewright:unused-index:indexes.GSI1]';
const unscoped = (table: string) =>
  [
    `tables.${table}.entities.Thing.keys.PK: the partition key of Thing is 'THINGS', which does not contain <tenantId>, so no policy can limit a caller to one tenant's items`,
    '(fix: begin the partition key with <tenantId>, or acknowledge the finding and explain why other tenants cannot reach these items)',
    `[ack: tablewright:tenant-unscoped:tables.${table}.entities.Thing.keys.PK]`,
  ].join(' ');

describe('a table', () => {
  const made = (design: TableDesign) => warningsOf((stack) => new DesignedTable(stack, 'Things', { design }));

  test('a table shows every warning of its design, with its path in the design and its fix', () => {
    expect(made(things)).toEqual([`/Test/Things ${unused}`, `/Test/Things ${unpadded}`]);
  });

  test('a table does not show findings that the design acknowledges', () => {
    expect(made({ ...things, acknowledge })).toEqual([]);
    expect(made({ ...things, acknowledge: { 'unpadded-number': acknowledge['unpadded-number'] } })).toEqual([
      `/Test/Things ${unused}`,
    ]);
  });

  test('a table reports an acknowledgement that matches no finding', () => {
    expect(made({ ...things, acknowledge: { ...acknowledge, 'unordered-time': { entities: 'all in UTC' } } })).toEqual([
      expect.stringMatching(
        /^\/Test\/Things acknowledge\.unordered-time\.entities: this acknowledgement matches no finding/,
      ),
    ]);
  });

  test('a table shows two different warnings that have the same path', () => {
    const attributes = z.object({ id: z.string(), a: z.int().min(0), b: z.int().min(0) });
    const entities = { Thing: { attributes, keys: { PK: 'THING#<id>', SK: '<a>#<b>' } } };
    expect(made({ ...things, indexes: {}, entities }).map((warning) => warning.split(' (fix')[0])).toEqual([
      "/Test/Things entities.Thing.keys.SK: '<a>#<b>': the number <a> sorts as text, so 10 comes before 9",
      "/Test/Things entities.Thing.keys.SK: '<a>#<b>': the number <b> sorts as text, so 10 comes before 9",
    ]);
  });

  test("an app can acknowledge a design's warning like any CDK warning", () => {
    const shown = warningsOf((stack) => {
      const table = new DesignedTable(stack, 'Things', { design: things });
      CdkAnnotations.of(table).acknowledgeWarning('tablewright:unused-index:indexes.GSI1', 'not yet');
    });
    expect(shown).toEqual([`/Test/Things ${unpadded}`]);
  });

  test('an adopted table also shows the warnings of its design', () => {
    const tableName = 'live-things';
    expect(warningsOf((stack) => new AdoptedTable(stack, 'Things', { design: things, tableName }))).toEqual([
      `/Test/Things ${unused}`,
      `/Test/Things ${unpadded}`,
    ]);
  });

  test('a table whose design has an error is not created and shows no warnings', () => {
    const stack = new Stack(new App(), 'Test');
    const design = { ...things, ttl: 'SK' };
    expect(() => new DesignedTable(stack, 'Things', { design })).toThrow(
      "table design 'things' has 1 problem\n  ttl: the TTL attribute 'SK' is a key attribute",
    );
    expect(stack.node.children).toEqual([]);
    Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
  });
});

describe('a system', () => {
  const made = (design: SystemDesign, rest = {}) =>
    warningsOf((stack) => new DesignedSystem(stack, 'Acme', { design, ...rest }));

  test("a system shows each table's warnings at the table, and the system's own warnings once", () => {
    const notes = { ...things, name: 'notes', acknowledge };
    expect([...made(tenanted(things, notes))].sort()).toEqual(
      [
        `/Test/Acme ${unscoped('things')}`,
        `/Test/Acme ${unscoped('notes')}`,
        `/Test/Acme/things ${unused}`,
        `/Test/Acme/things ${unpadded}`,
      ].sort(),
    );
  });

  test('a system does not show findings that a table acknowledges, including tenant warnings', () => {
    const all = { ...acknowledge, 'tenant-unscoped': { 'entities.Thing': 'things belong to all tenants' } };
    expect(made(tenanted({ ...things, acknowledge: all }))).toEqual([]);
  });

  test('a system without a tenant shows only the warnings of its tables', () => {
    const { tenant: _, ...system } = tenanted(things);
    expect(made(system)).toEqual([`/Test/Acme/things ${unused}`, `/Test/Acme/things ${unpadded}`]);
  });

  test('a system reports a tenant acknowledgement that matches no finding, which a table alone cannot detect', () => {
    const { tenant: _, ...system } = tenanted({
      ...things,
      acknowledge: { ...acknowledge, 'tenant-unscoped': { patterns: 'checked by the caller' } },
    });
    expect(made(system)).toEqual([
      expect.stringMatching(
        /^\/Test\/Acme tables\.things\.acknowledge\.tenant-unscoped\.patterns: this acknowledgement matches no/,
      ),
    ]);
  });

  test('a system with an error in any table is not created', () => {
    const stack = new Stack(new App(), 'Test');
    const design = tenanted(things, { ...things, name: 'notes', ttl: 'SK' });
    expect(() => new DesignedSystem(stack, 'Acme', { design })).toThrow(
      "system design 'acme' has 1 problem\n  tables.notes.ttl: the TTL attribute 'SK' is a key attribute",
    );
    expect(stack.node.children).toEqual([]);
  });
});

test.each(systemsOf('aws'))('the system $name shows no warning', (design) => {
  const stack = new SystemStack(new App(), 'Test', { design, environment: 'dev' });
  Annotations.fromStack(stack).hasNoWarning('*', Match.anyValue());
});
