import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamRecord } from '../dynamodb/changes';
import type { EmbeddedDatabase } from '../dynamodb/engine/embedded';

/** The handler of a Lambda function that is triggered by a stream. */
export type StreamHandler = (event: { readonly Records: readonly StreamRecord[] }, context?: unknown) => unknown;

/** Milliseconds between two polls of a stream. */
const PAUSE = 200;

/** The maximum number of records per call: the default for a Lambda function on a DynamoDB stream. */
const MOST = 100;

interface Shard {
  readonly ShardId: string;
}

type Ask = (operation: string, input: object) => Promise<Record<string, unknown>>;

/**
 * Follows the streams of tables, and calls a handler with the new records of each stream, in order. If the handler
 * throws or reports failed records, it receives the failed records again, as a Lambda function would. Returns a
 * function that stops following the streams; its promise resolves once the handler has returned.
 */
export async function followStreams(
  answer: EmbeddedDatabase['answer'],
  tableNames: readonly string[],
  handler: StreamHandler,
  onFailure: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const ending = new AbortController();
  const ask: Ask = async (operation, input) => {
    const { status, body } = await answer(`DynamoDBStreams_20120810.${operation}`, JSON.stringify(input));
    const output = JSON.parse(body) as Record<string, unknown>;
    if (status !== 200) throw new Error(`${operation}: ${String(output.message ?? body)}`);
    return output;
  };
  // Requests the iterators before the first write; otherwise, they would start after the first changes.
  const iterators = await Promise.all(tableNames.map((name) => iteratorOf(ask, name)));
  const deliverAll = (records: readonly StreamRecord[]) => deliver(records, handler, onFailure, ending.signal);
  const following = iterators.map((iterator) => follow(ask, iterator, deliverAll, onFailure, ending.signal));
  return async () => {
    ending.abort();
    await Promise.all(following);
  };
}

async function follow(
  ask: Ask,
  start: string | undefined,
  deliverAll: (records: readonly StreamRecord[]) => Promise<void>,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let iterator = start; iterator !== undefined && !signal.aborted; ) {
    try {
      const { Records = [], NextShardIterator } = await ask('GetRecords', { ShardIterator: iterator, Limit: MOST });
      const records = Records as readonly StreamRecord[];
      if (records.length > 0) await deliverAll(records);
      iterator = NextShardIterator as string | undefined;
      if (records.length < MOST) await paused(signal);
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
      await paused(signal);
    }
  }
}

/** Returns an iterator at the end of a stream, so that earlier writes are skipped. */
async function iteratorOf(ask: Ask, TableName: string): Promise<string | undefined> {
  const { Streams = [] } = await ask('ListStreams', { TableName });
  const { StreamArn } = (Streams as readonly { StreamArn: string }[]).at(-1) ?? {};
  if (StreamArn === undefined) return undefined;
  const { StreamDescription } = await ask('DescribeStream', { StreamArn });
  const { ShardId } = (StreamDescription as { Shards: readonly Shard[] }).Shards.at(-1) ?? {};
  const { ShardIterator } = await ask('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'LATEST' });
  return ShardIterator as string;
}

/** Calls the handler until it has accepted every record. A retry starts at the first failed record. */
async function deliver(
  records: readonly StreamRecord[],
  handler: StreamHandler,
  onFailure: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let left = records; left.length > 0 && !signal.aborted; await paused(signal)) {
    try {
      left = failedOf(left, await handler({ Records: left }));
    } catch (error) {
      onFailure(error);
    }
    if (left.length === 0) return;
  }
}

function failedOf(records: readonly StreamRecord[], answer: unknown): readonly StreamRecord[] {
  const { batchItemFailures = [] } = Object(answer) as { batchItemFailures?: readonly { itemIdentifier?: string }[] };
  const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const first = records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber));
  return first < 0 ? [] : records.slice(first);
}

async function paused(signal: AbortSignal): Promise<void> {
  await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
}
