import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../lib';
import { plainItem } from '../../../../lib/dynamodb/attribute-values';
import type { Connection } from '../../../../lib/dynamodb/engine/connection';
import { dynamoDbClient } from '../../../../lib/dynamodb/engine/connection';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { dynamoStates } from '../../../../lib/dynamodb/migration/states';
import { storedItem } from '../../../../lib/dynamodb/migration/stored';
import { loadState, type State } from '../../../../lib/evolve/migration/run/state';
import type { Item } from '../../../../lib/items/item';
import { shareCredentials } from '../../../support/credentials';
import { engineUnderTest } from '../../../support/engine-under-test';
import { createTable, seed as fill } from '../../../support/migration';
import { betweenDesigns, endOf, randomOf } from '../../../support/migration-project';
import { killRunners } from './killing';

const WRITERS = 20;
const SEED = Number(process.env.MIGRATION_SEED ?? Date.now() % 1_000_000);

const fixture = join(__dirname, '../../../fixtures/migration/shop.cjs');
const shop = require(fixture);
const [before, after] = [1, 2].map((version) => shop({ z, defineTable, defineSystem }, version));
const TABLE = 'shop-prod-shop';
let engine: Database;
let connection: Connection;

/** The expected contents of the table at the end: the result of every confirmed write. */
class Ledger {
  readonly orders = new Map<string, number>();
  readonly notes = new Map<string, string>();
}

const oldOrder = (orderId: string, hits: number): Item => ({
  PK: `${orderId}#ORDER`,
  SK: 'ORDER',
  kind: 'Order',
  orderId,
  hits,
});
const oldNote = (noteId: string, title: string): Item => ({
  PK: `${noteId}#NOTE`,
  SK: 'NOTE',
  kind: 'Note',
  noteId,
  title,
});

/**
 * Writes orders under their old or new keys, and notes in the format of the previous or the new release. Each writer
 * has its own ids.
 */
class Writer {
  readonly #random: () => number;
  #count = 0;
  public done = 0;

  public constructor(
    private readonly name: number,
    private readonly ledger: Ledger,
    private readonly orders: string[],
    private readonly notes: string[],
  ) {
    this.#random = randomOf(SEED * 100 + name);
  }

