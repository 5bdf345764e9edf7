import { z } from 'zod';
import { keyCollision } from '../../../../lib/check/rules/key-collision';
import type { KeyCondition, QueryPattern } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings, shop, tableOf } from '../../../fixtures/designs';
import { library } from '../../../fixtures/library';

const found = (design: TableDesign) => findings(keyCollision, design);

const timestamp = z.iso.datetime({ precision: 3 });
const attributes = z.object({
  id: z.string(),
  other: z.string(),
  n: z.int().min(1).max(99),
  at: timestamp,
  day: z.iso.date(),
  color: z.enum(['red', 'blue']),
  size: z.enum(['small', 'large']),
  uuid: z.uuid(),
  ulid: z.ulid(),
});

test.each([...Object.values(shop.tables), library] as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('two entities', () => {
  const entity = (PK: string, SK: string): EntityDesign => ({ attributes, keys: { PK, SK } });
  const two = (a: readonly [string, string], b: readonly [string, string], rest: Partial<TableDesign> = {}) =>
    found({
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: { Ape: entity(...a), Bear: entity(...b) },
      ...rest,
    });

  test('reports two entities with the same key templates', () => {
    expect(two(['X#<id>', 'X'], ['X#<other>', 'X'])).toEqual([
      { path: 'entities.Bear.keys.SK', cause: 'two-entities', entities: ['Ape'] },
    ]);
  });

  test.each([
    ['X', '<id>'],
    ['<id>', '<other>'],
    ['X#<id>', 'X#<other>'],
    ['X#<n>', 'X#<id>'],
    ['X#<n:2>', 'X#07'],
    ['X#<at:date>', 'X#<day>'],
    ['X#<at>', 'X#<id>'],
    ['X#<color>', 'X#red'],
    ['X#<at:year>-<n:2>', 'X#<id>'],
    ['<uuid>', '<id>'],
  ])('reports two entities that can have equal keys: %s, %s', (a, b) => {
    expect(two(['P#<id>', a], ['P#<id>', b])).toHaveLength(1);
    expect(two([a, 'S#<id>'], [b, 'S#<id>'])).toHaveLength(1);
  });

  test.each([
    ['X', 'Y'],
    ['X', 'X#<id>'],
    ['X#<id>', 'Y#<id>'],
    ['X#<id>', 'X#<id>#<other>'],
    ['<id>', 'X#<id>'],
    ['X#<n:2>', 'X#<n:3>'],
    ['X#<at:date>', 'X#<at>'],
    ['X#<color>', 'X#<size>'],
    ['X#<color>', 'X#green'],
    ['X#<uuid>', 'X#<day>'],
    ['X#<uuid>', 'X#<ulid>'],
    ['<ulid>', 'X'],
    ['X#<n:2>', 'X#<color>'],
  ])('accepts two entities that cannot have equal keys: %s, %s', (a, b) => {
    expect(two(['P#<id>', a], ['P#<id>', b])).toEqual([]);
    expect(two([a, 'S#<id>'], [b, 'S#<id>'])).toEqual([]);
  });

  test('reports two entities only if both the partition keys and the sort keys can be equal', () => {
    expect(two(['P#<id>', 'X'], ['Q#<id>', 'X'])).toEqual([]);
    expect(two(['P#<id>', 'X'], ['P#<id>', 'Y'])).toEqual([]);
  });

  test('accepts equal keys in an index, because index keys need not be unique', () => {
    const indexes = { byColor: { partition: 'color', sort: 'size' } };
    expect(two(['P#<id>', 'X'], ['Q#<id>', 'X'], { indexes })).toEqual([]);
  });

  test('reports two entities with equal keys in a table without a sort key', () => {
    const rest = { key: { partition: 'PK' } };
    expect(two(['X#<id>', ''], ['X#<other>', ''], rest)).toEqual([
      { path: 'entities.Bear.keys.PK', cause: 'two-entities', entities: ['Ape'] },
    ]);
  });

  test("reports a natural key that can equal another entity's key because it may contain the separator", () => {
    const natural = (sort: string, ofApe: string) =>
      found({
        name: 'things',
        key: { partition: 'id', sort },
        entities: { Ape: { attributes, keys: { [sort]: ofApe } }, Bear: { attributes } },
      });
    expect(natural('other', 'APE#<n>')).toEqual([
      { path: 'entities.Bear.attributes.other', cause: 'two-entities', entities: ['Ape'] },
    ]);
    expect(natural('color', 'APE#<n>')).toEqual([]);
  });

  test('reports one finding for any number of entities that share a key', () => {
    const same = entity('X#<id>', 'X');
    const design: TableDesign = {
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: { A: same, B: entity('X#<other>', 'X'), C: same, D: entity('Y#<id>', 'X') },
    };
    expect(found(design).map(({ path, entities }) => [path, entities])).toEqual([['entities.C.keys.SK', ['A', 'B']]]);
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`E${i}`, same]));
    expect(found({ ...design, entities: hundred })).toHaveLength(1);
  });

  test('ignores an entity that lacks a key, because `incomplete-key` reports it', () => {
    const rest = { entities: { A: { attributes, keys: { PK: 'X' } }, B: entity('X', 'X') } };
    expect(two(['', ''], ['', ''], rest)).toEqual([]);
  });
});

