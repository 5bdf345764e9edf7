import { z } from 'zod';
import { examples } from '../../../lib/check/examples';
import type { Found } from '../../../lib/check/finding';
import { allRules, rulesAbout } from '../../../lib/check/rules';
import { subject, type TableUnderCheck } from '../../../lib/check/subject';
import { type Trait, traitsOf } from '../../../lib/check/traits';
import { openQuestions } from '../../../lib/check/undecided';
import type { KeyCondition, PatternDesign } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { systems } from '../../../lib/systems';
import { anyDesign } from '../../fixtures/any-design';
import { orders, shop, tableOf } from '../../fixtures/designs';
import { idioms } from '../../fixtures/idioms';
import { planted } from '../../fixtures/idioms/planted';
import { soundDesigns } from '../../fixtures/sound-designs';
import fc from '../../support/fuzz';
import { withFault } from '../../support/planted';

type Design = TableDesign | SystemDesign;

/** A design as it is checked: alone, in its system, and as one that is to go to Azure. */
function subjectsOf(design: Design): readonly (() => TableUnderCheck)[] {
  const isSystem = 'tables' in design;
  return (isSystem ? Object.values(design.tables) : [design]).flatMap((table) => [
    () => subject(table, isSystem ? design : undefined),
    () => subject(table, isSystem ? design : undefined, 'azure'),
  ]);
}

/** What rules that the check does not ask would find, or leave open. */
function lostIn(makeSubject: () => TableUnderCheck): readonly string[] {
  const asked = new Set(rulesAbout(traitsOf(makeSubject())));
  return allRules()
    .filter((rule) => !asked.has(rule))
    .flatMap((rule) => {
      const table = makeSubject();
      const found: readonly Found[] = [...rule.check(table), ...openQuestions(table)];
      return found.map(({ path, cause }) => `${rule.id} ${cause} ${path}`);
    });
}

const lost = (design: Design) => subjectsOf(design).flatMap(lostIn);

