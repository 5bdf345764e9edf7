import { unknownValueIn } from '../../../lib/proof/unknown-values';
import { cases } from '../../../lib/systems/cases';
import { casesWith, notes, notesCases } from './notes';

const namesIn = ({ tables, patterns = {}, procedures = {} }: (typeof cases)[string]) => [
  ...Object.values(tables).flatMap((table) => Object.keys(table.patterns)),
  ...Object.keys(patterns),
  ...Object.keys(procedures),
];

test.each([
  [
    'notesOfUser',
    { values: { usr: 'ana' }, returns: [] },
    "notesOfUser the value 'usr', which it does not take; did you mean user?",
  ],
  [
    'notesByTag',
    { values: { user: 'ana', tag: 'red', day: 1 }, returns: [] },
    "notesByTag the value 'day', which it does not take; there are user, tag",
  ],
  [
    'addNote',
    { values: { user: 'ana' }, shows: [{ pattern: 'notesOfUser', values: { user: 'ana', id: 'd' }, returns: [] }] },
    "notesOfUser the value 'id', which it does not take; there are user",
  ],
])('names a value that %s does not take, and suggests a similar name or lists the names', (name, found, message) => {
  expect(unknownValueIn(notes, casesWith(`patterns.${name}`, found), name)).toBe(`the case gives ${message}`);
});

test('checks the values of a read that shows the effect of a procedure, but not the values of the procedure itself', () => {
  const { addTwo } = notesCases.procedures ?? {};
  const shows = [{ pattern: 'getProfile', values: { id: 'ana' }, returns: [] }];
  const changed = casesWith('procedures.addTwo', { ...addTwo, values: { anything: 1 }, shows });
  expect(unknownValueIn(notes, changed, 'addTwo')).toContain("getProfile the value 'id'");
});

test('reports no unknown value in the cases of the bundled systems', () => {
  const found = Object.values(cases).flatMap((one) =>
    namesIn(one).map((name) => unknownValueIn(one.system, one, name)),
  );
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter((one) => one !== undefined)).toEqual([]);
});
