import { z } from 'zod';
import { client, transact } from '../../../../lib/dynamodb';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import type { CommandName } from '../../../../lib/dynamodb/requests';
import type { Send } from '../../../../lib/dynamodb/sending';
import { lockOf, planFor } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/dynamodb';
import { defineSystem, defineTable } from '../../../../lib/index';
import { randomOf } from '../../../support/migration-project';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

const TABLE = 'notes-prod-notes';

/** A system of notes whose primary key begins with `prefix`. Their text is in the attribute `text` or `body`. */
function notes(
  prefix: string,
  text: 'text' | 'body',
  more: { readonly keys?: object; readonly patterns?: object; readonly indexes?: object } = {},
) {
  const where = { PK: `${prefix}#<id>` };
  return defineSystem({
    name: 'notes',
    cloud: 'aws',
    tables: {
      notes: defineTable({
        name: 'notes',
        key: { partition: 'PK' },
        typeAttribute: 'kind',
        entities: {
          Note: {
            attributes: z.object({ id: z.string(), [text]: z.string(), n: z.int().default(0) }),
            keys: { ...where, ...more.keys },
          },
        },
        patterns: {
          ...more.patterns,
          getNote: { op: 'get', where, returns: ['Note'] },
          getNotes: { op: 'batchGet', each: 'ids', keys: { note: { PK: `${prefix}#<ids>` } }, returns: ['Note'] },
          addNote: { op: 'put', entity: 'Note' },
          storeNote: { op: 'put', entity: 'Note', replace: true },
          swapNote: { op: 'put', entity: 'Note', replace: true, returns: 'old' },
          write: { op: 'update', entity: 'Note', where, set: { [text]: '<words>' } },
          count: { op: 'update', entity: 'Note', where, add: { n: 1 }, returns: 'new' },
          removeNote: { op: 'delete', entity: 'Note', where },
          removeNotes: {
            op: 'batchWrite',
            steps: { notes: { op: 'delete', entity: 'Note', each: 'ids', where: { PK: `${prefix}#<ids>` } } },
          },
          rewrite: {
            op: 'transaction',
            steps: { note: { op: 'update', entity: 'Note', where, set: { [text]: '<words>' } } },
          },
        },
        ...(more.indexes && { indexes: more.indexes }),
      } as never),
    },
  });
}

interface Pattern {
  (values: object): Promise<Record<string, never> & { items: readonly object[] }>;
  step(values: object): never;
}
type Calls = Readonly<Record<keyof ReturnType<typeof notes>['tables'] | string, Pattern>>;

const before = notes('ID', 'text');
const lock = lockOf(before, { environment: 'prod' });
const callsOf = (design: typeof before, send: Send, options = {}): Calls =>
  client(design.tables.notes as never, TABLE, send, options) as never;

const release = (after: typeof before, step: string, send: Send = engine.send, answers = {}) =>
  callsOf(after, send, { evolving: evolving({ lock, plan: planFor(lock, after, answers), step, design: after }) });

beforeEach(async () => {
  const AttributeDefinitions = [{ AttributeName: 'PK', AttributeType: 'S' as const }];
  const KeySchema = [{ AttributeName: 'PK', KeyType: 'HASH' as const }];
  const Properties = { TableName: TABLE, BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema };
  await engine.provision({ Resources: { Notes: { Type: 'AWS::DynamoDB::Table', Properties } } });
});
afterEach(() => engine.drop(TABLE));

const old = () => callsOf(before, engine.send);
const moved = notes('KEY', 'text');
const stored = async () => {
  const keys: unknown[] = [];
  for await (const { PK } of engine.scan(TABLE)) keys.push(PK);
  return keys.sort();
};