describe('two items of an entity', () => {
  const thing = (PK: string, SK: string) => found(tableOf({ attributes, keys: { PK, SK } }));

  test.each([
    ['PARENT#<other>', '<at>'],
    ['PARENT#<other>', 'THING#<at>'],
    ['THINGS', '<at>'],
    ['PARENT#<other>#<at:date>', '<at>'],
    ['PARENT#<other>', 'THING#<at:date>'],
  ])('reports a key that distinguishes items only by a time: %s, %s', (PK, SK) => {
    expect(thing(PK, SK)).toEqual([
      {
        severity: 'warning',
        path: 'entities.Thing.keys.SK',
        cause: 'only-time-apart',
        proposed: `${SK}#<id>`,
      },
    ]);
  });

  test('reports a key that distinguishes items only by a listed value and a time', () => {
    expect(thing('PARENT#<other>', '<color>#<at>')).toMatchObject([
      { cause: 'only-time-apart', proposed: '<color>#<at>#<id>' },
    ]);
  });

  test.each([
    ['PARENT#<other>', '<at>#<id>'],
    ['PARENT#<other>', '<n:2>#<at>'],
    ['PARENT#<other>', 'DAY#<day>'],
    ['PARENT#<other>', '<color>'],
    ['PARENT#<other>', 'THING'],
    ['THING#<id>', '<at>'],
    ['PARENT#<other>#<id>', 'THING#<at>'],
  ])('accepts a key that does not distinguish items only by a time: %s, %s', (PK, SK) => {
    expect(thing(PK, SK)).toEqual([]);
  });

  test("distinguishes items by their own entity's id, but not by another entity's id", () => {
    const entity = { attributes: z.object({ thingId: z.string(), partId: z.string(), at: timestamp }) };
    const keys = { PK: 'X#<thingId>', SK: '<at>' };
    expect(found(tableOf({ ...entity, keys }))).toEqual([]);
    expect(found(tableOf({ ...entity, keys: { ...keys, PK: 'X#<partId>' } }))).toMatchObject([
      { cause: 'only-time-apart', proposed: '<at>#<thingId>' },
    ]);
  });

  test('reports a natural key that distinguishes items only by a time', () => {
    const natural = z.object({ sensor: z.string(), at: timestamp });
    expect(found(tableOf({ attributes: natural }, { key: { partition: 'sensor', sort: 'at' } }))).toEqual([
      { severity: 'warning', path: 'entities.Thing.attributes.at', cause: 'only-time-apart', proposed: '<at>#<id>' },
    ]);
  });

  test('accepts two items with the same time if every put replaces the stored item', () => {
    const design = tableOf({ attributes, keys: { PK: 'PARENT#<other>', SK: '<at>' } });
    const put = { op: 'put', entity: 'Thing', replace: true } as const;
    const steps = { again: { op: 'put', entity: 'Thing' } } as const;
    expect(found(design)).toHaveLength(1);
    expect(found({ ...design, patterns: { put } })).toEqual([]);
    expect(found({ ...design, patterns: { put, both: { op: 'transaction', steps } } })).toHaveLength(1);
  });

  test('reports a primary key that contains only a time', () => {
    expect(found(tableOf({ attributes, keys: { PK: 'THING#<at>' } }, { key: { partition: 'PK' } }))).toEqual([
      { severity: 'warning', path: 'entities.Thing.keys.PK', cause: 'only-time-apart', proposed: 'THING#<at>#<id>' },
    ]);
  });

  describe('items that a pattern reads together', () => {
    const many = (
      keys: Record<string, string>,
      where: Record<string, KeyCondition>,
      rest: Partial<QueryPattern> = {},
    ) => {
      const attributes = z.object({
        thingId: z.string(),
        ownerId: z.string(),
        email: z.string(),
        color: z.enum(['red']),
      });
      const Other = { attributes, keys: { PK: 'OTHER#<ownerId>', SK: 'OTHER' } };
      const mine: QueryPattern = { op: 'query', where, returns: ['Thing'], ...rest };
      const indexes = { byEmail: { partition: 'email', sort: 'ownerId' } };
      const entities = { Thing: { attributes, keys }, Other };
      return found({ name: 'things', key: { partition: 'PK', sort: 'SK' }, indexes, entities, patterns: { mine } });
    };
    const PK = 'OWNER#<ownerId>';

    test("reports a key without the item's id if a pattern reads several items", () => {
      expect(many({ PK, SK: 'THING' }, { PK, SK: { beginsWith: 'THING' } })).toEqual([
        { severity: 'warning', path: 'entities.Thing.keys.SK', cause: 'nothing-apart', proposed: 'THING#<thingId>' },
      ]);
      expect(many({ PK, SK: 'THING#<color>' }, { PK, SK: { beginsWith: 'THING#' } })).toMatchObject([
        { cause: 'only-listed-apart', proposed: 'THING#<color>#<thingId>' },
      ]);
    });

    test('accepts a constant key if no pattern suggests that several items share the key', () => {
      expect(many({ PK, SK: 'THING' }, { PK, SK: 'THING' })).toEqual([]);
      expect(many({ PK, SK: 'THING' }, { PK })).toEqual([]);
      expect(many({ PK, SK: 'THING' }, { PK, SK: { beginsWith: 'T' } }, { returns: ['Thing', 'Other'] })).toEqual([]);
      expect(many({ PK, SK: 'THING' }, { PK, SK: { beginsWith: 'T' } }, { returns: ['Other'] })).toEqual([]);
      const where = { email: '<email>', ownerId: { beginsWith: 'a' } };
      expect(many({ PK, SK: 'THING' }, where, { index: 'byEmail' })).toEqual([]);
    });

    test('accepts items without an id in the sort key if each item has a separate partition', () => {
      const stretch = (own: string) => many({ PK: own, SK: 'THING' }, { PK: own, SK: { beginsWith: 'THING' } });
      expect(stretch('THING#<thingId>')).toEqual([]);
      expect(stretch('THING#<email>')).toEqual([]);
      expect(stretch('OWNER#<ownerId>')).toHaveLength(1);
    });
  });

  test('ignores items without a key, because `incomplete-key` reports them', () => {
    expect(found(tableOf({ attributes, keys: { SK: '<at>' } }))).toEqual([]);
    expect(found(tableOf({ attributes, keys: { PK: '<at>' } }))).toEqual([]);
  });
});

