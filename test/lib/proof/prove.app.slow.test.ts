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

/** Runs a proof and returns its failures, keyed by the name of what failed. */
async function failures(input: Partial<ProofInput>, on: Database = engine): Promise<Record<string, string>> {
  const found = await proofs(on, input);
  return Object.fromEntries(found.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]])));
}

describe('a paged read', () => {
  const inTens = notesWith('patterns.pagesOfUser.pageSize', 10);
  /** Returns an engine that passes each request for a later page to `second`. */
  const goingOn = (second: Database['send']): Database => ({
    ...engine,
    send: (command, input) =>
      (input as Item).ExclusiveStartKey === undefined ? engine.send(command, input) : second(command, input),
  });

  test('a paged read passes if its result fits in one page', async () => {
    const found = await proofs(engine, { system: inTens });
    // The reported counts are those of the read with the design's page size.
    expect(found.find(({ name }) => name === 'pagesOfUser')).toMatchObject({ requests: 1, items: 3 });
    expect(found.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  test('a paged read fails its proof if it stops after the first page or would never end', async () => {
    const ending = goingOn(async () => ({ Items: [] }));
    expect((await failures({ system: inTens }, ending)).pagesOfUser).toBe(
      'in pages of 2: expected [c, b, a], got [c, b]',
    );
    const stuck = goingOn((command, { ExclusiveStartKey: _, ...input }: Item) => engine.send(command, input));
    expect((await failures({ system: inTens }, stuck)).pagesOfUser).toBe(
      'Error: the read repeats a cursor after 2 pages, so it would never end',
    );
  });

  test('a paged read passes if a filter drops items after the read', async () => {
    const system = notesWith('patterns.pagesOfUser.filter', { text: { not: 'the note b' } });
    const cases = casesWith('patterns.pagesOfUser.returns', ['c', 'a']);
    expect(await failures({ system, cases })).toEqual({});
  });
});

describe('a procedure', () => {
  const procedure = (run: (client: Client<NotesTable>) => Promise<unknown>, gives?: unknown) =>
    casesWith('procedures.addTwo', { run, values: {}, shows: [], ...(gives === undefined ? {} : { gives }) });

  test('a procedure fails its proof if it calls a pattern that its `uses` does not list, even if it catches the error', async () => {
    const failure = "it sends 'getProfile', so add it to 'uses' of 'addTwo'";
    const asking = procedure((client) => client.getProfile({ user: 'ana' }));
    expect(await failures({ cases: asking })).toEqual({ addTwo: failure });
    const heedless = procedure(async (client) => {
      await client.addNote({ user: 'ana', id: 'f', text: 'f' });
      await transactGet([client.getProfile.step({ user: 'ana' })]).catch(() => undefined);
    });
    expect(await failures({ cases: heedless })).toEqual({ addTwo: failure });
  });

  test("a procedure's failure gives the path of the wrong value in the result", async () => {
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
      addTwo: 'its result: lines[0].count: expected 3, got 2',
    });
  });
});
