import { z } from 'zod';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import { explore } from '../../../lib/explore/system';

const keys = { PK: 'LOAN#<id>' };
const attributes = z.object({
  ...{ id: z.string(), status: z.string(), copies: z.int(), due: z.string(), tags: z.array(z.string()) },
});
/** Returns the words and clauses that describe each of a pattern's accesses. */
const told = (pattern: PatternDesign) => {
  const system: SystemDesign = {
    name: 'library',
    cloud: 'aws',
    tables: {
      catalog: {
        name: 'catalog',
        key: { partition: 'PK' },
        indexes: { byStatus: { partition: 'status', sort: 'due' } },
        entities: { Loan: { attributes, keys } },
        patterns: { it: pattern },
      },
    },
  };
  return explore(system).view.tables[0]?.patterns[0]?.accesses.map(({ verb, whose, clauses }) => ({
    is: `${verb} … ${whose} …`,
    clauses,
  }));
};
const update = { op: 'update', entity: 'Loan', where: keys } as const;

test("describes an update's changes and condition", () => {
  const pattern: PatternDesign = {
    ...update,
    set: { status: 'back' },
    add: { readers: ['<reader>', 'all'] },
    subtract: { copies: 1, marks: ['<mark>'] },
    remove: ['due'],
    condition: { status: 'out', copies: { atLeast: 1 } },
    returns: 'new',
  };
  expect(told(pattern)).toEqual([
    {
      is: 'update in … the item whose …',
      clauses: [
        'set `status` to `back`',
        'add `<reader>` and `all` to `readers`',
        'subtract `1` from `copies`',
        'remove `<mark>` from `marks`',
        'remove `due`',
        'only if `status` is `out` and `copies` is at least `1`',
        'and return the updated item',
      ],
    },
  ]);
});

test("describes a query's filter, order, attributes and page size", () => {
  const pattern: PatternDesign = {
    op: 'query',
    index: 'byStatus',
    where: { status: '<status>' },
    returns: ['Loan'],

    order: 'descending',
    orderBy: 'due',
    pageSize: 10,
    select: ['id', 'due'],
    filter: { copies: { between: [1, 3] } },
  };
  expect(told(pattern)).toEqual([
    {
      is: 'query … where …',
      clauses: [
        'then keep only items where `copies` is between `1` and `3`',
        'in descending order of `due`',
        'only `id`, `due`',
        '10 per page',
      ],
    },
  ]);
});

test("describes whether a put overwrites, and a get's consistency and attributes", () => {
  expect(told({ op: 'put', entity: 'Loan' })).toEqual([
    { is: 'put into … an item whose …', clauses: ['only if no such item exists'] },
  ]);
  expect(told({ op: 'get', where: keys, returns: ['Loan'], consistent: true })).toEqual([
    { is: 'get from … the item whose …', clauses: ['consistently'] },
  ]);
});

test('describes each step of a transaction', () => {
  const steps = {
    loan: { op: 'put', entity: 'Loan', replace: true, optional: true },
    old: { op: 'delete', entity: 'Loan', each: 'ids', where: { PK: 'LOAN#<ids>' } },
    fit: { op: 'require', entity: 'Loan', where: keys, condition: { status: { exists: true } } },
  } as const;
  expect(told({ op: 'transaction', steps })).toEqual([
    { is: 'put into … an item whose …', clauses: ['if values are given', 'replacing an existing item'] },
    { is: 'delete from … the item whose …', clauses: ['for each of `ids`'] },
    { is: 'require in … the item whose …', clauses: ['that `status` exists'] },
  ]);
});

test.each([
  [{ tags: { contains: '<tag>' } }, '`tags` contains `<tag>`'],
  [{ tags: { size: { atMost: 3 } } }, 'the size of `tags` is at most `3`'],
  [{ status: { in: ['a', 'b'] } }, '`status` is one of `a`, `b`'],
  [{ due: { lessThan: { attribute: 'id' } } }, "`due` is less than the item's `id`"],
  [{ any: [{ status: 'a' }, { status: { not: 'b' } }] }, '(`status` is `a` or `status` is not `b`)'],
  [{ none: [{ due: { exists: false } }] }, 'not (`due` does not exist)'],
])('describes the condition %j as “%s”', (condition, words) => {
  const [access] = told({ ...update, set: { due: '<due>' }, condition } as PatternDesign) ?? [];
  expect(access?.clauses.at(-1)).toBe(`only if ${words}`);
});

test.each([
  [{ append: '<tags>' }, 'append `<tags>` to `tags`'],
  [{ prepend: '<tags>' }, 'prepend `<tags>` to `tags`'],
  [{ ifMissing: 'x' }, 'set `tags` to `x` if it is missing'],
])('describes the assignment %j as “%s”', (value, words) => {
  expect(told({ ...update, set: { tags: value } } as PatternDesign)?.[0]?.clauses).toEqual([words]);
});