describe('a literal and a value in the same place', () => {
  const against = (schema: z.ZodType, text = 'META', SK = '<value>') => {
    const both = z.object({ id: z.string(), value: schema });
    const entities = {
      Ape: { attributes: both, keys: { PK: 'P#<id>', SK: text } },
      Bear: { attributes: both, keys: { PK: 'P#<id>', SK } },
    };
    return found({ name: 'things', key: { partition: 'PK', sort: 'SK' }, entities });
  };

  test.each<[string, z.ZodType]>([
    ['an e-mail address', z.email()],
    ['a URL', z.url()],
    ['a UUID', z.uuid()],
    ['a UUID of version 7', z.uuidv7()],
    ['a nanoid', z.nanoid()],
    ['a ksuid', z.ksuid()],
    ['a cuid', z.cuid()],
    ['a cuid2', z.cuid2()],
    ['an xid', z.xid()],
    ['a ulid', z.ulid()],
    ['an IPv4 address', z.ipv4()],
    ['an IPv6 address', z.ipv6()],
    ['an IP network', z.cidrv4()],
    ['a phone number', z.e164()],
    ['a JWT', z.jwt()],
    ['hexadecimal', z.hex()],
    ['a date', z.iso.date()],
    ['a time', z.iso.time()],
    ['a duration', z.iso.duration()],
    ['a timestamp', z.iso.datetime()],
    ['a fixed length', z.string().length(26)],
    ['a minimum length', z.string().min(5)],
    ['a maximum length', z.string().max(3)],
    ['a regular expression', z.string().regex(/^[a-z]+-\d+$/)],
    ['a case-insensitive regular expression', z.string().regex(/^m[a-z]+x$/i)],
    ['lower case', z.string().lowercase()],
    ['text converted to lower case', z.string().toLowerCase()],
    ['a prefix', z.string().startsWith('usr_')],
    ['a suffix', z.string().endsWith('.png')],
    ['a required substring', z.string().includes('-')],
    ['a template literal', z.templateLiteral(['v', z.number()])],
    ['an enum', z.enum(['a', 'b'])],
    ['a number', z.number()],
    ['a refinement', z.string().refine((value) => value !== 'META')],
    ['a custom format', z.stringFormat('sku', /^[A-Z]{3}-\d{4}$/)],
    ['a brand', z.string().regex(/^c_/).brand<'Customer'>()],
    ['a pipe', z.string().pipe(z.email())],
    ['a union', z.union([z.email(), z.uuid()])],
    [
      'a transform followed by a check',
      z
        .string()
        .transform((text) => text.trim())
        .pipe(z.email()),
    ],
    ['an optional value', z.email().optional()],
  ])('accepts a literal and a value in the same place if the schema refuses the literal: %s', (_, schema) => {
    expect(against(schema)).toEqual([]);
  });

  test.each<[string, z.ZodType]>([
    ['any text', z.string()],
    ['a minimum length that the literal reaches', z.string().min(4)],
    ['a nullable value', z.string().nullable()],
    ['text converted to upper case', z.string().toUpperCase()],
    ['a regular expression', z.string().regex(/^[A-Z]+$/)],
    ['base64', z.base64()],
    ['an enum that contains the literal', z.enum(['META', 'b'])],
    ['a transform', z.string().transform((text) => text.toUpperCase())],
    ['a union', z.union([z.email(), z.string().max(4)])],
    ['an async refinement', z.string().refine(async () => true)],
  ])('reports a literal and a value in the same place if the schema may accept the literal: %s', (_, schema) => {
    expect(against(schema)).toHaveLength(1);
  });

  test('compares literal text with the digits of a number in the same place', () => {
    const n = z.int().min(1).max(99);
    expect(against(n, 'v0', 'v<value>')).toEqual([]);
    expect(against(n, 'v1', 'v<value>')).toHaveLength(1);
    expect(against(n, 'v01', 'v<value>')).toEqual([]);
    expect(against(n, 'v00', 'v<value:2>')).toEqual([]);
    expect(against(n, 'v01', 'v<value:2>')).toHaveLength(1);
  });

  test('treats a repeated attribute as the same value in both places', () => {
    expect(against(z.string(), 'A#B', '<value>#<value>')).toEqual([]);
    expect(against(z.string(), 'A#A', '<value>#<value>')).toHaveLength(1);
  });
});

