import { z } from 'zod';
import { check } from '../../../../lib/check';
import { patternUnserved } from '../../../../lib/check/rules/pattern-unserved';
import { tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { KeyCondition, PatternDesign, QueryPattern, TransactionStep } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, orders, shop } from '../../../fixtures/designs';
import { library, libraryWith, libraryWithStep } from '../../../fixtures/library';
import { trips } from '../../../fixtures/trips';

const found = (design: TableDesign) => findings(patternUnserved, design);

function query(where: QueryPattern['where'], returns: string[], index?: string): PatternDesign {
  return { op: 'query', where, returns, ...(index === undefined ? {} : { index }) };
}

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('a query', () => {
  test('the message lists all entities that the query cannot find', () => {
    const query = { op: 'query', where: { PK: 'BOOKS#<isbn>' }, returns: ['Book', 'Copy'] } as const;
    const [first] = patternUnserved.check(tableUnderCheck(libraryWith(query)));
    expect(first?.message).toBe(
      "the partition key of Book, Copy is 'BOOK#<isbn>', never 'BOOKS#<isbn>', so the request finds no Book, Copy",
    );
  });

  test('reports a query of a partition that contains no returned entity', () => {
    expect(found(libraryWith(query({ PK: 'BOOKS#<isbn>' }, ['Book', 'Copy'])))).toEqual([
      {
        path: 'patterns.mine.where.PK',
        cause: 'other-partition',
        entities: ['Book', 'Copy'],
        proposed: "'BOOK#<isbn>'",
      },
    ]);
  });

  test('reports a query of a range that contains no returned entity', () => {
    expect(found(libraryWith(query({ PK: 'MEMBER#<id>', SK: { beginsWith: 'LOANS#' } }, ['Loan'])))).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'other-sort', entities: ['Loan'], proposed: "{ beginsWith: 'LOAN#' }" },
    ]);
  });

  test('reports a query of an index that does not contain the entity', () => {
    expect(found(libraryWith(query({ GSI1PK: 'MEMBER#<id>#<no>' }, ['Member'], 'byAuthor')))).toEqual([
      { path: 'patterns.mine.where', cause: 'not-in-index', entities: ['Member'] },
    ]);
  });

  test('reports a query of an index if only the table contains the keys', () => {
    const mine = query({ GSI1PK: 'MEMBER#<id>', GSI1SK: { beginsWith: 'LOAN#' } }, ['Loan'], 'byAuthor');
    expect(found(libraryWith(mine))).toMatchObject([
      { cause: 'not-in-index', entities: ['Loan'], proposedIndex: null },
    ]);
  });

  test('reports a query of the table if only an index contains the keys', () => {
    expect(found(libraryWith(query({ PK: 'AUTHOR#<id>' }, ['Book'])))).toEqual([
      { path: 'patterns.mine.where.PK', cause: 'other-partition', entities: ['Book'], proposedIndex: 'byAuthor' },
    ]);
  });

  test.each<[KeyCondition, string, string]>([
    ['COPY#<n>', 'Book', "'BOOK'"],
    [{ beginsWith: 'copy#' }, 'Copy', "{ beginsWith: 'COPY#' }"],
    [{ between: ['A', 'B'] }, 'Copy', "{ beginsWith: 'COPY#' }"],
    [{ atLeast: 'D' }, 'Copy', "{ atLeast: 'COPY#' }"],
    [{ atMost: 'COPY' }, 'Copy', "'COPY#<number:4>'"],
    [{ greaterThan: 'COPY#9999' }, 'Copy', "{ greaterThan: 'COPY#' }"],
    [{ lessThan: 'COPY#0000' }, 'Copy', "'COPY#<number:4>'"],
  ])('reports a query if no key can match %j', (SK, name, proposed) => {
    expect(found(libraryWith(query({ PK: 'BOOK#<isbn>', SK }, [name])))).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'other-sort', entities: [name], proposed },
    ]);
  });

  test('reports one finding for a range that ends before it begins', () => {
    const mine = query({ PK: 'BOOK#<isbn>', SK: { between: ['COPY#9', 'COPY#1'] } }, ['Book', 'Copy']);
    expect(found(libraryWith(mine))).toEqual([
      {
        path: 'patterns.mine.where.SK',
        cause: 'empty-range',
        entities: ['Book', 'Copy'],
        proposed: "{ between: ['COPY#1', 'COPY#9'] }",
      },
    ]);
  });

  test.each<[KeyCondition, string]>([
    [{ beginsWith: 'COPIES#' }, "{ beginsWith: 'COPY#' }"],
    [{ beginsWith: 'COPY#<number:2>#' }, "{ beginsWith: 'COPY#<number:4>' }"],
    [{ atLeast: 'KOPY#<from:4>' }, "{ atLeast: 'COPY#<from:4>' }"],
    [{ between: ['KOPY#', 'KOPY#~'] }, "{ beginsWith: 'COPY#' }"],
  ])('proposes a corrected condition for a query by %j', (SK, proposed) => {
    expect(found(libraryWith(query({ PK: 'BOOK#<isbn>', SK }, ['Copy'])))).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'other-sort', entities: ['Copy'], proposed },
    ]);
  });

  test.each<[string, KeyCondition]>([
    ['Copy', 'COPY#<n>'],
    ['Copy', 'COPY#<n:4>'],
    ['Copy', { beginsWith: 'COPY#00' }],
    ['Copy', { between: ['COPY#<from:4>', 'COPY#<to:4>'] }],
    ['Copy', { atLeast: 'COPY#9999' }],
    ['Copy', { atMost: 'COPY#0000' }],
    ['Copy', { greaterThan: 'COPY#9998' }],
    ['Copy', { lessThan: 'COPY#0001' }],
    ['Book', { beginsWith: 'B' }],
    ['Book', '<anything>'],
  ])('accepts a query that can find %s: %j', (name, SK) => {
    expect(found(libraryWith(query({ PK: 'BOOK#<whatever>', SK }, [name])))).toEqual([]);
  });

  test('accepts a query that can find at least one of its returned entities', () => {
    expect(found(libraryWith(query({ PK: 'BOOK#<isbn>' }, ['Book', 'Member'])))).toEqual([]);
  });
});

