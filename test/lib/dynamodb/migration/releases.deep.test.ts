import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../lib';
import type { SystemDesign } from '../../../../lib/design/system';
import { client } from '../../../../lib/dynamodb/client';
import { type Connection, dynamoDbClient } from '../../../../lib/dynamodb/engine/connection';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { dynamoStates, STATE_TABLE } from '../../../../lib/dynamodb/migration/states';
import { unique } from '../../../../lib/dynamodb/unique';
import { type Answers, defineMigration } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/dynamodb';
import { loadState, type State } from '../../../../lib/evolve/migration/run/state';
import { sideBySide } from '../../../../lib/items/side-by-side';
import { shareCredentials } from '../../../support/credentials';
import { engineUnderTest } from '../../../support/engine-under-test';
import { createTable } from '../../../support/migration';
import { betweenDesigns, endOf, randomOf } from '../../../support/migration-project';
import { killRunners } from './killing';

// To run with more items and kills: `MIGRATION_ITEMS=5000 MIGRATION_KILLS=35 npm run test:deep -- migration/releases`.
const ITEMS = Number(process.env.MIGRATION_ITEMS ?? 1000);
const KILLS = Number(process.env.MIGRATION_KILLS ?? 6);
const SEED = Number(process.env.MIGRATION_SEED ?? 7);

const fixture = join(__dirname, '../../../fixtures/migration/notes.cjs');
const designOf = (change: string, version: 1 | 2): SystemDesign =>
  require(fixture)({ z, defineTable, defineSystem }, version, change);

type Calls = Readonly<
  Record<
    'getNote' | 'storeNote' | 'storeMemo' | 'writeNote' | 'removeNote',
    (values: object) => Promise<{ text?: string } | undefined>
  >
>;

interface ReleasedChange {
  readonly change: string;
  readonly answers?: Answers;
  /** The source code of the migration's functions. */
  readonly ups?: string;
}

const up = `at => at.replace('Z', '.000Z')`;
const down = `at => at.replace(/\\.\\d+Z$/, 'Z')`;

const changes: readonly ReleasedChange[] = [
  { change: 'moved', answers: { moved: { 'notes.Note': 'archive' } } },
  {
    change: 'merged',
    answers: { merged: { 'notes.Memo': 'Note' }, because: { 'tables.notes.patterns': 'notes replace memos' } },
  },
  { change: 'formatted', ups: `({ notes: { Note: { formatted: { at: { up: ${up}, down: ${down} } } } } })` },
  { change: 'unique' },
];

let engine: Database;
let connection: Connection;
beforeAll(async () => {
  engine = await engineUnderTest();
  shareCredentials(engine);
  connection = await dynamoDbClient(engine.endpoint);
});
/** An external server may still have the tables and migration states of an earlier run. */
const clean = async () => {
  for (const table of ['paper-prod-notes', 'paper-prod-archive', STATE_TABLE])
    await engine.drop(table).catch(() => undefined);
};
beforeEach(clean);
afterAll(async () => {
  await clean();
  connection.client.destroy();
  await engine.stop();
});

