import { z } from 'zod';
import { assertSound, check } from '../../../lib/check/check';
import { DesignError } from '../../../lib/check/language/well-formed';
import type { TableDesign } from '../../../lib/design/table';

const key = { partition: 'PK', sort: 'SK' };
const attributes = z.object({ id: z.string() });
const fails = (): never => {
  throw new Error('boom');
};
const things = (rest: object = {}): TableDesign =>
  ({
    name: 'things',
    key,
    entities: { Thing: { attributes, keys: { PK: 'T#<id>', SK: 'T' } } },
    ...rest,
  }) as TableDesign;
const of = (schema: z.ZodType, keys: object = { PK: 'T#<id>', SK: 'T' }): TableDesign =>
  things({ entities: { Thing: { attributes: z.object({ id: schema }), keys } } });

const unions: z.ZodType = z.lazy(() => z.union([unions, z.string()]));
const itself: z.ZodType = z.lazy(() => itself);
const anew = (): z.ZodType => z.lazy(() => z.object({ one: anew().optional(), other: anew().optional() }));

describe('errors while the check reads a design', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a getter',
      () => ({
        ...things(),
        get name() {
          return fails();
        },
      }),
      'name',
    ],
    [
      'a getter in a table',
      () => ({
        name: 'things',
        key,
        get entities() {
          return fails();
        },
      }),
      'entities',
    ],
    [
      'a getter in a pattern',
      () =>
        things({
          patterns: {
            one: {
              op: 'get',
              get where() {
                return fails();
              },
              returns: ['Thing'],
            },
          },
        }),
      'patterns.one.where',
    ],
    ['a proxy', () => new Proxy({}, { get: fails, has: fails, ownKeys: fails }), ''],
    ['a proxy for the entities', () => things({ entities: new Proxy({}, { ownKeys: fails }) }), 'entities'],
    [
      'a proxy for a schema',
      () => things({ entities: { Thing: { attributes: new Proxy(attributes, { get: fails }) } } }),
      'entities.Thing.attributes',
    ],
    ['a schema', () => of(z.lazy(fails)), 'entities.Thing.attributes.id'],
    [
      'a system',
      () => ({
        name: 'system',
        cloud: 'aws',
        get tables() {
          return fails();
        },
      }),
      'tables',
    ],
    [
      'a table of a system',
      () => ({ name: 'system', cloud: 'aws', tables: { one: new Proxy({}, { get: fails, ownKeys: fails }) } }),
      'tables.one',
    ],
    ['a schema that contains itself', () => of(unions), ''],
  ])('reports the path of a part that throws when the check reads it: %s', (_, make, path) => {
    const design = make() as TableDesign;
    expect(check(design)).toMatchObject([{ rule: 'malformed', cause: 'unreadable', severity: 'error', path }]);
    expect(() => assertSound(design)).toThrow(DesignError);
  });
});

describe('odd designs', () => {
  test.each<[string, () => TableDesign]>([
    ['a schema that refers only to itself', () => of(itself)],
    ['a schema that recreates itself', () => of(anew())],
    ['no value', () => of(z.enum([]))],
    ['never', () => of(z.never())],
    ['a refinement that throws', () => of(z.string().refine(fails), { PK: 'T#<id>', SK: '<id>' })],
    ['a transform that throws', () => of(z.string().transform(fails))],
    ['an overwrite that throws', () => of(z.string().overwrite(fails))],
    ['a lone surrogate in a value', () => of(z.enum(['\ud800', 'a']), { PK: 'T\ud800#<id>', SK: '\udc00' })],
    ['a lone surrogate as the separator', () => things({ separator: '\ud83d' })],
    ['a design without a prototype', () => Object.assign(Object.create(null), things())],
  ])('does not throw for an odd design: %s', (_, make) => {
    expect(() => check(make())).not.toThrow();
  });

  test('does not throw if the design becomes unreadable during the check', () => {
    let calls = 0;
    const late = new Proxy(things(), {
      get: (design, name) => (++calls > 45 ? fails() : design[name as keyof TableDesign]),
    });
    expect(() => check(late)).not.toThrow();
  });
});

describe('large designs', () => {
  const timed = (design: TableDesign) => {
    const before = process.cpuUsage();
    const found = check(design);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(5);
    return found.map(({ rule }) => rule);
  };
  const many = <T>(count: number, one: (i: number) => readonly [string, T]) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => one(i)));

  test('checks 5,000 entities with the same key within seconds', () => {
    const Thing = { attributes, keys: { PK: 'T#<id>', SK: 'T' } };
    expect(timed(things({ entities: many(5_000, (i) => [`E${i}`, Thing]) }))).toEqual(['key-collision']);
  });

  test('checks 5,000 entities with distinct keys within seconds', () => {
    const entities = many(5_000, (i) => {
      const own = z.object({ id: z.string(), state: z.enum([`a${i}`, `b${i}`]) });
      return [`E${i}`, { attributes: own, keys: { PK: 'T#<id>', SK: '<state>' } }];
    });
    expect(timed(things({ entities }))).toContain('undecided');
  });

  test('checks a key with 20,000 parts within seconds', () => {
    const PK = Array(20_000).fill('<id>').join('#');
    expect(timed(of(z.string(), { PK, SK: 'T' }))).toEqual(['limits', 'undecided']);
    const patterns = { one: { op: 'get', where: { PK, SK: 'T' }, returns: ['Thing'] } };
    expect(timed(things({ patterns }))).toEqual(['undecided']);
  });
});