describe('the values of an attribute', () => {
  const never = (design: TableDesign) => found(design).map(({ path, cause, entities }) => [path, cause, entities]);

  test("reports a query for a value that the attribute's schema does not list", () => {
    expect(found(libraryWith(query({ PK: 'MEMBER#<id>', SK: 'TIER#gold' }, ['Member'])))).toEqual([]);
    expect(found(libraryWith(query({ PK: 'MEMBER#<id>', SK: 'TIER#<any>' }, ['Member'])))).toEqual([]);
    expect(never(libraryWith(query({ PK: 'MEMBER#<id>', SK: 'TIER#bronze' }, ['Member'])))).toEqual([
      ['patterns.mine.where.SK', 'other-sort', ['Member']],
    ]);
  });

  test('reports a query of a sparse natural key for a value that its schema does not list', () => {
    expect(found(libraryWith(query({ status: 'lent' }, ['Copy'], 'byStatus')))).toEqual([]);
    expect(never(libraryWith(query({ status: 'lost' }, ['Copy'], 'byStatus')))).toEqual([
      ['patterns.mine.where.status', 'other-partition', ['Copy']],
    ]);
  });

  test('recognizes dates, years and timestamps as values of an attribute', () => {
    const books = (GSI1SK: KeyCondition) => libraryWith(query({ GSI1PK: 'AUTHOR#<id>', GSI1SK }, ['Book'], 'byAuthor'));
    expect(found(books({ beginsWith: '<published:year>-' }))).toEqual([]);
    expect(found(books({ between: ['2020', '2030'] }))).toEqual([]);
    expect(never(books({ beginsWith: 'BOOK#<published:date>' }))).toHaveLength(1);
    expect(never(books({ beginsWith: '2020-13' }))).toHaveLength(1);
    expect(found(libraryWith(query({ status: '<s>', since: { atLeast: '<t>' } }, ['Copy'], 'byStatus')))).toEqual([]);
    expect(never(libraryWith(query({ status: '<s>', since: 'now' }, ['Copy'], 'byStatus')))).toHaveLength(1);
  });

  test('compares numbers by value, and rejects `beginsWith` for a number', () => {
    const rows = (row: KeyCondition) => libraryWith(query({ shelf: '<shelf>', row }, ['Copy'], 'byShelf'));
    expect(found(rows('<row>'))).toEqual([]);
    expect(found(rows({ between: ['5', '10'] }))).toEqual([]);
    expect(found(rows({ lessThan: '<row>' }))).toEqual([]);
    expect(never(rows('first'))).toEqual([['patterns.mine.where.row', 'other-sort', ['Copy']]]);
    expect(never(rows({ beginsWith: '1' }))).toEqual([['patterns.mine.where.row', 'other-sort', ['Copy']]]);
  });

  test("allows the separator in a natural key's value, but not in a value of a template", () => {
    expect(found(libraryWith(query({ shelf: 'A#1' }, ['Copy'], 'byShelf')))).toEqual([]);
    expect(never(libraryWith(query({ PK: 'MEMBER#a#1' }, ['Member'])))).toHaveLength(1);
  });
});

