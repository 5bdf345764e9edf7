import { z } from 'zod';
import { unknownName } from '../../../../lib/check/rules/unknown-name';
import type { PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { carts, findings, orders, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(unknownName, design);

test('finds nothing where every name is one of the design', () => {
  expect(found(orders)).toEqual([]);
  expect(found(carts)).toEqual([]);
});

describe('in an entity', () => {
  const thing = (entity: Partial<EntityDesign>) =>
    tableOf({
      attributes: z.object({ id: z.string(), data: z.object({ at: z.string() }) }),
      keys: { PK: 'THING#<id>', SK: '<data.at:date>' },
      ...entity,
    });

  test('a template names an attribute, also within a map', () => {
    expect(found(thing({}))).toEqual([]);
  });

  test.each(['idd', 'data.to', 'id.at', 'constructor'])('a template does not name %s', (name) => {
    expect(found(thing({ keys: { PK: `THING#<${name}>`, SK: 'X' } }))).toEqual([
      {
        path: 'entities.Thing.keys.PK',
        message: `'THING#<${name}>': <${name}> names no attribute of Thing`,
        fix: 'use one of id, data, or add it to the design',
      },
    ]);
  });

  test('each unknown name of a template is found', () => {
    expect(found(thing({ keys: { PK: '<a>#<id>#<b>', SK: 'X' } })).map(({ message }) => message)).toEqual([
      "'<a>#<id>#<b>': <a> names no attribute of Thing",
      "'<a>#<id>#<b>': <b> names no attribute of Thing",
    ]);
  });

  test('a template is for a key attribute of the table or of an index', () => {
    const design = thing({ keys: { PK: '<id>', SK: '<id>', GSI1PK: '<id>' } });
    expect(found(design)).toEqual([
      {
        path: 'entities.Thing.keys.GSI1PK',
        message: "'GSI1PK' is no key attribute of this table",
        fix: 'use one of PK, SK, or add it to the design',
      },
    ]);
    expect(found({ ...design, indexes: { GSI1: { partition: 'GSI1PK' } } })).toEqual([]);
  });

  test('what is kept only in the key is an attribute', () => {
    expect(found(thing({ keyOnly: ['id', 'at'] }))).toEqual([
      {
        path: 'entities.Thing.keyOnly',
        message: "'at' is no attribute of Thing",
        fix: 'use one of id, data, or add it to the design',
      },
    ]);
  });

  test('the fix offers no list where there is nothing to list', () => {
    const nothing = tableOf({ attributes: z.object({}), keys: { PK: '<id>', SK: 'X' } });
    expect(found(nothing)[0]?.fix).toBe('add it to the design');
  });
});

describe('in an index', () => {
  test('each key is on some entity', () => {
    const indexes = { GSI1: { partition: 'GSI1PK', sort: 'cartId' }, GSI2: { partition: 'SK', sort: 'GSI2SK' } };
    expect(found({ ...carts, indexes })).toEqual([
      {
        path: 'indexes.GSI1.partition',
        message: "no entity has the attribute 'GSI1PK'",
        fix: "give an entity a template for it (keys: { GSI1PK: '…' }) or the attribute itself",
      },
      {
        path: 'indexes.GSI2.sort',
        message: "no entity has the attribute 'GSI2SK'",
        fix: "give an entity a template for it (keys: { GSI2SK: '…' }) or the attribute itself",
      },
    ]);
  });
});

describe('in a pattern', () => {
  const where = { PK: 'CART#<cartId>', SK: 'CART' };
  const patternOf = (pattern: PatternDesign) => found({ ...carts, patterns: { mine: pattern } });
  const unknown = (path: string) => ({
    path,
    message: "'Order' is no entity of this table",
    fix: 'use one of Cart, or add it to the design',
  });

  test('the index is one of the table', () => {
    const query = { op: 'query', index: 'byDay', where: {}, returns: [] } as const;
    expect(patternOf(query)).toEqual([
      { path: 'patterns.mine.index', message: "'byDay' is no index of this table", fix: 'add it to the design' },
    ]);
    expect(found({ ...orders, patterns: { mine: { ...query, index: 'byDy' } } })).toMatchObject([
      { path: 'patterns.mine.index', fix: 'use one of byStatus, byDay, byEmail, or add it to the design' },
    ]);
  });

  test.each<PatternDesign>([
    { op: 'get', where, returns: ['Cart', 'Order'] },
    { op: 'query', where, returns: ['Cart', 'Order'] },
    { op: 'batchGet', keys: { one: where, two: where }, returns: ['Cart', 'Order'] },
  ])('$op returns entities of the table, and each one that is not is reported once', (pattern) => {
    expect(patternOf(pattern)).toEqual([unknown('patterns.mine.returns')]);
  });

  test.each<Exclude<TransactionStep, { op: 'require' }>>([
    { op: 'put', entity: 'Order' },
    { op: 'update', entity: 'Order', where },
    { op: 'delete', entity: 'Order', where },
  ])('$op writes an entity of the table', (pattern) => {
    expect(patternOf(pattern)).toEqual([unknown('patterns.mine.entity')]);
    expect(patternOf({ ...pattern, entity: 'Cart' })).toEqual([]);
  });

  test('every step of a transaction is about an entity of the table', () => {
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