test.each(changes)(
  `$change: ${ITEMS} items survive ${KILLS} kills while two releases write to the table`,
  async ({ change, answers, ups }) => {
    const [before, after] = [designOf(change, 1), designOf(change, 2)];
    const { plan, lock, migrate, write } = betweenDesigns(before, after, fixture, answers, change);
    const migration =
      ups === undefined ? undefined : defineMigration(lock, after, require('node:vm').runInNewContext(ups), answers);
    const options: string[] = [];
    if (ups !== undefined) {
      const dist = JSON.stringify(join(__dirname, '../../../../dist/lib/evolve/index.js'));
      write(
        'migration.js',
        `const lock = require('./tablewright/paper.prod.lock.json');
exports.migration = require(${dist}).defineMigration(lock, require('./designs.js').system, ${ups}, ${JSON.stringify(answers)});`,
      );
      options.push('--migration', 'migration.js');
    }
    const backfill = plan.phases.find(({ kind }) => kind === 'backfill');
    if (backfill === undefined) throw new Error('the plan has no backfill');
    const nameOf = (table: string) => `paper-prod-${table}`;
    const tables = Object.entries(backfill.tables);
    for (const [name, table] of tables) await createTable(connection, nameOf(name), table);

    const table = Object.entries(after.tables).find(([, { entities }]) => 'Note' in entities)?.[0] as string;
    const at = (step: string) =>
      client(after.tables[table] as never, nameOf(table), engine.send, {
        evolving: evolving({ lock, plan, step, design: after, ...(migration && { migration }) }),
      }) as unknown as Calls;
    const old = client(before.tables.notes as never, nameOf('notes'), engine.send, { unique }) as unknown as Calls;
    /** The expected text of each note at the end of the run; undefined for a deleted note. */
    const expected = new Map<string, string | undefined>();
    const former = '2026-01-02T03:04:05Z';
    const moment = change === 'formatted' ? '2026-01-02T03:04:05.000Z' : former;
    const isNote = (i: number) => change !== 'merged' || i % 2 === 1;
    const numbers = Array.from({ length: ITEMS }, (_, i) => i);
    for (const i of numbers) expected.set(`stored-${i}`, 'first');
    await sideBySide(
      numbers,
      (i) => old[isNote(i) ? 'storeNote' : 'storeMemo']({ id: `stored-${i}`, at: former, text: 'first' }),
      16,
    );

    let isWriting = true;
    let writes = 0;
    /** Each writer has its own notes, so that the expected text of every note is known. */
    const writer = async (step: string, own: number) => {
      const calls = at(step);
      // A memo becomes a note when the migration moves it; until then, no release treats the memo as a note. Each write
      // converts its note to the new format. The writers write only some of the notes; otherwise, little work would
      // remain for the runners, and the migration would end before the kills.
      const written = numbers.filter((i) => isNote(i) && Math.floor(i / 2) % 10 === own);
      for (let n = 0; isWriting; n++) {
        const i = written[n % written.length] as number;
        const id = `stored-${i}`;
        const isThere = expected.get(id) !== undefined;
        if (!isThere) {
          await calls.storeNote({ id, at: moment, text: `again by ${step}` });
          expected.set(id, `again by ${step}`);
        } else if (i % 3 === 0) {
          await calls.removeNote({ id, at: moment });
          expected.set(id, undefined);
        } else {
          await calls.writeNote({ id, at: moment, text: step });
          expected.set(id, step);
        }
        writes++;
        await sleep(10);
      }
    };
    const states = await dynamoStates(connection, undefined, true);
    const id = `paper.prod.${plan.hash.slice(0, 16)}.backfill`;
    const stateNow = async () => (states && (await loadState(states, id)))?.state as State | undefined;
    const run = (...more: readonly string[]) =>
      migrate(
        'run',
        '--write',
        '--because',
        'the tests say so',
        '--wait',
        '--endpoint',
        engine.endpoint ?? '',
        ...options,
        ...more,
      );
    const begun = Date.now();
    const capacity = String(Math.ceil(ITEMS / KILLS));
    const writing = Promise.all([writer('drain', 0), writer('backfill', 1)]);
    // A failed writer fails the test immediately, even between the kills.
    const killing = killRunners({
      kills: KILLS,
      stateNow,
      random: randomOf(SEED),
      start: () => run('--lease', '1', '--passes', '50', '--capacity', capacity),
    });
    const { errors, end, advances } = await Promise.race([killing, writing.then(() => killing)]);
    isWriting = false;
    await writing;
    end();
    expect(errors).toEqual([]);
    const killed = await stateNow();
    expect(killed).toMatchObject({ status: 'running' });

    const underKills = (Date.now() - begun) / 1000;
    expect(await endOf(run())).toMatchObject({ code: 0 });
    expect(await endOf(migrate('verify', '--endpoint', engine.endpoint ?? '', ...options))).toMatchObject({ code: 0 });
    const reader = at('switch');
    const wrong = { lost: [] as string[], stale: [] as string[] };
    const compare = async ([id, text]: readonly [string, string | undefined]) => {
      const found = await reader.getNote({ id, at: moment });
      if (found?.text !== text)
        wrong[found === undefined ? 'lost' : 'stale'].push(`${id} says ${found?.text}, not ${text}`);
    };
    await sideBySide([...expected], compare, 16);
    expect(wrong).toEqual({ lost: [], stale: [] });
    const living = [...expected.values()].filter((text) => text !== undefined).length;
    expect(living).toBeLessThan(ITEMS);
    // No item is left under its old key or in the old format. If the change is `unique`, every remaining note has exactly
    // one guard.
    const stored: Record<string, number> = {};
    for (const [name] of tables)
      for await (const item of engine.scan(nameOf(name))) {
        const kind = `${name} ${String(item.kind ?? item.PK)}`;
        stored[kind] = (stored[kind] ?? 0) + 1;
      }
    expect(stored).toEqual({
      [`${table} Note`]: living,
      ...(change === 'unique' && { 'notes Note.unique.id': living }),
    });
    const seconds = { underKills, whole: (Date.now() - begun) / 1000 };
    console.log({ change, ITEMS, KILLS, SEED, writes, living, advances, runners: killed?.token, seconds });
  },
);