describe('a request by key', () => {
  const where = { PK: 'MEMBER#<id>', SK: 'LOAN#<id>' };

  test('reports a get of a key that no item has', () => {
    const mine = { op: 'get', where, returns: ['Loan'] } as const;
    expect(found(libraryWith(mine))).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'other-sort', entities: ['Loan'], proposed: "'LOAN#<at>#<loanId>'" },
    ]);
  });

  test.each<TransactionStep & { op: 'update' | 'delete' }>([
    { op: 'update', entity: 'Loan', where },
    { op: 'delete', entity: 'Loan', where },
  ])('reports a `$op` with a key that no item has, both on its own and in a transaction', (step) => {
    expect(found(libraryWith(step))).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'other-sort', entities: ['Loan'], proposed: "'LOAN#<at>#<loanId>'" },
    ]);
    expect(found(libraryWithStep(step))).toEqual([
      {
        path: 'patterns.mine.steps.step.where.SK',
        cause: 'other-sort',
        entities: ['Loan'],
        proposed: "'LOAN#<at>#<loanId>'",
      },
    ]);
  });

  test('reports a `require` step for a key that no item has', () => {
    const step = { op: 'require', entity: 'Loan', where, condition: {} } as const;
    expect(found(libraryWithStep(step))).toEqual([
      {
        path: 'patterns.mine.steps.step.where.SK',
        cause: 'other-sort',
        entities: ['Loan'],
        proposed: "'LOAN#<at>#<loanId>'",
      },
    ]);
  });

  test('accepts a request by key if the key takes its values from an item that another step puts', () => {
    const loan = { PK: 'MEMBER#<member.memberId>', SK: 'LOAN#<t>#<id>' };
    const steps: Record<string, TransactionStep> = {
      member: { op: 'put', entity: 'Member' },
      loan: { op: 'delete', entity: 'Loan', where: loan },
    };
    expect(found(libraryWith({ op: 'transaction', steps }))).toEqual([]);
  });

  test('proposes no index for a request by key, even if an index contains the key', () => {
    const mine = { op: 'get', where: { PK: 'AUTHOR#<id>', SK: 'TALK#tape#<id>' }, returns: ['Talk'] } as const;
    expect(found(libraryWith(mine))).toMatchObject([
      { cause: 'other-partition', entities: ['Talk'], proposed: "'TALK#<talkId>'" },
    ]);
  });
});

