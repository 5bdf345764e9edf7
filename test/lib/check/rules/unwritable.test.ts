import { z } from 'zod';
import { type EntityOutline, outline } from '../../../../lib/blueprint/outline';
import { unwritable } from '../../../../lib/check/rules/unwritable';
import type { PatternDesign, PutPattern, UpdatePattern } from '../../../../lib/design/pattern';
import { requests } from '../../../../lib/dynamodb/requests';
import { readItem } from '../../../../lib/items/item';
import { findings, tableOf } from '../../../fixtures/designs';

/** The rendered sort keys of an example item, keyed by template. */
const SORTED: Readonly<Record<string, string>> = { '<at:date>': '2026-01-31', '<at>': '2026-01-31T10:00:00Z' };

type Update = Omit<UpdatePattern, 'op' | 'entity' | 'where'>;

const table = (pattern: PatternDesign) =>
  tableOf(
    {
      attributes: z.object({
        owner: z.string(),
        id: z.string(),
        title: z.string(),
        state: z.enum(['open', 'done']),
        count: z.int(),
        visits: z.int().default(0),
        note: z.string().optional(),
        place: z.object({ city: z.string(), street: z.string() }),
      }),
      keys: { PK: '<owner>', SK: '<id>', GPK: '<state>' },
    },
    { typeAttribute: 'kind', indexes: { byState: { partition: 'GPK' } }, patterns: { write: pattern } },
  );
const update = (one: Update): PatternDesign => ({
  op: 'update',
  entity: 'Thing',
  where: { PK: '<owner>', SK: '<id>' },
  ...one,
});
const put = (item: PutPattern['item']): PatternDesign => ({ op: 'put', entity: 'Thing', item });
const found = (pattern: PatternDesign) => findings(unwritable, table(pattern));
const values = { owner: 'o', id: 'i', title: 't', note: 'n', place: { city: 'c', street: 's' }, by: 1 };
const made = (pattern: PatternDesign) => () =>
  (requests(table(pattern), 't') as unknown as Record<string, (values: object) => unknown>).write?.(values);

describe('an update', () => {
  test.each<readonly [string, Update, string, object]>([
    ['changes the primary key', { set: { id: '<other>' } }, 'set.id', { cause: 'primary-key' }],
    ['removes part of the primary key', { remove: ['owner'] }, 'remove', { cause: 'primary-key', attribute: 'owner' }],
    ['sets a primary key attribute by hand', { set: { PK: 'x' } }, 'set.PK', { cause: 'primary-key-written' }],
    [
      'sets an index key attribute by hand',
      { set: { state: 'done', GPK: 'done' } },
      'set.GPK',
      { cause: 'index-key-written' },
    ],
    ['sets the type attribute by hand', { set: { kind: 'Other' } }, 'set.kind', { cause: 'type-written' }],
    [
      'removes a required attribute',
      { remove: ['title'] },
      'remove',
      { cause: 'required-removed', attribute: 'title' },
    ],
    ['adds a number to a string', { add: { title: 1 } }, 'add.title', { cause: 'not-a-number' }],
    ['adds a string to a number', { add: { count: 'one' } }, 'add.count', { cause: 'text-added' }],
  ])('rejects an update that %s', (_, one, place, why) => {
    expect(found(update(one))).toEqual([{ path: `patterns.write.${place}`, ...why }]);
    // Only DynamoDB knows the stored value, so only DynamoDB can refuse to add a number to a string.
    if (place !== 'add.title') expect(made(update(one))).toThrow();
  });

  test('rejects an update that changes nothing', () => {
    expect(found(update({}))).toEqual([{ path: 'patterns.write', cause: 'nothing-changed' }]);
    expect(made(update({}))).toThrow('nothing to change');
  });

  test('rejects an update that changes one attribute twice', () => {
    expect(found(update({ set: { note: 'x' }, remove: ['note'] }))).toEqual([
      { path: 'patterns.write.remove', cause: 'changed-twice', attribute: 'note' },
    ]);
    expect(found(update({ set: { place: '<place>', 'place.city': 'x' } }))).toEqual([
      { path: 'patterns.write.set.place.city', cause: 'map-and-part' },
    ]);
  });

  test('requires an upsert to set a complete item', () => {
    const one: Update = {
      upsert: true,
      set: { title: '<title>', 'place.city': 'x', state: '<state?>' },
      add: { count: 1 },
    };
    expect(found(update(one))).toEqual([
      { path: 'patterns.write.set.place.city', cause: 'map-not-there' },
      { path: 'patterns.write.upsert', cause: 'incomplete-item', attributes: ['state', 'place'] },
    ]);
  });

  test.each([
    ['<at:date>', [{ path: 'patterns.count.upsert', cause: 'incomplete-item', attributes: ['at'] }]],
    ['<at>', []],
  ])(
    'requires the key of an upsert to contain the whole value of an attribute that the update does not set: %s',
    (sort, expected) => {
      const where = { PK: '<owner>', SK: sort };
      const count = { op: 'update', entity: 'Thing', where, add: { n: 1 }, upsert: true } as const;
      const attributes = z.object({ owner: z.string(), at: z.iso.datetime(), n: z.int() });
      const design = tableOf({ attributes, keys: where }, { patterns: { count } });
      expect(findings(unwritable, design)).toEqual(expected);
      const { entities } = outline(design);
      const read = () => readItem(outline(design), entities[0] as EntityOutline, { PK: 'o', SK: SORTED[sort], n: 1 });
      if (expected.length === 0) expect(read()).toMatchObject({ owner: 'o', at: '2026-01-31T10:00:00Z' });
      else expect(read).toThrow('at: ');
    },
  );

  test.each<readonly [string, Update]>([
    [
      'sets, adds and removes',
      { set: { title: '<title>', 'place.city': 'x' }, add: { count: '<by>' }, remove: ['note'] },
    ],
    ['removes an attribute that has a default', { remove: ['visits'] }],
    ['changes two attributes inside a map', { set: { 'place.city': 'x', 'place.street': 'y' } }],
    [
      'creates a complete item',
      { upsert: true, set: { title: 't', state: 'open', place: '<place>' }, add: { count: 1 } },
    ],
  ])('accepts an update that %s', (_, one) => {
    expect(found(update(one))).toEqual([]);
    expect(made(update(one))).not.toThrow();
  });
});

describe('a new item', () => {
  const whole = { owner: '<owner>', id: '<id>', title: 't', state: 'open', count: 0, place: '<place>' };

  test('requires a put with fixed values to set every required attribute', () => {
    const { title: _, state: __, ...item } = whole;
    expect(found(put(item))).toEqual([
      { path: 'patterns.write.item', cause: 'incomplete-put', attributes: ['title', 'state'] },
    ]);
    expect(made(put(item))).toThrow();
    expect(found(put(whole))).toEqual([]);
    expect(made(put(whole))).not.toThrow();
  });

  test('rejects a put that copies an attribute of an existing item', () => {
    const item = { ...whole, note: { attribute: 'title' } };
    expect(found(put(item)).map(({ path }) => path)).toEqual(['patterns.write.item.note']);
    expect(made(put(item))).toThrow('no attribute to copy');
  });

  test('does not check the item that a caller passes to a put, because the schema validates it', () => {
    expect(found(put(undefined))).toEqual([]);
  });
});
