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

test("`costs` itemizes a system's monthly cost in every environment", () => {
  const { stdout, status } = costs('--demo', 'blog');
  expect(status).toBe(0);
  const heads = stdout.split('\n').filter((line) => /^blog-/.test(line));
  expect(heads).toEqual([
    'blog-dev: $0.00 a month before the first request',
    'blog-economy: $0.00 a month before the first request',
    'blog-staging: $11.00 a month before the first request',
    'blog-prod: $11.00 a month before the first request',
  ]);
  expect(stdout).toMatch(/^stacks for each built-in environment \(choose with --environment/);
  expect(costs('--demo', 'blog', '--environment', 'dev').stdout).not.toContain('built-in');
  expect(stdout).toMatch(/^ {2}\$1\.00 +1 customer-managed key +\$1 per key per month/m);
  expect(stdout).toContain('in US dollars, without free tiers; prices change');
});

test("`costs --json` shows a system's cost on Azure in the given environments", () => {
  const args = ['--demo', 'controle-pgm', '--environment', 'economy', '--environment', 'prod', '--json'];
  const { stacks } = JSON.parse(costs(...args).stdout).result;
  expect(stacks.map(({ stack, monthly }: { stack: string; monthly: number }) => [stack, monthly])).toEqual([
    ['controle-pgm-economy', 0],
    ['controle-pgm-prod', 14.6],
  ]);
});

test('`costs` needs no design to price synthesized CDK and Terraform stacks', () => {
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

test("`costs` uses the user's own prices and names their source", () => {
  const file = join(folder, 'prices.json');
  writeFileSync(file, JSON.stringify({ of: 'prices of sa-east-1, November 2026', aws: { key: 2 } }));
  const { stdout } = costs('--demo', 'blog', '--environment', 'prod', '--prices', file);
  expect(stdout).toMatch(/^blog-prod: \$12\.00 a month/m);
  expect(stdout).toContain('The estimates use prices of sa-east-1, November 2026, without free tiers');
  writeFileSync(file, '{"of":"x","aws":{"kye":2}}');
  expect(costs('--demo', 'blog', '--prices', file)).toMatchObject({
    status: 2,
    stderr: `tablewright: --prices '${file}': 'aws.kye' is not a price; write key\n`,
  });
});

test('`costs --on azure` compares the cost of a million calls to each pattern on Azure Tables and on DynamoDB', () => {
  const { stdout, status } = costs('--demo', 'blog', '--on', 'azure', '--environment', 'prod');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^blog-prod: \$14\.60 a month.*\n {2}\$14\.60 +2 private endpoints/m);
  expect(stdout).toContain(
    'blog: the cost of a million calls to each pattern on Azure Tables, and on DynamoDB on demand',
  );
  expect(stdout).toMatch(/^ {2}\$0\.288 +\$2\.500 +createPost +8$/m);
  expect(stdout).toMatch(/^ {2}\$0\.036 +\$0\.063 +getPost +1$/m);
});

test("`costs --on azure --load` compares a load's monthly cost on Azure and on DynamoDB, with list prices or the user's own", () => {
  const [load, prices] = [join(folder, 'azure-load.json'), join(folder, 'azure-prices.json')];
  writeFileSync(load, JSON.stringify({ createPost: { perSecond: 3 } }));
  writeFileSync(prices, JSON.stringify({ of: 'mine', azure: { requests10k: 0.0036 } }));
  const args = ['--demo', 'blog', '--on', 'azure', '--environment', 'dev', '--load', load, '--json'];
  const compared = (...more: string[]) => JSON.parse(costs(...args, ...more).stdout).result.compared;
  const [own, listed] = [compared('--prices', prices), compared()];
  const createPost = { pattern: 'createPost', requests: 8, azure: 2.27, dynamodb: 19.71 };
  expect(listed).toEqual([{ system: 'blog', patterns: [createPost], total: { azure: 2.27, dynamodb: 19.71 } }]);
  expect(own[0].total).toEqual({ azure: 22.71, dynamodb: 19.71 });
});

test('`costs` refuses invalid arguments', () => {
  const unknown = costs('--demo', 'blog', '--environment', 'qa');
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringContaining("--environment: environment must be one of dev, economy, staging, prod, got: 'qa'"),
  ]);
  expect(costs('--demo', 'blog', '--on', 'aws').stderr).toContain("--on must be one of azure, got: 'aws'");
  expect(costs('blog', '--assembly', 'cdk.out').stderr).toContain('omit designs, --environment and --on');
});
