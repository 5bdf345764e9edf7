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
    "a value named 'usr', which notesOfUser does not accept; did you mean user?",
  ],
  [
    'notesByTag',
    { values: { user: 'ana', tag: 'red', day: 1 }, returns: [] },
    "a value named 'day', which notesByTag does not accept; there are user, tag",
  ],
  [
    'addNote',
    { values: { user: 'ana' }, shows: [{ pattern: 'notesOfUser', values: { user: 'ana', id: 'd' }, returns: [] }] },
    "a value named 'id', which notesOfUser does not accept; there are user",
  ],
])(
  'reports a value that %s does not accept, and suggests a similar name or lists the valid names',
  (name, found, message) => {
    expect(unknownValueIn(notes, casesWith(`patterns.${name}`, found), name)).toBe(`the case passes ${message}`);
  },
);

test("checks the values of a read that shows a procedure's effect, but not the procedure's own values", () => {
  const { addTwo } = notesCases.procedures ?? {};
  const shows = [{ pattern: 'getProfile', values: { id: 'ana' }, returns: [] }];
  const changed = casesWith('procedures.addTwo', { ...addTwo, values: { anything: 1 }, shows });
  expect(unknownValueIn(notes, changed, 'addTwo')).toContain("a value named 'id', which getProfile does not accept");
});

test("the bundled systems' cases pass no unknown values", () => {
  const found = Object.values(cases).flatMap((one) =>
    namesIn(one).map((name) => unknownValueIn(one.system, one, name)),
  );
  expect(found.length).toBeGreaterThan(200);
  expect(found.filter((one) => one !== undefined)).toEqual([]);
});