describe('ids with a prefix', () => {
  const table = (userId: z.ZodString, orgId: z.ZodString): TableDesign => ({
    name: 'accounts',
    key: { partition: 'id' },
    entities: {
      User: { attributes: z.object({ userId }), keys: { id: '<userId>' } },
      Organisation: { attributes: z.object({ orgId }), keys: { id: '<orgId>' } },
    },
  });

  test.each([
    ['startsWith', z.string().startsWith('usr_'), z.string().startsWith('org_')],
    ['a regular expression', z.string().regex(/^usr_[a-z0-9]{20}$/), z.string().regex(/^org_[a-z0-9]{20}$/)],
  ])('treats ids as distinct if their schemas require different prefixes (%s)', (_, userId, orgId) => {
    expect(findings(keyCollision, table(userId, orgId))).toEqual([]);
  });

  test('reports two ids if one prefix begins with the other', () => {
    expect(findings(keyCollision, table(z.string().startsWith('us'), z.string().startsWith('usr_')))).toHaveLength(1);
    expect(findings(keyCollision, table(z.string().regex(/^usr?_/), z.string().regex(/^us_/)))).toHaveLength(1);
    expect(findings(keyCollision, table(z.string().regex(/^usr_|^org_/), z.string().startsWith('org_')))).toHaveLength(
      1,
    );
    expect(findings(keyCollision, table(z.string().regex(/usr_/), z.string().startsWith('org_')))).toHaveLength(1);
  });
});