describe('batchGet', () => {
  const renamed = notes('ID', 'body');
  const answers = { renamed: { 'notes.Note.text': 'body' } };
  test.each([
    ['where an attribute is renamed', renamed, answers],
    ['where a key changes', moved, {}],
  ])('finds old and new items in every step of a plan %s', async (_, after, given) => {
    const name = after === renamed ? 'body' : 'text';
    const { phases } = planFor(lock, after, given);
    const isOld = (step: string) =>
      phases.findIndex((phase) => phase.step === step) < phases.findIndex(({ kind }) => kind === 'switch');
    for (const { step } of phases) {
      const calls = release(after, step, engine.send, given);
      // Before the switch, the table also contains an item of the previous release.
      const ids = isOld(step) ? ['1', '2'] : ['2'];
      if (isOld(step)) await old().storeNote?.({ id: '1', text: 'old' });
      await calls.storeNote?.({ id: '2', [name]: 'new' });
      const { items = [] } = (await calls.getNotes?.({ ids })) ?? {};
      const found = items.map((item) => (item as Record<string, unknown>)[name]).sort();
      expect([step, found]).toEqual([step, isOld(step) ? ['new', 'old'] : ['new']]);
    }
  });
});

describe('a pattern that only the new index can serve', () => {
  const after = notes('ID', 'text', {
    indexes: { byText: { partition: 'GSI1PK' } },
    keys: { GSI1PK: 'TEXT#<text>' },
    patterns: { byText: { op: 'query', index: 'byText', where: { GSI1PK: 'TEXT#<text>' }, returns: ['Note'] } },
  });
  const { phases } = planFor(lock, after);
  const from = phases.find(({ code }) => code.reads === 'new')?.step;

  test.each(phases.filter(({ code }) => code.reads !== 'new').map(({ step }) => step))(
    'is refused in step %s, and the error names the step to wait for',
    async (step) => {
      const refusal = `byText: it queries index 'byText', which old items enter only during the backfill; call it in step '${from}' or later; this release runs step '${step}'`;
      const { byText } = release(after, step) as unknown as { byText: Pattern & { all(values: object): unknown } };
      await expect(byText({ text: 'x' })).rejects.toThrow(refusal);
      expect(() => byText.all({ text: 'x' })).toThrow(refusal);
    },
  );

  test('sends a query on the new index from the first step in which the index contains all items', async () => {
    await expect(release(after, from as string).byText?.({ text: 'x' })).rejects.toThrow(/index/);
  });
});

