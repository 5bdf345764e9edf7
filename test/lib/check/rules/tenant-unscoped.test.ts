import { z } from 'zod';
import { tenantUnscoped } from '../../../../lib/check/rules/tenant-unscoped';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { grantOf } from '../../../../lib/permissions/grant';
import { principalTag } from '../../../../lib/permissions/tenancy';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({
  tenantId: z.string(),
  id: z.string(),
  email: z.email(),
  owner: z.object({ tenantId: z.string(), id: z.string() }),
});
type Keys = Record<string, string>;
const table = (keys: Keys, rest: Partial<TableDesign> = {}) =>
  tableOf({ attributes, keys: { SK: 'THING#<id>', ...keys } }, rest);
const scoped = (rest: Partial<TableDesign> = {}) => table({ PK: 'TENANT#<tenantId>' }, rest);

/** Returns the findings for a table in a system that may have other tables. */
function found(design: TableDesign, system: Partial<SystemDesign> = {}, ...others: TableDesign[]) {
  const tables = Object.fromEntries([design, ...others].map((one, i) => [`${one.name}${i}`, one]));
  return findings(tenantUnscoped, design, { name: 'acme', cloud: 'aws', tenant: 'tenantId', tables, ...system });
}

const unscopedKey = (place = 'keys.PK') => ({ path: `entities.Thing.${place}`, cause: 'entity' });
const unscopedPattern = (path: string) => ({ path, cause: 'pattern' });

test('returns no findings for a single table, or for a system without a tenant', () => {
  expect(findings(tenantUnscoped, table({ PK: 'THING#<id>' }))).toEqual([]);
  expect(found(table({ PK: 'THING#<id>' }), { tenant: undefined })).toEqual([]);
});

describe('the partition of an entity', () => {
  test.each(['THING#<id>', 'THINGS', '<email>'])(
    'reports the partition key %s, which does not contain the tenant',
    (PK) => {
      expect(found(table({ PK }))).toEqual([unscopedKey()]);
    },
  );

  test.each(['TENANT#<tenantId>', '<tenantId>#<id>', 'THING#<id>#<tenantId>'])(
    'accepts the partition key %s, which contains the tenant',
    (PK) => {
      expect(found(table({ PK }))).toEqual([]);
    },
  );

  test('accepts a tenant attribute inside a map only if the entity has no tenant attribute of its own', () => {
    expect(found(table({ PK: 'T#<owner.tenantId>' }))).toEqual([unscopedKey()]);
    const owned = tableOf({
      attributes: attributes.omit({ tenantId: true }),
      keys: { PK: 'T#<owner.tenantId>', SK: 'x' },
    });
    expect(found(owned)).toEqual([]);
  });

  test('accepts the tenant as a natural key, and reports any other natural key at its attribute', () => {
    const natural = (partition: string) => tableOf({ attributes }, { key: { partition, sort: 'email' } });
    expect(found(natural('tenantId'))).toEqual([]);
    expect(found(natural('id'))).toEqual([unscopedKey('attributes.id')]);
  });

  test("ignores an entity's index keys, because the rule checks them only for patterns that read the index", () => {
    const indexes = { GSI1: { partition: 'GSI1PK' } };
    expect(found(table({ PK: 'TENANT#<tenantId>', GSI1PK: 'EMAIL#<email>' }, { indexes }))).toEqual([]);
  });

  test('ignores an entity without a partition key, because `incomplete-key` reports it', () => {
    expect(found(table({}))).toEqual([]);
  });
});

