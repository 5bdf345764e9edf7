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

/** Writes that keep by themselves what their procedure is there for, though it uses them, and why. */
const SAFE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  booking: {
    markPaid: 'of a confirmed booking with that id, or it is refused',
    markCancelledPaid: 'of a cancelled booking with that id, or it is refused',
  },
  trimobe: {
    createUser: 'with the guard of the address, which nobody has, in one transaction',
    joinTenant: 'with one more in the guard, if it is the same Cognito user’s',
    leaveTenant: 'with one less in the guard, if others remain',
    leaveLastTenant: 'with the guard, if no other remains',
    leaveOthersEmail: 'if the guard is of another Cognito user, and stays',
    moveEmail: 'with both guards, if no other use of the first remains and nobody has the second',
    moveEmailToOwn: 'with both guards, if no other use of the first remains and the second is the user’s',
    moveSharedEmail: 'with both guards, if another use of the first remains and nobody has the second',
    moveSharedEmailToOwn: 'with both guards, if another use of the first remains and the second is the user’s',
    moveOthersEmail: 'with the guard of the second, which nobody has, if that of the first is of another',
    moveOthersEmailToOwn: 'with the guard of the second, which is the user’s, if that of the first is of another',
    headConversation: 'if the conversation says the same',
  },
  'controle-pgm': {
    addUser: 'a user who is not active, with an address that nobody else can have',
    deleteUser: 'a guard without its user is in nobody’s way',
    addDocumentType: 'a type that is not active, whose name is in nobody’s way',
    deleteDocumentType: 'it frees its name',
  },
};

describe.each(Object.entries(systems))('of %s', (name, system) => {
  const used = new Set(Object.values(system.procedures ?? {}).flatMap(({ uses }) => uses));

  test('every write that a procedure uses is sent by procedures alone, or is safe by itself', () => {
    const reserved = reservedNames(
      system,
      writesOf(system).map((one) => one.name),
    ).map((one) => one.name);
    const ofProcedures = writesOf(system)
      .map((one) => one.name)
      .filter((one) => used.has(one));
    expect([...reserved, ...Object.keys(SAFE[name] ?? {})].toSorted()).toEqual(ofProcedures.toSorted());
  });

  test('what procedures alone send is refused to a grant of its own, which names them', () => {
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

test('nothing but procedures puts a booking in a slot, or the version of a day anywhere', () => {
  const system = systems.booking as SystemDesign;
  const putting = writesOf(system).filter(({ steps }) =>
    steps.some(({ op, entity }) => (op === 'put' && entity === 'Booking') || entity === 'ProviderDay'),
  );
  expect(putting.map(({ name }) => name)).toEqual(['openDay', 'bookSlot', 'bookSlotOverMidnight', 'cancelSlot']);
  expect(
    reservedNames(
      system,
      putting.map(({ name }) => name),
    ).map(({ name }) => name),
  ).toEqual(putting.map(({ name }) => name));
});