describe('the drain release while items move', () => {
  /** A `send` that runs `meanwhile` just before the first of the given commands. */
  const interrupted = (commands: readonly CommandName[], meanwhile: () => Promise<unknown>): Send => {
    let isDone = false;
    return async (command, input) => {
      if (commands.includes(command) && !isDone) {
        isDone = true;
        await meanwhile();
      }
      return engine.send(command, input);
    };
  };
  const WRITES: readonly CommandName[] = ['Put', 'Update', 'Delete', 'TransactWrite', 'BatchWrite'];
  const filling = () => release(moved, 'backfill');
  const move = () => filling().write?.({ id: '1', words: 'moved' }) as Promise<unknown>;
  const late = () => release(moved, 'drain', interrupted(WRITES, move));

  beforeEach(() => old().addNote?.({ id: '1', text: 'first', n: 0 }));

  test.each<[string, (calls: Calls) => Promise<unknown> | undefined, object | undefined]>([
    ['deletes', ({ removeNote }) => removeNote?.({ id: '1' }), undefined],
    ['in a batch deletes', ({ removeNotes }) => removeNotes?.({ ids: ['1'] }), undefined],
    ['edits', ({ write }) => write?.({ id: '1', words: 'late' }), { text: 'late' }],
    ['in a transaction edits', ({ rewrite }) => rewrite?.({ id: '1', words: 'late' }), { text: 'late' }],
    ['replaces', ({ storeNote }) => storeNote?.({ id: '1', text: 'late', n: 3 }), { text: 'late', n: 3 }],
    ['counts', ({ count }) => count?.({ id: '1' }), { text: 'moved', n: 1 }],
  ])('%s the item under its new key', async (_, write, after) => {
    await write(late());
    const found = await filling().getNote?.({ id: '1' });
    if (after === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(after);
    expect(await stored()).toEqual(after === undefined ? [] : ['KEY#1']);
  });

  test('a put by the drain release returns the item that it replaced under the new key', async () => {
    expect(await late().swapNote?.({ id: '1', text: 'late' })).toMatchObject({ text: 'moved' });
    expect(await stored()).toEqual(['KEY#1']);
  });

  test('a conditional put by the drain release fails if another release has created the item under the new key', async () => {
    const send = interrupted(WRITES, () => filling().addNote?.({ id: '2', text: 'theirs' }) as Promise<unknown>);
    await expect(release(moved, 'drain', send).addNote?.({ id: '2', text: 'ours' })).rejects.toMatchObject({
      kind: 'exists',
    });
    expect(await stored()).toEqual(['ID#1', 'KEY#2']);
  });

  test('a put by the next release fails if the drain release has just created the same item', async () => {
    const draining = release(moved, 'drain');
    const send = interrupted(WRITES, () => draining.addNote?.({ id: '2', text: 'theirs' }) as Promise<unknown>);
    await expect(release(moved, 'backfill', send).addNote?.({ id: '2', text: 'ours' })).rejects.toMatchObject({
      kind: 'exists',
    });
    expect(await stored()).toEqual(['ID#1', 'KEY#2']);
  });

  test('reports a refused write by the drain release if the item has not moved', async () => {
    const draining = release(moved, 'drain');
    await expect(draining.addNote?.({ id: '1', text: 'again' })).rejects.toMatchObject({ kind: 'exists' });
    await expect(draining.write?.({ id: '9', words: 'x' })).rejects.toMatchObject({ kind: 'missing' });
    await draining.removeNote?.({ id: '9' });
    expect(await stored()).toEqual(['ID#1']);
  });

  test('a transaction sent by the drain release writes under the old key, and fails once the item has moved', async () => {
    const draining = release(moved, 'drain');
    await transact([draining.write?.step({ id: '1', words: 'step' })] as never);
    expect(await old().getNote?.({ id: '1' })).toMatchObject({ text: 'step' });
    await move();
    await expect(transact([draining.storeNote?.step({ id: '1', text: 'lost' })] as never)).rejects.toThrow(
      /^storeNote: its items are moving/,
    );
    expect(await filling().getNote?.({ id: '1' })).toMatchObject({ text: 'moved' });
  });
});

test('no delete, edit or item is lost when releases write concurrently and die', async () => {
  const random = randomOf(7);
  const ids = Array.from({ length: 40 }, (_, i) => `r${i}`);
  for (const id of ids) await old().addNote?.({ id, text: 'first' });
  /** A `send` that fails before or after some of its requests, as if the release had died. */
  const dying = (): Send => async (command, input) => {
    const dice = random();
    if (dice < 0.05) throw new Error('killed');
    const output = await engine.send(command, input);
    if (dice > 0.97) throw new Error('killed');
    return output;
  };
  const surviving = async (work: () => Promise<unknown> | undefined) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if ((error as Error).message !== 'killed') throw error;
      }
    }
  };
  const works = ids.flatMap((id, i) => [
    // The runner, or the next release, moves every item.
    () =>
      release(moved, 'backfill', dying())
        .count?.({ id })
        .catch((error: { kind?: string; message: string }) => {
          if (error.kind !== 'missing') throw error;
        }),
    () =>
      i % 2 === 0
        ? release(moved, 'drain', dying()).removeNote?.({ id })
        : release(moved, 'drain', dying()).write?.({ id, words: 'late' }),
  ]);
  await Promise.all(works.map((work) => surviving(work)));
  const filling = release(moved, 'backfill');
  for (const [i, id] of ids.entries()) {
    const found = await filling.getNote?.({ id });
    if (i % 2 === 0) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ text: 'late' });
  }
  expect(await stored()).toHaveLength(20);
});
