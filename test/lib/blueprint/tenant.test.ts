import { z } from 'zod';
import type { Access } from '../../../lib/blueprint/accesses';
import { blueprint, type EntityBlueprint } from '../../../lib/blueprint/table';
import { tenantAttribute, tenantOf, tenantPart } from '../../../lib/blueprint/tenant';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { booking } from '../../../lib/systems';
import { tableOf } from '../../fixtures/designs';
import { saas } from '../../fixtures/sound/tenants';
import { accessesOf } from '../../support/accesses';

/** Returns the tenant attribute of an entity that has the given attributes and key. */
function attributeOf(shape: z.ZodRawShape, PK: string, { name = 'Thing', tenant = 'tenantId' } = {}) {
  const entities = { [name]: { attributes: z.object(shape), keys: { PK, SK: 'x' } } };
  const [entity] = blueprint({ name: 'things', key: { partition: 'PK', sort: 'SK' }, entities }).entities;
  return tenantAttribute(entity as EntityBlueprint, tenant)?.join('.');
}

const text = z.string();
const owner = z.object({ tenantId: text, id: text });

describe('the tenant attribute of an entity', () => {
  test("the tenant attribute is recognized by the tenant's name, in any spelling and anywhere in the key", () => {
    expect(attributeOf({ tenantId: text, region: text }, 'TENANT#<region>#<tenantId>')).toBe('tenantId');
    expect(attributeOf({ tenant_id: text, slug: text }, 'TENANT#<slug>')).toBe('tenant_id');
    expect(attributeOf({ tenant_id: text, tenantId: text }, 'TENANT#<tenant_id>')).toBe('tenantId');
    expect(attributeOf({ tenantId: text, owner }, 'TENANT#<owner.tenantId>')).toBe('tenantId');
  });

  test("the tenant attribute may be inside a map if only one attribute in the keys has the tenant's name", () => {
    expect(attributeOf({ owner }, 'X#<owner.tenantId>')).toBe('owner.tenantId');
    expect(attributeOf({ owner, buyer: owner }, '<owner.tenantId>#<buyer.tenantId>')).toBeUndefined();
  });

  test('the tenant attribute of the entity that stores the tenants is its id', () => {
    expect(attributeOf({ id: text }, 'TENANT#<id>', { name: 'Tenant' })).toBe('id');
    expect(attributeOf({ data: owner }, 'USER#<data.id>', { name: 'User', tenant: 'userId' })).toBe('data.id');
    expect(attributeOf({ id: text }, 'TENANT#<id>', { name: 'Invoice' })).toBeUndefined();
  });

  test('an attribute with a different name is not the tenant attribute, even if it follows the literal TENANT#', () => {
    expect(attributeOf({ slug: text }, 'TENANT#<slug>')).toBeUndefined();
    expect(attributeOf({ region: text }, 'TENANT#<region>', { name: 'Tenant' })).toBeUndefined();
  });
});

test("the tenant of an access is the tenant part of its partition, regardless of the parameter's name", () => {
  const { bookingsOfProvider, bookSlot } = booking.tables.Bookings.patterns;
  const plan = blueprint(booking.tables.Bookings);
  const found = [bookingsOfProvider, bookSlot].flatMap((pattern) =>
    accessesOf(booking.tables.Bookings, pattern).map((access) => tenantOf(plan, access, 'tenantId')?.part.name),
  );
  expect(found).toEqual(['tenantId', 'tenantId', 'booking.tenantId']);
});

test("a parameter with the tenant attribute's name is not the tenant if the key has a different attribute in its place", () => {
  const attributes = z.object({ tenantId: text, region: text });
  const read = { op: 'query', where: { PK: 'TENANT#<tenantId>#<region>' }, returns: ['Thing'] } as const;
  const design = tableOf({ attributes, keys: { PK: 'TENANT#<region>#<tenantId>', SK: 'x' } }, { patterns: { read } });
  const [access] = accessesOf(design, read) as readonly [Access];
  expect(tenantOf(blueprint(design), access, 'tenantId')).toBeUndefined();
});

describe('tenantPart', () => {
  const attributes = saas.tables.members.entities.Member.attributes;
  /** Returns why a read of the partition cannot be limited to one tenant, or undefined if it can. */
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
    const found = tenantPart(blueprint(of), access, { tenant: 'tenantId' });
    return 'problem' in found ? found.problem : undefined;
  }

  test.each(['TENANT#<tenantId>', '<tenantId>', '<tenantId>#<role>', 'T<tenantId>#x'])(
    'tenantPart accepts the partition %s',
    (PK) => {
      expect(problem(PK)).toBeUndefined();
    },
  );

  test('tenantPart refuses a key that has another value before the tenant id', () => {
    expect(problem('<role>#<tenantId>')).toContain('<tenantId> is not the first part');
  });

  test('tenantPart refuses a key that has no separator after the tenant id', () => {
    expect(problem('<tenantId><role>')).toContain("<tenantId> is not followed by '#'");
    expect(problem('<tenantId>-<role>')).toContain("is not followed by '#'");
    expect(problem('<tenantId>-<role>', { separator: '-' })).toBeUndefined();
  });

  test('tenantPart refuses a numeric tenant id, which IAM cannot compare with a tag', () => {
    const entities = { Thing: { attributes: z.object({ tenantId: z.int() }) } };
    const patterns = { read: { op: 'get', where: { tenantId: '<tenantId>' }, returns: ['Thing'] } } as const;
    expect(problem('', { key: { partition: 'tenantId' }, entities, patterns })).toContain(
      "partition '<tenantId>' of the table is a number, but a tag can be compared only with a string",
    );
  });

  test('tenantPart refuses a tenant id that is formatted in the key', () => {
    expect(problem('TENANT#<tenantId:8>')).toContain('<tenantId:8> is formatted, but a tag contains the plain id');
    expect(problem('TENANT#<tenantId:lower>')).toContain(
      '<tenantId:lower> is formatted, but a tag contains the plain id',
    );
    expect(problem('TENANT#<shard(tenantId, 4)>')).toContain(
      '<shard(tenantId, 4)> is formatted, but a tag contains the plain id',
    );
  });

  test('tenantPart refuses a tenant id that may be a number or a string, because 7 and "7" are indistinguishable in a key', () => {
    const either = z.object({ tenantId: z.union([z.string(), z.int()]) });
    expect(
      problem('T#<tenantId>', { entities: { Thing: { attributes: either, keys: { PK: 'T#<tenantId>' } } } }),
    ).toContain('<tenantId> is of several types in Thing, so the ids of two tenants can be equal in a key');
  });
});

test('tenantPart reports whether the key that contains the tenant is a natural key', () => {
  const partOf = (design: TableDesign, name: string) => {
    const [access] = accessesOf(design, design.patterns?.[name] as PatternDesign) as readonly [Access];
    return tenantPart(blueprint(design), access, saas);
  };
  expect(partOf(saas.tables.members, 'getMember')).toMatchObject({ natural: true, part: { name: 'tenantId' } });
  expect(partOf(saas.tables.members, 'membersByRole')).toMatchObject({ natural: false });
});
