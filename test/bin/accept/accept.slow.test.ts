import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, dynamoDbClient } from '../../../lib/dynamodb/engine/connection';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { root } from '../../support/book';
import { endOf } from '../../support/migration-project';

let engine: Database;
let connection: Connection;
beforeAll(async () => {
  engine = await embeddedEngine();
  connection = await dynamoDbClient(engine.endpoint, undefined, engine.credentials);
});
afterAll(async () => {
  connection.client.destroy();
  await engine.stop();
});

const tables = async () => (await connection.client.send(new connection.core.ListTablesCommand({}))).TableNames;
const folderOf = () => mkdtempSync(join(tmpdir(), 'accept-'));

function accept(cwd: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const { accessKeyId = '', secretAccessKey = '' } = engine.credentials ?? {};
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return spawn(process.execPath, [join(root, 'dist/bin/accept.js'), ...args], {
    cwd,
    env: { ...process.env, ...keys, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
const local = () => ['--endpoint', engine.endpoint as string, '--items', '60'];
const reportIn = (folder: string) => {
  const [file = ''] = readdirSync(join(folder, 'acceptance')).filter((name) => name.endsWith('.md'));
  return readFileSync(join(folder, 'acceptance', file), 'utf8');
};

/** Waits until the run has created a table. */
const underWay = async () => {
  while ((await tables())?.length === 0) await sleep(20);
};

test('`accept` proves a system and carries out a plan at an endpoint, and reports the skipped parts', async () => {
  const folder = folderOf();
  const { code, output } = await endOf(accept(folder, local()));
  expect([code, output]).toEqual([0, expect.stringContaining('accepted: acceptance')]);
  const report = reportIn(folder);
  expect(report).toMatch(/^# Acceptance of booking, \d{4}-\d\d-\d\d$/m);
  expect(report).toMatch(/\*\*Result\*\*: accepted; \d+ ok, 0 failed, 2 left out/);
  expect(report).toMatch(/\*\*Cost\*\*: at most \$0\.\d{4} for \d+ capacity units/);
  expect(report).toContain('| roles | what the granted roles may and may not do | left out | only AWS has IAM |');
  expect(report).toContain('| plan | all 120 items have the text last written to them | ok |');
  expect(await tables()).toEqual([]);
});

test('`accept` destroys the resources of an interrupted run and reports the run as not accepted', async () => {
  const folder = folderOf();
  const child = accept(folder, local());
  const ending = endOf(child);
  await underWay();
  child.kill('SIGINT');
  expect((await ending).code).toBe(130);
  expect(await tables()).toEqual([]);
  expect(reportIn(folder)).toContain('**Result**: NOT accepted');
});

test("an interrupted run does not report its plan as failed, and does not overwrite an earlier run's report", async () => {
  const folder = folderOf();
  expect((await endOf(accept(folder, local()))).code).toBe(0);
  const finished = reportIn(folder);
  const child = accept(folder, ['--endpoint', engine.endpoint as string, '--items', '400']);
  const ending = endOf(child);
  while (!(await tables())?.some((name) => name.endsWith('-migrations'))) await sleep(20);
  child.kill('SIGINT');
  expect((await ending).code).toBe(130);
  const [report = '', interrupted = ''] = readdirSync(join(folder, 'acceptance')).sort().reverse();
  expect([report, interrupted].map((name) => name.endsWith('-interrupted.md'))).toEqual([false, true]);
  expect(readFileSync(join(folder, 'acceptance', report), 'utf8')).toBe(finished);
  const page = readFileSync(join(folder, 'acceptance', interrupted), 'utf8');
  expect(page).toContain('| destroy | interrupted | FAILED | a signal stopped the run |');
  expect(page).not.toMatch(/\| plan \| [^|]+ \| FAILED/);
  expect(await tables()).toEqual([]);
});

test('a killed run leaves a marker file, which a later run uses to clean up', async () => {
  const folder = folderOf();
  const child = accept(folder, local());
  const ending = endOf(child);
  await underWay();
  child.kill('SIGKILL');
  await ending;
  expect(await tables()).not.toEqual([]);
  const next = await endOf(accept(folder, local()));
  expect(next.output).toMatch(
    /the run accept-[0-9a-f]{8} did not finish; remove its resources: npm run accept -- --endpoint \S+ --cleanup accept-/,
  );
  expect(await tables()).not.toEqual([]);
  const { code, output } = await endOf(accept(folder, [...local(), '--cleanup', 'all']));
  expect([code, output]).toEqual([0, expect.stringMatching(/^accept-[0-9a-f]{8} cleaned up/m)]);
  expect(await tables()).toEqual([]);
  expect(readdirSync(join(folder, 'acceptance')).filter((name) => name.endsWith('.unfinished'))).toEqual([]);
});

test.each([
  [[], /pass --profile <name> for AWS, or --endpoint/],
  [['--endpoint', 'embedded', '--system', 'blogg'], /--system must be one of .*blog.*, got: 'blogg'/],
  [['--endpoint', 'embedded', '--cleanup', 'prod'], /--cleanup takes the name of a run, such as accept-1a2b3c4d/],
])('refuses the arguments %j', async (args, message) => {
  const { code, output } = await endOf(accept(folderOf(), args));
  expect([code, output]).toEqual([2, expect.stringMatching(message)]);
});

describe('`accept` with a profile', () => {
  /**
   * Creates a fake `aws` command. It creates the tables of a template in the engine, and allows every request from
   * every role.
   */
  function scripted(folder: string, isBroken = false): Record<string, string> {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    const { endpoint = '', credentials } = engine;
    // The fake is a shell script, because a Node script would take ten times as long to start, and the run starts the
    // fake for each role that it assumes.
    const session = {
      AccessKeyId: credentials?.accessKeyId,
      SecretAccessKey: credentials?.secretAccessKey,
      SessionToken: 'session',
    };
    writeFileSync(
      join(bin, 'aws'),
      `#!/bin/sh
if [ "$2" = assume-role ]; then
  echo "$1 $2" >> '${join(folder, 'calls')}'
  echo '${JSON.stringify({ Credentials: session })}'
else
  exec '${process.execPath}' '${join(bin, 'aws.js')}' "$@"
fi
`,
    );
    writeFileSync(
      join(bin, 'aws.js'),
      `const [service, verb, ...rest] = process.argv.slice(2);
const fs = require('node:fs');
const given = (name) => rest[rest.indexOf(name) + 1];
fs.appendFileSync(${JSON.stringify(join(folder, 'calls'))}, service + ' ' + verb + '\\n');
const credentials = ${JSON.stringify(credentials)};
(async () => {
  switch (verb) {
    case 'get-caller-identity': return { Account: '111122223333' };
    case 'deploy': {
      if (${isBroken}) throw new Error('ROLLBACK_COMPLETE');
      const { dynamoDbEngine } = require(${JSON.stringify(join(root, 'dist/lib/dynamodb/engine/dynamodb.js'))});
      const engine = await dynamoDbEngine({ endpoint: ${JSON.stringify(endpoint)}, credentials });
      await engine.provision(JSON.parse(fs.readFileSync(given('--template-file'), 'utf8')));
      return engine.stop();
    }
    case 'describe-stacks': return { Stacks: [{ Outputs: [
      { OutputKey: 'EverybodyRoleArn', OutputValue: 'arn:everybody' }, { OutputKey: 'TenantRoleArn', OutputValue: 'arn:tenant' }] }] };
  }
})().then((answer) => console.log(JSON.stringify(answer ?? {})), (error) => { console.error(error.message); process.exit(255); });
`,
    );
    chmodSync(join(bin, 'aws'), 0o755);
    const { accessKeyId, secretAccessKey } = credentials ?? {};
    const keys = `[someone]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${secretAccessKey}\n`;
    writeFileSync(join(folder, 'credentials'), keys);
    return {
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
      PATH: `${bin}${delimiter}${process.env.PATH}`,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    };
  }
  const args = ['--profile', 'someone', '--region', 'eu-west-1', '--items', '20'];

  test("`accept` tries every role on the stack's tables and reports a role that allows a forbidden request", async () => {
    const folder = folderOf();
    const { code, output } = await endOf(accept(folder, args, scripted(folder)));
    expect([code, output]).toEqual([1, expect.stringContaining('NOT accepted')]);
    const report = reportIn(folder);
    expect(report).toMatch(/\| roles \| \w+ with its own policy \| ok \| allowed \|/);
    expect(report).toMatch(
      /\| roles \| \w+ with only the policy for \w+ \| FAILED \| the request was allowed, but should be denied \|/,
    );
    expect(report).toMatch(/\| roles \| \w+ with values of the caller's own tenant \| ok \| allowed \|/);
    expect(report).toMatch(
      /\| roles \| \w+ with values of another tenant \| FAILED \| the request was allowed, but should be denied \|/,
    );
    expect(report).not.toMatch(/\| (proof|plan) \| [^|]+ \| FAILED/);
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toContain('cloudformation delete-stack');
    expect(await tables()).toEqual([]);
    // The run takes a long time, because it assumes a role for every pattern.
  }, 300_000);

  test('`accept` deletes a stack whose deployment fails', async () => {
    const folder = folderOf();
    const { code } = await endOf(accept(folder, args, scripted(folder, true)));
    expect(code).toBe(1);
    expect(reportIn(folder)).toContain('aws cloudformation deploy failed: ROLLBACK_COMPLETE');
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(
      /deploy\ncloudformation delete-stack\ncloudformation wait\n$/,
    );
  });
});
