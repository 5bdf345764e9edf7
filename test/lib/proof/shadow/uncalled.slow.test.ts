import type { PatternDesign } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { booked } from '../../../fixtures/book-of-changes';
import { inputOf } from './booked';
import { proofsOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Patterns that the proof can call only with a case, because it cannot derive values for their filters. */
const FILTERED: Readonly<Record<string, PatternDesign>> = {
  orders: {
    op: 'query',
    where: { PK: 'SHOP#<shop>', SK: { beginsWith: 'ORDER#' } },
    filter: { note: '<note>' },
    returns: ['Order'],
  },
  customers: {
    op: 'query',
    where: { PK: 'CUSTOMER#<id>', SK: 'CUSTOMER' },
    filter: { city: 'Porto' },
    returns: ['Customer'],
  },
};

function withPatterns(system: SystemDesign, names: readonly string[]): SystemDesign {
  const tables = Object.entries(system.tables).map(([name, table]) => {
    const added = FILTERED[name] === undefined ? [] : names.map((pattern) => [pattern, FILTERED[name]] as const);
    return [name, { ...table, patterns: { ...table.patterns, ...Object.fromEntries(added) } } as TableDesign];
  });
  return { ...system, tables: Object.fromEntries(tables) };
}

describe.each([
  'renamed key attributes in an index',
  'an entity merged into another',
  'an entity moved to a second table',
  'a hot key that is sharded',
  'a narrower while',
  'a value that becomes unique',
])('%s', (name) => {
  test('a pattern without a case is unproved in every phase where a release may call it', async () => {
    const change = booked.find((one) => one.name === name);
    if (change === undefined) throw new Error(name);
    const { before, after } = change;
    const input = inputOf({
      ...change,
      before: withPatterns(before, ['filtered']),
      after: withPatterns(after, ['filtered', 'late']),
    });
    const proofs = await proofsOf(engine, input);
    expect(proofs.map(({ step, failure }) => [step, failure])).toEqual(
      input.plan.phases.map(({ step }) => [step, undefined]),
    );
    for (const [i, { code }] of input.plan.phases.entries()) {
      const { unproved = {} } = proofs[i] ?? {};
      // Releases call new patterns only from the switch onward.
      const expected = code.reads === 'new' ? ['filtered', 'late'] : ['filtered'];
      expect(Object.keys(unproved)).toEqual(expected);
      for (const why of Object.values(unproved))
        expect(why).toMatch(/^the (old release|release of \S+): (there are no cases|it has no case)/);
    }
  });
});