describe('a batch', () => {
  const book = { PK: 'BOOK#<isbn>', SK: 'BOOK' };
  const batch = (keys: Record<string, Record<string, string>>, returns: string[]) =>
    libraryWith({ op: 'batchGet', keys, returns });

  test('accepts a batch that has a key for each entity that it returns', () => {
    expect(found(batch({ book, copy: { PK: 'BOOK#<isbn>', SK: 'COPY#<n?>' } }, ['Book', 'Copy']))).toEqual([]);
  });

  test('reports a batch key that fits none of the entities in the batch', () => {
    expect(found(batch({ book, copy: { PK: 'BOOK#<isbn>', SK: 'COPIES#<n>' } }, ['Book', 'Copy']))).toEqual([
      { path: 'patterns.mine.keys.copy.SK', cause: 'other-sort', entities: ['Book', 'Copy'], proposed: "'BOOK'" },
    ]);
  });
});

describe('faults that other rules report', () => {
  test.each<[string, PatternDesign]>([
    ['a missing partition key', query({ SK: 'NOWHERE' }, ['Book'])],
    ['an unknown entity', query({ PK: 'NOWHERE' }, ['Novel'])],
    ['an unknown index', query({ PK: 'NOWHERE' }, ['Book'], 'byTitle')],
    ['a pattern that returns no entity', query({ PK: 'NOWHERE' }, [])],
    ['a put, which takes its key from its entity', { op: 'put', entity: 'Book' }],
  ])('ignores a fault that another rule reports: %s', (_, mine) => {
    expect(found(libraryWith(mine))).toEqual([]);
  });

  test('ignores an entity without a key, because `incomplete-key` reports it', () => {
    const { SK: _, ...keys } = library.entities.Book.keys;
    const design = libraryWith({ op: 'get', where: { PK: 'BOOK#<isbn>', SK: 'BOOK' }, returns: ['Book'] });
    const entities = { Book: { ...library.entities.Book, keys } };
    expect(found({ ...design, entities })).toEqual([]);
  });
});

describe('the fix', () => {
  const asked = (PK: string) => found({ ...orders, patterns: { mine: query({ PK }, ['Customer']) } })[0];

  test('proposes an index only if the given key was probably meant for that index', () => {
    expect(asked('<email>')).toMatchObject({ proposedIndex: 'byEmail' });
    expect(asked('CUSTOMRE#<id>')).toMatchObject({ proposed: "'CUSTOMER#<customerId>'" });
    expect(asked('CUSTOMRE#<id>')).not.toHaveProperty('proposedIndex');
  });
});

