import { parseArgs } from 'node:util';
import * as core from '@aws-sdk/client-dynamodb';
import { findBinary } from '../../../lib/dynamodb/engine/embedded';
import { startStrict } from '../../../lib/dynamodb/engine/front/strict';
import { CASES } from './cases';
import { randomCases } from './random';
import { type Request, TABLE, TableName } from './requests';

/**
 * Sends the same requests to two engines, and prints the differences between the responses: npx jiti
 * test/support/front/differential.ts --endpoint http://localhost:8000 [--other http://…] [--only text] [--random 2000
 * --seed 1] [--words]
 */
type Answer = { readonly error: string; readonly message: string } | { readonly output: unknown };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      endpoint: { type: 'string' },
      other: { type: 'string' },
      only: { type: 'string' },
      words: { type: 'boolean' },
      random: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const judge = clientOf(values.endpoint ?? 'http://localhost:8000');
  const front = values.other === undefined ? await startStrict(findBinary()) : undefined;
  const subject = front === undefined ? clientOf(values.other ?? '') : clientOf(front.endpoint, front.credentials);
  for (const client of [judge, subject]) {
    await client.send(new core.DeleteTableCommand({ TableName })).catch(() => undefined);
    await client.send(new core.CreateTableCommand(TABLE as never));
    await core.waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName });
  }
  const counts = { cases: 0, same: 0, verdict: 0, type: 0, output: 0, words: 0 };
  const cases = { ...CASES, ...randomCases(Number(values.random ?? 0), Number(values.seed ?? 1)) };
  for (const [name, make] of Object.entries(cases)) {
    if (values.only !== undefined && !name.includes(values.only)) continue;
    counts.cases++;
    const requests = make(`p${counts.cases}`);
    for (const [i, request] of requests.entries()) {
      const [one, two] = [await ask(judge, request), await ask(subject, request)];
      const kind = differenceOf(one, two);
      counts[kind]++;
      if (kind === 'same' || (kind === 'words' && !values.words)) continue;
      console.log(`${kind} | ${name} [${i} ${request[0]}]\n   judge:   ${shown(one)}\n   subject: ${shown(two)}`);
    }
  }
  console.log(JSON.stringify(counts));
  await front?.stop();
}

function clientOf(
  endpoint: string,
  credentials = { accessKeyId: 'local', secretAccessKey: 'local' },
): core.DynamoDBClient {
  return new core.DynamoDBClient({
    endpoint,
    region: 'local',
    credentials,
    maxAttempts: 1,
  });
}

async function ask(client: core.DynamoDBClient, [operation, input]: Request): Promise<Answer> {
  const commands: Readonly<Record<string, unknown>> = core;
  const Command = commands[`${operation}Command`] as typeof core.GetItemCommand;
  try {
    const { $metadata: _, ...output } = await client.send(new Command(structuredClone(input) as never));
    return { output: sorted(output) };
  } catch (error) {
    const { name, message, CancellationReasons, Item } = error as Error & {
      CancellationReasons?: unknown;
      Item?: unknown;
    };
    const reasons = (CancellationReasons as { Code?: string; Item?: unknown }[] | undefined)?.map(({ Code, Item }) => [
      Code,
      Item,
    ]);
    return {
      error:
        name +
        (reasons === undefined ? '' : ` ${JSON.stringify(sorted(reasons))}`) +
        (Item === undefined ? '' : JSON.stringify(sorted(Item))),
      message,
    };
  }
}

function differenceOf(one: Answer, two: Answer): 'same' | 'verdict' | 'type' | 'output' | 'words' {
  if ('output' in one !== 'output' in two) return 'verdict';
  if ('output' in one && 'output' in two)
    return JSON.stringify(one.output) === JSON.stringify(two.output) ? 'same' : 'output';
  if ('error' in one && 'error' in two)
    return one.error !== two.error ? 'type' : one.message !== two.message ? 'words' : 'same';
  return 'same';
}

function shown(answer: Answer): string {
  return ('output' in answer ? JSON.stringify(answer.output) : `${answer.error}: ${answer.message}`).slice(0, 400);
}

function sorted(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, /^[SN]S$/.test(key) && Array.isArray(inner) ? [...inner].sort() : sorted(inner)]),
  );
}

void main();
