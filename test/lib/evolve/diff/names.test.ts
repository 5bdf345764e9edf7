import { z } from 'zod';
import type { SystemDesign, TableDesign } from '../../../../lib';
import { diff, lockOf, migrationFor, planFor, withEdits } from '../../../../lib/evolve';

const environment = 'prod';

function systemOf(table: Omit<TableDesign, 'name' | 'key'>): SystemDesign {
  return {
    name: 'odd',
    cloud: 'aws',
    tables: { 'my.table': { name: 'my.table', key: { partition: 'PK' }, ...table } },
  };
}

const lockOfSystem = (system: SystemDesign) => lockOf(system, { environment });
const entity = (PK: string) => ({ attributes: z.object({ id: z.string() }), keys: { PK } });

describe('names that contain dots', () => {
  const before = systemOf({ entities: { a: entity('A#<id>'), 'a.b': entity('B#<id>') } });

  test('the `at` of a change keeps a name that contains dots in one piece', () => {
    const after = systemOf({ entities: { a: entity('A#<id>'), 'a.b': entity('C#<id>') } });
    const [change] = diff(lockOfSystem(before), lockOfSystem(after));
    expect(change).toMatchObject({
      rule: 'primary-key-template',
      path: 'tables.my.table.entities.a.b.keys.PK',
      at: ['tables', 'my.table', 'entities', 'a.b', 'keys', 'PK'],
      subject: { table: 'my.table', entity: 'a.b' },
    });
  });

  test("an answer for 'a' does not apply to 'a.b'", () => {
    const after = systemOf({ entities: { c: entity('C#<id>') } });
    const because = { 'tables.my.table.entities.a': 'never used' };
    const changes = diff(lockOfSystem(before), lockOfSystem(after), { because });
    const gone = changes.filter(({ rule }) => rule === 'entity-removed');
    expect(gone.map(({ subject, because }) => [subject.entity, because])).toEqual([
      ['a', 'never used'],
      ['a.b', undefined],
    ]);
  });

  test('rejects an answer that is ambiguous because of dots in a name', () => {
    const both = systemOf({
      entities: {
        ...before.tables['my.table']?.entities,
        a: { ...entity('A#<id>'), attributes: z.object({ id: z.string(), b: z.string() }) },
      },
    });
    expect(() => diff(lockOfSystem(both), lockOfSystem(both), { renamed: { 'my.table.a.b': 'c' } })).toThrow(
      "answers.renamed: 'my.table.a.b' can mean 'b' of 'a' of 'my.table' or 'a.b' of 'my.table'",
    );
  });

  test('renaming an index also renames it in acknowledgements, even if names contain dots', () => {
    const acknowledge = {
      'unused-index': { 'indexes.by': 'short', 'indexes.by.name': 'long', 'indexes.by.name.projection': 'longer' },
    };
    const index = { partition: 'id' };
    const system = systemOf({
      indexes: { by: index, 'by.name': index },
      entities: { a: entity('A#<id>') },
      acknowledge,
    });
    const renamed = (from: string) =>
      withEdits(system, [{ kind: 'index', table: 'my.table', from, to: 'new' }]).tables['my.table']?.acknowledge;
    expect(renamed('by')).toEqual({
      'unused-index': { 'indexes.new': 'short', 'indexes.by.name': 'long', 'indexes.by.name.projection': 'longer' },
    });
    expect(renamed('by.name')).toEqual({
      'unused-index': { 'indexes.by': 'short', 'indexes.new': 'long', 'indexes.new.projection': 'longer' },
    });
  });
});

describe("an entity whose actual name is 'Post (deployed)'", () => {
  const named = { Post: entity('POST#<id>'), 'Post (deployed)': entity('OLD#<id>') };

  test("an entity named 'Post (deployed)' is distinguished from the deployed form of Post", () => {
    const before = systemOf({ entities: named });
    const after = systemOf({ entities: { ...named, Post: entity('P#<id>'), Draft: entity('POST#<id>') } });
    const met = diff(lockOfSystem(before), lockOfSystem(after)).filter(({ rule }) => rule === 'keys-meet');
    expect(met.map(({ at, subject }) => [at.slice(2), subject.entity])).toEqual([
      [['entities', 'Post', 'keys', 'PK'], 'Post'],
      [['entities', 'Draft', 'keys', 'PK'], 'Draft'],
    ]);
    expect(met[0]?.message).toContain('Post (deployed) (deployed)');
  });

  test("the subject of a change contains the full name 'Post (deployed)'", () => {
    const before = systemOf({ entities: named });
    const after = systemOf({
      entities: { ...named, Draft: entity('OLD#<id>'), 'Post (deployed)': entity('NEW#<id>') },
    });
    const met = diff(lockOfSystem(before), lockOfSystem(after)).filter(({ rule }) => rule === 'keys-meet');
    expect(met.map(({ subject }) => subject.entity)).toContain('Post (deployed)');
  });
});

test('does not report a key collision that existed before the index changed', () => {
  const by = (prefix: string) => ({
    ...entity('POST#<id>'),
    keys: { ...entity('POST#<id>').keys, GSI1PK: `${prefix}#<id>` },
  });
  const before = systemOf({ indexes: { GSI1: { partition: 'GSI1PK' } }, entities: { Post: by('A'), Draft: by('B') } });
  const after = systemOf({ indexes: { GSI1: { partition: 'GSI1PK' } }, entities: { Post: by('C'), Draft: by('D') } });
  const rules = diff(lockOfSystem(before), lockOfSystem(after)).map(({ rule }) => rule);
  expect(rules).toEqual(['index-key-template', 'index-key-template']);
});

test('a migration distinguishes two entities whose table and entity names join to the same string', () => {
  const table = (name: string, entity: string, attribute: string): TableDesign => ({
    name,
    key: { partition: 'PK' },
    entities: {
      [entity]: { attributes: z.object({ id: z.string(), [attribute]: z.string() }), keys: { PK: 'X#<id>' } },
    },
  });
  const systemWith = (attribute: string): SystemDesign => ({
    name: 'odd',
    cloud: 'aws',
    tables: { 'a b': table('a b', 'c', 'title'), a: table('a', 'b c', attribute) },
  });
  const lock = lockOfSystem(systemWith('title'));
  const after = systemWith('heading');
  const plan = planFor(lock, after, { renamed: { 'a.b c.title': 'heading' } });
  const migration = migrationFor(plan, lock, after);
  const item = { PK: 'X#1', id: '1', title: 'First' };
  expect(migration.outcome('fill', 'a', item)).toMatchObject({ kind: 'update', set: { heading: 'First' } });
  expect(migration.outcome('fill', 'a b', item)).toMatchObject({ kind: 'unchanged' });
});
