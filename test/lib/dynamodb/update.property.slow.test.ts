import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable } from '../../../constructs/aws';
import type { TableDesign } from '../../../lib/design/table';
import { client, entities, type Item, ItemError } from '../../../lib/dynamodb';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { ruralCreditAITable } from '../../../lib/systems/trimobe/design';
import { postMessage } from '../../../lib/systems/trimobe/procedures';
import fc from '../../support/fuzz';
import { valuesOf } from './arbitrary';
import { library } from './designs';

/*
 * These tests run on a real engine with the template's tables, and check that an updated item equals the item
 * that a put would have created.
 */

let engine: Database;

beforeAll(async () => {
  engine = await embeddedEngine();
  // Leaves out the query `all`: other tests need this query, but the check refuses a design that has it.
  const { all: _, ...patterns } = library.patterns;
  for (const design of [{ ...library, patterns }, ruralCreditAITable] as readonly TableDesign[]) {
    const stack = new Stack(new App(), 'Stack');
    new DesignedTable(stack, 'Table', { design, environment: 'dev', tableName: design.name });
    await engine.provision(Template.fromStack(stack).toJSON());
  }
}, 60_000);

afterAll(() => engine.stop());

async function stored(TableName: string, { PK, SK }: Item): Promise<Item> {
  const { Item } = await engine.send('Get', { TableName, Key: { PK, SK }, ConsistentRead: true });
  return structuredClone(Item) as Item;
}

/** Returns all items in one partition of an index. */
async function inIndex(TableName: string, IndexName: string, partition: string, value: string): Promise<Item[]> {
  const { Items } = await engine.send('Query', {
    TableName,
    IndexName,
    KeyConditionExpression: '#0 = :0',
    ExpressionAttributeNames: { '#0': partition },
    ExpressionAttributeValues: { ':0': value },
  });
  return structuredClone(Items) as Item[];
}

describe('an updated book', () => {
  const { item } = entities(library, 'library');
  const books = () => client(library, 'library', engine.send);
  const { shape } = library.entities.Book.attributes;
  type Book = Parameters<typeof item<'Book'>>[1];
  const anyBook = valuesOf(library.entities.Book.attributes)
    .map((values) => ({ ...(values as Book), shelf: 's1' }))
    .filter(({ number, title }) => number >= 0 && number < 1e6 && title.length < 300);
  const anyText = valuesOf(shape.author) as fc.Arbitrary<string>;
  const anyDay = valuesOf(shape.since) as fc.Arbitrary<string>;
  const anyEdit = fc.record(
    {
      title: anyText,
      author: anyText,
      status: fc.constantFrom('LENT' as const, 'LOST' as const),
      since: anyDay,
      note: fc.option(fc.string(), { nil: null }),
      place: anyText,
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  test('a successful update of a book produces the item that a put would have created', async () => {
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(anyBook, anyEdit, async (book, edit) => {
        const { shelf, number } = book;
        const before = item('Book', book);
        await engine.send('Put', { TableName: 'library', Item: before });
        const { place, ...attributes } = edit;
        const after = { ...book, ...attributes, ...(place === undefined ? {} : { stock: { ...book.stock, place } }) };
        try {
          await books().edit({ shelf, number, ...edit });
        } catch (error) {
          // The client refuses an update that changes nothing or sets only one of two keys.
          expect(error).toBeInstanceOf(ItemError);
          expect(Object.keys(edit).length === 0 || (edit.status === undefined) !== (edit.since === undefined)).toBe(
            true,
          );
          expect(await stored('library', before)).toEqual(before);
          refused++;
          return;
        }
        expect(await stored('library', before)).toEqual(item('Book', after));
        expect(await books().getBook({ shelf, number })).toEqual({ ...after, kind: 'BOOK' });
      }),
      { numRuns: 150 },
    );
    expect(refused).toBeGreaterThan(0);
  }, 60_000);

  test('a book is in the index only while it is lent', async () => {
    await fc.assert(
      fc.asyncProperty(anyBook, fc.array(fc.option(anyDay)), async (book, days) => {
        const { shelf, number } = book;
        let after: Book = { ...book, stock: { left: 99, place: 'x' } };
        await engine.send('Put', { TableName: 'library', Item: item('Book', after) });
        for (const since of days) {
          if (since === null) {
            await books().giveBack({ shelf, number });
            const { status: _, ...rest } = after;
            after = rest;
          } else {
            await books().lend({ shelf, number, since });
            after = { ...after, status: 'LENT', since, stock: { ...after.stock, left: after.stock.left - 1 } };
          }
          const expected = item('Book', after);
          expect(await stored('library', expected)).toEqual(expected);
        }
        const lent = await inIndex('library', 'byStatus', 'GSI1PK', 'STATUS#LENT');
        expect(lent.filter(({ SK }) => SK === `BOOK#${number}`)).toEqual(
          after.status === 'LENT' ? [item('Book', after)] : [],
        );
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});

test('moves a conversation to its new place in both lists when a message is posted', async () => {
  const { item } = entities(ruralCreditAITable, 'RuralCreditAI');
  const chats = client(ruralCreditAITable, 'RuralCreditAI', engine.send);
  const { Conversation, Message } = ruralCreditAITable.entities;
  type Conversation = Parameters<typeof item<'Conversation'>>[1];
  type Message = Parameters<typeof item<'Message'>>[1];
  await fc.assert(
    fc.asyncProperty(valuesOf(Conversation.attributes), valuesOf(Message.attributes), async (values, posted) => {
      const conversation = values as Conversation;
      const message = { ...(posted as Message), tenantId: conversation.tenantId, conversationId: conversation.id };
      await engine.send('Put', { TableName: 'RuralCreditAI', Item: item('Conversation', conversation) });
      const { createdAt: at } = await postMessage(chats, message);
      const isLate = conversation.lastMessageAt > at;
      const after = item('Conversation', { ...conversation, ...(isLate ? {} : { lastMessageAt: at, updatedAt: at }) });
      expect(await stored('RuralCreditAI', after)).toEqual(after);
    }),
    { numRuns: 50 },
  );
}, 60_000);
