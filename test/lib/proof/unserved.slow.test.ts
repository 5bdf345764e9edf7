import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { servesMultiAttributeKeys } from '../../../lib/dynamodb/engine/multi-attribute';
import type { Item } from '../../../lib/items/item';
import { prove } from '../../../lib/proof/prove';
import { unservedBy } from '../../../lib/proof/unserved';
import { notes, templateOf } from './notes';
import { salesCases, salesSystem } from './sales';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

async function proofs(cases: typeof salesCases = salesCases) {
  const found = [];
  const input = { system: salesSystem, cases, template: templateOf(salesSystem), environment: 'dev' };
  for await (const proof of prove(engine, input)) found.push(proof);
  return found;
}

describe('the proof on an engine without multi-attribute keys', () => {
  test('reports patterns that need a multi-attribute index key as unproved, not as failed, and gives the reason', async () => {
    const found = await proofs();
    expect(found.filter(({ failure }) => failure !== undefined)).toEqual([]);
    const open = found.filter(({ unproved }) => unproved !== undefined);
    expect(open.map(({ name, requests, items }) => [name, requests, items])).toEqual([
      ['pay', 0, 0],
      ['inRegion', 0, 0],
      ['ofDay', 0, 0],
      ['atMoment', 0, 0],
      ['largest', 0, 0],
      ['open', 0, 0],
    ]);
    for (const { unproved } of open)
      expect(unproved).toMatch(/does not support multi-attribute index keys.*--endpoint/);
    expect(open[0]?.unproved).toMatch(/^only 'open' would show the effect: /);
  });

  test("proves reads and writes that use only the table's primary key", async () => {
    const proved = (await proofs()).filter(({ unproved }) => unproved === undefined);
    expect(proved.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'entity sales Order',
      'read order',
      'write place',
    ]);
    expect(proved.find(({ name }) => name === 'place')).toMatchObject({ requests: 1, items: 1 });
  });

  test('fails a pattern without a case, because no engine could prove it', async () => {
    const { ofDay: _, ...patterns } = salesCases.tables.sales?.patterns ?? {};
    const cases = { ...salesCases, tables: { sales: { ...salesCases.tables.sales, patterns } } };
    const found = await proofs(cases as unknown as typeof salesCases);
    expect(found.find(({ name }) => name === 'ofDay')).toMatchObject({ failure: expect.stringMatching(/has no case/) });
  });
});

describe('the probe for multi-attribute keys', () => {
  /** Wraps the engine so that `answer` decides which items a query returns. */
  const answering = (answer: (expression: string) => readonly string[]): Database => ({
    ...engine,
    send: async (command, input) =>
      command === 'Query'
        ? { Items: answer(String((input as Item).KeyConditionExpression)).map((id) => ({ id })) }
        : engine.send(command, input),
  });
  const right = (expression: string) => (expression.includes(':d') ? ['c'] : ['a', 'b', 'c']);

  test("the probe relies on the engine's behavior, not on its name", async () => {
    expect(await servesMultiAttributeKeys(engine)).toBe(false);
    expect(await servesMultiAttributeKeys(answering(right))).toBe(true);
  });

  test.each<[string, (expression: string) => readonly string[]]>([
    ['for the first attribute alone', () => ['a', 'b', 'c', 'o']],
    ['with numbers sorted as strings', (expression) => (expression.includes(':d') ? ['c'] : ['a', 'c', 'b'])],
    ['that ignore the range', () => ['a', 'b', 'c']],
    ['with an item that lacks an attribute', () => ['a', 'b', 'c', 'p']],
  ])('treats results %s as wrong', async (_, answer) => {
    expect(await servesMultiAttributeKeys(answering(answer))).toBe(false);
  });

  test('the probe waits until the index is filled', async () => {
    let asked = 0;
    expect(
      await servesMultiAttributeKeys(answering((expression) => (asked++ < 2 ? ['a', 'c'] : right(expression)))),
    ).toBe(asked > 2);
    expect(asked).toBe(4);
  });

  test('the probe is skipped if no pattern depends on multi-attribute keys', async () => {
    const silent = { ...engine, provision: () => Promise.reject(new Error('asked')) };
    expect(await unservedBy(silent, [notes])).toEqual(new Map());
  });

  test("a probe that cannot create its table reports that the engine's support is unknown", async () => {
    const refusing = { ...engine, provision: () => Promise.reject(new Error('not allowed to make tables')) };
    const reasons = await unservedBy(refusing, [salesSystem]);
    expect([...reasons.keys()]).toEqual(['inRegion', 'ofDay', 'atMoment', 'largest', 'open']);
    expect(reasons.get('ofDay')).toMatch(/could not find out whether .* \(not allowed to make tables\)/);
  });
});