describe('a fix that may change what the pattern means', () => {
  const id = { patientId: z.string(), visitId: z.string() };
  const clinic = (returns: string[], SK: KeyCondition, { op = 'query', PK = 'PATIENT#<patientId>' } = {}) => {
    const Visit = z.object({ ...id, at: z.iso.datetime({ precision: 3 }) });
    const Note = z.object({ ...id, noteId: z.string() });
    const design = {
      name: 'clinic',
      key: { partition: 'PK', sort: 'SK' },
      entities: {
        Patient: {
          attributes: z.object({ patientId: z.string() }),
          keys: { PK: 'PATIENT#<patientId>', SK: 'PATIENT' },
        },
        Visit: { attributes: Visit, keys: { PK: 'PATIENT#<patientId>', SK: 'VISIT#<at>#<visitId>' } },
        Note: { attributes: Note, keys: { PK: 'PATIENT#<patientId>', SK: 'NOTE#<visitId>#<noteId>' } },
        Doctor: { attributes: z.object({ doctorId: z.string() }), keys: { PK: 'DOCTOR#<doctorId>', SK: 'DOCTOR' } },
      },
      patterns: {
        mine: op === 'batchGet' ? { op, keys: { one: { PK, SK } }, returns } : { op, where: { PK, SK }, returns },
      },
    };
    const [finding] = check(design as unknown as TableDesign).filter(({ rule }) => rule === 'pattern-unserved');
    return [finding?.fix, finding?.edits];
  };

  test('first proposes to return the entity that has the key in the pattern, and edits nothing', () => {
    expect(clinic(['Visit'], { beginsWith: 'NOTE#<visitId>#' })).toEqual([
      "write returns: ['Note'], or write SK: { beginsWith: 'VISIT#' }, or change the key of Visit",
      undefined,
    ]);
    expect(clinic(['Visit'], 'NOTE#<visitId>#<noteId>', { op: 'get' })).toEqual([
      "write returns: ['Note'], or write SK: 'VISIT#<at>#<visitId>', or change the key of Visit",
      undefined,
    ]);
    expect(clinic(['Visit'], 'NOTE#<visitId>#<noteId>', { op: 'batchGet' })).toEqual([
      "add 'Note' to 'returns', or write SK: 'VISIT#<at>#<visitId>', or change the key of Visit",
      undefined,
    ]);
    expect(clinic(['Patient'], 'DOCTOR', { op: 'get', PK: 'DOCTOR#<doctorId>' })).toEqual([
      "write returns: ['Doctor'], or write PK: 'PATIENT#<patientId>', or change the key of Patient",
      undefined,
    ]);
  });

  test.each<[string, string]>([
    ['VISITS#<visitId>#', 'VISIT#'],
    ['VISITS#<noteId>#', 'VISIT#'],
    ['VISITS#<at>#<visitId>', 'VISIT#<at>#<visitId>'],
    ['VISITS#<at>#<noteId>', 'VISIT#<at>#'],
    ['VISITS#<since>#', 'VISIT#<since>#'],
  ])('cuts the proposed prefix for %j before a parameter named after another attribute', (asked, proposed) => {
    expect(clinic(['Visit'], { beginsWith: asked })[0]).toBe(
      `write SK: { beginsWith: '${proposed}' }, or change the key of Visit`,
    );
    expect(clinic(['Visit'], { atLeast: asked })[0]).toBe(
      `write SK: { atLeast: '${proposed}' }, or change the key of Visit`,
    );
  });

  test('cuts a whole key that becomes a prefix', () => {
    expect(clinic(['Visit'], 'VISIT#<visitId>')).toEqual(["write SK: { beginsWith: 'VISIT#' }", undefined]);
    expect(clinic(['Visit'], 'VISIT#<since>')[0]).toBe("write SK: { beginsWith: 'VISIT#<since>' }");
  });

  test('edits the pattern only if it keeps its parameters and bounds', () => {
    const edited = (SK: KeyCondition) => clinic(['Visit'], SK)[1];
    expect(edited({ beginsWith: 'VISITS#' })).toHaveLength(1);
    expect(edited({ beginsWith: 'VISITS#<at>' })).toHaveLength(1);
    expect(edited({ between: ['VISIT#2', 'VISIT#1'] })).toHaveLength(1);
    expect(edited('VISIT#<at>')).toHaveLength(1);
    expect(edited({ beginsWith: 'VISITS#<visitId>#' })).toBeUndefined();
    expect(edited({ between: ['VISITS#1', 'VISITS#2'] })).toBeUndefined();
    expect(edited('VISITS#<visitId>')).toBeUndefined();
  });
});

describe('an entity with a conditional index', () => {
  const of = (where: { GPK: string; GSK?: { beginsWith: string } }) => {
    const design = trips();
    const byState = { op: 'query', index: 'byState', where, returns: ['Trip'] } as const;
    return findings(patternUnserved, { ...design, patterns: { byState } }).map(({ cause }) => cause);
  };

  test('reports a query of a conditional index by a value that the index never contains', () => {
    expect(of({ GPK: 'STATE#late' })).toEqual([]);
    expect(of({ GPK: 'STATE#<state>', GSK: { beginsWith: '<day>' } })).toEqual([]);
    expect(of({ GPK: 'STATE#done' })).toEqual(['other-partition']);
  });
});
