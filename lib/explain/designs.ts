import { z } from 'zod';
import type { TableDesign } from '../design/table';
import { type Design, type Example, KEY } from './example';

const post = z.object({ postId: z.string(), title: z.string() });
const keys = { PK: 'POST#<postId>', SK: 'POST' };

const blog: TableDesign = { name: 'blog', key: KEY, entities: { Post: { attributes: post, keys } } };

/** Returns a table of posts and drafts, in which drafts have the given type. */
function drafts(type: string): TableDesign {
  const Draft = { attributes: post, keys: { ...keys, SK: 'DRAFT' }, type };
  return { ...blog, typeAttribute: 'type', entities: { ...blog.entities, Draft } };
}

/** Returns a table with a pattern that finds posts by a word in the title. */
function search(rest: object): Design {
  const where = { PK: 'POST#<postId>' };
  return { ...blog, patterns: { search: { op: 'query', where, returns: ['Post'], ...rest } } };
}

const Invoice = {
  Invoice: {
    attributes: z.object({ tenantId: z.string(), invoiceId: z.string() }),
    keys: { PK: 'INVOICE#<tenantId>#<invoiceId>', SK: 'INVOICE' },
  },
};

/** Examples for the rules about a design as a whole. */
export const designs = {
  malformed: {
    broken: search({ filters: { title: { contains: '<word>' } } }),
    mended: search({ filter: { title: { contains: '<word>' } } }),
  },
  limits: { broken: { ...blog, name: 'my blog' }, mended: { ...blog, name: 'my-blog' } },
  'unknown-name': {
    broken: { ...blog, entities: { Post: { attributes: post, keys: { ...keys, PK: 'POST#<postID>' } } } },
    mended: blog,
  },
  'duplicate-name': { broken: drafts('Post'), mended: drafts('Draft') },
  'tenant-unscoped': { broken: shop('ORDER#<orderId>'), mended: shop('TENANT#<tenantId>') },
  'tenant-leak': {
    broken: shop('<tenantId>#<orderId>', Invoice),
    mended: shop('ORDER#<tenantId>#<orderId>', Invoice),
  },
  acknowledgement: {
    broken: { ...blog, acknowledge: { 'hot-partition': { 'entities.Post.keys.PK': 'ten posts a day' } } },
    mended: blog,
  },
} satisfies Readonly<Record<string, Example>>;

/** Returns a multi-tenant shop whose orders have the given partition key. */
function shop(PK: string, more: TableDesign['entities'] = {}): Design {
  const attributes = z.object({ tenantId: z.string(), orderId: z.string() });
  const orders: TableDesign = {
    name: 'orders',
    key: KEY,
    entities: { Order: { attributes, keys: { PK, SK: 'ORDER#<orderId>' } }, ...more },
  };
  return { name: 'shop', cloud: 'aws', tenant: 'tenantId', tables: { orders } };
}
