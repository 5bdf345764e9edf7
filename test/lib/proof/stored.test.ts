import { faultOf, keyFaultOf, type Samples, samplesOf, storageFaultOf } from '../../../lib/proof/stored';
import { changed } from '../../support/changed';
import { notes, notesCases, notesWith } from './notes';

describe('a documented item', () => {
  const item = { PK: 'USER#ana', SK: 'NOTE#x', kind: 'Note', user: 'ana', id: 'x', text: '' };
  const fault = (more: object, design = notes.tables.notes) =>
    faultOf(design, { entity: 'Note', item: { ...item, ...more } });

  test('a documented item has no fault if the design produces the same item', () => {
    expect(fault({})).toBeUndefined();
  });

  test('a documented item has no fault if it omits the keys of an index', () => {
    expect(fault({ tag: 'red' })).toBeUndefined();
    expect(fault({ tag: 'red', GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#x' })).toBeUndefined();
  });

  test.each([
    ['a value that does not validate', { text: 1 }, /^Note PK "USER#ana", SK "NOTE#x": text: /],
    ['an attribute that would be lost', { mood: 'good', age: 1 }, /^'mood' would be lost; 'age' would be lost$/],
    ['a different key', { SK: 'N#x' }, /^SK: expected "N#x", got "NOTE#x"$/],
    ['a different index key', { tag: 'red', GSI1PK: 'red' }, /^GSI1PK: expected "red", got "TAG#ana#red"$/],
    ['a key of an index that would not contain the item', { GSI1PK: 'nothing' }, /^'GSI1PK' would be lost$/],
    ['a different type', { kind: 'NOTE' }, /^kind: expected "NOTE", got "Note"$/],
  ])('a documented item has a fault if it has %s', (_, more, expected) => {
    expect(fault(more)).toMatch(expected);
  });

  test.each([
    ['an added attribute is not listed', {}, "'user' would be added"],
    ['an added attribute is listed', { adds: ['user'] }, undefined],
    ['a listed attribute is not added', { adds: ['user', 'id'] }, "'id' would not be added, although 'adds' lists it"],
  ])('compares the added attributes with `adds`: %s', (_, more, expected) => {
    const { user: __, ...shown } = item;
    expect(faultOf(notes.tables.notes, { entity: 'Note', item: shown, ...more })).toBe(expected);
  });

  test('a documented item has a fault if the design gives it a different key', () => {
    const { notes: other } = notesWith('entities.Note.keys.SK', 'REMARK#<id>').tables;
    expect(fault({}, other as typeof notes.tables.notes)).toBe('SK: expected "NOTE#x", got "REMARK#x"');
  });
});

describe("an entity's keys", () => {
  const cases = samplesOf(notesCases, 'notes');
  const fault = (of: Samples, design = notes.tables.notes) => keyFaultOf(design, of, 'Note');
  const notesWithKey = (key: string, text: string | undefined) =>
    notesWith(`entities.Note.keys.${key}`, text).tables.notes as typeof notes.tables.notes;

  test("reports no fault if one item has all of an entity's keys", () => {
    expect(fault(cases)).toBeUndefined();
  });

  test("an entity's keys have no fault if a documented item contains them", () => {
    expect(keyFaultOf(notes.tables.notes, cases, 'Profile')).toBeUndefined();
  });

  test("an entity's keys have no fault if they are spread over several items, including items written later", () => {
    const stored = { b: { PK: 'USER#ana', SK: 'NOTE#b' }, d: { GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#d' } };
    expect(fault({ ...cases, stored })).toBeUndefined();
  });

  test.each([
    ['SK', 'NOTE#<text>', `SK of 'a': expected "NOTE#a", got "NOTE#the note a"`],
    ['GSI1PK', 'TAG#<tag>', `GSI1PK of 'a': expected "TAG#ana#red", got "TAG#red"`],
    [
      'GSI1SK',
      undefined,
      `GSI1PK of 'a': expected "TAG#ana#red", got none; GSI1SK of 'a': expected "NOTE#a", got none`,
    ],
  ])("reports a fault in an entity's keys if the template of %s is changed to %p", (key, text, message) => {
    expect(fault(cases, notesWithKey(key, text))).toBe(message);
  });

  test("an entity's keys have a fault if `stored` shows them for no item, or only for an unknown item", () => {
    const all = "the cases show no value for PK, SK, GSI1PK, GSI1SK; add an item with these keys to 'stored'";
    expect(fault({ ...cases, stored: {} })).toBe(all);
    expect(fault({ ...cases, stored: { nobody: { PK: 'USER#ana' } } })).toBe(
      `'stored' has 'nobody', but no item has that name; ${all}`,
    );
  });

  test("an entity's keys have a fault if `stored` lists only some of an item's index keys", () => {
    const stored = { a: { PK: 'USER#ana', SK: 'NOTE#a', GSI1PK: 'TAG#ana#red' } };
    expect(fault({ ...cases, stored: { ...cases.stored, ...stored } })).toMatch(
      /^'a' has the key GSI1SK \("NOTE#a"\), but 'stored' does not list it/,
    );
  });

  test("an entity's keys have a fault if an example item is invalid", () => {
    expect(fault(changed(cases, ['items', 'a'], ['Note', { user: 'ana' }]))).toMatch(/^Note: id: /);
  });
});

describe('the faults of a stored item', () => {
  const expected = { PK: 'USER#ana', SK: 'NOTE#x', GSI1PK: 'TAG#ana#red', text: '' };

  test.each([
    ['with an unexpected attribute', { ...expected, mood: 'good' }, `'mood' is stored ("good"), but not expected`],
    ['with a different value', { ...expected, text: 'hi' }, 'text: expected "", got "hi"'],
    [
      'without an expected attribute',
      { PK: 'USER#ana', SK: 'NOTE#x', text: '' },
      'GSI1PK: expected "TAG#ana#red", got none',
    ],
  ])('a stored item %s has a fault', (_, stored, fault) => {
    expect(storageFaultOf(stored, expected, true)).toBe(fault);
  });

  test('a stored item has no fault if an index or a selection leaves attributes out', () => {
    expect(storageFaultOf({ PK: 'USER#ana', SK: 'NOTE#x' }, expected, false)).toBeUndefined();
    expect(storageFaultOf(expected, expected, true)).toBeUndefined();
  });
});
