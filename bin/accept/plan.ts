import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { PhysicalTable } from '../../lib/blueprint/physical-table';
import { defineSystem } from '../../lib/design/system';
import { defineTable } from '../../lib/design/table';
import { client } from '../../lib/dynamodb/client';
import { dynamoDbClient } from '../../lib/dynamodb/engine/connection';
import type { Database } from '../../lib/dynamodb/engine/database';
import { dynamoStates } from '../../lib/dynamodb/migration/states';
import { dynamoStore } from '../../lib/dynamodb/migration/store';
import { templateOf } from '../../lib/dynamodb/template/make';
import { lockOf, migrationFor, planFor } from '../../lib/evolve';
import { evolving } from '../../lib/evolve/clients/dynamodb';
import { runMigration } from '../../lib/evolve/migration/run/run';
import type { StateStore } from '../../lib/evolve/migration/run/store';
import { verifyMigration } from '../../lib/evolve/migration/run/verify';
import type { Trial } from './report';

/**
 * Returns a design whose keys begin with the given prefix. The plan changes the prefix, so every note gets a new key.
 */
function notesUnder(prefix: string) {
  const where = { PK: `${prefix}#<id>` };
  return defineSystem({
    name: 'notes',
    cloud: 'aws',
    tables: {
      notes: defineTable({
        name: 'notes',
        key: { partition: 'PK' },
        typeAttribute: 'kind',
        entities: { Note: { attributes: z.object({ id: z.string(), text: z.string() }), keys: where } },
        patterns: {
          getNote: { op: 'get', where, consistent: true, returns: ['Note'] },
          storeNote: { op: 'put', entity: 'Note', replace: true },
          writeNote: { op: 'update', entity: 'Note', where, set: { text: '<text>' } },
          removeNote: { op: 'delete', entity: 'Note', where },
        },
      }),
    },
  });
}

type Calls = Readonly<
  Record<
    'getNote' | 'storeNote' | 'writeNote' | 'removeNote',
    (values: object) => Promise<{ text?: string } | undefined>
  >
>;

export interface Planned {
  readonly database: Database;
  /** The prefix of all table names. */
  readonly name: string;
  readonly items: number;
  readonly isStopped: () => boolean;
}

/**
 * Carries out a plan that moves every item to a new key. Meanwhile, the releases of two of the plan's steps keep
 * writing.
 */
export async function* planTrials({ database, name, items, isStopped }: Planned): AsyncIterable<Trial> {
  const [before, after] = [notesUnder('NOTE'), notesUnder('PAGE')];
  const lock = lockOf(before, { environment: 'accept' });
  const plan = planFor(lock, after);
  const tableName = `${name}-notes`;
  const { physical } = lock.tables.notes as { readonly physical: PhysicalTable };
  await database.provision(templateOf({ notes: { ...physical, name: tableName } }));
  const at = (step: string) =>
    client(after.tables.notes, tableName, database.send, {
      evolving: evolving({ lock, plan, step, design: after }),
    }) as unknown as Calls;
  const old = client(before.tables.notes, tableName, database.send) as unknown as Calls;
  /** The expected text of each note at the end; undefined if the note is deleted. */
  const expected = new Map<string, string | undefined>();
  for (let i = 0; i < items; i++) {
    if (isStopped()) return;
    await old.storeNote({ id: `stored-${i}`, text: 'first' });
    expected.set(`stored-${i}`, 'first');
  }
  yield { part: 'plan', name: `${items} items written by the old release`, result: 'ok' };

  const migration = migrationFor(plan, lock, after);
  const store = dynamoStore({ database, migration, names: { notes: tableName } });
  const connection = await dynamoDbClient(database.endpoint, undefined, database.credentials);
  const stop = new AbortController();
  /** Each writer changes only its own notes, so the expected text of every note is known. */
  const writer = async (step: string, own: number) => {
    const calls = at(step);
    for (let i = own; i < items && !stop.signal.aborted; i += 2) {
      if (isStopped()) stop.abort();
      const [id, made] = [`stored-${i}`, `${step}-${i}`];
      if (i % 3 === 0) {
        await calls.removeNote({ id });
        expected.set(id, undefined);
      } else {
        await calls.writeNote({ id, text: step });
        expected.set(id, step);
      }
      await calls.storeNote({ id: made, text: step });
      expected.set(made, step);
      await sleep(1);
    }
  };
  try {
    const states = (await dynamoStates(connection, `${name}-migrations`, true)) as StateStore;
    const running = runMigration({
      migration,
      store,
      phase: 'fill',
      step: 'backfill',
      writing: { states, id: name },
      segments: 2,
      // The run needs many passes, because every pass finds items that the drain release has written since the previous
      // pass.
      passes: 1000,
      signal: stop.signal,
    });
    const written = await Promise.allSettled([writer('drain', 0), writer('backfill', 1)]);
    const { status, failures } = await running;
    // Unmigrated items after an interruption do not mean that the plan is wrong.
    if (isStopped()) return;
    for (const [i, outcome] of written.entries()) {
      const failure = outcome.status === 'rejected' ? String(outcome.reason) : undefined;
      yield {
        part: 'plan',
        name: `items written by the ${['drain', 'backfill'][i]} release during the migration`,
        ...verdictOn(failure),
      };
    }
    // The drain release may have written items to places that the last pass had already read, so a second run moves
    // them.
    const again =
      status === 'done'
        ? await runMigration({ migration, store, phase: 'fill', step: 'backfill', writing: { states, id: name } })
        : { status, failures };
    const why =
      again.status === 'done'
        ? undefined
        : `the last run ended with the status ${again.status}: ${failures[0]?.why ?? 'stopped'}`;
    yield { part: 'plan', name: 'moving every item', ...verdictOn(why) };
    const { complete, left } = await verifyMigration({ migration, phase: 'fill', store });
    yield { part: 'plan', name: 'verifying every item', ...verdictOn(complete ? undefined : left[0]?.why) };
  } finally {
    connection.client.destroy();
  }
  const reader = at('switch');
  const wrong: string[] = [];
  for (const [id, text] of expected) {
    const found = await reader.getNote({ id });
    if (found?.text !== text) wrong.push(`the text of note ${id} is ${found?.text}, not ${text}`);
  }
  yield {
    part: 'plan',
    name: `all ${expected.size} items have the text last written to them`,
    ...verdictOn(wrong[0]),
  };
}

function verdictOn(failure: string | undefined): Pick<Trial, 'result' | 'detail'> {
  return failure === undefined ? { result: 'ok' } : { result: 'FAILED', detail: failure };
}
