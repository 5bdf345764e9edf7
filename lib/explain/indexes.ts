import { z } from 'zod';
import type { PatternDesign } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { type Example, KEY } from './example';

const byEmail = { partition: 'email' } as const;
const findUser: PatternDesign = { op: 'query', index: 'byEmail', where: { email: '<email>' }, returns: ['User'] };

/** Returns a table of users, with an index to look them up by e-mail address. */
function users(indexes: TableDesign['indexes'], patterns?: TableDesign['patterns']): TableDesign {
  const address = z.object({ city: z.string(), street: z.string() });
  const attributes = z.object({ userId: z.string(), email: z.email(), address });
  return {
    name: 'users',
    key: KEY,
    indexes,
    entities: { User: { attributes, keys: { PK: 'USER#<userId>', SK: 'USER' } } },
    ...(patterns && { patterns }),
  };
}

const projecting = (projection: readonly string[] | 'keys', select?: readonly string[]) =>
  users(
    { byEmail: { ...byEmail, projection } },
    { findUser: { ...findUser, ...(select && { select }) } as PatternDesign },
  );

/**
 * Returns a table of posts, with an index for the front page of each day. The index contains only posts with the given
 * status.
 */
function posts(status: string): TableDesign {
  const attributes = z.object({ postId: z.string(), day: z.string(), status: z.enum(['draft', 'published']) });
  const keys = { PK: 'POST#<postId>', SK: 'POST', page: '<day>' };
  return {
    name: 'blog',
    key: KEY,
    indexes: { frontPage: { partition: 'page' } },
    entities: { Post: { attributes, keys, indexes: { frontPage: { while: { status: [status] } } } } },
    patterns: { postsOfDay: { op: 'query', index: 'frontPage', where: { page: '<day>' }, returns: ['Post'] } },
  };
}

/** Returns a table of orders, with a query that returns a city's orders, the most expensive first. */
function orders(kind: { readonly local?: true }): TableDesign {
  const attributes = z.object({ shopId: z.string(), city: z.string(), orderId: z.string(), total: z.number() });
  const dearest: PatternDesign = {
    ...{ op: 'query', index: 'byCity', where: { city: '<city>' } },
    ...{ returns: ['Order'], order: 'descending' },
  };
  return {
    name: 'orders',
    key: KEY,
    indexes: { byCity: { ...kind, partition: 'city', sort: 'total' } },
    entities: { Order: { attributes, keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#<orderId>' } } },
    patterns: { dearest },
  };
}

/**
 * Returns a table of events that spreads each day over 16 shards, with a query that reads the given number of shards.
 */
function events(asked: number): TableDesign {
  const attributes = z.object({ eventId: z.string(), day: z.string() });
  const where = { PK: `DAY#<day>#<shard(${asked})>` };
  return {
    name: 'events',
    key: KEY,
    entities: { Event: { attributes, keys: { PK: 'DAY#<day>#<shard(eventId, 16)>', SK: '<eventId>' } } },
    patterns: { eventsOfDay: { op: 'query', where, returns: ['Event'] } },
  };
}

/** Examples for the rules about indexes and the queries that use them. */
export const indexes = {
  'index-membership': { broken: posts('PUBLISHED'), mended: posts('published') },
  'local-index': { broken: orders({ local: true }), mended: orders({}) },
  'sharded-key': { broken: events(20), mended: events(16) },
  'refused-request': {
    broken: users({ byEmail }, { findUser: { ...findUser, consistent: true } as PatternDesign }),
    mended: users({ byEmail }, { findUser }),
  },
  'nested-projection': {
    broken: projecting(['address.city'], ['userId', 'address']),
    mended: projecting(['address'], ['userId', 'address']),
  },
  unprojected: { broken: projecting('keys'), mended: projecting('keys', ['userId', 'email']) },
  'unused-index': { broken: users({ byEmail }), mended: users({ byEmail }, { findUser }) },
  'redundant-index': {
    broken: users({ byEmail, byAddress: byEmail }, { findUser }),
    mended: users({ byEmail }, { findUser }),
  },
} satisfies Readonly<Record<string, Example>>;
