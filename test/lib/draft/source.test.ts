import type { Draft } from '../../../lib/draft/draft';
import { fileOf, textWith, Unplaceable } from '../../../lib/draft/source';

const draft: Draft = {
  tables: {
    notes: {
      items: { note1: ['Note', { id: 'note-1' }] },
      written: {},
      stored: { note1: { PK: 'NOTE#note-1' } },
      patterns: { note: { values: { id: 'note-1' }, returns: ['note1'], unconfirmed: true } },
    },
  },
  patterns: {},
  open: {},
};

test('writes a file that imports the system and defines its cases', () => {
  expect(
    fileOf(draft, 'pad', 'aws', { module: './design', name: 'pad' }),
  ).toBe(`import { defineCases } from 'tablewright/proof';
import { pad } from './design';

// The engine returned these results when the file was written. Compare each result with what the pattern should return,
// then remove 'unconfirmed: true'.
export const padCases = defineCases(pad, {
  tables: {
    notes: {
      items: { note1: ['Note', { id: 'note-1' }] },
      stored: { note1: { PK: 'NOTE#note-1' } },
      patterns: {
        note: { values: { id: 'note-1' }, returns: ['note1'], unconfirmed: true },
      },
    },
  },
});
`);
});

test('wraps a single table in a system', () => {
  const text = fileOf(draft, 'notes', 'aws', { module: './design', name: 'notes', isTable: true });
  expect(text).toContain("defineCases(defineSystem({ name: 'notes', cloud: 'aws', tables: { notes } }), {");
});

test('extends existing fields of a case file, and adds missing fields', () => {
  const before = `export const padCases = defineCases(pad, {
  tables: {
    notes: {
      items: { mine: ['Note', { id: 'm' }] }, // keep me
      patterns: { other: { values: {}, returns: [] } },
    },
  },
});
`;
  expect(textWith(before, draft)).toBe(`export const padCases = defineCases(pad, {
  tables: {
    notes: {
      items: {
        note1: ['Note', { id: 'note-1' }], mine: ['Note', { id: 'm' }] }, // keep me
      stored: { note1: { PK: 'NOTE#note-1' } },
      patterns: {
        note: { values: { id: 'note-1' }, returns: ['note1'], unconfirmed: true }, other: { values: {}, returns: [] } },
    },
  },
});
`);
});

test('refuses a case file without an object literal that could contain the new cases', () => {
  expect(() => textWith('export const padCases = cases;', draft)).toThrow(Unplaceable);
  expect(() => textWith('export const c = defineCases(pad, { tables: { notes: { patterns } } });', draft)).toThrow(
    Unplaceable,
  );
});
