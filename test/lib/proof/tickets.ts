import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { defineCases } from '../../../lib/proof/cases';

/** A table of project tickets that uses rare features of a design. */
export const ticketsTable = defineTable({
  name: 'tickets',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    byMail: { partition: 'GSI1PK', sort: 'GSI1SK' },
    byActor: { partition: 'GSI2PK', sort: 'at', projection: ['kind'] },
    byVotes: { local: true, partition: 'PK', sort: 'votes', projection: ['kind', 'state'] },
  },
  typeAttribute: 'kind',
  entities: {
    Ticket: {
      attributes: z.object({
        project: z.string(),
        id: z.string(),
        state: z.enum(['new', 'open', 'closed']),
        votes: z.int().min(0),
        tags: z.array(z.string()).max(3),
        steps: z
          .array(z.object({ text: z.string(), done: z.boolean() }))
          .min(1)
          .optional(),
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
    // Many callers write to this partition at once, so the key is sharded.
    Event: {
      attributes: z.object({
        id: z.string(),
        day: z.iso.date(),
        at: z.iso.datetime({ precision: 3 }),
        actor: z.string(),
      }),
      keys: { PK: 'DAY#<day>#<shard(id, 4)>', SK: 'EVENT#<at>#<id>', GSI2PK: 'ACTOR#<actor>#<shard(id, 4)>' },
    },
  },
  patterns: {
    addEvent: { op: 'put', entity: 'Event' },
    event: {
      op: 'get',
      where: { PK: 'DAY#<day>#<shard(id, 4)>', SK: 'EVENT#<at>#<id>' },
      returns: ['Event'],
    },
    eventsOfDay: {
      op: 'query',
      where: { PK: 'DAY#<day>#<shard(4)>', SK: { beginsWith: 'EVENT#' } },
      returns: ['Event'],
      pageSize: 2,
    },
    eventsOfActor: {
      op: 'query',
      index: 'byActor',
      where: { GSI2PK: 'ACTOR#<actor>#<shard(4)>', at: { atMost: '<until>' } },
      returns: ['Event'],
      select: ['at', 'id'],
      order: 'descending',
    },
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
    mostVoted: {
      op: 'query',
      index: 'byVotes',
      where: { PK: 'PROJECT#<project>', votes: { atLeast: '<least>' } },
      returns: ['Ticket'],
      select: ['project', 'id', 'votes'],
      order: 'descending',
      pageSize: 2,
      consistent: true,
    },
    leastVoted: { op: 'query', index: 'byVotes', where: { PK: 'PROJECT#<project>' }, returns: ['Ticket'] },
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
    begun: {
      op: 'query',
      where: { PK: 'PROJECT#<project>', SK: { beginsWith: 'TICKET#' } },
      filter: { 'steps[0].done': true },
      returns: ['Ticket'],
    },
    finishStep: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      set: { 'steps[<step>].done': true },
      condition: { 'steps[<step>].done': false },
    },
    replaceFirstStep: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      set: { 'steps[0]': '<first>' },
    },
    dropStep: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      remove: ['steps[<step>]'],
    },
    vote: {
      op: 'update',
      entity: 'Ticket',
      where: { PK: 'PROJECT#<project>', SK: 'TICKET#<id>' },
      add: { votes: 1 },
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
  acknowledge: { unprojected: { 'patterns.leastVoted.returns': 'it is asked once a month' } },
});

export const tickets = defineSystem({ name: 'tickets', cloud: 'aws', tables: { tickets: ticketsTable } });

const ticket = (id: string, values: object) =>
  ['Ticket', { project: 'web', id, state: 'open', votes: 0, tags: [], ...values }] as const;

const MENDED = { text: 'mend', done: true };
const TO_TEST = { text: 'test', done: false };

const change = (number: number, mail: string, at: string, ticket = '01') =>
  ['Change', { ticket, number, mail, at: `2026-05-${at}:30:00.000Z` }] as const;

const event = (id: string, at: string, actor = 'ana', day = '2026-05-06') =>
  ['Event', { id, day, at: `${day}T${at}:00.000Z`, actor }] as const;

/** These events cover all four shards. */
const events = [
  event('e1', '01:00'),
  event('e2', '02:00', 'bob'),
  event('e3', '03:00'),
  event('e4', '04:00'),
  event('e5', '05:00'),
  event('e6', '06:00', 'bob'),
  event('e7', '07:00'),
  event('later', '01:00', 'ana', '2026-05-07'),
];

const REFUSED = 'ConditionalCheckFailedException';

export const ticketsCases = defineCases(tickets, {
  tables: {
    tickets: {
      items: {
        loved: ticket('01', { votes: 7 }),
        lovedAndClosed: ticket('02', { votes: 7, state: 'closed', steps: [MENDED] }),
        leak: ticket('03', { tags: ['security', 'login'], state: 'new', votes: 1 }),
        leakOfMany: ticket('04', { tags: ['security', 'login', 'api'], votes: 9 }),
        small: ticket('05', { votes: 2, steps: [MENDED, TO_TEST] }),
        asked: ticket('06', { votes: 9, tags: ['a', 'b', 'c'] }),
        first: change(1, 'Ana@x.org', '06T07'),
        ninth: change(9, 'ana@X.org', '06T08'),
        tenth: change(10, 'bob@x.org', '06T07'),
        hundredth: change(100, 'ana@x.org', '07T07'),
        twin: change(1, 'ANA@X.ORG', '06T07', '02'),
        ...Object.fromEntries(events.map((one) => [one[1].id, one])),
        elsewhere: ['Ticket', { project: 'app', id: '01', state: 'open', votes: 9, tags: [] }],
      },
      written: {
        e0: event('e0', '03:30'),
        votedSmall: ticket('05', { votes: 3, steps: [MENDED, TO_TEST] }),
        testedSmall: ticket('05', { votes: 2, steps: [MENDED, { ...TO_TEST, done: true }] }),
        reopenedSmall: ticket('05', { votes: 2, steps: [{ ...MENDED, done: false }, TO_TEST] }),
        shortSmall: ticket('05', { votes: 2, steps: [MENDED] }),
        added: change(7, 'ANA@x.org', '06T07'),
        taggedLeak: ticket('03', { tags: ['security', 'login', 'web'], state: 'new', votes: 1 }),
        closedLeak: ticket('03', { tags: ['security', 'login'], state: 'closed', votes: 1 }),
      },
      stored: {
        loved: { PK: 'PROJECT#web', SK: 'TICKET#01' },
        e1: { PK: 'DAY#2026-05-06#1', SK: 'EVENT#2026-05-06T01:00:00.000Z#e1', GSI2PK: 'ACTOR#ana#1' },
        first: {
          ...{ PK: 'TICKET#01', SK: 'CHANGE#999998' },
          ...{ GSI1PK: 'MAIL#ana@x.org#2026-05-06T07', GSI1SK: '2026-05-06T07:30:00.000Z#01' },
        },
      },
      patterns: {
        addEvent: {
          values: event('e0', '03:30')[1],
          shows: [
            {
              pattern: 'eventsOfDay',
              values: { day: '2026-05-06' },
              returns: ['e1', 'e2', 'e3', 'e0', 'e4', 'e5', 'e6', 'e7'],
            },
          ],
          refuses: [{ why: 'the same item again', values: event('e0', '03:30', 'bob')[1], error: REFUSED }],
        },
        event: { values: { day: '2026-05-06', id: 'e3', at: '2026-05-06T03:00:00.000Z' }, returns: ['e3'] },
        eventsOfDay: { values: { day: '2026-05-06' }, returns: ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7'] },
        eventsOfActor: {
          values: { actor: 'ana', until: '2026-05-06T05:00:00.000Z' },
          returns: ['e5', 'e4', 'e3', 'e1'],
          select: ['at', 'id'],
        },
        ticket: { values: { project: 'web', id: '03' }, returns: ['leak'] },
        urgent: { values: { project: 'web', many: 3 }, returns: ['loved', 'leak'] },
        ticketsBeginning: {
          values: { project: 'web' },
          returns: ['loved', 'lovedAndClosed', 'leak', 'leakOfMany', 'small', 'asked'],
        },
        mostVoted: {
          values: { project: 'web', least: 2 },
          returns: ['asked', 'leakOfMany', 'lovedAndClosed', 'loved', 'small'],
          select: ['project', 'id', 'votes'],
        },
        leastVoted: {
          values: { project: 'web' },
          returns: ['leak', 'small', 'loved', 'lovedAndClosed', 'leakOfMany', 'asked'],
        },
        begun: { values: { project: 'web' }, returns: ['lovedAndClosed', 'small'] },
        finishStep: {
          values: { project: 'web', id: '05', step: 1 },
          shows: [{ pattern: 'ticket', values: { project: 'web', id: '05' }, returns: ['testedSmall'] }],
          refuses: [
            { why: 'a step that is already done', values: { project: 'web', id: '05', step: 0 }, error: REFUSED },
            { why: 'a step past the last', values: { project: 'web', id: '05', step: 2 }, error: REFUSED },
          ],
        },
        replaceFirstStep: {
          values: { project: 'web', id: '05', first: { text: 'mend', done: false } },
          shows: [{ pattern: 'ticket', values: { project: 'web', id: '05' }, returns: ['reopenedSmall'] }],
          refuses: [
            {
              why: 'a step of a ticket without steps',
              values: { project: 'web', id: '03', first: MENDED },
              error: REFUSED,
            },
            {
              why: 'a step of a ticket that does not exist',
              values: { project: 'web', id: '99', first: MENDED },
              error: REFUSED,
            },
          ],
        },
        dropStep: {
          values: { project: 'web', id: '05', step: 1 },
          shows: [{ pattern: 'ticket', values: { project: 'web', id: '05' }, returns: ['shortSmall'] }],
          refuses: [
            { why: 'the last remaining step', values: { project: 'web', id: '05', step: 0 }, error: REFUSED },
            { why: 'a step past the last', values: { project: 'web', id: '05', step: 7 }, error: REFUSED },
          ],
        },
        vote: {
          values: { project: 'web', id: '05' },
          shows: [
            {
              pattern: 'leastVoted',
              values: { project: 'web' },
              returns: ['leak', 'votedSmall', 'loved', 'lovedAndClosed', 'leakOfMany', 'asked'],
            },
          ],
          refuses: [{ why: 'a ticket that does not exist', values: { project: 'web', id: '99' }, error: REFUSED }],
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
            { why: 'a closed ticket', values: { project: 'web', id: '03' }, error: REFUSED },
            { why: 'a ticket with too many votes', values: { project: 'web', id: '06' }, error: REFUSED },
            { why: 'a ticket without tags', values: { project: 'web', id: '05' }, error: REFUSED },
          ],
        },
      },
    },
  },
});
