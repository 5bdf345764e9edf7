import { z } from 'zod';
import { check } from '../../../../lib/check';
import type { QueryPattern } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { forums } from '../../../fixtures/stored';

const attributes = z.object({
  id: z.string(),
  no: z.int(),
  title: z.string(),
  state: z.string(),
  expires: z.int().optional(),
});
const other = z.object({ id: z.string(), no: z.int(), title: z.string(), day: z.string() });

function design(stored: EntityDesign['stored'], more: Partial<TableDesign> = {}, theirs = stored): TableDesign {
  const read: Partial<QueryPattern> = { op: 'query', where: { PK: 'NOTE#<id>' }, returns: ['Note', 'Memo'] };
  return {
    name: 'notes',
    key: { partition: 'PK', sort: 'SK' },
    typeAttribute: 'kind',
    entities: {
      Note: { attributes, keys: { PK: 'NOTE#<id>', SK: 'NOTE#<no:4>' }, stored },
      Memo: { attributes: other, keys: { PK: 'NOTE#<id>', SK: 'MEMO#<no:4>' }, stored: theirs },
    },
    patterns: { notes: { ...read, filter: { title: '<title?>' } } as QueryPattern },
    ...more,
  };
}

const findings = (...of: Parameters<typeof design>) =>
  check(design(...of))
    .filter(({ severity }) => severity === 'error')
    .map(({ rule, cause, path, message, fix }) => `${rule} ${cause} at ${path}: ${message}; ${fix}`);

const index = { byState: { partition: 'state', sort: 'SK', purpose: 'notes by state' } };
const byState = { op: 'query', index: 'byState', where: { state: '<state>' }, returns: ['Note'] } as const;

test('returns no findings for sound designs', () => {
  expect(findings({ title: 't' })).toEqual([]);
  expect(check(forums).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test.each<[string, Parameters<typeof design>, string]>([
  [
    'an unknown attribute',
    [{ titel: 't' }, {}, {}],
    "unsound-stored unknown at entities.Note.stored.titel: 'titel' is not an attribute of Note; write title: 't'",
  ],
  [
    'an empty name',
    [{ title: '' }, {}, {}],
    "unsound-stored illegal at entities.Note.stored.title: '' is not a legal attribute name; use a name of 1 to 255 bytes, such as title: 't'",
  ],
  [
    'a stored name that is the name of another attribute',
    [{ title: 'state' }, { patterns: {} }, {}],
    "unsound-stored taken at entities.Note.stored.title: the name 'state' already belongs to 'state', so one of them would overwrite the other; use a name that no other attribute of Note has",
  ],
  [
    'one stored name for two attributes',
    [{ title: 't', state: 't' }, { patterns: {} }, {}],
    "unsound-stored taken at entities.Note.stored.state: the name 't' already belongs to 'title', so one of them would overwrite the other; use a name that no other attribute of Note has",
  ],
  [
    'the type attribute',
    [{ title: 'kind' }, { patterns: {} }, {}],
    "unsound-stored written-by-table at entities.Note.stored.title: 'kind' already contains the item's type; use another name",
  ],
  [
    'a key with a template',
    [{ title: 'SK' }, { patterns: {} }, {}],
    "unsound-stored written-by-table at entities.Note.stored.title: 'SK' already contains the key 'NOTE#<no:4>'; use another name",
  ],
  [
    'a key of an index',
    [{ state: 's' }, { indexes: index, patterns: { byState } }, {}],
    "unsound-stored key at entities.Note.stored.state: 'state' is a key of the table or of an index, so it cannot have the stored name 's'; rename the key attribute to 's', or remove 'state' from the stored names",
  ],
  [
    'two stored names for an attribute that a pattern filters by',
    [{ title: 't' }, {}, { title: 'x' }],
    "unsound-stored two-names at patterns.notes.filter.title: 'title' is stored as 't' in Note, but as 'x' in Memo; write stored: { title: 't' } in both entities, or query one entity at a time",
  ],
  [
    'another attribute stored under the name that a pattern filters by',
    [
      { state: 's' },
      {
        patterns: {
          notes: {
            op: 'query',
            where: { PK: 'NOTE#<id>' },
            filter: { state: '<state>' },
            returns: ['Note', 'Memo'],
          },
        },
      },
      { day: 's' },
    ],
    "unsound-stored two-names at patterns.notes.filter.state: 'state' is stored as 's', but Memo stores a different attribute under this name; use different stored names in Note and Memo",
  ],
  [
    "a `ttl` that uses an attribute's name instead of its stored name",
    [{ expires: 'x' }, { ttl: 'expires' }, {}],
    "unknown-name ttl at ttl: Note stores 'expires' as 'x'; write 'x'",
  ],
  [
    "a projection that uses an attribute's name instead of its stored name",
    [
      { title: 't' },
      {
        indexes: { byState: { ...index.byState, projection: ['title'] } },
        patterns: { byState: { ...byState, select: ['id'] } },
      },
    ],
    "unknown-name projected at indexes.byState.projection: Note stores 'title' as 't'; write 't'",
  ],
  [
    'a stored name for an attribute that is stored only in keys',
    [
      { id: 'i' },
      {
        entities: { Note: { attributes, keys: { PK: 'NOTE#<id>', SK: 'N' }, keyOnly: ['id'], stored: { id: 'i' } } },
        patterns: {},
      },
    ],
    "unsound-stored key-only at entities.Note.stored.id: 'id' is stored only in keys, so it has no stored name; remove 'id' from the stored names, or from keyOnly",
  ],
])('reports %s, and says what to write', (_, of, finding) => {
  expect(findings(...of)).toEqual([finding]);
});
