import { z } from 'zod';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import { updateFaults } from '../../../lib/blueprint/whole-updates';
import type { UpdatePattern } from '../../../lib/design/pattern';
import type { EntityDesign } from '../../../lib/design/table';
import { tableOf } from '../../fixtures/designs';

const keys = { PK: 'THING#<id>', SK: 'THING' };
const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };
const where = { PK: 'THING#<id>', SK: 'THING' };
const attributes = z.object({
  id: z.string(),
  city: z.string(),
  day: z.iso.date(),
  status: z.string().optional(),
  n: z.int().default(0),
  map: z.object({ a: z.string(), b: z.string().optional() }).optional(),
});

function faultsOf(rest: Partial<UpdatePattern>, own: EntityDesign['keys'] = {}) {
  const table = outline(tableOf({ attributes, keys: { ...keys, ...own } }, { indexes }));
  const step: UpdatePattern = { op: 'update', entity: 'Thing', where, ...rest };
  return updateFaults(table, entityNamed(table, 'Thing') as EntityOutline, step);
}

test('updateFaults reports an update without changes, unless it is an upsert', () => {
  expect(faultsOf({})).toEqual([{ cause: 'nothing-changed', place: '', attributes: [] }]);
  expect(faultsOf({ set: {}, add: {}, remove: [] })).toMatchObject([{ cause: 'nothing-changed' }]);
  expect(faultsOf({ upsert: true })).not.toContainEqual(expect.objectContaining({ cause: 'nothing-changed' }));
});

test('updateFaults also reports the faults of individual changes', () => {
  expect(faultsOf({ set: { id: 'x', colour: 'red' } }).map(({ cause }) => cause)).toEqual([
    'primary-key',
    'unknown-attribute',
  ]);
});

test.each<[string, Partial<UpdatePattern>, string, string]>([
  ['set and added to', { set: { n: 1 }, add: { n: 1 } }, 'add.n', 'set.n'],
  ['set and removed', { set: { status: 'x' }, remove: ['status'] }, 'remove', 'set.status'],
  ['removed twice', { remove: ['status', 'status'] }, 'remove', 'remove'],
  ['set with its map', { set: { map: '<map>', 'map.a': 'x' } }, 'set.map.a', 'set.map'],
  ['removed with its map', { set: { 'map.b': 'x' }, remove: ['map'] }, 'remove', 'set.map.b'],
])('one update cannot change an attribute twice: %s', (_, rest, place, other) => {
  expect(faultsOf(rest)).toMatchObject([{ cause: 'changed-twice', place, other: { place: other } }]);
});

test('an update may change two values of the same map', () => {
  const set = { 'map.a': 'x', 'map.b': 'y' };
  expect(faultsOf({ set, condition: { map: { exists: true } } })).toEqual([]);
  expect(faultsOf({ set })).toMatchObject([{ cause: 'map-may-lack', place: 'set.map.a' }]);
});

describe('an upsert', () => {
  const whole = { city: '<city>', day: '<day>' };

  test('updateFaults accepts an upsert that supplies every required attribute', () => {
    expect(faultsOf({ upsert: true, set: whole })).toEqual([]);
    expect(faultsOf({ upsert: true, set: whole, add: { n: 1 } })).toEqual([]);
  });

  test.each<[string, Partial<UpdatePattern>, readonly string[]]>([
    ['sets too little', { set: { city: '<city>' } }, ['day']],
    ['sets a required attribute from an optional parameter', { set: { ...whole, day: '<day?>' } }, ['day']],
    ['sets nothing', {}, ['city', 'day']],
  ])('updateFaults reports an upsert that %s', (_, rest, attributes) => {
    expect(faultsOf({ upsert: true, ...rest })).toEqual([{ cause: 'incomplete-item', place: 'upsert', attributes }]);
  });

  test('an upsert cannot change part of a map, because the map does not exist in a new item', () => {
    const rest = { upsert: true, set: { ...whole, 'map.a': 'x' }, remove: ['map.b'] };
    expect(faultsOf(rest)).toEqual([
      { cause: 'map-not-there', place: 'set.map.a', attributes: ['map.a'] },
      { cause: 'map-not-there', place: 'remove', attributes: ['map.b'] },
    ]);
  });
});

describe('updates of an index key', () => {
  const both = { GSI1PK: 'CITY#<city>#<day>', GSI1SK: 'THING#<id>' };
  const sparse = { GSI1PK: 'STATUS#<status>', GSI1SK: '<day>#<id>' };

  test.each<[string, Partial<UpdatePattern>, string, readonly string[]]>([
    ['sets only one part', { set: { city: 'Lima' } }, 'set.city', ['day']],
    ['copies an attribute into a part', { set: { city: { attribute: 'status' }, day: '<day>' } }, 'set.city', ['city']],
  ])('an update that %s does not supply the whole index key', (_, rest, place, attributes) => {
    expect(faultsOf(rest, both)).toMatchObject([
      { cause: 'half-key', place, attributes, key: { attribute: 'GSI1PK' }, other: { place } },
    ]);
  });

  test('an update cannot add to a number in an index key', () => {
    expect(faultsOf({ add: { n: 1 } }, { GSI1PK: 'N#<n>', GSI1SK: 'A' })).toMatchObject([
      { cause: 'half-key', place: 'add.n', attributes: ['n'] },
    ]);
  });

  test('an update that moves an item into an index must set both index keys', () => {
    expect(faultsOf({ set: { status: 'x' } }, sparse)).toMatchObject([
      { cause: 'half-key', place: 'set.status', attributes: ['day'], key: { attribute: 'GSI1SK' } },
    ]);
  });

  test.each<[string, Partial<UpdatePattern>]>([
    ['sets every part', { set: { city: 'Lima', day: '<day>' } }],
    ['sets every part from optional parameters', { set: { city: '<city?>', day: '<day?>' } }],
    [
      'compares the other part with a parameter in its condition',
      { set: { city: 'Lima' }, condition: { day: '<was>' } },
    ],
    [
      'compares the other part with a constant in its condition',
      { set: { city: 'Lima' }, condition: { day: '2026-01-31' } },
    ],
  ])('an update writes a whole index key if it %s', (_, rest) => {
    expect(faultsOf(rest, both)).toEqual([]);
  });

  test.each<[string, Partial<UpdatePattern>]>([
    ['a range', { set: { city: 'Lima' }, condition: { day: { atLeast: '<day>' } } }],
    ['another attribute', { set: { city: 'Lima' }, condition: { day: { attribute: 'status' } } }],
    ['nothing', { set: { city: 'Lima' }, condition: { day: null } }],
  ])('a condition that compares with %s does not fix the value of an index key', (_, rest) => {
    expect(faultsOf(rest, both)).toMatchObject([{ cause: 'half-key' }]);
  });

  test('an update that removes an item from an index need not supply the other key of the index', () => {
    expect(faultsOf({ remove: ['status'] }, sparse)).toEqual([]);
  });

  test('updateFaults does not report a half-written index key if the update also changes the primary key', () => {
    expect(faultsOf({ set: { id: 'x' } }, sparse).map(({ cause }) => cause)).toEqual(['primary-key']);
  });
});
