import { randomBytes, randomInt } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Binary, temporaryFolder } from '../../../engine/keeper';
import { startEngine } from '../../../engine/process';
import { Front } from './front';
import { Refusal } from './refusal';
import { answerOf, serve } from './server';
import type { Credentials } from './signature';
import { type Upstream, upstreamAt } from './upstream';

/** The embedded engine behind its front. The front accepts only requests that are signed with `credentials`. */
export interface StrictEngine {
  readonly endpoint: string;
  readonly credentials: Credentials;
  /** Handles a request from this process directly, without a connection or credentials. */
  readonly answer: Upstream;
  /** Advances the front's clock, which decides when an index is filled and when TTL may change again. */
  pass(seconds: number): void;
  stop(): Promise<void>;
}

interface Running {
  readonly send: Upstream;
  readonly end: () => Promise<void>;
  /** The reason why the engine stopped; undefined while the engine runs. */
  reason?: string;
}

export interface StrictOptions {
  /** The port on which the front listens. @default - a free port */
  readonly port?: number;
  /**
   * A file in which the engine keeps tables and items after it has stopped.
   * @default - the tables and items are lost when the engine stops
   */
  readonly file?: string;
}

/** Starts the embedded engine and its front. */
export async function startStrict(binary: Binary, { port, file }: StrictOptions = {}): Promise<StrictEngine> {
  const credentials = {
    accessKeyId: `TW${randomBytes(9).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString('base64'),
  };
  let passed = 0;
  let running = await start(binary, file);
  let restarting: Promise<Running> | undefined;
  let isStopped = false;
  const send: Upstream = async (target, body) => {
    if (running.reason !== undefined && !isStopped) {
      // If the engine had no tables, or stored them in a file, nothing was lost, and a new engine can replace the old
      // one.
      if (file === undefined && front.tableNames.length > 0) throw ended(running.reason, front.tableNames);
      restarting ??= start(binary, file).finally(() => {
        restarting = undefined;
      });
      running = await restarting;
    }
    const { send: sendOn } = running;
    try {
      return await sendOn(target, body);
    } catch (error) {
      const reason = await reasonOf(running);
      throw reason === undefined ? error : ended(reason, front.tableNames);
    }
  };
  const front = new Front(send, () => Date.now() + passed);
  const server = await (async () => {
    if (file !== undefined) await front.learn();
    return serve(credentials, (target, body) => front.answer(target, body), port);
  })().catch(async (error) => {
    await running.end();
    throw error;
  });
  return {
    endpoint: `http://127.0.0.1:${server.port}`,
    credentials,
    answer: (target, body) => front.answer(target, body).catch(answerOf),
    pass: (seconds) => {
      passed += seconds * 1000;
    },
    stop: async () => {
      isStopped = true;
      await server.close();
      await running.end();
    },
  };
}

function ended(reason: string, tables: readonly string[]): Refusal {
  const lost =
    tables.length === 0
      ? 'the engine had no tables, so nothing was lost'
      : `the engine's tables and items are lost (${tables.join(', ')})`;
  return new Refusal('EngineEnded', `the embedded engine stopped (${reason}); ${lost}; start it again`);
}

/**
 * Waits briefly for the reason, because the front can notice a broken connection before the engine's process has
 * exited.
 */
async function reasonOf(running: Running): Promise<string | undefined> {
  for (let waited = 0; waited < 500 && running.reason === undefined; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
  return running.reason;
}

/**
 * Starts the engine on an address that a web page cannot guess, because the engine itself accepts requests from anyone.
 * The engine starts with one table whose random name only this process knows; if that table is missing, another process
 * took the port first.
 */
function start(binary: Binary, file: string | undefined): Promise<Running> {
  const folder = temporaryFolder();
  const schema = join(folder.path, 'schema.json');
  const proof = `proof-${randomBytes(16).toString('hex')}`;
  writeFileSync(schema, JSON.stringify({ Table: proofTable(proof) }), { mode: 0o600 });
  return startEngine(
    binary,
    (port, host) => [
      ...['--schema', schema, '--host', host, '--port', String(port)],
      ...(file === undefined ? [] : ['--db-path', file]),
    ],
    async (port, end, host, whenEnded) => {
      const { send, close } = upstreamAt(host, port);
      const listed = await send('DynamoDB_20120810.ListTables', '{}');
      if (!listed.body.includes(`"${proof}"`)) {
        close();
        throw new Error(`another process is listening at ${host}:${port}, where the embedded engine should listen`);
      }
      await send('DynamoDB_20120810.DeleteTable', JSON.stringify({ TableName: proof }));
      const running: Running = {
        send,
        end: async () => {
          close();
          await end();
        },
      };
      void whenEnded.then((reason) => {
        running.reason = reason;
        close();
      });
      return running;
    },
    { hosts: hosts() },
  ).finally(folder.remove);
}

/** Linux and Windows accept connections on all addresses of 127.0.0.0/8, but macOS only on 127.0.0.1. */
function hosts(): readonly string[] {
  const hidden = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  return process.platform === 'darwin' ? ['127.0.0.1'] : [hidden, hidden, '127.0.0.1'];
}

function proofTable(TableName: string) {
  return {
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  };
}
