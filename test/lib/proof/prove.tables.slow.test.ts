import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { type ProofInput, prove } from '../../../lib/proof/prove';
import { casesWith, notes, notesCases, proofs, TABLE, templateOf } from './notes';

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

const isGone = (tableName: string) =>
  expect(engine.drop(tableName)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });

afterEach(() => isGone(TABLE));

describe('returns a failure instead of throwing', () => {
  test('returns a failure if two example items have the same key', async () => {
    const found = await failures({ cases: casesWith('items.twin', ['Profile', { user: 'ana', count: 9 }]) });
    expect(Object.values(found)).toHaveLength(7);
    for (const failure of Object.values(found)) {
      expect(failure).toBe(
        "the tables cannot be created and filled: ItemError: item 'twin': another item has the same key",
      );
    }
  });

  test('returns a failure if an example item does not fit its entity', async () => {
    const found = await failures({ cases: casesWith('items.wrong', ['Profile', { user: 'ana' }]) });
    expect(found.getProfile).toMatch(
      /^the tables cannot be created and filled: ItemError: item 'wrong': Profile: count: /,
    );
  });

  test('returns a failure if the template cannot be deployed', async () => {
    const template = structuredClone(templateOf(notes));
    for (const { Properties } of Object.values(template.Resources ?? {})) {
      Object.assign(Properties ?? {}, { KeySchema: [] });
    }
    const found = await failures({ template });
    expect(found.getProfile).toMatch(/^the tables cannot be created and filled: ValidationException: /);
  });

  test('returns a failure if the template uses the wrong table names', async () => {
    const template = templateOf({ ...notes, name: 'other' });
    expect((await failures({ template })).getProfile).toMatch(/ResourceNotFoundException/);
    await isGone('other-dev-notes');
  });

  test('returns a failure if the engine has stopped', async () => {
    const stopped = await embeddedEngine();
    await stopped.stop();
    expect(Object.values(await failures({}, stopped))).toHaveLength(7);
  }, 60_000);

  test('returns a separate failure if the tables cannot be dropped', async () => {
    const sticky: Database = { ...engine, drop: () => Promise.reject(new Error('not today')) };
    expect(await failures({}, sticky)).toMatchObject({ tables: 'Error: not today' });
    await engine.drop(TABLE);
  });
});

describe('the tables', () => {
  test('the tables are dropped even if the caller stops early', async () => {
    const input = { system: notes, cases: notesCases, template: templateOf(notes), environment: 'dev' };
    for await (const { name } of prove(engine, input)) if (name === 'notesOfUser') break;
    await isGone(TABLE);
  });

  test('a proof fails if a table with the same name already exists, and leaves that table unchanged', async () => {
    await engine.provision(templateOf(notes));
    await engine.send('Put', { TableName: TABLE, Item: { PK: 'theirs', SK: 'theirs' } });
    expect((await failures({})).getProfile).toMatch(
      /^the tables cannot be created and filled: ResourceInUseException: /,
    );
    const { Item } = await engine.send('Get', { TableName: TABLE, Key: { PK: 'theirs', SK: 'theirs' } });
    expect(Item).toBeDefined();
    await engine.drop(TABLE);
  });
});
