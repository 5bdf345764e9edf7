import { z } from 'zod';
import { reads as azureReads, requests as azureRequests } from '../../../lib/azure-tables';
import { reads, requests } from '../../../lib/dynamodb';
import { defineTable } from '../../../lib/index';

const NOW = 1_700_000_000;
const clock = () => NOW * 1000;
const attributes = z.object({ token: z.string(), expires: z.int().optional() });
const returns = ['Session'] as const;

const sessions = defineTable({
  name: 'sessions',
  key: { partition: 'PK', sort: 'SK' },
  ttl: 'expires',
  entities: { Session: { attributes, keys: { PK: 'S#<token>', SK: 'S' } } },
  patterns: {
    session: { op: 'get', where: { PK: 'S#<token>', SK: 'S' }, returns, unexpired: true },
    sessions: { op: 'query', where: { PK: 'S#<token>' }, returns, unexpired: true },
  },
});
const item = (expires?: number) => ({ PK: 'S#a', SK: 'S', token: 'a', ...(expires !== undefined && { expires }) });

describe('`unexpired` leaves out expired items', () => {
  test.each([
    ['requests', requests(sessions, 'sessions', { clock })],
    ['reads', reads(sessions, 'sessions', { clock })],
  ])('leaves out items that have expired according to the injected clock (%s)', (_, patterns) => {
    expect(patterns.session.read({ Item: item(NOW) })).toBeUndefined();
    expect(patterns.session.read({ Item: item(NOW + 1) })).toEqual({ token: 'a', expires: NOW + 1 });
    const Items = [item(NOW - 1), item(NOW + 1), item()];
    expect(patterns.sessions.read({ Items }).items.map(({ expires }) => expires)).toEqual([NOW + 1, undefined]);
  });

  test("leaves out items that have expired according to this machine's clock by default", () => {
    const { session } = requests(sessions, 'sessions');
    expect(session.read({ Item: item(NOW + 1) })).toBeUndefined();
    expect(session.read({ Item: item(Math.ceil(Date.now() / 1000) + 60) })).toBeDefined();
  });

  const azure = defineTable({
    name: 'sessions',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    separator: '~',
    ttl: 'expires',
    entities: { Session: { attributes, keys: { PartitionKey: 'S~<token>', RowKey: 'S' } } },
    patterns: { sessions: { op: 'query', where: { PartitionKey: 'S~<token>' }, returns, unexpired: true } },
  });

  test.each([
    ['requests', azureRequests(azure, 'sessions', { clock })],
    ['reads', azureReads(azure, 'sessions', { clock })],
  ])('leaves out entities that have expired according to the injected clock (Azure %s)', (_, { sessions: pattern }) => {
    const entities = [NOW, NOW + 1].map((expires) => ({
      partitionKey: 'S~a',
      rowKey: 'S',
      token: 'a',
      expires: { type: 'Int64', value: String(expires) },
    }));
    const read = pattern.read(pattern({ token: 'a' }), { entities } as never) as {
      readonly items: readonly object[];
    };
    expect(read.items).toEqual([{ token: 'a', expires: NOW + 1 }]);
  });
});
