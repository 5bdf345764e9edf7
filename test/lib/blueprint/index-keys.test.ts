import { z } from 'zod';
import {
  type Change,
  type IndexKey,
  type IndexKeys,
  overlaps,
  settle,
  toldBy,
} from '../../../lib/blueprint/index-keys';
import { type EntityOutline, entityNamed, type KeySource, outline } from '../../../lib/blueprint/outline';
import { template } from '../../../lib/design/template';
import { tableOf } from '../../fixtures/designs';

const key = (attribute: string, text: string, rest: Partial<IndexKey> = {}): IndexKey => ({
  entity: 'Thing',
  attribute,
  template: template(text),
  natural: false,
  optional: false,
  ...rest,
});
const change = (touched: readonly string[], known: readonly string[], gone: readonly string[] = []): Change => ({
  touched,
  isKnown: ({ name }) => known.includes(name),
  isGone: ({ name }) => gone.includes(name),
  holds: () => undefined,
});
const index = (...keys: readonly IndexKey[]): IndexKeys => ({ name: 'GSI1', keys, membership: [] });
const GPK = key('GPK', '<state>#<team>');
const GSK = key('GSK', '<at>');
const names = (keys: readonly KeySource[]) => keys.map(({ attribute }) => attribute);

describe('what a change comes to', () => {
  test('is that the keys it touches are rewritten, and no others', () => {
    const { rewritten, removed, half } = settle([index(GPK, GSK)], change(['state'], ['state', 'team']), false);
    expect([names(rewritten), removed, half]).toEqual([['GPK'], [], undefined]);
  });

  test('is half a key where it does not know the rest', () => {
    const { half } = settle([index(GPK, GSK)], change(['state'], ['state']), false);
    expect([half?.key.attribute, half?.missing.map(({ name }) => name)]).toEqual(['GPK', ['team']]);
  });

  test('is that an item leaves the index whose key has a part no more', () => {
    const { rewritten, removed } = settle([index(GPK, GSK)], change(['team'], [], ['team']), false);
    expect([rewritten, removed]).toEqual([[], ['GPK', 'GSK']]);
  });

  test('is that both keys are rewritten of an index that the item may be new to', () => {
    const sparse = index({ ...GPK, optional: true }, GSK);
    expect(names(settle([sparse], change(['state'], ['state', 'team', 'at']), false).rewritten)).toEqual([
      'GPK',
      'GSK',
    ]);
    expect(settle([sparse], change(['state'], ['state', 'team']), false).half?.key.attribute).toBe('GSK');
  });

  test('leaves what is an attribute of its own to the update', () => {
    const team = key('team', '<team>', { natural: true });
    expect(settle([index(team, GSK)], change(['team'], []), false)).toEqual({ rewritten: [], removed: [] });
  });
});

describe('what an update is told', () => {
  const table = outline(
    tableOf({
      attributes: z.object({ tenantId: z.string(), at: z.iso.datetime(), number: z.int(), status: z.string() }),
      keys: { PK: 'T#<tenantId>#<at:date>', SK: '<number:4>' },
    }),
  );
  const thing = entityNamed(table, 'Thing') as EntityOutline;

  test('is the parts that its key condition names, in the form of the key or in none', () => {
    const where = { PK: 'T#<tenant>#<at:date>', SK: '<n>' };
    const told = Array.from(toldBy(table, thing, { where }), ([name, one]) => [name, 'hole' in one && one.hole.name]);
    expect(told).toEqual([
      ['tenantId', 'tenant'],
      ['number', 'n'],
    ]);
    expect(toldBy(table, thing, { where: { PK: 'X#<tenant>', SK: '#<n>' } }).size).toBe(0);
  });

  test('is what its condition holds equal to one value, and nothing that it only compares', () => {
    const where = { PK: 'X', SK: '#' };
    const condition = { status: '<status>', at: { atLeast: '<at>' }, tenantId: { attribute: 'status' }, number: null };
    expect([...toldBy(table, thing, { where, condition })]).toEqual([['status', { operand: '<status>' }]]);
  });
});

test('a map and what is in it overlap, and two names that begin alike do not', () => {
  expect([overlaps('place', 'place.city'), overlaps('place.city', 'place'), overlaps('place', 'places')]).toEqual([
    true,
    true,
    false,
  ]);
});
