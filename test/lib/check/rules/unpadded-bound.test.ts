import { z } from 'zod';
import { unpaddedBound } from '../../../../lib/check/rules/unpadded-bound';
import type { KeyCondition } from '../../../../lib/design/pattern';
import { findings, tableOf } from '../../../fixtures/designs';

const found = (SK: string, condition: KeyCondition) =>
  findings(
    unpaddedBound,
    tableOf(
      {
        attributes: z.object({ id: z.string(), kind: z.string(), n: z.int().min(0).max(9999) }),
        keys: { PK: '<id>', SK },
      },
      { patterns: { some: { op: 'query', where: { PK: '<id>', SK: condition }, returns: ['Thing'] } } },
    ),
  );

describe('a range of padded numbers', () => {
  test('reports a range with an unpadded number in a bound', () => {
    expect(found('V#<n:4>', { between: ['V#1', 'V#<n:4>'] })).toEqual([
      { path: 'patterns.some.where.SK', cause: 'too-short', proposed: 'V#0001' },
    ]);
    expect(found('<n:4>#<id>', { atMost: '250' }).map(({ proposed }) => proposed)).toEqual(['0250']);
    expect(found('<kind>#V#<n:4>', { lessThan: '<kind>#V#12' }).map(({ proposed }) => proposed)).toEqual([
      '<kind>#V#0012',
    ]);
  });

  test.each<KeyCondition>([
    { between: ['V#0001', 'V#<n:4>'] },
    { between: ['V#0', 'V#9'] },
    { between: ['V#', 'V#~'] },
    { atMost: 'V#99999' },
    { atLeast: 'W#1' },
    { beginsWith: 'V#1' },
  ])('accepts the range %j of padded numbers', (condition) => {
    expect(found('V#<n:4>', condition)).toEqual([]);
  });

  test('accepts any number in a bound if the corresponding part of the key is not padded', () => {
    expect(found('V#<kind>', { atLeast: 'V#1' })).toEqual([]);
    expect(found('V#<kind>#<n:4>', { atLeast: 'V#1' })).toEqual([]);
  });
});