describe('a rule that is not asked would have found nothing', () => {
  test.each(Object.values(systems))('in $name', (system) => {
    expect(lost(system)).toEqual([]);
  });

  test('in sound designs and idioms', () => {
    expect([orders, shop, ...soundDesigns, ...idioms].flatMap(lost)).toEqual([]);
  });

  test('in the examples of the rules, broken and mended', () => {
    expect(Object.values(examples).flatMap(({ broken, mended }) => [...lost(broken), ...lost(mended)])).toEqual([]);
  });

  test('in designs with a fault planted', () => {
    const faulty = Object.values(planted).flatMap((faults) =>
      faults.map(([, design, edits]) => withFault(design, edits)),
    );
    expect(faulty.flatMap(lost)).toEqual([]);
  });

  test('in designs that are nearly plain', () => {
    fc.assert(
      fc.property(nearlyPlain, (design) => {
        expect(lost(design)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('in designs of any kind', () => {
    fc.assert(
      fc.property(anyDesign, (design) => {
        expect(lost(design)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('traits', () => {
  const plain = tableOf({
    attributes: z.object({ id: z.string(), name: z.string() }),
    keys: { PK: 'THING#<id>', SK: 'NAME#<name>' },
  });
  const traits = (design: TableDesign) => [...traitsOf(subject(design))];

  test('a plain table has none, and no rule is asked of it', () => {
    expect(traits(plain)).toEqual([]);
    expect(rulesAbout(new Set())).toEqual([]);
  });

  test.each<[Trait, Partial<TableDesign>]>([
    ['ttl', { ttl: 'expires' }],
    ['separator', { separator: '|' }],
    ['odd-name', { name: 'a b' }],
    ['unread-index', { indexes: { byName: { partition: 'name' } } }],
    ['scan', { patterns: { all: { op: 'scan', returns: ['Thing'] } } }],
    ['several-items', { patterns: { none: { op: 'transaction', steps: {} } } }],
    ['unknown-name', { patterns: { all: { op: 'query', index: 'none', where: {}, returns: ['Thing'] } } }],
    ['incomplete-where', { patterns: { some: { op: 'get', where: { PK: 'THING#<id>' }, returns: ['Thing'] } } }],
    ['other-words', { patterns: { some: { op: 'query', where: { PK: 'THING#<name>' }, returns: ['Thing'] } } }],
  ])('%s', (trait, rest) => {
    expect(traits({ ...plain, ...rest })).toContain(trait);
  });

  test('the rules are in the order in which findings are shown', () => {
    const ids = rulesAbout(new Set<Trait>(['azure', 'ttl', 'scan'])).map(({ id }) => id);
    expect(ids).toEqual(
      allRules()
        .map(({ id }) => id)
        .filter((id) => ids.includes(id)),
    );
    expect(ids).toContain('whole-scan');
  });
});

/** Mostly the first, which is plain. */
const mostly = <T>(plain: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 20, arbitrary: fc.constant(plain) }, { weight: 2, arbitrary: fc.constantFrom(...others) });

const attribute = mostly<z.ZodType>(
  z.string(),
  z.string().optional(),
  z.string().nullable(),
  z.string().default('a'),
  z.string().max(2000),
  z.string().min(1),
  z.string().regex(/^\d+$/),
  z.string().regex(/^a#b$/),
  z.string().startsWith('a#'),
  z.string().toLowerCase(),
  z.string().refine((text) => /^\d+$/.test(text)),
  z
    .string()
    .regex(/^\d\d-\d\d-\d{4}$/)
    .pipe(z.string()),
  z.string().transform((text) => text.length),
  z.coerce.string(),
  z.templateLiteral(['a-', z.string()]),
  z.enum(['a', 'b']),
  z.enum(['low', 'medium', 'high']),
  z.enum(['a#', 'A']),
  z.literal('a'),
  z.int(),
  z.int().min(1).max(9),
  z.number(),
  z.bigint(),
  z.boolean(),
  z.date(),
  z.iso.datetime(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ precision: 3 }),
  z.iso.date(),
  z.uuid(),
  z.uuidv7(),
  z.email(),
  z.any(),
  z.json(),
  z.array(z.string()),
  z.set(z.string()),
  z.object({ id: z.string(), at: z.string() }),
  z.record(z.string(), z.string()),
  z.union([z.string(), z.number()]),
  z.instanceof(Uint8Array),
);

const names = ['id', 'thingId', 'orderId', 'title', 'createdAt', 'status', 'map', 'year', 'PK', 'expires'] as const;

const attributes = fc
  .tuple(fc.record(Object.fromEntries(names.map((name) => [name, attribute]))), fc.subarray([...names]), fc.nat(9))
  .map(([all, kept, form]) => {
    const shape = Object.fromEntries(
      Object.entries(all).filter(([name]) => name === 'id' || kept.includes(name as 'id')),
    );
    return form === 0 ? z.looseObject(shape) : form === 1 ? z.object(shape).refine(() => true) : z.object(shape);
  });

const partition = mostly(
  'THING#<id>',
  'THING',
  '<id>',
  'ORDER#<thingId>',
  'THING#<id>#<status>',
  'THING#<createdAt:date>',
);
const sort = mostly(
  'THING#<thingId>',
  'THING',
  '<createdAt>',
  'THING#<createdAt>#<id>',
  'THING#<id><status>',
  'THING#<id>-<status>',
  'THING#<year:4>',
  'THING#<createdAt:month>',
  'ORDER#<thingId>',
  'TITLE#<title>',
  'THING#<map.id>',
  'THING#<nobody>',
  'THING#<id',
  '$'.concat('{id}'),
  'THING#<status>',
  'LONG'.repeat(300),
);

const condition = (text: fc.Arbitrary<string>): fc.Arbitrary<KeyCondition> =>
  fc.oneof(
    { weight: 3, arbitrary: text },
    text.map((beginsWith) => ({ beginsWith })),
    fc.constantFrom(
      { beginsWith: 'THING#' },
      { beginsWith: 'THING#<id>#' },
      { beginsWith: 'TH' },
      { beginsWith: 'THING#<id?>' },
    ),
    fc.tuple(text, text).map(([from, to]) => ({ between: [from, to] as [string, string] })),
    text.map((atLeast) => ({ atLeast })),
    text.map((atMost) => ({ atMost })),
  );

const whole = fc.record({ PK: partition, SK: sort });
const where = mostly('both', 'partition', 'stray').chain((form) =>
  form === 'both'
    ? whole
    : form === 'partition'
      ? fc.record({ PK: partition })
      : fc.record({ PK: partition, id: fc.constant('<id>') }),
);
const tests = mostly<undefined | Record<string, string | number>>(
  undefined,
  { status: 'x' },
  { PK: '<id>' },
  { nobody: 1 },
);
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined, freq: 2 });

/** Without the fields that are undefined, as designs are written. */
const written = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

const returns = mostly(['Thing'], ['Thing', 'Order'], ['Nobody']);
const pattern: fc.Arbitrary<PatternDesign> = fc
  .oneof(
    fc.record({
      op: fc.constant('get' as const),
      where,
      returns,
      unexpired: mostly<true | undefined>(undefined, true),
    }),
    fc.record({
      op: fc.constant('query' as const),
      index: mostly<string | undefined>(undefined, 'GSI1', 'none'),
      where: fc.record({ PK: partition, SK: condition(sort) }),
      returns,
      filter: tests,
      order: mostly<'descending' | undefined>('descending', undefined),
      orderBy: mostly<string | undefined>(undefined, 'createdAt', 'nobody'),
      pageSize: mostly<number | undefined>(undefined, 0, 1, 20),
      select: mostly<string[] | undefined>(undefined, ['id', 'nobody']),
      consistent: mostly<true | undefined>(undefined, true),
    }),
    fc.record({
      op: fc.constant('query' as const),
      index: fc.constant('GSI1'),
      where: fc.record({ GSI1PK: partition, GSI1SK: condition(sort) }),
      returns,
    }),
    fc.record({ op: fc.constant('scan' as const), returns, index: mostly<string | undefined>(undefined, 'GSI1') }),
    fc.record({
      op: fc.constant('put' as const),
      entity: mostly('Thing', 'Nobody'),
      unchanged: mostly<true | undefined>(undefined, true),
    }),
    fc.record({ op: fc.constant('put' as const), entity: fc.constant('Thing'), item: fc.constant({ id: '<id>' }) }),
    fc.record({ op: fc.constant('delete' as const), entity: fc.constant('Thing'), where, condition: tests }),
    fc.record({
      op: fc.constant('update' as const),
      entity: fc.constant('Thing'),
      where,
      set: some(fc.constantFrom({ status: '<status>' }, { title: 'x' })),
      add: some(fc.constant({ year: 1 })),
      remove: some(fc.constant(['title'])),
    }),
    fc.record({ op: fc.constant('batchGet' as const), keys: fc.dictionary(fc.constantFrom('a', 'b'), whole), returns }),
    fc.record({
      op: fc.constant('transaction' as const),
      steps: fc.record({ thing: fc.constant({ op: 'put' as const, entity: 'Thing' }) }),
    }),
  )
  .map((one) => written(one) as PatternDesign);

const index = fc.record({ GSI1PK: partition, GSI1SK: sort });
const entity: fc.Arbitrary<EntityDesign> = fc
  .record({
    attributes,
    keys: fc
      .tuple(whole, some(index), mostly<Readonly<Record<string, string>>>({}, { stray: 'THING#<id>' }, { id: '<id>' }))
      .map((parts) => Object.assign({}, ...parts)),
    keyOnly: mostly<string[] | undefined>(undefined, ['id']),
    type: mostly<string | undefined>(undefined, 'THING'),
    indexes: mostly<EntityDesign['indexes']>(undefined, { GSI1: { while: { status: ['a'] } } }),
  })
  .map(written);

/** Tables of one entity or two with little in them, of which each has something else that is not plain. */
const nearlyPlain: fc.Arbitrary<TableDesign> = fc
  .record({
    name: mostly('things', 'a b'),
    key: mostly(
      { partition: 'PK', sort: 'SK' },
      { partition: 'PK', sort: 'PK' },
      { partition: 'id', sort: 'createdAt' },
    ),
    indexes: some(
      mostly<NonNullable<TableDesign['indexes']>>(
        { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
        { GSI1: { partition: 'GSI1PK' } },
        { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', projection: 'keys' } },
        { GSI1: { partition: 'PK', sort: 'SK', projection: ['id', 'map.id'] } },
        { GSI1: { partition: 'SK', sort: 'PK' } },
        { 'by day': { partition: 'createdAt' } },
      ),
    ),
    entities: mostly(false, true).chain((isPair) =>
      isPair ? fc.record({ Thing: entity, Order: entity }) : fc.record({ Thing: entity }),
    ) as fc.Arbitrary<Record<string, EntityDesign>>,
    patterns: fc.dictionary(fc.constantFrom('one', 'two', 'three'), pattern),
    ttl: mostly<string | undefined>(undefined, 'expires', 'PK'),
    typeAttribute: mostly<string | undefined>(undefined, 'kind', 'PK', 'id'),
    separator: mostly<string | undefined>(undefined, '|', ':', ''),
  })
  .map(written);