  public async write(): Promise<void> {
    const kind = this.#random();
    const [order, note] = [this.#one(this.orders), this.#one(this.notes)];
    if (kind < 0.4) {
      if (await this.#change(order, 'ADD hits :v', { ':v': { N: '1' } }))
        this.ledger.orders.set(order, (this.ledger.orders.get(order) ?? 0) + 1);
    } else if (kind < 0.7) {
      const title = `${this.name}.${++this.#count}`;
      // About half of the writes come from the previous release, which does not know the index.
      const isOld = this.#random() < 0.5;
      const set = isOld ? 'SET title = :v' : 'SET title = :v, titleKey = :k';
      const values = { ':v': { S: title }, ...(isOld ? {} : { ':k': { S: `TITLE#${title}` } }) };
      if (await this.#update(`${note}#NOTE`, 'NOTE', set, values)) this.ledger.notes.set(note, title);
    } else if (kind < 0.85 || this.orders.length < 2) {
      const id = `new${this.name}.${++this.#count}`;
      const isOrder = this.#random() < 0.5;
      // The release of this step writes orders under the new key, and the previous release under the old key.
      const written = this.#random() < 0.5 ? oldOrder(id, 1) : { ...oldOrder(id, 1), PK: `${id}#PURCHASE` };
      await this.#put(isOrder ? written : oldNote(id, 'new'));
      if (isOrder) this.ledger.orders.set(id, 1);
      else this.ledger.notes.set(id, 'new');
      (isOrder ? this.orders : this.notes).push(id);
    } else {
      await this.#remove(order);
      this.ledger.orders.delete(order);
      this.orders.splice(this.orders.indexOf(order), 1);
    }
    this.done++;
  }

  #one(ids: readonly string[]): string {
    return ids[Math.floor(this.#random() * ids.length)] as string;
  }

  async #put(item: Item) {
    await connection.client.send(new connection.core.PutItemCommand({ TableName: TABLE, Item: storedItem(item) }));
  }

  /** Tries the new key, then the old key, and repeats both attempts, because the order may move between them. */
  async #change(order: string, expression: string, values: object): Promise<boolean> {
    for (let i = 0; i < 20; i++) {
      if (await this.#update(`${order}#PURCHASE`, 'ORDER', expression, values)) return true;
      if (await this.#update(`${order}#ORDER`, 'ORDER', expression, values)) return true;
    }
    throw new Error(`order ${order} is neither under its old key nor under its new one`);
  }

  #update(PK: string, SK: string, UpdateExpression: string, values: object): Promise<boolean> {
    const input = {
      TableName: TABLE,
      Key: { PK: { S: PK }, SK: { S: SK } },
      UpdateExpression,
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeValues: values as never,
    };
    return this.#isDone(() => connection.client.send(new connection.core.UpdateItemCommand(input)));
  }

  /** Deletes the order under its new or old key, and then its tally, which no writer recreates. */
  async #remove(order: string): Promise<void> {
    const { core, client } = connection;
    const remove = (PK: string, SK: string, condition = {}) =>
      client.send(
        new core.DeleteItemCommand({ TableName: TABLE, Key: { PK: { S: PK }, SK: { S: SK } }, ...condition }),
      );
    for (let i = 0; i < 20; i++) {
      for (const PK of [`${order}#PURCHASE`, `${order}#ORDER`]) {
        const isThere = { ConditionExpression: 'attribute_exists(PK)' };
        if (!(await this.#isDone(() => remove(PK, 'ORDER', isThere)))) continue;
        await remove(`${order}#PURCHASE`, 'TALLY');
        return;
      }
    }
    throw new Error(`order ${order} could not be removed`);
  }

  async #isDone(send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      const { name } = error as Error;
      if (name === 'ConditionalCheckFailedException' || name === 'TransactionConflictException') return false;
      throw error;
    }
  }
}

/**
 * Samples the peak memory of a process. The returned function stops the sampling and returns the peak in megabytes, or
 * 0 if the system does not report memory.
 */
function peakOf({ pid }: ChildProcess): () => number {
  let peak = 0;
  const asking = setInterval(() => {
    const file = `/proc/${pid}/status`;
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
    peak = Math.max(peak, Math.round(Number(kilobytes) / 1024));
  }, 250);
  return () => {
    clearInterval(asking);
    return peak;
  };
}

async function* everyItem(): AsyncIterable<Item> {
  let ExclusiveStartKey: Record<string, never> | undefined;
  do {
    const output: { Items?: object[]; LastEvaluatedKey?: object } = await connection.client.send(
      new connection.core.ScanCommand({
        TableName: TABLE,
        ConsistentRead: true,
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    for (const item of output.Items ?? []) yield plainItem(item as never);
    ExclusiveStartKey = output.LastEvaluatedKey as never;
  } while (ExclusiveStartKey !== undefined);
}

/** The number of items that a migration run handles, and the number of times that its runner is killed. */
export interface Extent {
  readonly items: number;
  readonly kills: number;
  /** Whether the run prints its numbers. @default false */
  readonly isReported?: boolean;
}

export function describeKills({ items: ITEMS, kills: KILLS, isReported = false }: Extent): void {
  beforeAll(async () => {
    engine = await engineUnderTest();
    shareCredentials(engine);
    connection = await dynamoDbClient(engine.endpoint);
  });
  afterAll(async () => {
    connection.client.destroy();
    await engine.stop();
  });

  test(`${ITEMS} items survive ${KILLS} kills of the runner while ${WRITERS} writers are active (seed ${SEED})`, async () => {
    const { migrate, plan } = betweenDesigns(before, after, fixture, { split: { Order: ['Tally'] } });
    const table = plan.phases.find(({ kind }) => kind === 'backfill')?.tables.shop;
    if (table === undefined) throw new Error('there is a table');
    await createTable(connection, TABLE, table);
    const ledger = new Ledger();
    const random = randomOf(SEED);
    const ids = Array.from({ length: ITEMS }, (_, i) => String(i));
    const isOrder = (id: string) => Number(id) % 4 === 0;
    for (const id of ids) isOrder(id) ? ledger.orders.set(id, 0) : ledger.notes.set(id, 'old');
    await fill(
      connection,
      TABLE,
      ids.map((id) => (isOrder(id) ? oldOrder(id, 0) : oldNote(id, 'old'))),
    );

    const writers = Array.from({ length: WRITERS }, (_, name) => {
      const own = ids.filter((id) => Math.floor(Number(id) / 4) % WRITERS === name);
      return new Writer(
        name,
        ledger,
        own.filter(isOrder),
        own.filter((id) => !isOrder(id)),
      );
    });
    const begun = Date.now();
    let isWriting = true;
    const written = Promise.all(
      writers.map(async (writer) => {
        while (isWriting) {
          await writer.write();
          await sleep(400);
        }
      }),
    );

    const states = await dynamoStates(connection, undefined, true);
    const id = `shop.prod.${plan.hash.slice(0, 16)}.backfill`;
    const stateNow = async () => (states && (await loadState(states, id)))?.state as State | undefined;
    // The pace is slow enough for the migration to outlast the kills, and fast enough for a page to end before the next
    // kill.
    const capacity = String(Math.ceil((ITEMS * 2.5) / KILLS));
    const start = () =>
      migrate(
        'run',
        '--write',
        '--because',
        'the test asks for it',
        '--wait',
        // The lease is short, so that the next runner takes over soon, but long enough for a runner on a busy machine
        // to renew it.
        '--lease',
        '1',
        '--endpoint',
        engine.endpoint ?? '',
        '--passes',
        '20',
        '--capacity',
        capacity,
      );
    const { errors, furthest, advances, end } = await killRunners({ start, stateNow, kills: KILLS, random });
    isWriting = false;
    await written;
    expect(errors).toEqual([]);
    end();
    const killed = await stateNow();

    const killing = (Date.now() - begun) / 1000;
    const start2 = Date.now();
    const runner = migrate(
      'run',
      '--write',
      '--because',
      'the test asks for it',
      '--wait',
      '--endpoint',
      engine.endpoint ?? '',
      '--json',
    );
    const memory = peakOf(runner);
    const last = await endOf(runner);
    const peakMegabytes = memory();
    expect(last).toMatchObject({ code: 0, output: expect.stringContaining('"status":"done"') });
    const seconds = (Date.now() - start2) / 1000;
    const verified = await endOf(migrate('verify', '--endpoint', engine.endpoint ?? '', '--json'));
    expect(verified).toMatchObject({ code: 0 });

    const found = { orders: 0, tallies: 0, notes: 0 };
    const wrong: unknown[] = [];
    for await (const item of everyItem()) {
      if (item.kind === 'Order' || item.kind === 'Tally') {
        found[item.kind === 'Order' ? 'orders' : 'tallies']++;
        const { orderId, hits } = item as { orderId: string; hits: number };
        const right = { PK: `${orderId}#PURCHASE`, hits: ledger.orders.get(orderId) };
        if (item.PK !== right.PK || hits !== right.hits) wrong.push({ item, right });
      } else {
        found.notes++;
        const title = ledger.notes.get(item.noteId as string);
        if (item.title !== title || item.titleKey !== `TITLE#${title}` || item.stars !== 0) wrong.push({ item, title });
      }
    }
    // No item is lost, stale, duplicated or left under an old key.
    expect(wrong).toEqual([]);
    expect(found).toEqual({ orders: ledger.orders.size, tallies: ledger.orders.size, notes: ledger.notes.size });
    // The migration was still running at the last kill, so every kill interrupted it.
    expect(killed).toMatchObject({ status: 'running' });
    expect(killed?.token).toBeGreaterThanOrEqual(KILLS);
    // The runners moved orders and created tallies between the kills.
    const counts = killed?.passes.map((pass) => pass.counts) ?? [];
    expect(Math.max(...counts.map(({ moved }) => moved))).toBeGreaterThan(0);
    expect(Math.max(...counts.map(({ made }) => made))).toBeGreaterThan(0);
    // Each runner resumed where the previous runner was killed, so many runners got further than all earlier runners.
    expect(advances).toBeGreaterThan(KILLS / 3);
    const writes = writers.reduce((sum, { done }) => sum + done, 0);
    expect(writes).toBeGreaterThan(KILLS);
    if (isReported) {
      console.log({
        ITEMS,
        KILLS,
        SEED,
        writes,
        found,
        furthest,
        advances,
        passes: killed?.passes.map(({ counts }) => counts),
        last: JSON.parse(last.result).passes,
        seconds: { killing, last: seconds, verified: (Date.now() - start2) / 1000 - seconds },
        peakMegabytes,
      });
    }
  }, 1_800_000);
}
