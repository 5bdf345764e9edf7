import { z } from 'zod';
import { check, review } from '../../../../lib/check/check';
import { tenantLeak } from '../../../../lib/check/rules/tenant-leak';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings } from '../../../fixtures/designs';

const attributes = z.object({ tenantId: z.string(), id: z.string(), owner: z.string() });

/** Returns a table with one entity for each of the given partitions. */
function table(
  partitions: Readonly<Record<string, string>>,
  rest: Partial<TableDesign> = {},
  schema = attributes,
): TableDesign {
  const entities = Object.entries(partitions).map(([name, PK]): [string, EntityDesign] => [
    name,
    { attributes: schema, keys: { PK, SK: name.toUpperCase() } },
  ]);
  return { name: 'things', key: { partition: 'PK', sort: 'SK' }, entities: Object.fromEntries(entities), ...rest };
}

function found(design: TableDesign, system: Partial<SystemDesign> = {}) {
  return findings(tenantLeak, design, {
    name: 'acme',
    cloud: 'aws',
    tenant: 'tenantId',
    tables: { things: design },
    ...system,
  });
}

const leaky = { Order: '<tenantId>#<id>', ApiKey: 'APIKEY#<owner>' };

test('reports a key that begins with the tenant id, because the id could equal the beginning of another key', () => {
  expect(found(table(leaky))).toEqual([
    {
      path: 'entities.Order.keys.PK',
      cause: 'reached',
      entities: ['ApiKey'],
      value: 'APIKEY',
      proposed: 'ORDER#<tenantId>#<id>',
    },
  ]);
});

test('reports a leak into a key that contains the id of another tenant', () => {
  expect(found(table({ Order: '<tenantId>#<id>', Alias: 'a#<tenantId>#x' }))).toMatchObject([
    { path: 'entities.Order.keys.PK', cause: 'reached', entities: ['Alias'], value: 'a' },
  ]);
});

test('proposes a distinct word at the beginning of a key if nothing else distinguishes it from another key', () => {
  const [leak] = found(table({ Order: '<tenantId>#<id>', Note: '<owner>#<id>' }));
  expect(leak).toMatchObject({ entities: ['Note'], proposed: 'ORDER#<tenantId>#<id>' });
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['different words', { Order: 'ORDER#<tenantId>#<id>', ApiKey: 'APIKEY#<owner>' }],
  ['the tenant in the same place', { Order: '<tenantId>#<id>', Line: '<tenantId>#<id>#<owner>', Tenant: '<tenantId>' }],
  ['the tenant after the same text', { Order: 'TENANT#<tenantId>', Line: 'TENANT#<tenantId>#LINE#<id>' }],
  ['the tenant in the same place, after another part', { Order: 'a#<tenantId>', Line: '<owner>#<tenantId>' }],
  ['more parts than the other key can have', { Tenant: '<tenantId>', ApiKey: 'APIKEY#<owner>' }],
  ['the same text on different sides of the tenant', { Order: '<tenantId>#a', Alias: 'a#<tenantId>' }],
])('accepts keys with %s', (_, partitions) => {
  expect(found(table(partitions))).toEqual([]);
});

describe('the attribute that identifies the tenant', () => {
  const more = attributes.extend({ region: z.string(), slug: z.string(), kind: z.enum(['TENANT', 'ORG']) });
  const leaks = (PK: string) => found(table({ Order: 'TENANT#<tenantId>#<id>', Other: PK }, {}, more));

  test.each([
    ['another attribute in place of the tenant', 'TENANT#<slug>#<id>'],
    ['another attribute before the tenant', 'TENANT#<region>#<tenantId>'],
    ['another attribute, and more parts', 'TENANT#<region>#<id>#<slug>'],
    ['the tenant in lower case', 'TENANT#<tenantId:lower>#<id>'],
    ["the tenant's shard", 'TENANT#<shard(tenantId, 4)>#<id>'],
    ['a listed value that equals the word', '<kind>#<slug>#<id>'],
    ['a string that may equal the word', '<slug>#<region>#<id>'],
    ['more text before the tenant', 'TENANT#X<tenantId>#<id>'],
    ['text after the tenant', 'TENANT#<tenantId>X#<id>'],
  ])('reports a leak through %s: %s', (_what, PK) => {
    expect(leaks(PK)).toContainEqual(
      expect.objectContaining({ path: 'entities.Order.keys.PK', cause: 'reached', entities: ['Other'] }),
    );
  });

  test.each(['TENANTS#<slug>#<id>', 'TENANT-<slug>#<id>', 'TENANT#<slug>', 'ORG#<region>#<tenantId>'])(
    'accepts a key that no other tenant can reach: %s',
    (PK) => {
      expect(leaks(PK)).toEqual([]);
    },
  );

  test('reports a tenant id that is a number in one entity and a string in another, and proposes the same schema for both', () => {
    const keys = { PK: 'TENANT#<tenantId>', SK: '<id>' };
    const [Order, Other] = [
      { attributes, keys },
      { attributes: attributes.extend({ tenantId: z.int() }), keys },
    ];
    const system = { name: 'acme', cloud: 'aws', tenant: 'tenantId' } as const;
    const things = table({}, { entities: { Order, Other } });
    const [leak] = check({ ...system, tables: { things } }).filter(({ rule }) => rule === 'tenant-leak');
    expect(leak?.message).toContain(', which belongs to a tenant whose <tenantId> is a number, not a string');
    expect(leak?.fix).toContain('give <tenantId> the same schema in Other as in Order');
  });
});

