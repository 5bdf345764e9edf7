import { z } from 'zod';
import { check } from '../../../../lib/check';
import { shardedKey } from '../../../../lib/check/rules/sharded-key';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({ id: z.string(), day: z.iso.date() });
const query = (PK: string): PatternDesign => ({ op: 'query', where: { PK }, returns: ['Thing'] });
const events = (PK: string, pattern?: PatternDesign): TableDesign =>
  tableOf({ attributes, keys: { PK, SK: '<id>' } }, { patterns: pattern === undefined ? {} : { pattern } });
const causes = (...of: Parameters<typeof events>) => findings(shardedKey, events(...of)).map(({ cause }) => cause);

const SPREAD = 'DAY#<day>#<shard(id, 16)>';

test.each(['DAY#<day>#<shard(16)>', SPREAD, 'DAY#<day>#<id>'])('accepts a query by %s', (asked) => {
  expect(check(events(SPREAD, query(asked)))).toEqual([]);
});

test('rejects a query if its number of shards differs from the number in the key, or if the key has no shards', () => {
  expect(causes(SPREAD, query('DAY#<day>#<shard(8)>'))).toEqual(['other-shards']);
  expect(causes(SPREAD, query('DAY#<day>#<shard(id, 8)>'))).toEqual(['other-shards']);
  expect(causes('DAY#<day>#<id>', query('DAY#<day>#<shard(16)>'))).toEqual(['other-shards']);
});

test('rejects a part that represents all shards, except in the partition key of a query', () => {
  const where = { PK: 'DAY#<day>#<shard(16)>', SK: '<id>' };
  expect(causes(SPREAD, { op: 'get', where, returns: ['Thing'] })).toEqual(['every-of-one']);
  expect(causes(SPREAD, { op: 'delete', where, entity: 'Thing' })).toEqual(['every-of-one']);
  expect(causes('DAY#<day>#<shard(16)>')).toEqual(['every-of-one']);
});

test('warns if a shard is computed from a value in the same key, because such a shard spreads nothing', () => {
  expect(findings(shardedKey, events('DAY#<day>#<shard(day, 16)>'))).toMatchObject([
    { cause: 'spreads-nothing', severity: 'warning' },
  ]);
});

test.each([
  '<shard(id,16)>',
  '<shard(id, 1)>',
  '<shard(id, 101)>',
  '<shard(id, x)>',
  '<shard(1)>',
  '<shard()>',
  '<shard(id)>',
])('rejects the invalid shard %s', (part) => {
  expect(check(events(`DAY#<day>#${part}`)).map(({ rule }) => rule)).toContain('template-syntax');
});
