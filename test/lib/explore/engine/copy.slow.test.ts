import { z } from 'zod';
import type { SystemDesign } from '../../../../lib/design/system';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { Copy, NoTables } from '../../../../lib/explore/engine/copy';
import { explore } from '../../../../lib/explore/system';
import { descendantsOf, freeze } from '../../../support/processes';

const keys = { PK: 'BOOK#<id>' };
const attributes = z.object({ id: z.string(), title: z.string(), year: z.int(), copies: z.int(), shelf: z.string() });
const library = (indexes: object = {}): SystemDesign => ({
  name: 'library',
  cloud: 'aws',
  tables: {
    books: {
      name: 'books',
      key: { partition: 'PK' },
      indexes: indexes as never,
      entities: { Book: { attributes, keys } },
      patterns: {
        book: { op: 'get', where: keys, returns: ['Book'] },
        addBook: { op: 'put', entity: 'Book' },
        lend: {
          op: 'update',
          entity: 'Book',
          where: keys,
          subtract: { copies: 1 },
          condition: { copies: { atLeast: 1 } },
        },
      },
    },
  },
});
const book = { id: 'b1', title: 'Dune', year: 1965, copies: 0, shelf: 's' };
const other = { ...book, id: 'b2' };
const cases = { tables: { books: { items: { dune: ['Book', book] as const }, patterns: {} } } };
const copyOf = (system: SystemDesign, patience?: number) =>
  new Copy(explore(system, cases as never), () => embeddedEngine(), patience);

const copy = copyOf(library());
afterAll(() => copy.stop());

test.each([
  ['a put of an existing item', 'addBook', book],
  ['an update whose condition fails', 'lend', { id: 'b1' }],
])('shows the refusal of %s, and does not report the refused request as free', async (_, name, values) => {
  const run = await copy.run(name, values);
  expect(run.error).toBeDefined();
  expect(run.requests).toHaveLength(1);
  expect(run).not.toHaveProperty('cost');
  expect(run).not.toHaveProperty('units');
  expect(run.uncounted).toMatch(/if a condition fails, DynamoDB charges write units/);
});

test('estimates the cost from the units that the engine counted, and shows no cost for a call that fails before any request is sent', async () => {
  expect(await copy.run('book', { id: 'b1' })).toMatchObject({ units: 0.5, cost: { million: '$0.0625' } });
  const refused = await copy.run('book', { id: 'a#b' });
  expect(refused.requests).toEqual([]);
  expect(refused).not.toHaveProperty('cost');
  expect(refused).not.toHaveProperty('uncounted');
});

test('returns attributes in design order on every run', async () => {
  for (let turn = 0; turn < 4; turn++) {
    const added = await copy.run('addBook', other);
    expect(added.changes[0]?.attributes.map(({ name }) => name)).toEqual(Object.keys(book));
    const { answer } = await copy.run('book', { id: 'b1' });
    expect(Object.keys(answer as object)).toEqual(Object.keys(book));
  }
});

test("reports the check's findings, rather than an engine error, if the design has errors", async () => {
  const broken = copyOf(library({ G: { partition: 'shelf' } }));
  const run = broken.run('book', { id: 'b1' });
  await expect(run).rejects.toThrow(NoTables);
  await expect(run).rejects.toThrow(/until its errors are fixed: .*G/);
  await expect(run).rejects.not.toThrow(/validation error detected/);
});

test('restarts an engine that does not respond', async () => {
  const frozen = copyOf(library(), 1500);
  try {
    const before = descendantsOf(process.pid);
    await frozen.run('book', { id: 'b1' });
    const engines = descendantsOf(process.pid).filter((pid) => !before.includes(pid));
    await freeze(engines);
    const run = await frozen.run('book', { id: 'b1' });
    expect(run.answer).toMatchObject({ title: 'Dune' });
    expect(descendantsOf(process.pid).filter((pid) => engines.includes(pid))).toEqual([]);
  } finally {
    await frozen.stop();
  }
});

test('stopping a copy ends its pending runs and does not start a new engine', async () => {
  let starts = 0;
  let onSend = () => {};
  const stopped = new Copy(explore(library(), cases as never), async () => {
    starts++;
    const engine = await embeddedEngine();
    return {
      ...engine,
      send(...request: Parameters<typeof engine.send>) {
        onSend();
        return engine.send(...request);
      },
    };
  });
  const before = descendantsOf(process.pid);
  await stopped.run('book', { id: 'b1' });
  await freeze(descendantsOf(process.pid).filter((pid) => !before.includes(pid)));
  const isSent = new Promise<void>((resolve) => {
    onSend = resolve;
  });
  const runs = [1, 2].map(() => stopped.run('book', { id: 'b1' }));
  const outcomes = Promise.allSettled(runs);
  await isSent;
  await stopped.stop();
  const [underWay, waiting] = await outcomes;
  expect(underWay).toMatchObject({ value: { error: { name: 'AbortError' } } });
  expect(waiting).toMatchObject({
    reason: { message: 'the engine was stopped before the run ended' },
  });
  expect(starts).toBe(1);
  expect(await stopped.run('book', { id: 'b1' })).toMatchObject({ answer: { title: 'Dune' } });
  await stopped.stop();
});
