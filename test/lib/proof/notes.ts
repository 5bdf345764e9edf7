import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { SystemStack } from '../../../constructs/aws';
import { defineSystem, type SystemDesign } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import type { Client } from '../../../lib/dynamodb/client';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { through } from '../../../lib/dynamodb/engine/stored';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import type { Item } from '../../../lib/items/item';
import { defineCases, type SystemCases } from '../../../lib/proof/cases';
import { type Proof, type ProofInput, prove } from '../../../lib/proof/prove';
import { changed } from '../../support/changed';

/** A small table whose patterns are reads of several kinds and one put. */
const notesTable = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { ByTag: { partition: 'GSI1PK', sort: 'GSI1SK', projection: ['kind', 'text'] } },
  typeAttribute: 'kind',
  entities: {
    Note: {
      attributes: z.object({ user: z.string(), id: z.string(), tag: z.string().optional(), text: z.string() }),
      keys: { PK: 'USER#<user>', SK: 'NOTE#<id>', GSI1PK: 'TAG#<user>#<tag>', GSI1SK: 'NOTE#<id>' },
    },
    Profile: {
      attributes: z.object({ user: z.string(), count: z.int() }),
      keys: { PK: 'USER#<user>', SK: 'PROFILE' },
    },
  },
  patterns: {
    getProfile: { op: 'get', where: { PK: 'USER#<user>', SK: 'PROFILE' }, returns: ['Profile'] },
    notesOfUser: { op: 'query', where: { PK: 'USER#<user>', SK: { beginsWith: 'NOTE#' } }, returns: ['Note'] },
    pagesOfUser: {
      op: 'query',
      where: { PK: 'USER#<user>', SK: { beginsWith: 'NOTE#' } },
      returns: ['Note'],
      order: 'descending',
      pageSize: 2,
    },
    addNote: { op: 'put', entity: 'Note' },
    notesByTag: {
      op: 'query',
      index: 'ByTag',
      where: { GSI1PK: 'TAG#<user>#<tag>' },
      returns: ['Note'],
      select: ['user', 'id', 'text'],
    },
    twoNotes: {
      op: 'batchGet',
      keys: {
        one: { PK: 'USER#<user>', SK: 'NOTE#<one>' },
        other: { PK: 'USER#<user>', SK: 'NOTE#<other>' },
      },
      returns: ['Note'],
    },
  },
});

export const notes = defineSystem({
  name: 'notes',
  cloud: 'aws',
  tables: { notes: notesTable },
  procedures: { addTwo: { uses: ['addNote'] } },
});

const note = (id: string, tag?: string, text = `the note ${id}`) =>
  ['Note', { user: 'ana', id, text, ...(tag === undefined ? {} : { tag }) }] as const;

export const notesCases = defineCases(notes, {
  tables: {
    notes: {
      items: {
        a: note('a', 'red'),
        b: note('b'),
        c: note('c', 'red'),
        profile: ['Profile', { user: 'ana', count: 3 }],
        ofBob: ['Note', { user: 'bob', id: 'a', tag: 'red', text: 'not hers' }],
      },
      documented: {
        example: {
          entity: 'Profile',
          item: { PK: 'USER#eva', SK: 'PROFILE', kind: 'Profile', user: 'eva', count: 0 },
        },
      },
      written: { d: note('d', 'red'), e: note('e') },
      stored: { a: { PK: 'USER#ana', SK: 'NOTE#a', GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#a' } },
      patterns: {
        getProfile: { values: { user: 'ana' }, returns: ['profile'] },
        notesOfUser: { values: { user: 'ana' }, returns: ['a', 'b', 'c'] },
        pagesOfUser: { values: { user: 'ana' }, returns: ['c', 'b', 'a'] },
        addNote: {
          values: note('d', 'red')[1],
          shows: [{ pattern: 'notesOfUser', values: { user: 'ana' }, returns: ['a', 'b', 'c', 'd'] }],
          refuses: [
            {
              why: 'a second note with the same id',
              values: note('d', 'red', 'another text')[1],
              error: 'ConditionalCheckFailedException',
            },
          ],
        },
        notesByTag: { values: { user: 'ana', tag: 'red' }, returns: ['a', 'c'], select: ['user', 'id', 'text'] },
        twoNotes: { values: { user: 'ana', one: 'c', other: 'a' }, returns: ['a', 'c'] },
      },
    },
  },
  procedures: {
    addTwo: {
      run: async (client: Client<typeof notesTable>, values: { user: string }) => {
        await client.addNote({ ...note('d', 'red')[1], ...values });
        await client.addNote({ ...note('e')[1], ...values });
      },
      values: { user: 'ana' },
      shows: [{ pattern: 'notesOfUser', values: { user: 'ana' }, returns: ['a', 'b', 'c', 'd', 'e'] }],
      refuses: [{ why: 'the same item again', values: { user: 'ana' }, error: 'ConditionalCheckFailedException' }],
    },
  },
});

export const TABLE = 'notes-dev-notes';

export function templateOf(system: SystemDesign, environment: 'dev' | 'prod' = 'dev'): TemplateJson {
  const stack = new SystemStack(new App(), 'Stack', { design: system, environment });
  return Template.fromStack(stack).toJSON() as TemplateJson;
}

const template = templateOf(notes);

/** Returns the system with one part changed, such as a pattern or an entity. The path starts at the table. */
export function notesWith(path: string, to: unknown): SystemDesign {
  return changed(notes as SystemDesign, ['tables', 'notes', ...path.split('.')], to);
}

/** Returns the cases with one change. The path starts at the table, or at `procedures`. */
export function casesWith(path: string, to: unknown): SystemCases {
  const steps = path.split('.');
  return changed<SystemCases>(notesCases, steps[0] === 'procedures' ? steps : ['tables', 'notes', ...steps], to);
}

export async function proofs(engine: Database, input: Partial<ProofInput> = {}): Promise<readonly Proof[]> {
  const found: Proof[] = [];
  for await (const proof of prove(engine, {
    system: notes,
    cases: notesCases,
    template,
    environment: 'dev',
    ...input,
  })) {
    found.push(proof);
  }
  return found;
}

/** Returns a database that changes every item before storing it, whether in a put, a batch or a transaction. */
export function changing(engine: Database, change: (item: Item) => Item): Database {
  const changed = (put: Item) => ({ ...put, Item: change(put.Item as Item) });
  return through(engine, (command, input) => {
    if (command === 'Put') return engine.send(command, changed(input));
    const steps = (input as { TransactItems?: readonly { readonly Put?: Item }[] }).TransactItems;
    const TransactItems = steps?.map((step) => (step.Put === undefined ? step : { Put: changed(step.Put) }));
    const batch = Object.entries(
      (command === 'BatchWrite' ? input.RequestItems : {}) as Record<string, { readonly PutRequest?: Item }[]>,
    );
    const RequestItems = batch.map(([table, requests]) => [
      table,
      requests.map((one) => (one.PutRequest === undefined ? one : { PutRequest: changed(one.PutRequest) })),
    ]);
    return engine.send(command, {
      ...input,
      ...(steps === undefined ? {} : { TransactItems }),
      ...(command === 'BatchWrite' ? { RequestItems: Object.fromEntries(RequestItems) } : {}),
    });
  });
}
