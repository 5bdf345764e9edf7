import { defineCases, type SystemCases } from '../../../lib/proof/cases';
import { notes, notesCases } from './notes';

const { tables, procedures } = notesCases;
const { addTwo } = procedures as { addTwo: NonNullable<SystemCases['procedures']>[string] };
const read = { values: {}, returns: [] };
const write = { values: {}, shows: [] };
const reads = { getProfile: read, notesOfUser: read, pagesOfUser: read, notesByTag: read, twoNotes: read };

test('cases know the system that they prove', () => {
  expect(notesCases.system).toBe(notes);
  expect(
    defineCases(notes, { tables: { notes: { patterns: { ...reads, addNote: write } } }, procedures: { addTwo } }),
  ).toEqual({
    system: notes,
    tables: { notes: { patterns: { ...reads, addNote: write } } },
    procedures: { addTwo },
  });
});

test('cases of any system are what a proof takes', () => {
  const any: SystemCases = notesCases;
  expect(any.tables).toBe(tables);
});

test('what does not fit the names of the system does not compile', () => {
  const patterns = { ...reads, addNote: write };
  // @ts-expect-error addNote has no case
  defineCases(notes, { tables: { notes: { patterns: reads } }, procedures: { addTwo } });
  // @ts-expect-error the procedure has no case
  defineCases(notes, { tables: { notes: { patterns } } });
  // @ts-expect-error the table has no cases
  defineCases(notes, { tables: {}, procedures: { addTwo } });
  // @ts-expect-error a write shows what it has done
  defineCases(notes, { tables: { notes: { patterns: { ...reads, addNote: read } } }, procedures: { addTwo } });
  // @ts-expect-error there is no entity of that name
  defineCases(notes, { tables: { notes: { patterns, items: { a: ['Remark', {}] } } }, procedures: { addTwo } });
});
