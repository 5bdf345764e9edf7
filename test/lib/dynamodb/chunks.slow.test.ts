import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { client, UnfinishedBatch } from '../../../lib/dynamodb';
import { embedded } from '../../support/embedded';

const tickets = defineTable({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Ticket: {
      attributes: z.object({ desk: z.string(), id: z.string(), state: z.enum(['open', 'closed']) }),
      keys: { PK: 'DESK#<desk>', SK: 'TICKET#<id>' },
    },
    Note: {
      attributes: z.object({ desk: z.string(), id: z.string(), text: z.string() }),
      keys: { PK: 'DESK#<desk>', SK: 'NOTE#<id>' },
    },
  },
  patterns: {
    tickets: {
      op: 'query',
      where: { PK: 'DESK#<desk>', SK: { beginsWith: 'TICKET#' } },
      returns: ['Ticket'],
    },
    notes: { op: 'query', where: { PK: 'DESK#<desk>', SK: { beginsWith: 'NOTE#' } }, returns: ['Note'] },
    openAll: {
      op: 'transaction',
      atomic: false,
      steps: {
        opened: { op: 'put', entity: 'Ticket', each: 'id', item: { desk: '<desk>', id: '<id>', state: 'open' } },
      },
    },
    closeAll: {
      op: 'transaction',
      atomic: false,
      steps: {
        closed: {
          op: 'update',
          entity: 'Ticket',
          each: 'id',
          where: { PK: 'DESK#<desk>', SK: 'TICKET#<id>' },
          set: { state: 'closed' },
          condition: { state: 'open' },
        },
        noted: { op: 'put', entity: 'Note', each: 'id', item: { desk: '<desk>', id: '<id>', text: '<text>' } },
      },
    },
  },
});

const { nameOf, send } = embedded(defineSystem({ name: 'help', cloud: 'aws', tables: { tickets } }));
const db = client(tickets, nameOf('tickets'), send);
const id = Array.from({ length: 230 }, (_, i) => `t${String(i).padStart(3, '0')}`);
const desk = 'd';

async function idsIn<T extends { readonly id: string }>(items: AsyncIterable<T>, isMeant = (_: T) => true) {
  const ids: string[] = [];
  for await (const item of items) if (isMeant(item)) ids.push(item.id);
  return ids;
}

const closed = () => idsIn(db.tickets.all({ desk }), ({ state }) => state === 'closed');
const noted = () => idsIn(db.notes.all({ desk }));

test('splits a long list into transactions, and keeps all steps of an element in one transaction', async () => {
  expect(await db.openAll({ desk, id })).toEqual({ done: 230 });
  expect(await closed()).toEqual([]);
  expect(await db.closeAll({ desk, id, text: 'done' })).toEqual({ done: 230 });
  expect(await closed()).toEqual(id);
  expect(await noted()).toEqual(id);
});

test('does not write a failed part, and writes the remaining elements in a second call', async () => {
  const missing = 'x';
  await db.openAll({ desk, id });
  const error = await db.closeAll({ desk, id: id.with(120, missing), text: 'done' }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnfinishedBatch);
  const { done, left } = error as UnfinishedBatch & { done: number; left: Parameters<typeof db.closeAll>[0] };
  expect(done).toBe(100);
  expect(left).toEqual({ desk, id: id.with(120, missing).slice(100), text: 'done' });
  expect(await closed()).toEqual(id.slice(0, 100));
  expect(await noted()).toEqual(id.slice(0, 100));
  const rest = left.id.filter((one) => one !== missing);
  expect(await db.closeAll({ ...left, id: rest })).toEqual({ done: 129 });
  expect(await closed()).toEqual(id.filter((_, i) => i !== 120));
});
