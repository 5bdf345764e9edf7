import { z } from 'zod';
import { isCopy } from '../../../lib/blueprint/index-keys';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import { changeFaults, touchedBy, touches } from '../../../lib/blueprint/updates';
import type { UpdatePattern } from '../../../lib/design/pattern';
import { tableOf } from '../../fixtures/designs';

const attributes = z.object({
  id: z.string(),
  at: z.object({ city: z.string(), zip: z.string().optional() }),
  n: z.int(),
  name: z.string(),
  note: z.string().optional(),
  place: z.object({ city: z.string(), zip: z.string().optional() }),
  filled: z.string().default('x').optional(),
  any: z.any(),
  size: z.int().optional(),
  tags: z.array(z.string()).optional(),
  isOpen: z.boolean().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  counts: z.record(z.string(), z.int()).optional(),
});
const design = tableOf(
  { attributes, keys: { PK: 'THING#<id>', SK: 'AT#<at.city>#<n:4>', GSI1PK: 'NAME#<name>' } },
  { indexes: { byName: { partition: 'GSI1PK', sort: 'size' } }, typeAttribute: 'kind' },
);
const table = outline(design);
const where = { PK: 'THING#<id>', SK: 'AT#<city>#<n:4>' };

function faultsOf(rest: Partial<UpdatePattern>) {
  const step: UpdatePattern = { op: 'update', entity: 'Thing', where, ...rest };
  const thing = entityNamed(table, 'Thing') as EntityOutline;
  return changeFaults(table, thing, step).map(({ cause, place, attributes, key }) => [
    cause,
    place,
    ...attributes,
    ...(key === undefined ? [] : [key.attribute]),
  ]);
}

test.each<[string, Partial<UpdatePattern>, readonly string[]]>([
  ['sets a source', { set: { id: '<other>' } }, ['set.id', 'id', 'PK']],
  ['sets a source from an optional parameter', { set: { id: '<other?>' } }, ['set.id', 'id', 'PK']],
  ['copies another attribute into a source', { set: { id: { attribute: 'name' } } }, ['set.id', 'id', 'PK']],
  ['adds to a source', { add: { n: 1 } }, ['add.n', 'n', 'SK']],
  ['removes a source', { remove: ['n'] }, ['remove', 'n', 'SK']],
  ['sets a source inside a map', { set: { 'at.city': 'Lima' } }, ['set.at.city', 'at.city', 'SK']],
  ['sets the map that contains a source', { set: { at: '<at>' } }, ['set.at', 'at', 'SK']],
])('an update that %s changes the primary key, which is a fault', (_, rest, fault) => {
  expect(faultsOf(rest)).toEqual([['primary-key', ...fault]]);
});

test('an update cannot change a natural primary key', () => {
  const natural = outline(
    tableOf({ attributes: z.object({ id: z.string(), n: z.int() }) }, { key: { partition: 'id' } }),
  );
  const step: UpdatePattern = { op: 'update', entity: 'Thing', where: { id: '<id>' }, set: { id: '<other>' } };
  const [fault] = changeFaults(natural, entityNamed(natural, 'Thing') as EntityOutline, step);
  expect(fault).toMatchObject({ cause: 'primary-key', key: { attribute: 'id' } });
});

test.each<[string, Partial<UpdatePattern>, readonly string[]]>([
  ['its partition key', { set: { PK: 'x' } }, ['set.PK', 'PK', 'PK']],
  ['its sort key', { remove: ['SK'] }, ['remove', 'SK', 'SK']],
  ['an index key', { set: { GSI1PK: 'x' } }, ['set.GSI1PK', 'GSI1PK', 'GSI1PK']],
  ['the type', { set: { kind: 'x' } }, ['set.kind', 'kind']],
])('an update cannot change a key attribute or the type attribute: %s', (_, rest, fault) => {
  expect(faultsOf(rest)).toEqual([['written-by-table', ...fault]]);
});

test.each<[string, Partial<UpdatePattern>, readonly string[]]>([
  ['set', { set: { colour: 'red' } }, ['set.colour', 'colour']],
  ['added to', { add: { colour: 1 } }, ['add.colour', 'colour']],
  ['removed', { remove: ['colour'] }, ['remove', 'colour']],
  ['inside a map', { set: { 'at.street': 'x' } }, ['set.at.street', 'at.street']],
  ['inside an attribute that is not a map', { set: { 'name.first': 'x' } }, ['set.name.first', 'name.first']],
  ['inside a list', { set: { 'tags.0': 'x' } }, ['set.tags.0', 'tags.0']],
  ['a built-in property of objects', { set: { constructor: 'x' } }, ['set.constructor', 'constructor']],
])('an update cannot change an attribute that the entity does not have: %s', (_, rest, fault) => {
  expect(faultsOf(rest)).toEqual([['unknown-attribute', ...fault]]);
});

test('an update cannot remove a required attribute', () => {
  expect(faultsOf({ remove: ['name'] })).toEqual([['required-removed', 'remove', 'name']]);
  expect(faultsOf({ remove: ['place.city', 'note'] })).toEqual([['required-removed', 'remove', 'place.city']]);
});

