import { type Client, transactGet } from '../../../lib/dynamodb';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { Item } from '../../../lib/items/item';
import type { ProofInput } from '../../../lib/proof/prove';
import { casesWith, type notes, notesWith, proofs } from './notes';

type NotesTable = typeof notes.tables.notes;

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Every failure, by name; the rest must be proved. */
async function failures(input: Partial<ProofInput>, on: Database = engine): Promise<Record<string, string>> {
  const found = await proofs(on, input);
  return Object.fromEntries(found.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]])));
}

describe('a read fails in pages', () => {
  const inTens = notesWith('patterns.pagesOfUser.pageSize', 10);
  /** An engine whose second page of a read is another. */
  const goingOn = (second: Database['send']): Database => ({
    ...engine,
    send: (command, input) =>
      (input as Item).ExclusiveStartKey === undefined ? engine.send(command, input) : second(command, input),
  });

  test('that hold more than there is, not: smaller ones show that it goes on', async () => {
    const found = await proofs(engine, { system: inTens });
    // What it took is that of the pages as designed.
    expect(found.find(({ name }) => name === 'pagesOfUser')).toMatchObject({ requests: 1, items: 3 });
    expect(found.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  test('that it does not go on from, or would go on from for ever', async () => {
    const ending = goingOn(async () => ({ Items: [] }));
    expect((await failures({ system: inTens }, ending)).pagesOfUser).toBe(
      'in pages of 2: expected [c, b, a], got [c, b]',
    );
    const stuck = goingOn((command, { ExclusiveStartKey: _, ...input }: Item) => engine.send(command, input));
    expect((await failures({ system: inTens }, stuck)).pagesOfUser).toBe(
      'Error: after 2 pages, the read continues where it was before, and would never end',
    );
  });

  test('that a filter empties, not: items are dropped after they were read', async () => {
    const system = notesWith('patterns.pagesOfUser.filter', { text: { not: 'the note b' } });
    const cases = casesWith('patterns.pagesOfUser.returns', ['c', 'a']);
    expect(await failures({ system, cases })).toEqual({});
  });
});

describe('a procedure fails', () => {
  const procedure = (run: (client: Client<NotesTable>) => Promise<unknown>, gives?: unknown) =>
    casesWith('procedures.addTwo', { run, values: {}, shows: [], ...(gives === undefined ? {} : { gives }) });

  test('that sends what its uses does not name, also where it makes nothing of being refused', async () => {
    const failure = "it sends 'getProfile', for which it is not granted; add it to 'uses' of addTwo";
    const asking = procedure((client) => client.getProfile({ user: 'ana' }));
    expect(await failures({ cases: asking })).toEqual({ addTwo: failure });
    const heedless = procedure(async (client) => {
      await client.addNote({ user: 'ana', id: 'f', text: 'f' });
      await transactGet([client.getProfile.step({ user: 'ana' })]).catch(() => undefined);
    });
    expect(await failures({ cases: heedless })).toEqual({ addTwo: failure });
  });

  test('that gives something else, which is told by its place', async () => {
    const given = {
      id: 'x',
      lines: [
        { sku: 'a', count: 1 },
        { sku: 'b', count: 2 },
      ],
    };
    const expected = {
      id: 'x',
      lines: [
        { sku: 'b', count: 3 },
        { sku: 'a', count: 1 },
      ],
    };
    expect(await failures({ cases: procedure(async () => given, expected) })).toEqual({
      addTwo: 'what it gives: lines[0].count: expected 3, got 2',
    });
  });
});
