import { hasSteps, isRead } from '../../../lib/blueprint/accesses';
import { reservedNames } from '../../../lib/blueprint/system';
import type { PatternDesign, Write } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import { GrantError, grantOf } from '../../../lib/permissions/grant';
import { systems } from '../../../lib/systems';

const patternsOf = ({ tables }: SystemDesign) =>
  Object.values(tables).flatMap((table) =>
    Object.entries(table.patterns as Readonly<Record<string, PatternDesign>>).map(([name, pattern]) => ({
      name,
      isWrite: !isRead(pattern),
      steps: (hasSteps(pattern) ? Object.values(pattern.steps) : [pattern]) as readonly Write[],
    })),
  );

const writesOf = (system: SystemDesign) => patternsOf(system).filter(({ isWrite }) => isWrite);

/** Writes that keep their procedure's invariant even if they are sent alone, each with the reason. */
const SAFE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  trimobe: {
    addMessage: 'it applies only if no later message moved its conversation',
    addLateMessage: 'it applies only if a later message moved its conversation',
  },
  'controle-pgm': {
    deleteUser: 'a claim whose user is gone can be taken over',
    deleteDocumentType: 'it frees its name',
    releaseEmail: 'an e-mail address without its row is found among the users',
  },
};

describe.each(Object.entries(systems))('in %s,', (name, system) => {
  const used = new Set(Object.values(system.procedures ?? {}).flatMap(({ uses }) => uses));

  test('every write that a procedure uses is either procedure-only or safe if sent alone', () => {
    const reserved = reservedNames(
      system,
      writesOf(system).map((one) => one.name),
    ).map((one) => one.name);
    const ofProcedures = writesOf(system)
      .map((one) => one.name)
      .filter((one) => used.has(one));
    expect([...reserved, ...Object.keys(SAFE[name] ?? {})].toSorted()).toEqual(ofProcedures.toSorted());
  });

  test("a grant of a procedure-only pattern fails, and the error names the pattern's procedures", () => {
    for (const one of reservedNames(
      system,
      writesOf(system).map(({ name: write }) => write),
    )) {
      expect(one.procedures).not.toEqual([]);
      expect(() => grantOf({ of: system, names: [one.name] })).toThrow(GrantError);
      expect(() => grantOf({ of: system, names: [one.name] })).toThrow(one.procedures.join(', '));
      expect(() => grantOf({ of: system, names: one.procedures })).not.toThrow();
    }
  });
});

test("only procedures write a booking's slot or a day's version", () => {
  const system = systems.booking as SystemDesign;
  const putting = writesOf(system).filter(({ steps }) =>
    steps.some(({ op, entity }) => (op === 'put' && entity === 'Booking') || entity === 'ProviderDay'),
  );
  expect(putting.map(({ name }) => name)).toEqual(['bookSlot', 'cancelSlot']);
  expect(
    reservedNames(
      system,
      putting.map(({ name }) => name),
    ).map(({ name }) => name),
  ).toEqual(putting.map(({ name }) => name));
});