test('an update can remove an attribute that is optional, has a default, or accepts any value', () => {
  expect(faultsOf({ remove: ['note', 'place.zip', 'filled'] })).toEqual([]);
  expect(faultsOf({ remove: ['any', 'any.x'] })).toEqual([]);
});

test('an update can remove an entry from a record, because a record may have any keys', () => {
  expect(faultsOf({ remove: ['labels.x'] })).toEqual([]);
});

test.each([
  ['a string', 'name'],
  ['a boolean', 'isOpen'],
  ['a list', 'tags'],
  ['a map', 'labels'],
  ['a string in a record', 'labels.x'],
])('an update cannot add to %s', (_, attribute) => {
  expect(faultsOf({ add: { [attribute]: 1 } })).toEqual([['not-a-number', `add.${attribute}`, attribute]]);
});

test('an update can add to a number, even in a record, and to an attribute that may be a number', () => {
  expect(faultsOf({ add: { size: 1, 'counts.x': '<by>', any: -1.5 } })).toEqual([]);
});

test('an update can add only a number or a lone parameter, not a string', () => {
  expect(faultsOf({ add: { size: '5' } })).toEqual([['text-added', 'add.size', 'size']]);
  expect(faultsOf({ add: { size: '<a><b>' } })).toEqual([['text-added', 'add.size', 'size']]);
  expect(faultsOf({ add: { size: '<by:4>' } })).toEqual([['text-added', 'add.size', 'size']]);
  expect(faultsOf({ add: { size: '<by?>' } })).toEqual([]);
});

test('an update can add elements to a set, or subtract them, as a list or a lone parameter, unless the set is inside a map', () => {
  const own = z.object({ id: z.string(), tags: z.set(z.string()), at: z.object({ tags: z.set(z.string()) }) });
  const sets = outline(tableOf({ attributes: own }, { key: { partition: 'id' } }));
  const causes = (rest: Partial<UpdatePattern>) => {
    const step: UpdatePattern = { op: 'update', entity: 'Thing', where: { id: '<id>' }, ...rest };
    return changeFaults(sets, entityNamed(sets, 'Thing') as EntityOutline, step).map(({ cause }) => cause);
  };
  expect(causes({ add: { tags: ['<tag>', 'a'] } })).toEqual([]);
  expect(causes({ subtract: { tags: '<tags>' } })).toEqual([]);
  expect(causes({ add: { tags: 1 } })).toEqual(['not-a-number']);
  expect(causes({ subtract: { tags: 'a' } })).toEqual(['not-a-number']);
  expect(causes({ add: { 'at.tags': ['<tag>'] } })).toEqual(['not-a-number']);
  expect(faultsOf({ add: { size: ['<by>'], any: [1] } }).map(([cause]) => cause)).toEqual(['text-added', 'text-added']);
});

test('changeFaults reports every fault of an update, not only the first', () => {
  const all = faultsOf({ set: { id: 'x', PK: 'y' }, add: { name: 1, size: 'z' }, remove: ['colour', 'name'] });
  expect(all.map(([cause]) => cause)).toEqual([
    'primary-key',
    'written-by-table',
    'not-a-number',
    'text-added',
    'unknown-attribute',
    'required-removed',
  ]);
});

test('touchedBy lists the attributes that an update changes, each with its place and kind of change', () => {
  const step: UpdatePattern = { op: 'update', entity: 'Thing', where, set: { a: 1 }, add: { 'b.c': 1 }, remove: ['d'] };
  expect(touchedBy(step)).toEqual([
    { place: 'set.a', field: 'set', attribute: 'a' },
    { place: 'add.b.c', field: 'add', attribute: 'b.c' },
    { place: 'remove', field: 'remove', attribute: 'd' },
  ]);
});

test('an update touches a key if it changes a source attribute, a value inside it, or a map that contains it', () => {
  const key = entityNamed(table, 'Thing')?.keys.get('SK');
  const touched = (attribute: string) => key !== undefined && touches(key, attribute);
  expect(['at', 'at.city', 'at.city.x', 'n'].filter(touched)).toHaveLength(4);
  expect(['at.zip', 'a', 'at.citadel', 'name'].filter(touched)).toEqual([]);
});

test('isCopy returns true only for a reference to another attribute', () => {
  expect(isCopy({ attribute: 'a' })).toBe(true);
  for (const operand of [null, undefined, 'a', 1, true]) expect(isCopy(operand)).toBe(false);
});

test('an update of an open entity cannot change a key attribute or the type attribute', () => {
  const design = tableOf(
    { attributes: z.looseObject({ id: z.string() }), keys: { PK: 'THING#<id>', SK: 'THING', GSI1PK: '<id>' } },
    { typeAttribute: 'kind', indexes: { GSI1: { partition: 'GSI1PK' }, GSI2: { partition: 'GSI2PK' } } },
  );
  const table = outline(design);
  const thing = entityNamed(table, 'Thing') as EntityOutline;
  const causes = (...names: readonly string[]) =>
    names.map((name) => {
      const step = { op: 'update', entity: 'Thing', where: {}, set: { [name]: 'x' } } as const;
      return changeFaults(table, thing, step)[0]?.cause;
    });
  expect(causes('GSI1PK', 'GSI2PK', 'kind', 'colour')).toEqual([
    ...['written-by-table', 'written-by-table', 'written-by-table'],
    undefined,
  ]);
});
