import { z } from 'zod';
import { check } from '../../../../lib/check';
import type { UpdatePattern } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';

const where = { PK: 'NOTE#<id>', SK: 'NOTE' };
const SHAPE = {
  ...{ id: z.string(), name: z.string(), to: z.string(), sortName: z.string(), pair: z.string() },
  ...{ rev: z.int(), createdAt: z.iso.datetime(), updatedAt: z.int() },
};
const declared: Partial<EntityDesign> = {
  version: 'rev',
  timestamps: { created: 'createdAt', updated: 'updatedAt' },
  computed: { sortName: '<name:lower>', pair: { sorted: ['<name>', '<to>'] } },
};

function design(entity: Partial<EntityDesign>, change: Partial<UpdatePattern> = {}, more = {}): TableDesign {
  return {
    name: 'notes',
    key: { partition: 'PK', sort: 'SK' },
    entities: { Note: { attributes: z.object(SHAPE), keys: where, ...declared, ...entity } },
    patterns: {
      note: { op: 'get', where, returns: ['Note'] },
      add: { op: 'put', entity: 'Note' },
      change: { op: 'update', entity: 'Note', where, set: { name: '<name>', to: '<to>' }, ...change },
      ...more,
    },
  };
}

const findings = (...of: Parameters<typeof design>) =>
  check(design(...of)).map(({ rule, cause, path, fix }) => `${rule} ${cause} at ${path}: ${fix}`);

const withAttributes = (more: z.core.$ZodLooseShape) => ({ attributes: z.object({ ...SHAPE, ...more }) });

test('returns no findings for a sound design', () => {
  expect(findings({})).toEqual([]);
});

test.each<[string, Partial<EntityDesign>, string]>([
  [
    'an unknown attribute',
    { version: 'revision' },
    'undeclared at entities.Note.version: add revision: z.int() to the attributes',
  ],
  [
    'a version that is text',
    withAttributes({ rev: z.string() }),
    'wrong-type at entities.Note.version: write rev: z.int()',
  ],
  [
    'a version with too low a maximum',
    withAttributes({ rev: z.int().max(9) }),
    'wrong-type at entities.Note.version: write rev: z.int()',
  ],
  [
    'a timestamp with the schema of an e-mail address',
    withAttributes({ createdAt: z.email() }),
    'wrong-type at entities.Note.timestamps: write createdAt: z.iso.datetime()',
  ],
  [
    'a computed number',
    withAttributes({ sortName: z.number() }),
    'wrong-type at entities.Note.computed.sortName: write sortName: z.string()',
  ],
  [
    'an optional source',
    withAttributes({ to: z.string().optional() }),
    "may-lack at entities.Note.computed.pair: write pair: z.string().optional(), or make 'to' required",
  ],
  [
    'a source that is itself computed',
    { computed: { sortName: '<name:lower>', pair: '<sortName>!' } },
    `part at entities.Note.computed.pair: compute 'pair' from attributes that the caller sets, such as pair: '<name:lower>'`,
  ],
  [
    'a computed attribute without a source',
    { computed: { sortName: 'same', pair: '<name>-<to>' } },
    `unreadable at entities.Note.computed.sortName: name a source attribute: sortName: '<name:lower>'`,
  ],
  [
    'one attribute twice',
    { version: 'updatedAt' },
    'twice at entities.Note.version: use a separate attribute for each role',
  ],
  [
    'a computed attribute that allows only listed values',
    withAttributes({ sortName: z.enum(['a', 'b']) }),
    'wrong-type at entities.Note.computed.sortName: write sortName: z.string()',
  ],
  [
    'a computed attribute with a different type than its source',
    { ...withAttributes({ sortName: z.int() }), computed: { sortName: '<name>', pair: '<name>-<to>' } },
    "wrong-type at entities.Note.computed.sortName: give 'sortName' the same schema as 'name'",
  ],
  [
    'a source that is a list',
    withAttributes({ name: z.array(z.string()) }),
    `part at entities.Note.computed.sortName: compute 'sortName' from attributes that the caller sets, such as sortName: '<to:lower>'`,
  ],
])('reports %s', (_, entity, finding) => {
  expect(findings(entity)).toContain(`unsound-written ${finding}`);
});

