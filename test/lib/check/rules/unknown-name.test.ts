import { z } from 'zod';
import { unknownName } from '../../../../lib/check/rules/unknown-name';
import type { Condition, KeyCondition, PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { carts, findings, orders, tableOf } from '../../../fixtures/designs';
import { libraryWith, libraryWithStep } from '../../../fixtures/library';
import { trips } from '../../../fixtures/trips';

const found = (design: TableDesign) => findings(unknownName, design);

test('returns no findings if every name exists in the design', () => {
  expect(found(orders)).toEqual([]);
  expect(found(carts)).toEqual([]);
});

describe('names in an entity', () => {
  const thing = (entity: Partial<EntityDesign>) =>
    tableOf({
      attributes: z.object({ id: z.string(), data: z.object({ at: z.string() }) }),
      keys: { PK: 'THING#<id>', SK: '<data.at:date>' },
      ...entity,
    });

  test('accepts a template whose attributes all exist, even inside a map', () => {
    expect(found(thing({}))).toEqual([]);
  });

  test.each([
    ['idd', '<id>'],
    ['data.sentAt', undefined],
    ['data.aat', '<data.at>'],
    ['id.at', '<id>'],
    ['constructor', undefined],
  ])('rejects the unknown attribute %s in a template', (part, proposed) => {
    expect(found(thing({ keys: { PK: `THING#<${part}>`, SK: 'X' } }))).toEqual([
      { path: 'entities.Thing.keys.PK', cause: 'part', part, proposed },
    ]);
  });

  test('reports each unknown name in a template', () => {
    expect(found(thing({ keys: { PK: '<a>#<id>#<b>', SK: 'X' } })).map(({ part }) => part)).toEqual(['a', 'b']);
  });

  test('rejects a template for an attribute that is not a key attribute', () => {
    const design = thing({ keys: { PK: '<id>', SK: '<id>', GSI1PK: '<id>' } });
    expect(found(design)).toEqual([{ path: 'entities.Thing.keys.GSI1PK', cause: 'stray-key' }]);
    expect(found({ ...design, indexes: { GSI1: { partition: 'GSI1PK' } } })).toEqual([]);
  });

  test('rejects an unknown attribute in `keyOnly`', () => {
    expect(found(thing({ keyOnly: ['id', 'at'] }))).toEqual([
      { path: 'entities.Thing.keyOnly', cause: 'key-only', attribute: 'at' },
    ]);
  });
});

describe('names in an index', () => {
  test('rejects an index on a key attribute that no entity has', () => {
    const indexes = { GSI1: { partition: 'GSI1PK', sort: 'cartId' }, GSI2: { partition: 'SK', sort: 'GSI2SK' } };
    expect(found({ ...carts, indexes })).toEqual([
      { path: 'indexes.GSI1.partition', cause: 'index-key', attribute: 'GSI1PK' },
      { path: 'indexes.GSI2.sort', cause: 'index-key', attribute: 'GSI2SK' },
    ]);
  });
});

describe('names in a projection', () => {
  const projecting = (...projection: readonly string[]) =>
    found({ ...orders, indexes: { ...orders.indexes, byEmail: { partition: 'email', projection } } });

  test('rejects a projected name unless it is an attribute, a key or the type attribute', () => {
    expect(projecting('total', 'PK', 'kind')).toEqual([]);
    expect(projecting('total', 'totl')).toEqual([
      { path: 'indexes.byEmail.projection', cause: 'projected', attribute: 'totl', proposed: 'total' },
    ]);
  });

  test('ignores a projected name inside a map, because `nested-projection` reports it', () => {
    expect(projecting('data.total')).toEqual([]);
  });
});

describe('names in a pattern', () => {
  const where = { PK: 'CART#<cartId>', SK: 'CART' };
  const patternOf = (pattern: PatternDesign) => found({ ...carts, patterns: { mine: pattern } });
  const unknown = (path: string) => ({ path, cause: 'entity', entities: ['Order'] });

  test('rejects an unknown index in a pattern', () => {
    const query = { op: 'query', index: 'byDay', where: {}, returns: [] } as const;
    expect(patternOf(query)).toEqual([{ path: 'patterns.mine.index', cause: 'index', index: 'byDay' }]);
    expect(found({ ...orders, patterns: { mine: { ...query, index: 'byDy' } } })).toMatchObject([
      { path: 'patterns.mine.index', cause: 'index', index: 'byDy', proposed: 'byDay' },
    ]);
  });

  test.each<PatternDesign>([
    { op: 'get', where, returns: ['Cart', 'Order'] },
    { op: 'query', where, returns: ['Cart', 'Order'] },
    { op: 'batchGet', keys: { one: where, two: where }, returns: ['Cart', 'Order'] },
  ])('requires `$op` to return only entities of the table, and reports an unknown entity only once', (pattern) => {
    expect(patternOf(pattern)).toEqual([unknown('patterns.mine.returns')]);
  });

  test.each<Exclude<TransactionStep, { op: 'require' }>>([
    { op: 'put', entity: 'Order' },
    { op: 'update', entity: 'Order', where },
    { op: 'delete', entity: 'Order', where },
  ])('requires `$op` to write an entity of the table', (pattern) => {
    expect(patternOf(pattern)).toEqual([unknown('patterns.mine.entity')]);
    expect(patternOf({ ...pattern, entity: 'Cart' })).toEqual([]);
  });

  test('rejects a transaction step with an unknown entity', () => {
    const steps: Record<string, TransactionStep> = {
      fine: { op: 'put', entity: 'Cart' },
      made: { op: 'put', entity: 'Order' },
      there: { op: 'require', entity: 'Order', where, condition: {} },
    };
    expect(patternOf({ op: 'transaction', steps })).toEqual([
      unknown('patterns.mine.steps.made.entity'),
      unknown('patterns.mine.steps.there.entity'),
    ]);
  });
});

describe('names in a key condition', () => {
  const noKey = (path: string, attribute: string, index?: string) => ({
    path: `${path}.${attribute}`,
    cause: 'stray-condition',
    index,
  });

  test('rejects a key condition on an attribute that is not a key of the table', () => {
    const where = { PK: 'BOOK#<isbn>', SK: 'BOOK', isbn: '<isbn>' };
    const here = noKey('patterns.mine.where', 'isbn');
    expect(found(libraryWith({ op: 'get', where, returns: ['Book'] }))).toEqual([here]);
    expect(found(libraryWith({ op: 'query', where, returns: ['Book'] }))).toEqual([here]);
    expect(found(libraryWith({ op: 'delete', entity: 'Book', where }))).toEqual([here]);
    expect(found(libraryWith({ op: 'batchGet', keys: { one: where }, returns: ['Book'] }))).toEqual([
      noKey('patterns.mine.keys.one', 'isbn'),
    ]);
    expect(found(libraryWithStep({ op: 'require', entity: 'Book', where, condition: {} }))).toEqual([
      noKey('patterns.mine.steps.step.where', 'isbn'),
    ]);
  });

  test('rejects a key condition on an attribute that is not a key of the queried index', () => {
    const query = (where: Record<string, KeyCondition>) =>
      found(libraryWith({ op: 'query', index: 'byStatus', where, returns: ['Copy'] }));
    expect(query({ status: 'free', since: { atLeast: '<day>' } })).toEqual([]);
    expect(query({ status: 'free', SK: 'x' })).toEqual([noKey('patterns.mine.where', 'SK', 'byStatus')]);
  });

  test('reports only the index if a query uses an unknown index', () => {
    const mine = { op: 'query', index: 'GSI9', where: { GSI9PK: 'x' }, returns: ['Book'], orderBy: 'nothing' } as const;
    expect(found(libraryWith(mine)).map(({ path }) => path)).toEqual(['patterns.mine.index']);
  });
});

describe('an attribute in a pattern', () => {
  const where = { PK: 'BOOK#<isbn>', SK: 'COPY#<n:4>' };
  const unknown = (place: string) => [
    {
      path: `patterns.mine.${place}`,
      cause: 'attribute',
      entities: ['Copy'],
      ...(place.endsWith('.colour') ? {} : { attribute: 'colour' }),
    },
  ];
  const query = (rest: Partial<Extract<PatternDesign, { op: 'query' }>>) =>
    found(libraryWith({ op: 'query', where: { PK: 'BOOK#<isbn>' }, returns: ['Copy'], ...rest }));
  const update = (rest: Partial<Extract<PatternDesign, { op: 'update' }>>) =>
    found(libraryWith({ op: 'update', entity: 'Copy', where, ...rest }));

  test('rejects an attribute that is missing from every returned entity', () => {
    expect(query({ filter: { row: 1, colour: 'red' } })).toEqual(unknown('filter.colour'));
    expect(query({ filter: { any: [{ row: 1 }, { none: [{ colour: 'red' }] }] } })).toEqual(
      unknown('filter.any.1.none.0.colour'),
    );
    expect(query({ select: ['row', 'colour'] })).toEqual(unknown('select'));
    expect(query({ orderBy: 'colour' })).toEqual(unknown('orderBy'));
    expect(query({ filter: { row: 1 }, select: ['number'], orderBy: 'number' })).toEqual([]);
  });

  test('rejects an attribute that the written entity does not have', () => {
    expect(update({ set: { row: 1, colour: 'red' } })).toEqual(unknown('set.colour'));
    expect(update({ add: { row: 1, colour: 1 } })).toEqual(unknown('add.colour'));
    expect(update({ remove: ['shelf', 'colour'] })).toEqual(unknown('remove'));
    expect(update({ condition: { colour: { exists: true } } })).toEqual(unknown('condition.colour'));
    expect(found(libraryWith({ op: 'put', entity: 'Copy', item: { isbn: '<isbn>', colour: 'red' } }))).toEqual(
      unknown('item.colour'),
    );
  });

  test('reports an attribute that a `require` step tests but its entity lacks, at the path of the step', () => {
    const step = { op: 'require', entity: 'Copy', where, condition: { colour: 'red' } } as const;
    expect(found(libraryWithStep(step))).toEqual(unknown('steps.step.condition.colour'));
  });

  test.each<Condition[string]>([
    { attribute: 'colour' },
    { lessThan: { attribute: 'colour' } },
    { not: { attribute: 'colour' } },
    { between: [1, { attribute: 'colour' }] },
    { in: ['a', { attribute: 'colour' }] },
  ])('rejects a comparison with an attribute that the item does not have: %j', (test) => {
    expect(query({ filter: { row: test } })).toEqual(unknown('filter.row'));
    expect(update({ condition: { row: test } })).toEqual(unknown('condition.row'));
    expect(query({ filter: { row: JSON.parse(JSON.stringify(test).replace('colour', 'number')) } })).toEqual([]);
  });

  test('rejects a filter on an attribute that is stored only in keys', () => {
    const design = tableOf(
      {
        attributes: z.object({ id: z.string(), at: z.string() }),
        keys: { PK: 'THING#<id>', SK: 'AT#<at>' },
        keyOnly: ['at'],
      },
      {
        patterns: {
          mine: { op: 'query', where: { PK: 'THING#<id>' }, returns: ['Thing'], filter: { at: '<at>' } },
          theirs: { op: 'query', where: { PK: 'THING#<id>' }, returns: ['Thing'], select: ['at'] },
        },
      },
    );
    expect(found(design)).toEqual([{ path: 'patterns.mine.filter.at', cause: 'not-stored' }]);
  });

  test('accepts a filter on the type attribute, and a `select` of stored keys', () => {
    expect(query({ filter: { kind: 'Copy' }, select: ['PK', 'GSI1PK'] })).toEqual([]);
  });

  test('accepts an attribute if at least one returned entity has it', () => {
    const filter = { authorId: '<a>', row: 1 };
    expect(query({ returns: ['Book', 'Copy'], filter })).toEqual([]);
    expect(query({ returns: ['Book', 'Talk'], filter: { colour: 'x' } })).toEqual([
      { path: 'patterns.mine.filter.colour', cause: 'attribute', entities: ['Book', 'Talk'] },
    ]);
  });

  test('accepts an attribute inside a map', () => {
    const attributes = z.object({
      id: z.string(),
      data: z.object({ used: z.int() }),
      any: z.record(z.string(), z.int()),
    });
    const thing = (path: string) =>
      found(
        tableOf(
          { attributes, keys: { PK: '<id>', SK: '<id>' } },
          {
            patterns: {
              mine: { op: 'update', entity: 'Thing', where: { PK: '<id>', SK: '<id>' }, add: { [path]: 1 } },
            },
          },
        ),
      );
    expect(thing('data.used')).toEqual([]);
    expect(thing('any.thing')).toEqual([]);
    expect(thing('data.usde')).toMatchObject([{ path: 'patterns.mine.add.data.usde' }]);
  });

  test('reports only the entities of a pattern, and not its attributes, if all of the entities are unknown', () => {
    expect(query({ returns: ['Novel'], filter: { colour: 'x' } }).map(({ path }) => path)).toEqual([
      'patterns.mine.returns',
    ]);
  });
});

describe('a reference to an item that a step puts', () => {
  const steps = (step: Partial<Extract<TransactionStep, { op: 'update' }>>) =>
    found(
      libraryWith({
        op: 'transaction',
        steps: {
          loan: { op: 'put', entity: 'Loan' },
          gone: { op: 'put', entity: 'Novel' },
          copy: { op: 'update', entity: 'Copy', where: { PK: 'BOOK#<isbn>', SK: 'COPY#<n:4>' }, ...step },
        },
      }),
    ).filter(({ path }) => !path.endsWith('.entity'));
  const unknown = (place: string) => [
    { path: `patterns.mine.steps.copy.${place}`, cause: 'step-attribute', part: 'loan.since' },
  ];

  test('rejects a reference to an attribute that the referenced item does not have', () => {
    expect(steps({ where: { PK: 'BOOK#<loan.since>', SK: 'COPY#<n:4>' } })).toEqual(unknown('where.PK'));
    expect(steps({ set: { since: '<loan.since>' } })).toEqual(unknown('set.since'));
    expect(steps({ add: { row: '<loan.since>' } })).toEqual(unknown('add.row'));
    expect(steps({ condition: { since: { between: ['<loan.at>', '<loan.since>'] } } })).toEqual(
      unknown('condition.since'),
    );
    expect(
      steps({ set: { since: '<loan.at>', row: 1, status: null }, condition: { since: { lessThan: '<loan.at>' } } }),
    ).toEqual([]);
  });

  test.each(['<loan>', '<data.since>', '<copy.since>', '<gone.since>', '<constructor.since>'])(
    'accepts %s, which is a parameter or a fault that another rule reports',
    (since) => {
      expect(steps({ set: { since } })).toEqual([]);
    },
  );

  test('accepts a reference to an attribute in the item of another step', () => {
    const put = (item: Record<string, string>) =>
      found(
        libraryWith({
          op: 'transaction',
          steps: { loan: { op: 'put', entity: 'Loan' }, member: { op: 'put', entity: 'Member', item } },
        }),
      );
    expect(put({ memberId: '<loan.memberId>' })).toEqual([]);
    expect(put({ memberId: '<loan.member>' })).toMatchObject([{ path: 'patterns.mine.steps.member.item.memberId' }]);
  });
});

test('proposes a numeric attribute for an unknown TTL attribute', () => {
  expect(found({ ...orders, ttl: 'expiresAt' })).toEqual([]);
  expect(found({ ...orders, ttl: 'expireAt' })).toEqual([
    { path: 'ttl', cause: 'ttl', attribute: 'expireAt', proposed: 'expiresAt' },
  ]);
});

test('reports an unknown index of an entity, and an unknown attribute in the condition of an index', () => {
  const inIndexes = (indexes: EntityDesign['indexes']) => found(trips(undefined, { indexes }));
  expect(inIndexes({ byDay: { while: { called: ['on'], 'data.state': ['late'] } } })).toEqual([]);
  expect(inIndexes({ byDays: { while: { called: ['on'] } } })).toEqual([
    { path: 'entities.Trip.indexes.byDays', cause: 'entity-index', index: 'byDays', proposed: 'byDay' },
  ]);
  expect(inIndexes({ byDay: { while: { 'data.stat': ['late'] } } })).toEqual([
    {
      path: 'entities.Trip.indexes.byDay.while.data.stat',
      cause: 'entity-while',
      index: 'byDay',
      proposed: 'data.state',
    },
  ]);
});

describe('names in an open entity', () => {
  const open = (entity: Partial<EntityDesign> = {}, patterns: TableDesign['patterns'] = {}) =>
    found({
      ...tableOf({
        attributes: z.looseObject({ id: z.string(), data: z.looseObject({ at: z.string() }) }),
        keys: { PK: 'THING#<id>', SK: '<data.at>' },
        ...entity,
      }),
      patterns,
    });

  test('accepts a pattern that uses undeclared attributes of an open entity', () => {
    const change = { op: 'update', entity: 'Thing', where: { PK: 'THING#<id>', SK: '<at>' } } as const;
    expect(open({}, { change: { ...change, set: { colour: '<colour>' }, condition: { size: 1 } } })).toEqual([]);
  });

  test('rejects a key that uses an undeclared attribute of an open entity', () => {
    expect(
      open({ keys: { PK: 'THING#<idd>', SK: '<data.ta>' } }).map(({ cause, proposed }) => [cause, proposed]),
    ).toEqual([
      ['part', '<id>'],
      ['part', '<data.at>'],
    ]);
    expect(open({ keyOnly: ['idd'] }).map(({ cause }) => cause)).toEqual(['key-only']);
  });
});