describe('a tenant under another name', () => {
  const tenants = (PK: string, separator = '#') =>
    tableOf({ attributes: z.object({ id: z.string() }), keys: { PK, SK: 'METADATA' } }, { name: 'tenants', separator });

  const another = { path: 'entities.Thing.keys.PK', cause: 'another-id', part: 'id' };

  test('accepts the id of the tenant entity although the attribute has another name, as in trimobe', () => {
    const { entities, ...rest } = tenants('TENANT#<id>');
    const getTenant = { op: 'get', where: { PK: 'TENANT#<it>', SK: 'METADATA' }, returns: ['Tenant'] } as const;
    const design = { ...rest, entities: { Tenant: entities.Thing as EntityDesign }, patterns: { getTenant } };
    expect(found(design, {}, scoped())).toEqual([]);
  });

  test('does not recognize the tenant by the text before a part', () => {
    expect(found(tenants('ORG#<id>'), {}, scoped())).toEqual([unscopedKey()]);
    expect(found(tenants('TENANT#<id>'))).toEqual([another]);
    expect(found(tenants('TENANT#<id>'), {}, scoped())).toEqual([another]);
    const bills = table({ PK: 'TENANT#<tenantId>', SK: 'BILL#<id>#TENANT#<tenantId>' });
    expect(found(tenants('BILL#<id>#TENANT#<id>'), {}, bills)).toEqual([another]);
    expect(found(tenants('BILL#<id>'), {}, bills)).toEqual([unscopedKey()]);
  });

  test('does not recognize the tenant by a word that stands for another entity', () => {
    const bills = table({ PK: 'BILL#<tenantId>', SK: 'BILL#<id>' });
    expect(found(tenants('BILL#<id>'), {}, bills)).toEqual([unscopedKey()]);
  });

  test('does not recognize the tenant by position alone', () => {
    expect(found(tenants('<id>'), {}, table({ PK: '<tenantId>' }))).toEqual([unscopedKey()]);
    expect(found(tenants('<id>#<id>'), {}, table({ PK: '<id>#<tenantId>' }))).toEqual([unscopedKey()]);
    const piped = { ...table({ PK: '<id>|<tenantId>' }), separator: '|' };
    expect(found(tenants('<id>|<id>', '|'), {}, piped)).toEqual([unscopedKey()]);
  });
});

describe('the id of another entity after the word for the tenant', () => {
  const customers = z.object({ tenantId: z.string(), tenant_id: z.string(), customerId: z.string(), id: z.string() });
  const of = (PK: string, rest: Partial<TableDesign> = {}) =>
    tableOf({ attributes: customers, keys: { PK, SK: 'THING#<id>' } }, { name: 'customers', ...rest });
  const asked = (PK: string): PatternDesign => ({ op: 'query', where: { PK }, returns: ['Thing'] });

  test('reports a key in which the id of another entity follows the word for the tenant', () => {
    const path = 'entities.Thing.keys.PK';
    expect(found(of('TENANT#<customerId>'), {}, scoped())).toMatchObject([{ path, cause: 'another-id' }]);
    expect(found(of('TENANT#<tenant_id>'), {}, scoped())).toMatchObject([{ path, cause: 'another-id' }]);
  });

  test('reports a pattern in which the id of another entity follows the word for the tenant', () => {
    const path = 'patterns.mine.where';
    const mine = (PK: string) => found(of('TENANT#<tenantId>', { patterns: { mine: asked(PK) } }));
    expect(mine('TENANT#<customerId>')).toMatchObject([{ path, cause: 'another-id' }]);
    expect(mine('TENANT#<customer_id>')).toMatchObject([{ path, cause: 'another-id' }]);
    expect(mine('TENANT#<tenant-id>')).toEqual([]);
    expect(mine('TENANT#<mine>')).toEqual([]);
  });

  test('refuses a grant if the pattern has the id of another entity after the word for the tenant', () => {
    const tables = { customers: of('TENANT#<tenantId>', { patterns: { mine: asked('TENANT#<customerId>') } }) };
    const system: SystemDesign = { name: 'acme', cloud: 'aws', tenant: 'tenantId', tables };
    expect(() => grantOf({ of: system, names: ['mine'], tenant: principalTag('tenantId') })).toThrow(
      /does not contain <tenantId>/,
    );
  });
});