test.each<[string, Partial<EntityDesign>, string]>([
  [
    'a format that does not exist',
    { computed: { sortName: '<name:lowr>', pair: '<name>-<to>' } },
    'template-syntax format',
  ],
  ['one attribute twice', { timestamps: { created: 'createdAt', updated: 'createdAt' } }, 'unsound-written twice'],
  ['a time that is a Date', withAttributes({ createdAt: z.date() }), 'dynamodb-types refused'],
  [
    'a primary key that contains the time of the last update',
    { keys: { PK: 'NOTE#<id>', SK: 'NOTE#<updatedAt:15>' } },
    'unsound-written in-key',
  ],
])('reports one error for %s', (_, entity, finding) => {
  const found = check(design(entity, { where: { PK: 'NOTE#<id>', SK: entity.keys?.SK ?? 'NOTE' } }));
  const errors = found.filter(({ severity, path }) => severity === 'error' && !path.includes('patterns.note'));
  expect(errors.map(({ rule, cause }) => `${rule} ${cause}`)).toEqual([finding]);
});

test.each<[string, Partial<UpdatePattern>, string]>([
  [
    'a computed attribute',
    { set: { sortName: '<sortName>' } },
    "by-hand at patterns.change.set.sortName: remove 'sortName' from 'set', and set its sources: name: '<name>'",
  ],
  [
    'a computed attribute as well as its source',
    { set: { name: '<name>', to: '<to>', sortName: '<sortName>' } },
    "by-hand at patterns.change.set.sortName: remove 'sortName' from 'set'",
  ],
  ['the version', { set: { rev: '<rev>' } }, "by-hand at patterns.change.set.rev: remove 'rev' from 'set'"],
  [
    'nothing, but removes a computed attribute',
    { set: undefined, remove: ['sortName'] },
    "by-hand at patterns.change.remove: remove 'sortName' from 'remove', and set its sources: name: '<name>'",
  ],
  [
    'one source, but lets the caller omit the other',
    { set: { name: '<name>' }, condition: { to: '<to?>' } },
    `not-known at patterns.change: set the sources to values from the caller: set: { to: '<to>' }, or test unchanged sources in condition: { to: '<to>' }`,
  ],
  ['a time', { set: { updatedAt: '<at>' } }, "by-hand at patterns.change.set.updatedAt: remove 'updatedAt' from 'set'"],
  [
    'nothing, but adds to the version',
    { set: {}, add: { rev: 2 } },
    "by-hand at patterns.change.add.rev: remove 'rev' from 'add'",
  ],
  [
    'only one of two sources',
    { set: { name: '<name>' } },
    `not-known at patterns.change: set the sources to values from the caller: set: { to: '<to>' }, or test unchanged sources in condition: { to: '<to>' }`,
  ],
  [
    'a source to a copy of another attribute',
    { set: { name: { attribute: 'to' } }, condition: { to: '<to>' } },
    `not-known at patterns.change: set the sources to values from the caller: set: { name: '<name>' }`,
  ],
])('reports one finding for an update that sets %s', (_, change, finding) => {
  expect(findings({}, change)).toEqual([`unsound-written ${finding}`]);
});

test('accepts an update that sets or tests all sources of a computed attribute from optional parameters', () => {
  expect(findings({}, { set: { name: '<name?>' }, condition: { to: '<to?>' } })).toEqual([]);
});

test('accepts an update that sets only one source if its condition fixes the other', () => {
  expect(findings({}, { set: { name: '<name>' }, condition: { to: '<to>' } })).toEqual([]);
});

test('reports a batch that puts items of a versioned entity', () => {
  const batch = { op: 'batchWrite', steps: { notes: { op: 'put', entity: 'Note', replace: true, each: 'notes' } } };
  expect(findings({}, {}, { batch })).toEqual([
    expect.stringContaining('unsound-written unversioned at patterns.batch.steps.notes'),
  ]);
});
