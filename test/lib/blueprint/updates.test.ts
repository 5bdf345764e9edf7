import { type Change, type IndexKey, overlaps, settle, toldBy } from '../../../lib/blueprint/updates';
import { template } from '../../../lib/design/template';

const key = (name: string, text: string, rest: Partial<IndexKey> = {}): IndexKey => ({
  name,
  template: template(text),
  natural: false,
  sparse: false,
  ...rest,
});
const change = (touched: readonly string[], known: readonly string[], gone: readonly string[] = []): Change => ({
  touched,
  isKnown: ({ name }) => known.includes(name),
  isGone: ({ name }) => gone.includes(name),
});
const GPK = key('GPK', '<state>#<team>');
const GSK = key('GSK', '<at>');
const names = (keys: readonly IndexKey[]) => keys.map(({ name }) => name);

describe('what a change comes to', () => {
  test('is that the keys it touches are rewritten, and no others', () => {
    const { rewritten, removed, half } = settle([[GPK, GSK]], change(['state'], ['state', 'team']), false);
    expect([names(rewritten), removed, half]).toEqual([['GPK'], [], undefined]);
  });

  test('is half a key where it does not know the rest', () => {
    const { half } = settle([[GPK, GSK]], change(['state'], ['state']), false);
    expect([half?.key.name, half?.missing.map(({ name }) => name)]).toEqual(['GPK', ['team']]);
  });

  test('is that an item leaves the index whose key has a part no more', () => {
    const { rewritten, removed } = settle([[GPK, GSK]], change(['team'], [], ['team']), false);
    expect([rewritten, removed]).toEqual([[], ['GPK', 'GSK']]);
  });

  test('is that both keys are rewritten of an index that the item may be new to', () => {
    const index = [{ ...GPK, sparse: true }, GSK];
    expect(names(settle([index], change(['state'], ['state', 'team', 'at']), false).rewritten)).toEqual(['GPK', 'GSK']);
    expect(settle([index], change(['state'], ['state', 'team']), false).half?.key.name).toBe('GSK');
  });

  test('leaves what is an attribute of its own to the update', () => {
    const team = key('team', '<team>', { natural: true });
    expect(settle([[team, GSK]], change(['team'], []), false)).toEqual({ rewritten: [], removed: [] });
  });
});

test('a key condition tells the parts that it names in the form of the key', () => {
  const primary = [['PK', template('T#<tenantId>#<at:date>')] as const, ['SK', template('<number:4>')] as const];
  expect([...toldBy(primary, { PK: 'T#<tenant>#<at:date>', SK: '<n:4>' })]).toEqual([
    ['tenantId', ['tenant']],
    ['number', ['n']],
  ]);
  expect(toldBy(primary, { PK: 'X#<tenant>', SK: '<n>' }).size).toBe(0);
});

test('a map and what is in it overlap, and two names that begin alike do not', () => {
  expect([overlaps('place', 'place.city'), overlaps('place.city', 'place'), overlaps('place', 'places')]).toEqual([
    true,
    true,
    false,
  ]);
});
