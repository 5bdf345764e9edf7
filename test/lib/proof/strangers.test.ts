import type { SystemDesign } from '../../../lib/design/system';
import type { SystemCases, TableCases } from '../../../lib/proof/cases';
import { strangersIn } from '../../../lib/proof/strangers';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { notes, notesCases } from './notes';

const found = (given: object) =>
  strangersIn(notes, { ...notesCases, ...given } as SystemCases).map(({ kind, failure }) => `${kind}: ${failure}`);

test.each(Object.keys(cases))('%s has cases only for tables, patterns and procedures that exist', (name) => {
  expect(strangersIn(systems[name] as SystemDesign, cases[name] as SystemCases)).toEqual([]);
});

test('reports unknown tables, patterns and procedures, and suggests similar names', () => {
  const own = notesCases.tables.notes as TableCases;
  const patterns = { ...own.patterns, getProfil: { values: {}, returns: [] }, addNot: { values: {}, shows: [] } };
  expect(
    found({
      tables: { nots: own, notes: { ...own, patterns } },
      procedures: { ...notesCases.procedures, addToo: {}, constructor: {} },
    }),
  ).toEqual([
    "tables: the cases include 'nots', but system 'notes' has no table of that name; did you mean notes?",
    "read: the cases include 'getProfil', but table 'notes' has no pattern of that name; did you mean getProfile?",
    "write: the cases include 'addNot', but table 'notes' has no pattern of that name; did you mean addNote?",
    "procedure: the cases include 'addToo', but system 'notes' has no procedure of that name; did you mean addTwo?",
    "procedure: the cases include 'constructor', but system 'notes' has no procedure of that name; there are addTwo",
  ]);
});

test('accepts tables without cases', () => {
  expect(found({ tables: {}, procedures: undefined })).toEqual([]);
});
