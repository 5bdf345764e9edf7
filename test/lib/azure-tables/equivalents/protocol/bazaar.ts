import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../../lib';

const accountId = z.string().min(1);
const status = z.enum(['open', 'paid', 'shipped']);

const work = { PK: 'WORK#<workId>', SK: 'WORK' } as const;
const common = { workId: z.string().min(1), title: z.string(), price: z.int(), author: z.string().optional() };

const product = { PK: 'PRODUCT#<productId>', SK: 'PRODUCT' } as const;

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', projection: 'keys' },
  },
  typeAttribute: 'type',
  ttl: 'expiresAt',
  entities: {
    Account: {
      attributes: z.object({
        accountId,
        email: z.string(),
        plan: z.enum(['free', 'pro']),
        balance: z.int(),
        rate: z.number(),
        tags: z.array(z.string()),
        profile: z.object({ city: z.string(), zip: z.string().optional() }),
        note: z.string().nullable(),
        expiresAt: z.int().optional(),
      }),
      keys: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT', GSI1PK: 'PLAN#<plan>', GSI1SK: 'ACCOUNT#<accountId>' },
      stored: { rate: 'r' },
      unique: { email: { keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } } },
    },
    Order: {
      attributes: z.object({ accountId, orderId: z.string(), status, total: z.number(), note: z.string().optional() }),
      keys: {
        PK: 'ACCOUNT#<accountId>',
        SK: 'ORDER#<orderId>',
        GSI1PK: 'OPEN#<accountId>',
        GSI1SK: 'ORDER#<orderId>',
        GSI2PK: 'STATUS#<status>',
        GSI2SK: '<accountId>#<orderId>',
      },
      stored: { total: 'sum' },
      indexes: { GSI1: { while: { status: ['open'] } } },
    },
    Product: {
      attributes: z.object({
        productId: z.string(),
        name: z.string(),
        maker: z.string(),
        seller: z.string(),
        tags: z.set(z.string()).min(1).max(3).optional(),
        sizes: z.set(z.int()).min(1).max(30),
        sortName: z.string(),
        pair: z.string(),
        rev: z.int().min(1),
        createdAt: z.iso.datetime({ precision: 3 }),
        updatedAt: z.iso.datetime({ precision: 3 }),
      }),
      keys: {
        PK: 'PRODUCT#<productId>',
        SK: 'PRODUCT',
        GSI1PK: 'PRODUCTS',
        GSI1SK: '<sortName>#<productId>',
        GSI2PK: 'PAIR#<pair>',
        GSI2SK: 'PRODUCT#<productId>',
      },
      version: 'rev',
      timestamps: { created: 'createdAt', updated: 'updatedAt' },
      computed: { sortName: '<name:lower>', pair: { sorted: ['<maker>', '<seller>'], separator: '~' } },
    },
    Work: {
      attributes: z.discriminatedUnion('kind', [
        z.object({ ...common, kind: z.literal('book'), pages: z.int(), isbn: z.string().optional() }),
        z.object({ ...common, kind: z.literal('film'), minutes: z.int(), studio: z.string() }),
        z.object({ ...common, kind: z.literal('poster') }),
      ]),
      keys: {
        ...work,
        GSI1PK: 'STUDIO#<studio>',
        GSI1SK: '<title>#<workId>',
        GSI2PK: 'BY#<author>',
        GSI2SK: '<kind>#<workId>',
      },
      stored: { minutes: 'm' },
    },
  },
  patterns: {
    getWork: { op: 'get', where: work, returns: ['Work'] },
    addWork: { op: 'put', entity: 'Work' },
    saveWork: { op: 'put', entity: 'Work', replace: true, returns: 'old' },
    reprice: { op: 'update', entity: 'Work', where: work, add: { price: '<price>' }, returns: 'new' },
    shorten: {
      op: 'update',
      entity: 'Work',
      where: work,
      set: { minutes: '<minutes>' },
      condition: { kind: 'film' },
      returns: 'old',
    },
    bind: {
      op: 'update',
      entity: 'Work',
      where: work,
      set: { kind: 'book', pages: '<pages>' },
      condition: { kind: 'poster', author: { exists: false } },
      returns: 'new',
    },
    worksOf: { op: 'query', index: 'GSI1', where: { GSI1PK: 'STUDIO#<studio>' }, returns: ['Work'], pageSize: 2 },
    worksBy: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'BY#<author>' },
      returns: ['Work'],
      select: ['workId', 'kind'],
    },
    sellWork: {
      op: 'transaction',
      steps: {
        work: {
          op: 'update',
          entity: 'Work',
          where: work,
          set: { price: '<price>' },
          condition: { price: { atMost: '<price>' } },
        },
        account: {
          op: 'update',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
          subtract: { balance: '<price>' },
        },
      },
    },
    dropWork: { op: 'delete', entity: 'Work', where: work, returns: 'old' },
    getAccount: { op: 'get', where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' }, returns: ['Account'] },
    openAccount: { op: 'put', entity: 'Account' },
    accountByEmail: { op: 'find', unique: 'email', returns: ['Account'] },
    changePlan: {
      op: 'update',
      entity: 'Account',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
      set: { plan: '<plan>' },
      condition: { balance: { atLeast: '<least>' } },
    },
    deposit: {
      op: 'update',
      entity: 'Account',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
      add: { balance: '<amount>', rate: '<percent>' },
      returns: 'new',
    },
    annotate: {
      op: 'update',
      entity: 'Account',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
      set: { note: '<note>', 'profile.city': '<city>', tags: { append: '<more>' } },
      condition: { any: [{ note: null }, { note: { not: '<note>' } }] },
      returns: 'old',
    },
    closeAccount: {
      op: 'delete',
      entity: 'Account',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
      condition: { email: '<email>' },
    },
    changeEmail: {
      op: 'update',
      entity: 'Account',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
      set: { email: '<email>' },
      condition: { email: '<former>' },
    },
    saveOrder: { op: 'put', entity: 'Order', replace: true, returns: 'old' },
    createOrder: { op: 'put', entity: 'Order' },
    dropNote: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ORDER#<orderId>' },
      remove: ['note'],
      condition: { note: { exists: true } },
    },
    ship: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ORDER#<orderId>' },
      set: { status: '<status>' },
      condition: { status: '<before>' },
      returns: 'new',
    },
    deleteOrder: {
      op: 'delete',
      entity: 'Order',
      where: { PK: 'ACCOUNT#<accountId>', SK: 'ORDER#<orderId>' },
      returns: 'old',
    },
    ordersOf: {
      op: 'query',
      where: { PK: 'ACCOUNT#<accountId>', SK: { beginsWith: 'ORDER#' } },
      returns: ['Order'],
      pageSize: 2,
    },
    ordersFrom: {
      op: 'query',
      where: { PK: 'ACCOUNT#<accountId>', SK: { between: ['ORDER#<from>', 'ORDER#<to>'] } },
      order: 'descending',
      filter: { total: { lessThan: '<most>' } },
      returns: ['Order'],
      pageSize: 3,
    },
    openOrders: { op: 'query', index: 'GSI1', where: { GSI1PK: 'OPEN#<accountId>' }, returns: ['Order'], pageSize: 2 },
    latestOpen: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'OPEN#<accountId>', GSI1SK: { atMost: 'ORDER#<orderId>' } },
      order: 'descending',
      returns: ['Order'],
      pageSize: 2,
    },
    ordersIn: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'STATUS#<status>' },
      returns: ['Order'],
      select: ['accountId', 'orderId', 'status'],
    },
    accountsOn: { op: 'query', index: 'GSI1', where: { GSI1PK: 'PLAN#<plan>' }, returns: ['Account'] },
    liveAccounts: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'PLAN#<plan>' },
      unexpired: true,
      returns: ['Account'],
    },
    bothAccounts: {
      op: 'transactGet',
      keys: {
        one: { PK: 'ACCOUNT#<one>', SK: 'ACCOUNT' },
        other: { PK: 'ACCOUNT#<other>', SK: 'ACCOUNT' },
      },
      returns: ['Account'],
    },
    someOrders: {
      op: 'batchGet',
      each: 'orders',
      keys: { one: { PK: 'ACCOUNT#<orders.accountId>', SK: 'ORDER#<orders.orderId>' } },
      returns: ['Order'],
    },
    saveOrders: {
      op: 'batchWrite',
      steps: { each: { op: 'put', entity: 'Order', replace: true, each: 'orders' } },
    },
    transfer: {
      op: 'transaction',
      steps: {
        from: {
          op: 'update',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<from>', SK: 'ACCOUNT' },
          subtract: { balance: '<amount>' },
          condition: { balance: { atLeast: '<amount>' } },
        },
        to: {
          op: 'update',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<to>', SK: 'ACCOUNT' },
          add: { balance: '<amount>' },
        },
      },
    },
    placeOrder: {
      op: 'transaction',
      steps: {
        order: { op: 'put', entity: 'Order' },
        account: {
          op: 'update',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<order.accountId>', SK: 'ACCOUNT' },
          add: { balance: '<amount>' },
        },
        sponsor: {
          op: 'require',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<sponsor>', SK: 'ACCOUNT' },
          condition: { plan: 'pro' },
        },
      },
    },
    swap: {
      op: 'transaction',
      steps: {
        gone: { op: 'delete', entity: 'Order', where: { PK: 'ACCOUNT#<accountId>', SK: 'ORDER#<orderId>' } },
        order: { op: 'put', entity: 'Order', replace: true },
      },
    },
    getProduct: { op: 'get', where: product, returns: ['Product'] },
    productsByName: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'PRODUCTS', GSI1SK: { atLeast: '<from>' } },
      order: 'descending',
      returns: ['Product'],
      pageSize: 2,
    },
    productsOfPair: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'PAIR#<pair>' },
      returns: ['Product'],
      select: ['productId', 'pair'],
    },
    addProduct: { op: 'put', entity: 'Product' },
    saveProduct: { op: 'put', entity: 'Product', replace: true },
    rename: { op: 'update', entity: 'Product', where: product, set: { name: '<name>' }, returns: 'new' },
    tag: { op: 'update', entity: 'Product', where: product, add: { tags: ['<tag>'] } },
    tagAll: { op: 'update', entity: 'Product', where: product, add: { tags: '<more>' }, returns: 'old' },
    stock: { op: 'update', entity: 'Product', where: product, add: { sizes: ['<size>'] } },
    resize: {
      op: 'update',
      entity: 'Product',
      where: product,
      subtract: { sizes: ['<size>'], tags: ['<tag>'] },
      returns: 'new',
    },
    resell: {
      op: 'transaction',
      steps: {
        product: {
          op: 'update',
          entity: 'Product',
          where: product,
          set: { seller: '<seller>' },
          add: { sizes: ['<size>'] },
          condition: { maker: '<maker>' },
        },
        account: {
          op: 'update',
          entity: 'Account',
          where: { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' },
          add: { balance: 1 },
        },
      },
    },
    dropProduct: { op: 'delete', entity: 'Product', where: product },
  },
});

/** A system that uses every DynamoDB feature that Azure Tables lacks. */
export const bazaar = defineSystem({ name: 'bazaar', cloud: 'aws', tables: { shop } });
