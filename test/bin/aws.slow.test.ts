import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import { tablesIn } from '../../lib/dynamodb/template/tables';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Runs the user's command without an account or a network. Does not build `dist`, which already exists and which other
 * tests read.
 */
const synth = (...args: string[]) =>
  spawnSync('npx', ['cdk', 'synth', '--quiet', '--build', 'true', '--output', join(folder, 'cdk.out'), ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, AWS_EC2_METADATA_DISABLED: 'true', NO_COLOR: '1' },
  });

test('`cdk synth -c environment=prod` writes twelve tables and thirteen indexes in four stacks', () => {
  expect(synth('-c', 'environment=prod')).toMatchObject({ status: 0 });
  const stacks = readAssembly(join(folder, 'cdk.out'));
  const tables = stacks.flatMap(({ template }) => tablesIn(template));
  expect(stacks.map(({ name }) => name)).toEqual(['blog-prod', 'booking-prod', 'transporte-prod', 'trimobe-prod']);
  expect(tables).toHaveLength(12);
  expect(tables.flatMap(({ indexes }) => indexes)).toHaveLength(13);
}, 60_000);

test('`cdk synth` rejects an unknown environment with one error that lists the known environments', () => {
  const { status, stderr } = synth('-c', 'environment=qa');
  expect(status).toBe(1);
  expect(stderr).toContain("environment must be one of dev, economy, staging, prod, got: 'qa'");
  expect(stderr).not.toContain('    at ');
}, 60_000);
