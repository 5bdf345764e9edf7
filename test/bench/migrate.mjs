// Measures how fast the runner of `tablewright migrate` changes stored items on the embedded engine, compared with a
// handwritten loop with the same number of segments and concurrent writes.
import { columns } from './columns.mjs';
import { median } from './median.mjs';
import { filled, load, notesDesigns, notesEngine } from './notes-table.mjs';
import { verdict } from './verdict.mjs';

const ITEMS = Number(process.env.MIGRATION_ITEMS ?? 4000);
const SEGMENTS = 4;
const PARALLEL = 16;
const PAGE = 100;
const LOCAL = { accessKeyId: 'local', secretAccessKey: 'local' };

export async function measure(most) {
  const { planFor, migrationFor } = load('lib/evolve/index.js');
  const { runMigration } = load('lib/evolve/migration/run/run.js');
  const { dynamoDbClient } = load('lib/dynamodb/engine/connection.js');
  const { exactly } = load('lib/dynamodb/engine/exact.js');
  const { dynamoStore } = load('lib/dynamodb/migration/store.js');
  const { dynamoStates } = load('lib/dynamodb/migration/states.js');

  const { lock, after } = notesDesigns('bench');
  const migration = migrationFor(planFor(lock, after), lock, after);

  const engine = await notesEngine();
  const connection = await dynamoDbClient(engine.endpoint, undefined, engine.credentials);
  // A handwritten loop would use a client with the SDK's defaults.
  const { DynamoDBClient, ScanCommand, UpdateItemCommand } = connection.core;
  const { endpoint, credentials } = engine;
  const client = new DynamoDBClient({ endpoint, credentials: credentials ?? LOCAL, region: 'local' });

  /** The handwritten loop: scans in segments, and updates each item that has not changed since it was read. */
  async function byHand(TableName) {
    const change = (item) => {
      // Like the runner, requires that no attribute has changed since the item was read.
      const names = Object.keys(item);
      const update = new UpdateItemCommand({
        TableName,
        Key: { PK: item.PK },
        UpdateExpression: 'SET GSI1PK = :k',
        ConditionExpression: ['attribute_not_exists(GSI1PK)', ...names.map((_, i) => `#${i} = :${i}`)].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name, i) => [`#${i}`, name])),
        ExpressionAttributeValues: {
          ':k': { S: `DAY#${item.day.S}` },
          ...Object.fromEntries(names.map((name, i) => [`:${i}`, item[name]])),
        },
      });
      return client.send(update);
    };
    const segment = async (Segment) => {
      let ExclusiveStartKey;
      do {
        const page = await client.send(
          new ScanCommand({ TableName, Segment, TotalSegments: SEGMENTS, Limit: PAGE, ExclusiveStartKey }),
        );
        const left = page.Items.filter(({ GSI1PK }) => GSI1PK === undefined);
        const worker = async () => {
          for (let item = left.pop(); item !== undefined; item = left.pop()) await change(item);
        };
        await Promise.all(Array.from({ length: PARALLEL }, worker));
        ExclusiveStartKey = page.LastEvaluatedKey;
      } while (ExclusiveStartKey !== undefined);
    };
    // Like the runner, scans once more, because an old release might have written items that the first scan had already
    // passed.
    for (let pass = 1; pass <= 2; pass++) await Promise.all(Array.from({ length: SEGMENTS }, (_, i) => segment(i)));
  }

  async function byRunner(TableName) {
    const states = await dynamoStates(connection, undefined, true);
    const store = dynamoStore({
      database: exactly(connection),
      migration,
      names: { notes: TableName },
      pageSize: PAGE,
    });
    const result = await runMigration({
      migration,
      store,
      phase: 'fill',
      step: 'backfill',
      writing: { states, id: TableName },
      segments: SEGMENTS,
      parallel: PARALLEL,
    });
    if (result.status !== 'done') throw new Error(`the run ended as '${result.status}'`);
  }

  const rounds = Math.min(5, most);
  const times = { hand: [], runner: [] };
  let count = 0;
  try {
    for (let round = -1; round < rounds; round++) {
      // The sides take turns going first; the first round is only a warm-up.
      const sides = [
        ['hand', byHand],
        ['runner', byRunner],
      ];
      for (const [side, work] of round % 2 === 0 ? sides : sides.reverse()) {
        const table = `bench-${++count}`;
        await filled(engine, table, ITEMS);
        const begin = performance.now();
        await work(table);
        if (round >= 0) times[side].push(performance.now() - begin);
        await engine.drop(table);
      }
    }
  } finally {
    client.destroy();
    connection.client.destroy();
    await engine.stop();
  }
  return {
    engine: engine.name,
    items: ITEMS,
    segments: SEGMENTS,
    hand: median(times.hand),
    runner: median(times.runner),
  };
}

export function report({ engine, items, segments, hand, runner }) {
  const speed = (milliseconds) => `${Math.round((items / milliseconds) * 1000)} items a second`;
  const ratio = hand / runner;
  return [
    `migrate: ${items} items in ${segments} segments at ${engine}, both with a second pass that finds nothing to do`,
    ...columns([
      ['a loop written by hand', speed(hand)],
      ['tablewright migrate run', speed(runner)],
    ]),
    '',
    verdict(ratio >= 0.9, `${ratio.toFixed(2)} of the speed of the loop (at least 0.9)`),
  ];
}
