import { z } from 'zod';
import { truncatedOrder } from '../../../../lib/check/rules/truncated-order';
import type { KeyCondition } from '../../../../lib/design/pattern';
import { findings, tableOf } from '../../../fixtures/designs';

const found = (
  SK: string,
  { PK = '<owner>', orderBy = 'at', sort }: { PK?: string; orderBy?: string; sort?: KeyCondition } = {},
) =>
  findings(
    truncatedOrder,
    tableOf(
      {
        attributes: z.object({
          owner: z.string(),
          id: z.uuid(),
          at: z.iso.datetime({ precision: 3 }),
          day: z.iso.date(),
        }),
        keys: { PK, SK },
      },
      {
        patterns: {
          list: {
            op: 'query',
            where: { PK, ...(sort === undefined ? {} : { SK: sort }) },
            returns: ['Thing'],
            orderBy,
          },
        },
      },
    ),
  );

describe('an order by a time', () => {
  test.each([
    ['<at:date>#<id>', 'date', 'piece'],
    ['<at:month>#<id>', 'month', 'month-before-year'],
    ['<at:year>#<at:month>#<id>', 'year', 'piece'],
    ['<at:month>#<at:year>#<at>', 'month', 'month-before-year'],
    ['<at:day>#<at>', 'day', 'month-before-year'],
    ['<at:hour>#<at>', 'hour', 'month-before-year'],
  ])('rejects an order by time for the sort key %s', (text, value, cause) => {
    expect(found(text)).toEqual([
      {
        path: 'patterns.list.orderBy',
        cause,
        attribute: 'at',
        value,
        entities: ['Thing'],
      },
    ]);
  });

  test.each(['<at>#<id>', '<at:date>#<at>#<id>', '<at:year>#<at:month>#<at>'])(
    'accepts an order by time for the sort key %s',
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  test('accepts a sort key that begins with the month if the partition key contains the year', () => {
    expect(found('<at:month>#<at>', { PK: '<owner>#<at:year>' })).toEqual([]);
    expect(found('<at:hour>#<at>', { PK: '<owner>#<at:date>' })).toEqual([]);
    expect(found('<at:day>#<at>', { PK: '<owner>#<at:year>-<at:month>' })).toEqual([]);
  });

  test("checks only the part of the sort key after the query's fixed prefix", () => {
    expect(found('<at:date>#<at>', { sort: { beginsWith: '<at:date>#' } })).toEqual([]);
  });
});

test('accepts the format `date` for an attribute that contains only a date', () => {
  expect(found('<day:date>#<id>', { orderBy: 'day' })).toEqual([]);
});

test('ignores a sort key with a different order, because `order-unserved` reports it', () => {
  expect(found('<id>#<at:date>')).toEqual([]);
});
