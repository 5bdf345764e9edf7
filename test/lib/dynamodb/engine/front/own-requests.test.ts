import { marshall } from '@aws-sdk/util-dynamodb';
import { z } from 'zod';
import type { SystemDesign } from '../../../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../../../lib/design/table';
import { client, type Item } from '../../../../../lib/dynamodb';
import { tableOf } from '../../../../../lib/dynamodb/engine/front/catalogue';
import { checkRequest } from '../../../../../lib/dynamodb/engine/front/check';
import type { Send } from '../../../../../lib/dynamodb/sending';
import { tableRequests } from '../../../../../lib/dynamodb/template/create-table';
import type { TemplateJson } from '../../../../../lib/dynamodb/template/tables';
import { unique } from '../../../../../lib/dynamodb/unique';
import { blog, booking, transporte, trimobe } from '../../../../../lib/systems';
import { cases } from '../../../../../lib/systems/cases';
import blogTemplate from '../../../../golden/blog-prod.json';
import bookingTemplate from '../../../../golden/booking-prod.json';
import transporteTemplate from '../../../../golden/transporte-prod.json';
import trimobeTemplate from '../../../../golden/trimobe-prod.json';

const OPERATIONS: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  BatchGet: 'BatchGetItem',
  BatchWrite: 'BatchWriteItem',
  TransactWrite: 'TransactWriteItems',
  TransactGet: 'TransactGetItems',
};

/** The input fields that contain attribute values. */
const VALUED = ['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

/** Converts an input of the document client to the wire format. */
function onTheWire(input: unknown): unknown {
  if (Array.isArray(input)) return input.map(onTheWire);
  if (input === null || typeof input !== 'object') return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (VALUED.includes(name) && value !== undefined) return [name, marshall(value, { removeUndefinedValues: true })];
      return [name, name === 'Keys' ? (value as Item[]).map((key) => marshall(key)) : onTheWire(value)];
    }),
  );
}

/** Returns a `send` that only records why DynamoDB would refuse a request, and sends nothing. */
function judging(template?: TemplateJson) {
  const tables = new Map(
    (template === undefined ? [] : tableRequests(template)).map(({ create }) => [
      create.TableName as string,
      tableOf(create),
    ]),
  );
  const refused: string[] = [];
  let sent = 0;
  const send: Send = async (command, input) => {
    sent++;
    try {
      const known = template === undefined ? undefined : (name: string) => tables.get(name);
      checkRequest(OPERATIONS[command] ?? command, onTheWire(input) as Item, known);
    } catch (error) {
      refused.push(`${command} ${JSON.stringify(input)}: ${(error as Error).message}`);
    }
    return {};
  };
  return { send, refused, sent: () => sent };
}

describe.each([
  ['blog', blog, blogTemplate],
  ['booking', booking, bookingTemplate],
  ['transporte', transporte, transporteTemplate],
  ['trimobe', trimobe, trimobeTemplate],
] as const)('requests of %s', (name, system: SystemDesign, template) => {
  test('DynamoDB would accept every request that a client builds', async () => {
    const { send, refused, sent } = judging(template as unknown as TemplateJson);
    let patterns = 0;
    for (const [table, { patterns: proved }] of Object.entries(cases[name]?.tables ?? {})) {
      const design = system.tables[table] as TableDesign;
      const own = client(design, `${name}-prod-${table}`, send, { unique }) as unknown as Record<
        string,
        (values: object) => unknown
      >;
      for (const [pattern, { values, ...more }] of Object.entries(
        proved as Readonly<Record<string, { values: object }>>,
      )) {
        const others = (more as { refuses?: readonly { values: object }[] }).refuses ?? [];
        patterns++;
        // Ignores errors, because the client may refuse the values or fail to parse the empty output.
        for (const given of [{ values }, ...others])
          await Promise.resolve(own[pattern]?.(given.values)).catch(() => undefined);
      }
    }
    expect(refused).toEqual([]);
    expect(sent()).toBeGreaterThanOrEqual(patterns);
  });
});

test('removes a key attribute only once when an item leaves two indexes that share the attribute', async () => {
  const posts = defineTable({
    name: 'posts',
    key: { partition: 'PK' },
    indexes: {
      byDate: { partition: 'GSI1PK', sort: 'GSI1SK' },
      byDateAgain: { partition: 'GSI1PK', sort: 'GSI2SK' },
    },
    entities: {
      Post: {
        attributes: z.object({ id: z.string(), status: z.enum(['live', 'archived']), at: z.string() }),
        keys: { PK: 'POST#<id>', GSI1PK: 'LIVE', GSI1SK: 'AT#<at>', GSI2SK: '<at>#<id>' },
        indexes: { byDate: { while: { status: ['live'] } }, byDateAgain: { while: { status: ['live'] } } },
      },
    },
    patterns: {
      archive: {
        op: 'update',
        entity: 'Post',
        where: { PK: 'POST#<id>' },
        set: { status: 'archived' },
      },
    },
  } as never) as TableDesign;
  const { send, refused, sent } = judging();
  const own = client(posts, 'posts', send) as unknown as Record<string, (values: object) => Promise<unknown>>;
  await own.archive?.({ id: 'p1' }).catch(() => undefined);
  expect({ refused, sent: sent() }).toEqual({ refused: [], sent: 1 });
});
