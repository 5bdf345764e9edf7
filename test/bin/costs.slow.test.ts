import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

function costs(...args: string[]) {
  const command = [join(root, 'dist/bin/tablewright.js'), 'costs', ...args];
  return spawnSync(process.execPath, command, { encoding: 'utf8', cwd: folder });
}

test('shows the cost of a system by its parts in every environment, with the date of the prices', () => {
  const { stdout, status } = costs('--demo', 'blog');
  expect(status).toBe(0);
  const heads = stdout.split('\n').filter((line) => /^blog-/.test(line));
  expect(heads).toEqual([
    'blog-dev: $0.00 a month before the first request',
    'blog-economy: $0.00 a month before the first request',
    'blog-staging: $11.20 a month before the first request',
    'blog-prod: $11.20 a month before the first request',
  ]);
  expect(stdout).toMatch(/^ {2}\$1\.00 +1 customer-managed key +\$1 per key and month/m);
  expect(stdout).toContain('in US dollars, without free tiers: they change');
});

test('shows the cost of a system on Azure, in the named environments, and as JSON', () => {
  const args = ['--demo', 'controle-pgm', '--environment', 'economy', '--environment', 'prod', '--json'];
  const { stacks } = JSON.parse(costs(...args).stdout).result;
  expect(stacks.map(({ stack, monthly }: { stack: string; monthly: number }) => [stack, monthly])).toEqual([
    ['controle-pgm-economy', 0],
    ['controle-pgm-prod', 14.6],
  ]);
});

test('shows the cost of a synthesized template, even one without a design', () => {
  const [assembly, terraform] = [join(folder, 'cdk.out'), join(folder, 'cdktf.out/stacks/docs')];
  for (const path of [assembly, terraform]) mkdirSync(path, { recursive: true });
  const artifacts = { shop: { properties: { templateFile: 'shop.json' } } };
  writeFileSync(join(assembly, 'manifest.json'), JSON.stringify({ artifacts }));
  cpSync(join(root, 'test/golden/trimobe-economy.json'), join(assembly, 'shop.json'));
  cpSync(join(root, 'test/golden/azure/controle-pgm-staging.json'), join(terraform, 'cdk.tf.json'));
  const { stdout } = costs('--assembly', assembly, '--terraform', join(folder, 'cdktf.out'));
  expect(stdout).toMatch(/^shop: \$1\.71 a month/m);
  expect(stdout).toMatch(/2 tables with at least 3 read units and 3 write units, indexes included/);
  expect(stdout).toMatch(/^docs: \$7\.30 a month/m);
});

test('uses the user’s own prices, and names their source', () => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify({ of: 'prices of sa-east-1, November 2026', aws: { key: 2 } }));
  const { stdout } = costs('--demo', 'blog', '--environment', 'prod', '--prices', file);
  expect(stdout).toMatch(/^blog-prod: \$12\.20 a month/m);
  expect(stdout).toContain('These are prices of sa-east-1, November 2026, without free tiers');
  writeFileSync(file, '{"of":"x","aws":{"kye":2}}');
  expect(costs('--demo', 'blog', '--prices', file)).toMatchObject({
    status: 2,
    stderr: `tablewright: --prices '${file}': 'aws.kye' is not a price; write key\n`,
  });
});

test('says what is wrong with the call', () => {
  const unknown = costs('--demo', 'blog', '--environment', 'qa');
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("--environment: environment must be one of dev, economy, staging, prod, got: 'qa'"),
  ]);
  expect(costs('blog', '--assembly', 'cdk.out').stderr).toContain('name no design or environment');
});
