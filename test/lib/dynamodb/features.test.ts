import { z } from 'zod';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { client, entities, formats, lists, reads, requests, scans, unique } from '../../../lib/dynamodb';

const where = { PK: 'NOTE#<id>', SK: 'NOTE' } as const;
const Note = {
  attributes: z.object({ id: z.string(), slug: z.string(), tags: z.array(z.string()) }),
  keys: where,
} as const;
const table = { name: 'notes', key: { partition: 'PK', sort: 'SK' } } as const;
const send = () => Promise.reject(new Error('sent'));

const scanned = defineTable({ ...table, entities: { Note }, patterns: { all: { op: 'scan', returns: ['Note'] } } });
const appended = defineTable({
  ...table,
  entities: { Note },
  patterns: { tag: { op: 'update', entity: 'Note', where, set: { tags: { append: '<tags>' } } } },
});
const placed = defineTable({
  ...table,
  entities: { Note },
  patterns: { tag: { op: 'update', entity: 'Note', where, set: { 'tags[<at>]': '<tag>' } } },
});
const claimed = defineTable({
  ...table,
  entities: { Note: { ...Note, unique: { slug: { keys: { PK: 'SLUG#<slug>', SK: 'SLUG' } } } } },
  patterns: { put: { op: 'put', entity: 'Note' } },
});

const labeled = { ...Note, attributes: z.object({ id: z.string(), labels: z.set(z.string()).min(1).optional() }) };
const elements = defineTable({
  ...table,
  entities: { Note: labeled },
  patterns: { tag: { op: 'update', entity: 'Note', where, subtract: { labels: ['<label>'] } } },
});
const wholeSet = defineTable({
  ...table,
  entities: { Note: labeled },
  patterns: { tag: { op: 'update', entity: 'Note', where, add: { labels: '<labels>' } } },
});
const encoded = defineTable({
  ...table,
  entities: { Note: { ...Note, keys: { PK: 'NOTE#<slug:encoded>', SK: 'NOTE' } } },
  patterns: { note: { op: 'get', where: { PK: 'NOTE#<slug>', SK: 'NOTE' }, returns: ['Note'] } },
});

const short: TableDesign = {
  ...table,
  entities: { Note: { ...Note, stored: { slug: 's' } } },
  patterns: { note: { op: 'get', where, returns: ['Note'] } },
};

describe('designs that use a feature whose import is missing', () => {
  test.each<[string, string, () => unknown]>([
    ['scans', 'all', () => requests(scanned, 'notes')],
    ['lists', 'tag', () => requests(appended, 'notes')],
    ['lists', 'tag', () => requests(placed, 'notes')],
    ['lists', 'tag', () => requests(elements, 'notes')],
    ['formats', '<slug:encoded>', () => requests(encoded, 'notes')],
    ['formats', '<slug:encoded>', () => reads(encoded, 'notes')],
    ['formats', '<slug:encoded>', () => entities(encoded, 'notes')],
    ['stored', 'Note', () => requests(short, 'notes')],
    ['stored', 'Note', () => reads(short, 'notes')],
    ['stored', 'Note', () => entities(short, 'notes')],
    ['stored', 'Note', () => client(short, 'notes', send)],
    ['unique', 'Note', () => requests(claimed, 'notes')],
    ['unique', 'Note', () => client(claimed, 'notes', send)],
  ])('refuses the design at once, and names the import to add: %s', (feature, name, make) => {
    expect(make).toThrow(`of 'notes': ${name} needs the option { ${feature} } from 'tablewright/dynamodb'`);
  });

  test('accepts the design but refuses a call that passes a whole set, because only the value reveals the set', () => {
    expect(() => requests(wholeSet, 'notes').tag({ id: 'n', labels: new Set(['a']) })).toThrow(
      "notes: tag: Note: labels needs the option { lists } from 'tablewright/dynamodb'",
    );
  });
});

test('`client` supports scans, lists and formats without further imports', () => {
  const designs: readonly TableDesign[] = [scanned, appended, placed, encoded, elements, wholeSet];
  for (const design of designs) expect(() => client(design, 'notes', send)).not.toThrow();
});

test('does not need the list feature for a filter on a list position or for a bracket in a constant', () => {
  const design: TableDesign = {
    ...table,
    entities: { Note },
    patterns: {
      first: { op: 'query', where: { PK: 'NOTE#<id>' }, filter: { 'tags[0]': '<tag>' }, returns: ['Note'] },
      put: { op: 'put', entity: 'Note', purpose: 'writes [one] note' },
      reset: { op: 'update', entity: 'Note', where, set: { slug: '[none]' }, condition: { slug: { in: ['a', 'b'] } } },
    },
  };
  expect(() => requests(design, 'notes')).not.toThrow();
});

test('uses the features that the caller passes', () => {
  expect(requests(scanned, 'notes', { scans }).all({})).toEqual({ TableName: 'notes' });
  expect(requests(appended, 'notes', { lists }).tag({ id: 'n', tags: ['a'] }).UpdateExpression).toContain(
    'list_append',
  );
  for (const made of [requests(encoded, 'notes', { formats }), reads(encoded, 'notes', { formats })])
    expect(made.note({ slug: 'C#' }).Key).toEqual({ PK: 'NOTE#C"1', SK: 'NOTE' });
  expect(entities(encoded, 'notes', { formats }).item('Note', { id: 'n', slug: '', tags: [] }).PK).toBe('NOTE#!0');
  const { TransactItems } = requests(claimed, 'notes', { unique }).put({ id: 'n', slug: 's', tags: [] });
  expect(TransactItems).toHaveLength(2);
});
