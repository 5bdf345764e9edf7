import { z } from 'zod';
import { templateSyntax } from '../../../../lib/check/rules/template-syntax';
import type { PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, orders, tableOf } from '../../../fixtures/designs';
import { libraryWith, libraryWithStep } from '../../../fixtures/library';

const things = (keys: Record<string, string>) => tableOf({ attributes: z.object({ id: z.string() }), keys });
const found = (design: TableDesign) => findings(templateSyntax, design);

test('returns no findings for valid templates, or for a design without templates', () => {
  expect(found(orders)).toEqual([]);
  expect(found(tableOf({ attributes: z.object({ PK: z.string(), SK: z.string() }) }))).toEqual([]);
});

test.each([
  ['', 'empty'],
  ['THING#<id', 'unclosed'],
  ['THING#id>', 'unopened'],
  ['<>', 'name'],
  ['<id:days>', 'format'],
])('reports the syntax error in %j: %s', (SK, cause) => {
  expect(found(things({ PK: 'THING', SK }))).toEqual([{ path: 'entities.Thing.keys.SK', cause }]);
});

test('reports every syntax error of every template at once', () => {
  expect(found(things({ PK: '', SK: '>a<b' }))).toEqual([
    { path: 'entities.Thing.keys.PK', cause: 'empty' },
    { path: 'entities.Thing.keys.SK', cause: 'unopened' },
    { path: 'entities.Thing.keys.SK', cause: 'unclosed' },
  ]);
});

describe('in a pattern', () => {
  const BAD = 'BOOK#<isbn';
  const fault = (path: string) => ({ path: `patterns.mine.${path}`, cause: 'unclosed' });
  const faults = (mine: PatternDesign) => found(libraryWith(mine));

  test('checks the templates in queries of the table and of an index', () => {
    expect(faults({ op: 'query', where: { PK: BAD, SK: BAD }, returns: [] })).toEqual([
      fault('where.PK'),
      fault('where.SK'),
    ]);
    const where = { GSI1PK: BAD, GSI1SK: { beginsWith: BAD } };
    expect(faults({ op: 'query', index: 'byAuthor', where, returns: [] })).toEqual([
      fault('where.GSI1PK'),
      fault('where.GSI1SK'),
    ]);
  });

  test.each(['beginsWith', 'atLeast', 'atMost', 'greaterThan', 'lessThan'])(
    'checks the template of the comparison %s',
    (comparison) => {
      const SK = { [comparison]: BAD } as unknown as string;
      expect(faults({ op: 'query', where: { PK: 'X', SK }, returns: [] })).toEqual([fault('where.SK')]);
    },
  );

  test('checks the templates of both bounds of a range', () => {
    const query = (from: string, to: string): PatternDesign => ({
      op: 'query',
      where: { PK: 'X', SK: { between: [from, to] } },
      returns: [],
    });
    expect(faults(query('a', BAD))).toEqual([fault('where.SK')]);
    expect(faults(query(BAD, 'b'))).toEqual([fault('where.SK')]);
    expect(faults(query('<a>', '<b:4>'))).toEqual([]);
  });

  test('checks the templates in filters, new items and updates, including nested ones', () => {
    const found = {
      op: 'query',
      where: { PK: 'X' },
      returns: [],
      filter: { a: BAD, b: { in: ['', BAD, 1] } },
    } as const;
    expect(faults(found)).toEqual([fault('filter.a'), fault('filter.b')]);
    expect(faults({ op: 'put', entity: 'Book', item: { isbn: BAD } })).toEqual([fault('item.isbn')]);
    expect(faults({ op: 'update', entity: 'Book', where: { PK: 'X', SK: 'Y' }, set: { a: BAD } })).toEqual([
      fault('set.a'),
    ]);
  });

  const where = { PK: 'BOOK#<isbn>', SK: BAD };

  test('checks the templates of a get and a batch', () => {
    expect(faults({ op: 'get', where, returns: [] })).toEqual([fault('where.SK')]);
    expect(faults({ op: 'batchGet', keys: { one: where }, returns: [] })).toEqual([fault('keys.one.SK')]);
  });

  test.each<TransactionStep>([
    { op: 'update', entity: 'Book', where },
    { op: 'delete', entity: 'Book', where },
    { op: 'require', entity: 'Book', where, condition: {} },
  ])('checks the templates of a transaction step: $op', (step) => {
    expect(found(libraryWithStep(step))).toEqual([fault('steps.step.where.SK')]);
  });

  test("reports a put's faulty key template at the entity that declares it", () => {
    const design = things({ PK: 'THING', SK: BAD });
    expect(found({ ...design, patterns: { mine: { op: 'put', entity: 'Thing' } } })).toMatchObject([
      { path: 'entities.Thing.keys.SK' },
    ]);
  });
});