test.each([
  ['a UUID', z.uuid(), []],
  ['an id with a fixed prefix', z.string().startsWith('t_'), []],
  ['a listed value', z.enum(['acme', 'initech']), []],
  ['a listed value that may equal the word', z.enum(['acme', 'APIKEY']), ['entities.Order.keys.PK']],
])('reports a leak only if the schema of the tenant id accepts a word from another key: %s', (_, tenantId, paths) => {
  const design = table(leaky, {}, attributes.extend({ tenantId }) as unknown as typeof attributes);
  expect(found(design).map(({ path }) => path)).toEqual(paths);
});

test('reports a key that a caller with an empty session tag could reach', () => {
  const [leak] = found(table({ Order: 'ORDER<tenantId>#x', Other: 'ORDER#x' }));
  expect(leak).toMatchObject({ cause: 'reached', entities: ['Other'], value: '' });
});

test('reports a tenant that is a natural key, because its value can contain the separator', () => {
  const natural = { attributes, keys: {} };
  const design: TableDesign = {
    name: 'things',
    key: { partition: 'tenantId' },
    entities: { Tenant: natural, Note: { attributes, keys: { tenantId: '<tenantId>#<id>' } } },
  };
  expect(found(design).map(({ path }) => path)).toEqual([
    'entities.Tenant.attributes.tenantId',
    'entities.Note.keys.tenantId',
  ]);
  expect(found(design)[0]).toMatchObject({ cause: 'reached', entities: ['Note'] });
  expect(found(design)[0]).not.toHaveProperty('proposed');
});

describe('an index', () => {
  const indexes = { GSI1: { partition: 'GSI1PK' } };
  const withIndex = (patterns: TableDesign['patterns']) => {
    const { entities } = table({ Order: 'ORDER#<tenantId>', ApiKey: 'APIKEY#<owner>' });
    const { Order, ApiKey } = entities as Record<'Order' | 'ApiKey', EntityDesign>;
    return table(
      {},
      {
        indexes,
        patterns,
        entities: {
          Order: { ...Order, keys: { ...Order.keys, GSI1PK: '<tenantId>#<id>' } },
          ApiKey: { ...ApiKey, keys: { ...ApiKey.keys, GSI1PK: 'APIKEY#<owner>' } },
        },
      },
    );
  };

  test('checks an index for leaks if a pattern reads the index', () => {
    const read = { op: 'query', index: 'GSI1', where: { GSI1PK: '<tenantId>#<id>' }, returns: ['Order'] } as const;
    expect(found(withIndex({ read }))).toMatchObject([
      { path: 'entities.Order.keys.GSI1PK', index: 'GSI1', entities: ['ApiKey'] },
    ]);
  });

  test('skips an index that no pattern reads, because no grant covers the index', () => {
    expect(found(withIndex({}))).toEqual([]);
  });
});

describe('a leak', () => {
  test('reports one leak per key, with every entity that the key exposes', () => {
    const [leak, ...more] = found(table({ ...leaky, Flag: 'FLAG#<id>', Job: 'JOB#<id>' }));
    expect(more).toEqual([]);
    expect(leak?.entities).toEqual(['ApiKey', 'Flag', 'Job']);
  });

  test('reports leaks only on AWS, and only for systems with a tenant', () => {
    expect(found(table(leaky), { tenant: undefined })).toEqual([]);
    expect(found(table(leaky), { cloud: 'azure' })).toEqual([]);
    expect(check(table(leaky)).filter(({ rule }) => rule === 'tenant-leak')).toEqual([]);
  });

  test('reports a leak as an error that a design can acknowledge', () => {
    expect(tenantLeak.severity).toBe('error');
    const things = table(leaky, {
      acknowledge: {
        'tenant-leak': { 'entities.Order': 'the API limits callers to their own tenants' },
        'tenant-unscoped': { 'entities.ApiKey': 'looked up before the tenant is known' },
      },
    });
    const { findings: left, acknowledged } = review({
      name: 'acme',
      cloud: 'aws',
      tenant: 'tenantId',
      tables: { things },
    });
    expect(left.filter(({ rule }) => /tenant|acknowledgement/.test(rule))).toEqual([]);
    expect(acknowledged.map(({ rule }) => rule)).toEqual(['tenant-unscoped', 'tenant-leak']);
    expect(check(things).filter(({ rule }) => rule === 'acknowledgement')).toEqual([]);
  });

  test('finds no leak in the five systems', () => {
    const leaks = Object.values(systems).flatMap((system) =>
      check(system).filter(({ rule }) => rule === 'tenant-leak'),
    );
    expect(leaks).toEqual([]);
  });
});
