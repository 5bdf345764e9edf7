import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { defineCases } from '../../../lib/proof/cases';

/**
 * A help desk whose patterns use everything that the tickets system does not use, such as transactions, batches and
 * scans.
 */
export const deskTable = defineTable({
  name: 'desk',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { open: { partition: 'GSI1PK', sort: 'GSI1SK', projection: 'keys' } },
  ttl: 'expiresAt',
  typeAttribute: 'kind',
  entities: {
    Agent: {
      attributes: z.object({
        desk: z.string(),
        id: z.string(),
        load: z.int().min(0),
        notes: z.array(z.string()).max(5),
        greeting: z.string().optional(),
        skills: z.set(z.string()).min(1).max(9).optional(),
      }),
      keys: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' },
    },
    Call: {
      attributes: z.object({
        desk: z.string(),
        id: z.string(),
        state: z.enum(['waiting', 'held', 'done']),
        at: z.iso.datetime({ precision: 3 }),
        agent: z.string().optional(),
        expiresAt: z.int().optional(),
      }),
      keys: { PK: 'DESK#<desk>', SK: 'CALL#<id>', GSI1PK: 'OPEN#<desk>', GSI1SK: 'CALL#<id>' },
      indexes: { open: { while: { state: ['waiting', 'held'] } } },
    },
    Tally: {
      attributes: z.object({ desk: z.string(), calls: z.int().min(0) }),
      keys: { PK: 'TALLY#<desk>', SK: 'TALLY' },
      keyOnly: ['desk'],
    },
  },
  patterns: {
    agent: { op: 'get', where: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' }, returns: ['Agent'] },
    call: { op: 'get', where: { PK: 'DESK#<desk>', SK: 'CALL#<id>' }, returns: ['Call'] },
    tally: { op: 'get', where: { PK: 'TALLY#<desk>', SK: 'TALLY' }, returns: ['Tally'] },
    openCalls: {
      op: 'query',
      index: 'open',
      where: { GSI1PK: 'OPEN#<desk>' },
      select: ['desk', 'id'],
      returns: ['Call'],
    },
    agentAndCall: {
      op: 'batchGet',
      keys: {
        agent: { PK: 'DESK#<desk>', SK: 'AGENT#<agentId>' },
        call: { PK: 'DESK#<desk>', SK: 'CALL#<id>' },
      },
      returns: ['Agent', 'Call'],
    },
    agents: {
      op: 'batchGet',
      each: 'agentId',
      keys: { one: { PK: 'DESK#<desk>', SK: 'AGENT#<agentId>' } },
      returns: ['Agent'],
    },
    doneCalls: { op: 'scan', filter: { state: 'done' }, returns: ['Call'] },
    hire: { op: 'put', entity: 'Agent', item: { desk: '<desk>', id: '<id>', load: 0, notes: '<notes>' } },
    saveAgent: { op: 'put', entity: 'Agent', replace: true },
    count: {
      op: 'update',
      entity: 'Tally',
      where: { PK: 'TALLY#<desk>', SK: 'TALLY' },
      add: { calls: 1 },
      upsert: true,
    },
    remark: {
      op: 'update',
      entity: 'Agent',
      where: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' },
      set: { notes: { prepend: '<more>' }, greeting: { ifMissing: 'hello' } },
    },
    learn: {
      op: 'update',
      entity: 'Agent',
      where: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' },
      add: { skills: ['<skill>', 'patience'] },
    },
    unlearn: {
      op: 'update',
      entity: 'Agent',
      where: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' },
      subtract: { skills: ['<skill>'] },
    },
    hold: {
      op: 'transaction',
      steps: {
        call: {
          op: 'update',
          entity: 'Call',
          where: { PK: 'DESK#<desk>', SK: 'CALL#<id>' },
          set: { state: 'held', agent: '<agentId>' },
          condition: { state: 'waiting' },
        },
        agent: {
          op: 'update',
          entity: 'Agent',
          where: { PK: 'DESK#<desk>', SK: 'AGENT#<agentId>' },
          add: { load: 1 },
        },
      },
    },
    release: {
      op: 'transaction',
      steps: {
        call: {
          op: 'update',
          entity: 'Call',
          where: { PK: 'DESK#<desk>', SK: 'CALL#<id>' },
          set: { state: 'waiting' },
          remove: ['agent'],
          condition: { agent: '<agentId>' },
        },
        agent: {
          op: 'update',
          entity: 'Agent',
          where: { PK: 'DESK#<desk>', SK: 'AGENT#<agentId>' },
          subtract: { load: 1 },
          condition: { load: { atLeast: 1 } },
        },
      },
    },
    dismiss: {
      op: 'transaction',
      steps: {
        agent: { op: 'delete', entity: 'Agent', where: { PK: 'DESK#<desk>', SK: 'AGENT#<id>' } },
        successor: {
          op: 'require',
          entity: 'Agent',
          where: { PK: 'DESK#<desk>', SK: 'AGENT#<successor>' },
          condition: { load: 0 },
        },
      },
    },
    assignAll: {
      op: 'transaction',
      steps: {
        calls: {
          op: 'update',
          entity: 'Call',
          each: 'calls',
          where: { PK: 'DESK#<desk>', SK: 'CALL#<calls.id>' },
          set: { agent: '<agentId>' },
          condition: { state: 'waiting' },
        },
      },
    },
    expire: {
      op: 'update',
      entity: 'Call',
      where: { PK: 'DESK#<desk>', SK: 'CALL#<id>' },
      set: { expiresAt: '<expiresAt>' },
    },
    forget: {
      op: 'delete',
      entity: 'Call',
      where: { PK: 'DESK#<desk>', SK: 'CALL#<id>' },
      condition: { state: 'done' },
    },
    exchange: {
      op: 'batchWrite',
      steps: {
        calls: { op: 'put', entity: 'Call', replace: true, each: 'calls' },
        old: { op: 'delete', entity: 'Call', where: { PK: 'DESK#<desk>', SK: 'CALL#<old>' }, each: 'old' },
      },
    },
  },
  acknowledge: { 'whole-scan': { 'patterns.doneCalls.op': 'it runs once a month' } },
});

export const desk = defineSystem({ name: 'desk', cloud: 'aws', tables: { desk: deskTable } });

const agent = (id: string, values: object = {}) => ['Agent', { desk: 'd', id, load: 0, notes: [], ...values }] as const;

const call = (id: string, values: object = {}) =>
  ['Call', { desk: 'd', id, state: 'waiting', at: `2026-05-06T07:0${id}:00.000Z`, ...values }] as const;

const REFUSED = 'ConditionalCheckFailedException';
const CANCELED = 'TransactionCanceledException';

export const deskCases = defineCases(desk, {
  tables: {
    desk: {
      items: {
        ana: agent('ana', { load: 1, notes: ['kind'], greeting: 'hi' }),
        bob: agent('bob', { notes: ['old'] }),
        skilled: agent('kim', { skills: new Set(['billing', 'taxes']) }),
        busy: agent('ivo', { load: 2 }),
        first: call('1'),
        second: call('2', { state: 'held', agent: 'ana' }),
        third: call('3', { state: 'done' }),
        elsewhere: ['Agent', { desk: 'e', id: 'ana', load: 4, notes: [] }],
        waitingElsewhere: ['Call', { desk: 'e', id: '1', state: 'waiting', at: '2026-05-06T07:00:00.000Z' }],
        tallied: ['Tally', { desk: 'd', calls: 3 }],
      },
      written: {
        hired: agent('eva', { notes: ['new'] }),
        renewed: agent('ana', { load: 2 }),
        one: ['Tally', { desk: 'e', calls: 1 }],
        greeter: agent('bob', { notes: ['late', 'calm', 'old'], greeting: 'hello' }),
        learned: agent('kim', { skills: new Set(['billing', 'taxes', 'law', 'patience']) }),
        forgot: agent('kim', { skills: new Set(['taxes']) }),
        busyBob: agent('bob', { load: 1, notes: ['old'] }),
        heldFirst: call('1', { state: 'held', agent: 'bob' }),
        freeAna: agent('ana', { notes: ['kind'], greeting: 'hi' }),
        freeSecond: call('2'),
        bobsFirst: call('1', { agent: 'bob' }),
        expiring: call('3', { state: 'done', expiresAt: 4_000_000_000 }),
        fourth: call('4'),
        doneFirst: call('1', { state: 'done' }),
      },
      stored: {
        ana: { PK: 'DESK#d', SK: 'AGENT#ana' },
        first: { PK: 'DESK#d', SK: 'CALL#1', GSI1PK: 'OPEN#d', GSI1SK: 'CALL#1' },
        third: { PK: 'DESK#d', SK: 'CALL#3' },
        tallied: { PK: 'TALLY#d', SK: 'TALLY' },
      },
      patterns: {
        agent: { values: { desk: 'd', id: 'ana' }, returns: ['ana'] },
        call: { values: { desk: 'd', id: '2' }, returns: ['second'] },
        tally: { values: { desk: 'd' }, returns: ['tallied'] },
        openCalls: { values: { desk: 'd' }, returns: ['first', 'second'], select: ['desk', 'id'] },
        agentAndCall: { values: { desk: 'd', agentId: 'ana', id: '3' }, returns: ['ana', 'third'] },
        agents: { values: { desk: 'd', agentId: ['ana', 'bob', 'none'] }, returns: ['ana', 'bob'] },
        doneCalls: { values: {}, returns: ['third'] },
        hire: {
          values: { desk: 'd', id: 'eva', notes: ['new'] },
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'eva' }, returns: ['hired'] }],
          refuses: [{ why: 'the same item again', values: { desk: 'd', id: 'eva', notes: [] }, error: REFUSED }],
        },
        saveAgent: {
          values: agent('ana', { load: 2 })[1],
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'ana' }, returns: ['renewed'] }],
        },
        count: {
          values: { desk: 'e' },
          shows: [{ pattern: 'tally', values: { desk: 'e' }, returns: ['one'] }],
        },
        remark: {
          values: { desk: 'd', id: 'bob', more: ['late', 'calm'] },
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'bob' }, returns: ['greeter'] }],
          refuses: [{ why: 'nobody', values: { desk: 'd', id: 'zoe', more: [] }, error: REFUSED }],
        },
        learn: {
          values: { desk: 'd', id: 'kim', skill: 'law' },
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'kim' }, returns: ['learned'] }],
          refuses: [{ why: 'nobody', values: { desk: 'd', id: 'zoe', skill: 'law' }, error: REFUSED }],
        },
        unlearn: {
          values: { desk: 'd', id: 'kim', skill: 'billing' },
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'kim' }, returns: ['forgot'] }],
          refuses: [{ why: 'nobody', values: { desk: 'd', id: 'zoe', skill: 'law' }, error: REFUSED }],
        },
        hold: {
          values: { desk: 'd', id: '1', agentId: 'bob' },
          shows: [
            { pattern: 'call', values: { desk: 'd', id: '1' }, returns: ['heldFirst'] },
            { pattern: 'agent', values: { desk: 'd', id: 'bob' }, returns: ['busyBob'] },
          ],
          refuses: [
            {
              why: 'a call that an agent already holds',
              values: { desk: 'd', id: '1', agentId: 'bob' },
              error: CANCELED,
            },
            { why: 'an agent that does not exist', values: { desk: 'e', id: '1', agentId: 'bob' }, error: CANCELED },
            { why: 'a call that does not exist', values: { desk: 'd', id: '9', agentId: 'bob' }, error: CANCELED },
          ],
        },
        release: {
          values: { desk: 'd', id: '2', agentId: 'ana' },
          shows: [
            { pattern: 'call', values: { desk: 'd', id: '2' }, returns: ['freeSecond'] },
            { pattern: 'agent', values: { desk: 'd', id: 'ana' }, returns: ['freeAna'] },
          ],
          refuses: [
            { why: 'a call that nobody holds', values: { desk: 'd', id: '1', agentId: 'ivo' }, error: CANCELED },
            {
              why: 'an agent who holds no calls',
              values: { desk: 'd', id: '2', agentId: 'ana' },
              error: CANCELED,
            },
          ],
        },
        dismiss: {
          values: { desk: 'd', id: 'ana', successor: 'bob' },
          shows: [{ pattern: 'agent', values: { desk: 'd', id: 'ana' }, returns: [] }],
          refuses: [
            { why: 'a successor with calls', values: { desk: 'e', id: 'bob', successor: 'ana' }, error: CANCELED },
          ],
        },
        assignAll: {
          values: { desk: 'd', agentId: 'bob', calls: [{ id: '1' }] },
          shows: [{ pattern: 'call', values: { desk: 'd', id: '1' }, returns: ['bobsFirst'] }],
          refuses: [
            {
              why: 'a call that an agent already holds',
              values: { desk: 'd', agentId: 'bob', calls: [{ id: '2' }] },
              error: CANCELED,
            },
          ],
        },
        expire: {
          values: { desk: 'd', id: '3', expiresAt: 4_000_000_000 },
          shows: [{ pattern: 'call', values: { desk: 'd', id: '3' }, returns: ['expiring'] }],
          refuses: [{ why: 'none', values: { desk: 'd', id: '9', expiresAt: 4_000_000_000 }, error: REFUSED }],
        },
        forget: {
          values: { desk: 'd', id: '3' },
          shows: [{ pattern: 'call', values: { desk: 'd', id: '3' }, returns: [] }],
          refuses: [{ why: 'a waiting call', values: { desk: 'd', id: '1' }, error: REFUSED }],
        },
        exchange: {
          values: { desk: 'd', calls: [call('4')[1], call('1', { state: 'done' })[1]], old: ['2'] },
          shows: [
            { pattern: 'call', values: { desk: 'd', id: '4' }, returns: ['fourth'] },
            { pattern: 'call', values: { desk: 'd', id: '1' }, returns: ['doneFirst'] },
            { pattern: 'call', values: { desk: 'd', id: '2' }, returns: [] },
          ],
        },
      },
    },
  },
});
