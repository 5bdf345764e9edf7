import { z } from 'zod';
import type { Access } from '../../../lib/blueprint/accesses';
import { blueprint } from '../../../lib/blueprint/table';
import { type TenantSystem, tenantOf, tenantPart, tenantsIn } from '../../../lib/blueprint/tenant';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { template } from '../../../lib/design/template';
import { booking, trimobe } from '../../../lib/systems';
import { tableOf } from '../../fixtures/designs';
import { saas } from '../../fixtures/sound/tenants';
import { accessesOf } from '../../support/accesses';

const tenantNames = (text: string) => {
  const read = template(text);
  return read.holes.filter((hole) => tenantsIn(trimobe)(read, hole)).map(({ name }) => name);
};

test('a part is the tenant by its name, also at the end of a path', () => {
  expect(tenantNames('X#<tenantId>#<id>')).toEqual(['tenantId']);
  expect(tenantNames('X#<message.tenantId>')).toEqual(['message.tenantId']);
});

test('a part is the tenant where the same text leads up to it as to the tenant elsewhere', () => {
  expect(tenantNames('TENANT#<id>')).toEqual(['id']);
  expect(tenantNames('CONVERSATION#<id>')).toEqual([]);
});

test.each([
  ['tenantId', 'TENANT#', true],
  ['userId', 'X#USER#', true],
  ['orgId', 'ORGANIZATION#', true],
  ['organization_id', 'ORG#', true],
  ['tenantId', 'a#', false],
  ['tenantId', 'T#', false],
  ['tenantId', 'ORDER#', false],
  ['tenantId', '', false],
])('only a text that names %s leads up to it: %j, %s', (tenant, lead, expected) => {
  const attributes = z.object({ [tenant]: z.string(), other: z.string() });
  const things = tableOf({ attributes, keys: { PK: `${lead}<${tenant}>`, SK: 'x' } });
  const system: TenantSystem = { name: 'acme', cloud: 'aws', tenant, tables: { things } };
  const read = template(`${lead}<other>`);
  expect(read.holes.map((hole) => tenantsIn(system)(read, hole))).toEqual([expected]);
});

test('of an access, it is the part of its partition, whatever that is called', () => {
  const { bookingsOfProvider, bookSlot } = booking.tables.Bookings.patterns;
  const plan = blueprint(booking.tables.Bookings);
  const found = [bookingsOfProvider, bookSlot].flatMap((pattern) =>
    accessesOf(booking.tables.Bookings, pattern).map((access) => tenantOf(plan, access, tenantsIn(booking))?.name),
  );
  expect(found).toEqual(['tenantId', 'tenantId', 'booking.tenantId']);
});

describe('a tenant that could pass for another', () => {
  const attributes = saas.tables.members.entities.Member.attributes;
  /** What is wrong with holding a read of this partition to its tenant. */
  function problem(PK: string, more: Partial<TableDesign> = {}): string | undefined {
    const of: TableDesign = {
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: { Thing: { attributes, keys: { PK, SK: 'x' } } },
      patterns: { read: { op: 'query', where: { PK }, returns: ['Thing'] } },
      ...more,
    };
    const pattern = of.patterns?.read as PatternDesign;
    const [access] = accessesOf(of, pattern) as readonly [Access];
    const found = tenantPart(blueprint(of), access, { name: 'x', cloud: 'aws', tenant: 'tenantId', tables: { x: of } });
    return 'problem' in found ? found.problem : undefined;
  }

  test.each(['TENANT#<tenantId>', '<tenantId>', '<tenantId>#<role>', 'T<tenantId>#x'])('%s is fine', (PK) => {
    expect(problem(PK)).toBeUndefined();
  });

  test('because something else comes before it', () => {
    expect(problem('<role>#<tenantId>')).toContain('<tenantId> is not the first part');
  });

  test('because it has no end', () => {
    expect(problem('<tenantId><role>')).toContain("<tenantId> does not end at a '#'");
    expect(problem('<tenantId>-<role>')).toContain("does not end at a '#'");
    expect(problem('<tenantId>-<role>', { separator: '-' })).toBeUndefined();
  });

  test('because it is a number, on which there is no condition', () => {
    const entities = { Thing: { attributes: z.object({ tenantId: z.int() }) } };
    const patterns = { read: { op: 'get', where: { tenantId: '<tenantId>' }, returns: ['Thing'] } } as const;
    expect(problem('', { key: { partition: 'tenantId' }, entities, patterns })).toContain(
      "partition '<tenantId>' of the table is a number, but a tag is compared with text",
    );
  });

  test('because it is written in another way than a tag has it', () => {
    expect(problem('TENANT#<tenantId:8>')).toContain('<tenantId:8> is not the tenant as a tag has it');
  });
});

test('the part is the whole key where an attribute is the key as it is', () => {
  const partOf = (design: TableDesign, name: string) => {
    const [access] = accessesOf(design, design.patterns?.[name] as PatternDesign) as readonly [Access];
    return tenantPart(blueprint(design), access, saas);
  };
  expect(partOf(saas.tables.members, 'getMember')).toMatchObject({ natural: true, hole: { name: 'tenantId' } });
  expect(partOf(saas.tables.members, 'membersByRole')).toMatchObject({ natural: false });
});