describe('a pattern', () => {
  const indexes = { GSI1: { partition: 'GSI1PK', sort: 'SK' } };
  const things = (pattern: PatternDesign, PK = 'TENANT#<tenantId>') =>
    found(table({ PK, GSI1PK: 'EMAIL#<email>' }, { indexes, patterns: { mine: pattern } }));
  const where = { PK: 'THING#<id>', SK: 'X' };

  test('reports an index key that does not contain the tenant if a pattern reads the index', () => {
    const GSI1PK = 'EMAIL#<email>';
    expect(things({ op: 'query', index: 'GSI1', where: { GSI1PK }, returns: ['Thing'] })).toEqual([
      { path: 'entities.Thing.keys.GSI1PK', cause: 'entity', index: 'GSI1' },
    ]);
  });

  test.each<[string, PatternDesign]>([
    ['where', { op: 'get', where, returns: ['Thing'] }],
    ['where', { op: 'query', where, returns: ['Thing'] }],
    ['where', { op: 'update', entity: 'Thing', where }],
    ['where', { op: 'delete', entity: 'Thing', where }],
    [
      'keys.one',
      { op: 'batchGet', keys: { one: where, two: { PK: 'TENANT#<tenantId>', SK: 'X' } }, returns: ['Thing'] },
    ],
    ['steps.gone.where', { op: 'transaction', steps: { gone: { op: 'delete', entity: 'Thing', where } } }],
    [
      'steps.there.where',
      { op: 'transaction', steps: { there: { op: 'require', entity: 'Thing', where, condition: {} } } },
    ],
  ])('reports every operation without the tenant: patterns.mine.%s', (path, pattern) => {
    expect(things(pattern)).toEqual([unscopedPattern(`patterns.mine.${path}`)]);
  });

  test('does not report a put pattern, because the rule reports the entity instead', () => {
    expect(things({ op: 'put', entity: 'Thing' }, 'THING#<id>')).toEqual([unscopedKey()]);
  });

  test('accepts a transaction whose step takes the tenant from the item of another step', () => {
    const steps = {
      made: { op: 'put', entity: 'Thing' },
      gone: { op: 'delete', entity: 'Thing', where: { PK: 'TENANT#<made.tenantId>', SK: 'X' } },
    } as const;
    expect(things({ op: 'transaction', steps })).toEqual([]);
  });

  test('ignores a pattern without a partition key, because `partition-incomplete` reports it', () => {
    expect(things({ op: 'query', where: {}, returns: ['Thing'] })).toEqual([]);
  });

  test('reports a pattern that contains a literal tenant id', () => {
    expect(things({ op: 'query', where: { PK: 'TENANT#acme' }, returns: ['Thing'] })).toHaveLength(1);
  });
});

describe('a parameter', () => {
  const reading = (design: TableDesign, PK: string, returns: readonly string[] = ['Thing']) =>
    found({ ...design, patterns: { mine: { op: 'query', where: { [design.key.partition]: PK }, returns } } });

  test("accepts any parameter name in the tenant's place", () => {
    expect(reading(scoped(), 'TENANT#<whose>')).toEqual([]);
    expect(reading(table({ PK: '<tenantId>#<id>' }), '<whose>#<which>')).toEqual([]);
    expect(reading(tableOf({ attributes }, { key: { partition: 'tenantId', sort: 'id' } }), '<whose>')).toEqual([]);
  });

  test('reports a parameter if the key of a returned entity has a different attribute in its place', () => {
    const Note = { attributes, keys: { PK: '<id>#<tenantId>', SK: 'NOTE' } };
    const design = table({ PK: '<tenantId>#<id>' });
    const both = { ...design, entities: { ...design.entities, Note } };
    expect(reading(both, '<whose>#<which>', ['Thing', 'Note'])).toEqual([unscopedPattern('patterns.mine.where')]);
    expect(reading(both, '<whose>#<which>', ['Note'])).toEqual([]);
    expect(reading(both, '<whose>', ['Thing'])).toEqual([]);
    expect(reading(both, '<whose>', ['Note'])).toHaveLength(1);
  });

  test('does not recognize the tenant if all entities of the pattern are unknown', () => {
    expect(reading(table({ PK: '<tenantId>' }), '<whose>', [])).toHaveLength(1);
    expect(reading(table({ PK: '<tenantId>' }), '<whose>', ['Nothing'])).toHaveLength(1);
  });
});

test('reports only a warning, because other code can also limit a caller to its tenant', () => {
  expect(tenantUnscoped).toMatchObject({ id: 'tenant-unscoped', severity: 'warning' });
});
