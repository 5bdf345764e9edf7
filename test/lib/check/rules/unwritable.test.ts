import { z } from 'zod';
import { unwritable } from '../../../../lib/check/rules/unwritable';
import type { PatternDesign, PutPattern, UpdatePattern } from '../../../../lib/design/pattern';
import { requests } from '../../../../lib/dynamodb/requests';
import { findings, tableOf } from '../../../fixtures/designs';

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
  (requests(table(pattern), 't').patterns as unknown as Record<string, (values: object) => unknown>).write?.(values);

describe('an update', () => {
  test.each<readonly [string, Update, string, string, string]>([
    [
      'does not change the primary key',
      { set: { id: '<other>' } },
      'set.id',
      "id is part of SK ('<id>'), and the primary key of an item cannot change",
      'leave id out, or delete the Thing and put another',
    ],
    [
      'does not remove it either',
      { remove: ['owner'] },
      'remove',
      "owner is part of PK ('<owner>'), and the primary key of an item cannot change",
      'leave owner out, or delete the Thing and put another',
    ],
    [
      'leaves the primary key to the table',
      { set: { PK: 'x' } },
      'set.PK',
      "the table writes 'PK' itself, as '<owner>'",
      'leave it out, or delete the Thing and put another',
    ],
    [
      'leaves the keys of indexes to the table',
      { set: { state: 'done', GPK: 'done' } },
      'set.GPK',
      "the table writes 'GPK' itself, as '<state>'",
      'leave it out, and change what it is made of: state',
    ],
    [
      'leaves the type to the table',
      { set: { kind: 'Other' } },
      'set.kind',
      "the table writes 'kind' itself, as the type",
      'leave it out',
    ],
    [
      'removes nothing that must be there',
      { remove: ['title'] },
      'remove',
      "every Thing has 'title'",
      'make title optional, or do not remove it',
    ],
    [
      'adds to a number',
      { add: { title: 1 } },
      'add.title',
      "cannot add to a string: 'title'",
      'set it: set: { title: … }, or make it a number',
    ],
    [
      'adds a number',
      { add: { count: 'one' } },
      'add.count',
      "cannot add 'one': it is a string",
      "write a number, or a parameter alone: '<by>'",
    ],
  ])('%s', (_, one, place, message, fix) => {
    expect(found(update(one))).toEqual([{ path: `patterns.write.${place}`, message, fix }]);
    // What is stored only DynamoDB knows, and so it is the one to refuse to add to a text.
    if (place !== 'add.title') expect(made(update(one))).toThrow();
  });

  test('changes something', () => {
    expect(found(update({}))).toEqual([
      {
        path: 'patterns.write',
        message: 'it changes nothing',
        fix: 'say what it changes: set: { … }, add: { … } or remove: [ … ]',
      },
    ]);
    expect(made(update({}))).toThrow('it changes nothing');
  });

  test('does not do two things to one attribute', () => {
    expect(found(update({ set: { note: 'x' }, remove: ['note'] }))).toEqual([
      {
        path: 'patterns.write.remove',
        message: "'note' is changed by set and by remove, and DynamoDB refuses to do both",
        fix: 'keep one of the two',
      },
    ]);
    expect(found(update({ set: { place: '<place>', 'place.city': 'x' } }))).toEqual([
      {
        path: 'patterns.write.set.place.city',
        message: "'place' and 'place.city' are one inside the other, and DynamoDB refuses to change both",
        fix: 'keep one of the two',
      },
    ]);
  });

  test('that may make the item makes a whole one', () => {
    const one: Update = {
      upsert: true,
      set: { title: '<title>', 'place.city': 'x', state: '<state?>' },
      add: { count: 1 },
    };
    expect(found(update(one))).toEqual([
      {
        path: 'patterns.write.set.place.city',
        message: "a new item has no map to hold 'place.city'",
        fix: 'set the whole map, or leave upsert out',
      },
      {
        path: 'patterns.write.upsert',
        message: 'a new Thing would have no state, place',
        fix: 'add state, place to set, or leave upsert out',
      },
    ]);
    expect(made(update(one))).toThrow();
  });

  test.each<readonly [string, Update]>([
    [
      'sets, adds and removes',
      { set: { title: '<title>', 'place.city': 'x' }, add: { count: '<by>' }, remove: ['note'] },
    ],
    ['removes what has a default', { remove: ['visits'] }],
    ['changes two parts of a map', { set: { 'place.city': 'x', 'place.street': 'y' } }],
    ['makes a whole item', { upsert: true, set: { title: 't', state: 'open', place: '<place>' }, add: { count: 1 } }],
  ])('is right where it %s', (_, one) => {
    expect(found(update(one))).toEqual([]);
    expect(made(update(one))).not.toThrow();
  });
});

describe('a new item', () => {
  const whole = { owner: '<owner>', id: '<id>', title: 't', state: 'open', count: 0, place: '<place>' };

  test('has all that must be there', () => {
    const { title: _, state: __, ...item } = whole;
    expect(found(put(item))).toEqual([
      {
        path: 'patterns.write.item',
        message: 'every Thing has title, state, and this one is written without',
        fix: "add title: '<title>', state: '<state>', or make it optional",
      },
    ]);
    expect(made(put(item))).toThrow();
    expect(found(put(whole))).toEqual([]);
    expect(made(put(whole))).not.toThrow();
  });

  test('has nothing to copy', () => {
    const item = { ...whole, note: { attribute: 'title' } };
    expect(found(put(item)).map(({ path }) => path)).toEqual(['patterns.write.item.note']);
    expect(made(put(item))).toThrow('no attribute to copy');
  });

  test("that the caller gives is the schema's to look at", () => {
    expect(found(put(undefined))).toEqual([]);
  });
});
