import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { defineCases } from '../../../lib/proof/cases';

/** Tickets of a project: what designs say less often than once in a table. */
export const ticketsTable = defineTable({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byMail: { partition: 'GSI1PK', sort: 'GSI1SK' } },
  typeAttribute: 'kind',
  entities: {
    Ticket: {
      attributes: z.object({
        project: z.string(),
        id: z.string(),
        state: z.enum(['new', 'open', 'closed']),
        votes: z.int().min(0),
        tags: z.array(z.string()).max(3),
      }),
      keys: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
    },
    Change: {
      attributes: z.object({
        ticket: z.string(),
        number: z.int().min(0).max(999_999),
        mail: z.string(),
        at: z.iso.datetime({ precision: 3 }),
      }),
      keys: {
        PK: 'TICKET#<ticket>',
        SK: 'CHANGE#<number:down:6>',
        GSI1PK: 'MAIL#<mail:lower>#<at:date>T<at:hour>',
        GSI1SK: '<at>#<ticket>',
      },
    },
  },
  patterns: {
    ticket: { op: 'get', where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' }, returns: ['Ticket'] },
    urgent: {
      op: 'query',
      where: { PK: 'PROJECT#<project>', SK: { beginsWith: 'TICKET#' } },
      filter: {
        any: [{ votes: { atLeast: '<many>' }, none: [{ state: 'closed' }] }, { tags: { contains: 'security' } }],
        tags: { size: { atMost: 2 } },
      },
      returns: ['Ticket'],
    },
    ticketsBeginning: {
      op: 'query',
      where: { PK: 'PROJECT#<project>', SK: { beginsWith: 'TICKET#<start?>' } },
      returns: ['Ticket'],
    },
    changes: {
      op: 'query',
      where: { PK: 'TICKET#<ticket>', SK: { beginsWith: 'CHANGE#' } },
      returns: ['Change'],
      orderBy: 'number',
      pageSize: 2,
    },
    change: { op: 'get', where: { PK: 'TICKET#<ticket>', SK: 'CHANGE#<number>' }, returns: ['Change'] },
    changesUpTo: {
      op: 'query',
      where: { PK: 'TICKET#<ticket>', SK: { between: ['CHANGE#<latest:down:6>', 'CHANGE#<first:down:6>'] } },
      returns: ['Change'],
    },
    changesOfHour: {
      op: 'query',
      index: 'byMail',
      where: { GSI1PK: 'MAIL#<mail>#<at:date>T<at:hour>' },
      returns: ['Change'],
    },
    addChange: { op: 'put', entity: 'Change' },
    tag: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      set: { tags: { append: '<more>' } },
    },
    close: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      set: { state: 'closed' },
      condition: {
        none: [{ state: 'closed' }, { votes: { atLeast: 9 } }],
        tags: { size: { greaterThan: 1 } },
      },
    },
  },
});

export const tickets = defineSystem({ name: 'tickets', cloud: 'aws', tables: { tickets: ticketsTable } });

const ticket = (id: string, values: object) =>
  ['Ticket', { project: 'web', id, state: 'open', votes: 0, tags: [], ...values }] as const;

const change = (number: number, mail: string, at: string, ticket = '01') =>
  ['Change', { ticket, number, mail, at: `2026-05-${at}:30:00.000Z` }] as const;

const REFUSED = 'ConditionalCheckFailedException';

export const ticketsCases = defineCases(tickets, {
  tables: {
    tickets: {
      items: {
        loved: ticket('01', { votes: 7 }),
        lovedAndClosed: ticket('02', { votes: 7, state: 'closed' }),
        leak: ticket('03', { tags: ['security', 'login'], state: 'new', votes: 1 }),
        leakOfMany: ticket('04', { tags: ['security', 'login', 'api'], votes: 9 }),
        small: ticket('05', { votes: 2 }),
        asked: ticket('06', { votes: 9, tags: ['a', 'b', 'c'] }),
        first: change(1, 'Ana@x.org', '06T07'),
        ninth: change(9, 'ana@X.org', '06T08'),
        tenth: change(10, 'bob@x.org', '06T07'),
        hundredth: change(100, 'ana@x.org', '07T07'),
        twin: change(1, 'ANA@X.ORG', '06T07', '02'),
        elsewhere: ['Ticket', { project: 'app', id: '01', state: 'open', votes: 9, tags: [] }],
      },
      written: {
        added: change(7, 'ANA@x.org', '06T07'),
        taggedLeak: ticket('03', { tags: ['security', 'login', 'web'], state: 'new', votes: 1 }),
        closedLeak: ticket('03', { tags: ['security', 'login'], state: 'closed', votes: 1 }),
      },
      stored: {
        loved: { PK: 'PROJECT#web', SK: 'TICKET#01' },
        first: {
          ...{ PK: 'TICKET#01', SK: 'CHANGE#999998' },
          ...{ GSI1PK: 'MAIL#ana@x.org#2026-05-06T07', GSI1SK: '2026-05-06T07:30:00.000Z#01' },
        },
      },
      patterns: {
        ticket: { values: { project: 'web', id: '03' }, returns: ['leak'] },
        urgent: { values: { project: 'web', many: 3 }, returns: ['loved', 'leak'] },
        ticketsBeginning: {
          values: { project: 'web' },
          returns: ['loved', 'lovedAndClosed', 'leak', 'leakOfMany', 'small', 'asked'],
        },
        changes: { values: { ticket: '01' }, returns: ['hundredth', 'tenth', 'ninth', 'first'] },
        change: { values: { ticket: '01', number: 10 }, returns: ['tenth'] },
        changesUpTo: { values: { ticket: '01', latest: 10, first: 2 }, returns: ['tenth', 'ninth'] },
        changesOfHour: { values: { mail: 'aNa@x.org', at: '2026-05-06T07:00:00.000Z' }, returns: ['first', 'twin'] },
        addChange: {
          values: change(7, 'ANA@x.org', '06T07')[1],
          shows: [{ pattern: 'change', values: { ticket: '01', number: 7 }, returns: ['added'] }],
          refuses: [{ why: 'the same number', values: change(7, 'x@x.org', '06T07')[1], error: REFUSED }],
        },
        tag: {
          values: { project: 'web', id: '03', more: ['web'] },
          shows: [{ pattern: 'ticket', values: { project: 'web', id: '03' }, returns: ['taggedLeak'] }],
          refuses: [{ why: 'a fourth', values: { project: 'web', id: '03', more: ['x'] }, error: REFUSED }],
        },
        close: {
          values: { project: 'web', id: '03' },
          shows: [{ pattern: 'ticket', values: { project: 'web', id: '03' }, returns: ['closedLeak'] }],
          refuses: [
            { why: 'one that is closed', values: { project: 'web', id: '03' }, error: REFUSED },
            { why: 'one that many ask for', values: { project: 'web', id: '06' }, error: REFUSED },
            { why: 'one without tags', values: { project: 'web', id: '05' }, error: REFUSED },
          ],
        },
      },
    },
  },
});
