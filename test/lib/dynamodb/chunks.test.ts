import { z } from 'zod';
import { defineTable, type TableDesign } from '../../../lib';
import { check } from '../../../lib/check';
import { client, type Send, transact, UnfinishedBatch } from '../../../lib/dynamodb';
import type { Item } from '../../../lib/items/item';

const tickets = defineTable({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Ticket: {
      attributes: z.object({ id: z.string(), state: z.enum(['open', 'closed']) }),
      keys: { PK: 'TICKET#<id>', SK: 'TICKET' },
    },
    Note: { attributes: z.object({ id: z.string(), text: z.string() }), keys: { PK: 'TICKET#<id>', SK: 'NOTE' } },
    Desk: { attributes: z.object({ desk: z.string(), open: z.boolean() }), keys: { PK: 'DESK#<desk>', SK: 'DESK' } },
  },
  patterns: {
    closeAll: {
      op: 'transaction',
      atomic: false,
      steps: {
        desk: { op: 'require', entity: 'Desk', where: { PK: 'DESK#<desk>', SK: 'DESK' }, condition: { open: true } },
        closed: {
          op: 'update',
          entity: 'Ticket',
          each: 'id',
          where: { PK: 'TICKET#<id>', SK: 'TICKET' },
          set: { state: 'closed' },
        },
        noted: { op: 'put', entity: 'Note', each: 'id', item: { id: '<id>', text: '<text>' } },
      },
    },
  },
});

const id = Array.from({ length: 120 }, (_, i) => `t${i}`);

function tableOf(refuses: (call: number) => boolean = () => false) {
  const sent: Item[] = [];
  const send: Send = async (_, input) => {
    sent.push(input);
    if (refuses(sent.length)) throw Object.assign(new Error('no'), { name: 'ThrottlingException' });
    return {};
  };
  return { db: client(tickets, 'tickets', send), sent };
}

const keysIn = (input: Item = {}) =>
  (input.TransactItems as Record<string, { Key?: Item; Item?: Item }>[]).map((one) => {
    const [write] = Object.values(one);
    return `${Object.keys(one)[0]} ${(write?.Key ?? write?.Item)?.PK}`;
  });

test('splits a list into transactions that keep all steps of an element together', async () => {
  const { db, sent } = tableOf();
  expect(await db.closeAll({ id, desk: 'd', text: 'done' }, { token: 'once' })).toEqual({ done: 120 });
  expect(sent.map((input) => keysIn(input).length)).toEqual([99, 99, 45]);
  expect(keysIn(sent[0]).slice(0, 3)).toEqual(['ConditionCheck DESK#d', 'Update TICKET#t0', 'Put TICKET#t0']);
  expect(keysIn(sent[1])[1]).toBe('Update TICKET#t49');
  expect(sent.map(({ ClientRequestToken }) => ClientRequestToken)).toEqual(['once.0', 'once.1', 'once.2']);
});

test('stops at the first failed part, and reports the written and the remaining elements', async () => {
  const { db, sent } = tableOf((call) => call === 2);
  const values = { id, desk: 'd', text: 'done' };
  const error = await db.closeAll(values).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnfinishedBatch);
  expect(error).toMatchObject({ done: 49, left: { ...values, id: id.slice(49) } });
  expect((error as Error).message).toContain('closeAll: 71 of 120 elements were not written');
  expect(sent).toHaveLength(2);
});

test('sends no request for a chunked write of an empty list', async () => {
  const { db, sent } = tableOf();
  expect(await db.closeAll({ id: [], desk: 'd', text: '' })).toEqual({ done: 0 });
  expect(sent).toEqual([]);
});

test('refuses a chunked write as a step of a transaction', async () => {
  const { db } = tableOf();
  const { step } = db.closeAll as unknown as { step(values: object): never };
  await expect(async () => transact([step({ id, desk: 'd', text: '' })])).rejects.toThrow(
    'closeAll: it is sent in parts, so it cannot join a transaction',
  );
});

const { closeAll } = tickets.patterns;
const { atomic: _, ...whole } = closeAll;
const { closed, noted, desk } = closeAll.steps;

test.each([
  [
    'a chunked step inside a transaction',
    { ...whole, steps: { ...whole.steps, closed: { ...closed, atomic: false } } },
    'chunked-step',
    'patterns.closeAll.steps.closed.atomic',
  ],
  [
    'a step that runs once in a chunked write',
    { ...closeAll, steps: { closed, saved: { op: 'put', entity: 'Desk' } } },
    'chunked-once',
    'patterns.closeAll.steps.saved.each',
  ],
  [
    'a chunked write over two lists',
    { ...closeAll, steps: { closed, noted: { op: 'put', entity: 'Note', each: 'notes' } } },
    'chunked-once',
    'patterns.closeAll.steps.noted.each',
  ],
])('the check reports %s in a single finding', (_name, pattern, cause, path) => {
  const found = check({ ...tickets, patterns: { closeAll: pattern } } as unknown as TableDesign);
  expect(found.map((finding) => [finding.cause, finding.path])).toEqual([[cause, path]]);
});

test('accepts a `require` step in a chunked write, because every part of the write can repeat it', () => {
  expect(check({ ...tickets, patterns: { closeAll: { ...closeAll, steps: { closed, noted, desk } } } })).toEqual([]);
});
