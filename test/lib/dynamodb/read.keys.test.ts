import { z } from 'zod';
import type { QueryPattern } from '../../../lib/design/pattern';
import type { IndexDesign } from '../../../lib/design/table';
import type { QueryInput, ReadOptions } from '../../../lib/dynamodb';
import { build, buildOf } from './designs';

describe('prefixes with optional parts', () => {
  const attributes = z.object({ id: z.string(), year: z.int().min(2000).max(2999), month: z.int().min(1).max(12) });
  const entity = { attributes, keys: { PK: 'SHOP#<id>', SK: 'ORDER#<year:4>#<month:2>' } };
  const asked = (values: object) => {
    const where = { PK: 'SHOP#<id>', SK: { beginsWith: 'ORDER#<year:4?>#<month:2?>' } };
    const input = buildOf(entity, { op: 'query', where, returns: ['Thing'] }, { id: '1', ...values });
    return (input as QueryInput).ExpressionAttributeValues?.[':k1'];
  };

  test('builds the longest prefix that the given values allow', () => {
    expect(asked({})).toBe('ORDER#');
    expect(asked({ year: 2026 })).toBe('ORDER#2026#');
    expect(asked({ year: 2026, month: 5 })).toBe('ORDER#2026#05');
  });

  test('drops optional parts of a prefix only from the right', () => {
    expect(() => asked({ month: 5 })).toThrow('<month> is given without <year>; give both or neither');
  });
});

describe('queries on a local index', () => {
  const entity = {
    attributes: z.object({ shop: z.string(), id: z.string(), total: z.number(), note: z.string().optional() }),
    keys: { PK: 'SHOP#<shop>', SK: 'ORDER#<id>' },
  };
  const ask = (rest: Partial<QueryPattern>, projection: IndexDesign['projection'], options?: ReadOptions) => {
    const pattern: QueryPattern = {
      ...{ op: 'query', index: 'byTotal', where: { PK: 'SHOP#<shop>' }, returns: ['Thing'] },
      ...rest,
    };
    const indexes = { byTotal: { local: true, partition: 'PK', sort: 'total', projection } };
    const key = { partition: 'PK', sort: 'SK' };
    const design = { name: 'things', key, indexes, entities: { Thing: entity }, patterns: { pattern } };
    return build(design, 'pattern', { shop: 's' }, options);
  };

  test('makes a query on a local index consistent if the pattern or the call requests consistency', () => {
    expect(ask({ consistent: true }, 'all')).toMatchObject({ IndexName: 'byTotal', ConsistentRead: true });
    expect(ask({}, 'all', { consistent: true })).toMatchObject({ IndexName: 'byTotal', ConsistentRead: true });
  });

  test('requests whole items from a local index only if the query needs attributes outside the index', () => {
    expect(ask({}, 'keys')).toMatchObject({ Select: 'ALL_ATTRIBUTES' });
    expect(ask({ select: ['id', 'note'] }, 'keys')).toMatchObject({ Select: 'ALL_ATTRIBUTES' });
    expect(ask({ select: ['id', 'note'] }, 'keys')).not.toHaveProperty('ProjectionExpression');
    expect(ask({}, 'all')).not.toHaveProperty('Select');
    expect(ask({}, ['note'])).not.toHaveProperty('Select');
    expect(ask({ select: ['id', 'total'] }, 'keys')).not.toHaveProperty('Select');
  });
});
