import * as z from 'zod';
import type { SystemDesign } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { describedTable } from '../../../lib/import/description';
import { sourceOf } from '../../../lib/import/source';
import { systems } from '../../../lib/systems/systems';
import { loaded, loadedTable } from '../../support/imported';

const source = (design: TableDesign, ...remarks: Parameters<typeof sourceOf>[0]['remarks'][number][]) =>
  sourceOf({ tables: [describedTable(design)], remarks });

/** Removes the schema rules that are functions from a description. */
function withoutCode<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(/,?"checks":\[\{"check":"custom","code":"\w+"\}\]/g, ''));
}

describe.each(Object.values(systems) as SystemDesign[])('the system $name', (system) => {
  test('a description is unchanged after it is written as source and read back', () => {
    const tables = Object.values(system.tables).map(describedTable);
    const { tables: _, ...rest } = system;
    const { text, unsure } = sourceOf({ tables, system: rest, remarks: [] });
    const exported = Object.values(loaded(text));
    const read = exported.find((one) => 'tables' in one) as SystemDesign;
    const asRead = { ...read, tables: Object.values(read.tables).map(describedTable) };
    expect(asRead).toEqual(withoutCode({ ...rest, tables }));
    // Three schema rules of controle-pgm are functions that compare attributes with each other.
    expect(unsure).toHaveLength(system.name === 'controle-pgm' ? 3 : 0);
  });
});

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  integer: z.int().min(1).max(9),
  positive: z.number().positive().multipleOf(0.5),
  int32: z.int32(),
  trimmed: z.string().min(1).max(20).trim().toLowerCase(),
  time: z.iso.datetime({ precision: 3, offset: true }),
  date: z.iso.date(),
  email: z.email(),
  ownEmail: z.email({ pattern: /^[^@]+@x\.org$/ }),
  choice: z.enum(['a', "b'c", 'd"e\n']).optional(),
  bytes: z.instanceof(Uint8Array),
  record: z.record(z.string(), z.number().nullable()),
  defaulted: z.array(z.string()).max(3).default(['x']),
  constant: z.literal(['1', 2]),
  pattern: z
    .string()
    .regex(/^a\/"'b/i)
    .startsWith('a')
    .endsWith('b')
    .includes('c'),
  id: z.uuid(),
  v4: z.uuidv4(),
  url: z.url({ protocol: /^https$/ }),
  loose: z.looseObject({ 'not-a-name': z.string() }),
  strict: z.strictObject({ __proto: z.string() }),
  rest: z.object({ a: z.string() }).catchall(z.number()),
  union: z.union([z.string(), z.object({ t: z.literal('a') })]),
  set: z.set(z.string()).min(1),
  big: z.bigint().min(0n),
  template: z.templateLiteral(['a', z.number()]),
  tuple: z.tuple([z.string(), z.number()]).rest(z.boolean()),
  json: z.json(),
  intersection: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string() })),
};

test.each(Object.entries(SCHEMAS))('writes the schema %s as source that reads back unchanged', (_, schema) => {
  const design = defineTable({
    name: 'one',
    key: { partition: 'PK' },
    entities: { One: { attributes: z.object({ id: z.string(), value: schema }), keys: { PK: '<id>' } } },
  }) as unknown as TableDesign;
  const { text, unsure } = source(design);
  expect(unsure).toHaveLength(0);
  expect(describedTable(loadedTable(text))).toEqual(describedTable(design));
});

const NOTES = defineTable({
  name: 'my notes',
  key: { partition: 'PK' },
  entities: {
    Note: {
      attributes: z.object({ id: z.string(), text: z.string().refine((text) => text !== 'x') }),
      keys: { PK: 'NOTE#<id>' },
    },
  },
  patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] } },
});

test('marks schema rules that are functions as unsure, and puts each remark next to the code it concerns', () => {
  const { text, unsure } = source(
    NOTES,
    { path: [], text: 'from notes.json' },
    { path: ['my notes', 'entities', 'Note', 'keys', 'PK'], text: 'seen once', unsure: true },
    { path: ['my notes', 'patterns', 'note'], text: 'proposed' },
  );
  expect(unsure).toHaveLength(2);
  expect(text).toBe(`// from notes.json
import { defineTable } from 'tablewright';
import * as z from 'zod';

export const myNotes = defineTable({
  name: 'my notes',
  key: { partition: 'PK' },
  entities: {
    Note: {
      attributes: z.object({
        id: z.string(),
        // unsure: a rule on the string is a function; write the rule by hand
        text: z.string(),
      }),
      keys: {
        // unsure: seen once
        PK: 'NOTE#<id>',
      },
    },
  },
  patterns: {
    // proposed
    note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] },
  },
});
`);
});

test.each(['class', 'z', '1st', 'a-b c', 'Ünï'])('exports a table named %s under a valid name', (name) => {
  const { text } = source({ ...NOTES, name });
  expect(loadedTable(text).name).toBe(name);
});
