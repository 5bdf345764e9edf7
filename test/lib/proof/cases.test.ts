import { defineCases, type SystemCases } from '../../../lib/proof/cases';
import { notes, notesCases } from './notes';

const { tables, procedures } = notesCases;
const { addTwo } = procedures as { addTwo: NonNullable<SystemCases['procedures']>[string] };
const read = { values: {}, returns: [] };
const write = { values: {}, shows: [] };
const reads = { getProfile: read, notesOfUser: read, pagesOfUser: read, notesByTag: read, twoNotes: read };

test('the system determines the types of its cases', () => {
  expect(notesCases.system).toBe(notes);
  expect(
    defineCases(notes, { tables: { notes: { patterns: { ...reads, addNote: write } } }, procedures: { addTwo } }),
  ).toEqual({
    system: notes,
    tables: { notes: { patterns: { ...reads, addNote: write } } },
    procedures: { addTwo },
  });
});

test('SystemCases accepts the cases of any system', () => {
  const any: SystemCases = notesCases;
  expect(any.tables).toBe(tables);
});

test('incomplete cases and unknown names do not compile', () => {
  const patterns = { ...reads, addNote: write };
  // @ts-expect-error addNote has no case
  defineCases(notes, { tables: { notes: { patterns: reads } }, procedures: { addTwo } });
  // @ts-expect-error the procedure has no case
  defineCases(notes, { tables: { notes: { patterns } } });
  // @ts-expect-error the table has no cases
  defineCases(notes, { tables: {}, procedures: { addTwo } });
  // @ts-expect-error a write must show its effect
  defineCases(notes, { tables: { notes: { patterns: { ...reads, addNote: read } } }, procedures: { addTwo } });
  // @ts-expect-error the design has no entity of that name
  defineCases(notes, { tables: { notes: { patterns, items: { a: ['Remark', {}] } } }, procedures: { addTwo } });
});
