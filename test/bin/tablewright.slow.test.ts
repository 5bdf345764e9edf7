import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import { booking, transporte } from '../../lib/systems';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));

beforeAll(() => {
  const app = new App({ outdir: join(folder, 'cdk.out') });
  new SystemStack(app, 'booking-prod', { design: booking });
  new SystemStack(app, 'transporte-prod', { design: transporte });
  app.synth();
});
afterAll(() => rmSync(folder, { recursive: true }));

const tablewright = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), ...args], { cwd: folder, encoding: 'utf8' });

describe('tables', () => {
  test('lists the tables that were synthesized, with their keys, indexes and settings', () => {
    const { stdout, status } = tablewright('tables');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^booking-prod$/m);
    expect(stdout).toMatch(
      /booking-prod-ConversationState +PK, SK +on-demand · 35 days of recovery · customer-managed key · protected · TTL on ttl/,
    );
    expect(stdout).toMatch(/GSI1 +GSI1PK, GSI1SK +entityType, id, nombre, estado, updatedAt/);
    expect(stdout.trimEnd()).toMatch(/2 stacks, 8 tables, 7 global secondary indexes$/);
  });

  test('gives the same as JSON on request', () => {
    const stacks = JSON.parse(tablewright('tables', 'cdk.out', '--format', 'json').stdout);
    expect(stacks.map(({ name, tables }: { name: string; tables: unknown[] }) => [name, tables.length])).toEqual([
      ['booking-prod', 7],
      ['transporte-prod', 1],
    ]);
  });

  test('a folder that cdk synth did not write is an error that says what to run', () => {
    expect(tablewright('tables', 'nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'nowhere' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first"),
    });
  });
});

test.each([
  [['chekc'], "'chekc' is not a command; did you mean check?", '  tables '],
  [
    ['tables', '--nope'],
    "'--nope' is not an option of this command; there are --format",
    'tablewright tables [folder]',
  ],
  [['tables', '--format', 'xml'], "--format must be one of text, json, got: 'xml'", 'tablewright tables [folder]'],
])('%p is wrong usage: exit code 2, and what can be used', (args, message, usage) => {
  const { status, stderr } = tablewright(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(usage);
});

test('help is on standard output, and on one screen', () => {
  const { status, stdout } = tablewright('help');
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.find((line) => line.startsWith('  tables '))).toBeDefined();
  expect(lines.length).toBeLessThan(24);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});
