import { faultOf, keyFaultOf, type Samples, samplesOf, storageFaultOf } from '../../../lib/proof/stored';
import { changed } from '../../support/changed';
import { notes, notesCases, notesWith } from './notes';

describe('a documented item has a fault', () => {
  const item = { PK: 'USER#ana', SK: 'NOTE#x', kind: 'Note', user: 'ana', id: 'x', text: '' };
  const fault = (more: object, design = notes.tables.notes) =>
    faultOf(design, { entity: 'Note', item: { ...item, ...more } });

  test('not where the design makes the same of it', () => {
    expect(fault({})).toBeUndefined();
  });

  test('not where it leaves out the keys of an index', () => {
    expect(fault({ tag: 'red' })).toBeUndefined();
    expect(fault({ tag: 'red', GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#x' })).toBeUndefined();
  });

  test.each([
    ['a value that does not validate', { text: 1 }, /^Note PK "USER#ana", SK "NOTE#x": text: /],
    ['an attribute that would be lost', { mood: 'good', age: 1 }, /^mood would be lost; age would be lost$/],
    ['another key', { SK: 'N#x' }, /^SK: expected "N#x", got "NOTE#x"$/],
    ['another key of an index', { tag: 'red', GSI1PK: 'red' }, /^GSI1PK: expected "red", got "TAG#ana#red"$/],
    ['a key of an index that it would not be in', { GSI1PK: 'nothing' }, /^GSI1PK would be lost$/],
    ['another type', { kind: 'NOTE' }, /^kind: expected "NOTE", got "Note"$/],
  ])('with %s', (_, more, expected) => {
    expect(fault(more)).toMatch(expected);
  });

  test.each([
    ['an attribute that the document does not have', {}, 'user would be added'],
    ['not one that is meant to be added', { adds: ['user'] }, undefined],
    [
      'one that is said to be added and is not',
      { adds: ['user', 'id'] },
      "id would not be added, though 'adds' says so",
    ],
  ])('with %s', (_, more, expected) => {
    const { user: __, ...shown } = item;
    expect(faultOf(notes.tables.notes, { entity: 'Note', item: shown, ...more })).toBe(expected);
  });

  test('where the design would have it under another key', () => {
    const { notes: other } = notesWith('entities.Note.keys.SK', 'REMARK#<id>').tables;
    expect(fault({}, other as typeof notes.tables.notes)).toBe('SK: expected "NOTE#x", got "REMARK#x"');
  });
});

describe('the keys of an entity have a fault', () => {
  const cases = samplesOf(notesCases, 'notes');
  const fault = (of: Samples, design = notes.tables.notes) => keyFaultOf(design, of, 'Note');
  const notesWithKey = (key: string, text: string | undefined) =>
    notesWith(`entities.Note.keys.${key}`, text).tables.notes as typeof notes.tables.notes;

  test('not where an item shows them all', () => {
    expect(fault(cases)).toBeUndefined();
  });

  test('not where a documented item does', () => {
    expect(keyFaultOf(notes.tables.notes, cases, 'Profile')).toBeUndefined();
  });

  test('not where several items do, also such as are written later', () => {
    const stored = { b: { PK: 'USER#ana', SK: 'NOTE#b' }, d: { GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#d' } };
    expect(fault({ ...cases, stored })).toBeUndefined();
  });

  test.each([
    ['SK', 'NOTE#<text>', 'SK of a: expected "NOTE#a", got "NOTE#the note a"'],
    ['GSI1PK', 'TAG#<tag>', 'GSI1PK of a: expected "TAG#ana#red", got "TAG#red"'],
    ['GSI1SK', undefined, 'GSI1PK of a: expected "TAG#ana#red", got none; GSI1SK of a: expected "NOTE#a", got none'],
  ])('where %s becomes %p', (key, text, message) => {
    expect(fault(cases, notesWithKey(key, text))).toBe(message);
  });

  test('where no item shows one of them, or one under a name that no case has', () => {
    const all = "no item shows PK, SK, GSI1PK, GSI1SK; add one to 'stored'";
    expect(fault({ ...cases, stored: {} })).toBe(all);
    expect(fault({ ...cases, stored: { nobody: { PK: 'USER#ana' } } })).toBe(
      `'stored' has nobody, but no item has that name; ${all}`,
    );
  });

  test('where an item has a key of an index that is not shown with its others', () => {
    const stored = { a: { PK: 'USER#ana', SK: 'NOTE#a', GSI1PK: 'TAG#ana#red' } };
    expect(fault({ ...cases, stored: { ...cases.stored, ...stored } })).toMatch(
      /^GSI1SK of a is stored \("NOTE#a"\), but not listed/,
    );
  });

  test('where the item cannot be made', () => {
    expect(fault(changed(cases, ['items', 'a'], ['Note', { user: 'ana' }]))).toMatch(/^Note: id: /);
  });
});

describe('an item as it is stored has a fault', () => {
  const expected = { PK: 'USER#ana', SK: 'NOTE#x', GSI1PK: 'TAG#ana#red', text: '' };

  test.each([
    ['with what is not expected', { ...expected, mood: 'good' }, 'mood is stored ("good"), but not expected'],
    ['with another value', { ...expected, text: 'hi' }, 'text: expected "", got "hi"'],
    [
      'without what is expected',
      { PK: 'USER#ana', SK: 'NOTE#x', text: '' },
      'GSI1PK: expected "TAG#ana#red", got none',
    ],
  ])('%s', (_, stored, fault) => {
    expect(storageFaultOf(stored, expected, true)).toBe(fault);
  });

  test('but not without what an index or a selection leaves out', () => {
    expect(storageFaultOf({ PK: 'USER#ana', SK: 'NOTE#x' }, expected, false)).toBeUndefined();
    expect(storageFaultOf(expected, expected, true)).toBeUndefined();
  });
});
