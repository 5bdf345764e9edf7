import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../bin/commands/command';
import { iam } from '../../bin/commands/iam';
import { systems, trimobe } from '../../lib/systems';
import { evaluate, type Policy } from '../support/iam';
import { terminalOf } from '../support/terminal';

const root = join(__dirname, '../..');
// The folder is inside node_modules, so that a user's module can resolve zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'tablewright-iam-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tablewright = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'iam', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });

/** Runs `iam` in this process, because a new process takes much longer, and returns the output. */
async function printed(...args: string[]): Promise<string> {
  const { terminal, output } = terminalOf();
  expect(await iam.run(args, terminal)).toBe(0);
  return output();
}

const policy = async (...args: string[]): Promise<Policy> => JSON.parse(await printed(...args));

const here = ['--account', '111122223333', '--region', 'eu-west-1'];

describe('the policy', () => {
  test('the policy for a pattern is a document that IAM accepts unchanged', async () => {
    const { stdout, stderr, status } = tablewright('blog', 'postsByCategory', '--environment', 'dev', ...here);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: ['dynamodb:Query'],
          Resource: 'arn:aws:dynamodb:eu-west-1:111122223333:table/blog-dev-blog/index/GSI1',
          Condition: {
            'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['CATEGORY#*'] },
            Null: { 'dynamodb:LeadingKeys': 'false' },
          },
        },
      ],
    });
  });

  test('a policy allows what its patterns need, and no more', async () => {
    const policies = [await policy('blog', 'postsByCategory', 'getPost', ...here)];
    const ask = (action: string, target: string, key: string) =>
      evaluate(policies, {
        action: `dynamodb:${action}`,
        resource: `arn:aws:dynamodb:eu-west-1:111122223333:table/blog-prod-blog${target}`,
        context: { 'dynamodb:LeadingKeys': [key] },
      });
    expect(ask('Query', '/index/GSI1', 'CATEGORY#1')).toBe('allowed');
    expect(ask('GetItem', '', 'POST#1')).toBe('allowed');
    expect(ask('GetItem', '', 'CATEGORY#1')).toBe('denied');
    expect(ask('Query', '/index/GSI2', 'CATEGORY#1')).toBe('denied');
    expect(ask('Scan', '', 'POST#1')).toBe('denied');
  });

  test('the policy for a procedure equals the policy for the patterns that it uses', async () => {
    const uses = trimobe.procedures.postMessage.uses;
    const { Statement } = await policy('trimobe', 'postMessage', '--environment', 'dev');
    expect(Statement).toEqual((await policy('trimobe', ...uses, '--environment', 'dev')).Statement);
    expect(Statement.flatMap(({ Action }) => Action)).toContain('dynamodb:UpdateItem');
  });

  test('a policy covers all patterns of a system by default', async () => {
    for (const { name, cloud, tables } of Object.values(systems)) {
      if (cloud !== 'aws') continue;
      const resources = (await policy(name)).Statement.flatMap(({ Resource }) => Resource);
      for (const table of Object.keys(tables)) {
        expect(resources.some((arn) => arn.includes(`:table/${name}-prod-${table}`))).toBe(true);
      }
    }
  });

  test("a policy has placeholders for missing values, and grants use of a production table's encryption key", async () => {
    const { Statement } = await policy('blog', 'getPost');
    expect(Statement.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:dynamodb:<region>:<account>:table/blog-prod-blog',
      'arn:aws:kms:<region>:<account>:key/<key>',
    ]);
    const key = 'arn:aws:kms:eu-west-1:111122223333:key/1';
    expect((await policy('blog', 'getPost', '--environment', 'dev', '--key', key)).Statement[1]).toEqual({
      Effect: 'Allow',
      Action: ['kms:Decrypt'],
      Resource: key,
      Condition: { StringEquals: { 'kms:ViaService': 'dynamodb.<region>.amazonaws.com' } },
    });
  });

  test('a tag on the role limits a policy to one tenant', async () => {
    const [statement] = (await policy('trimobe', 'getUser', '--tenant-tag', 'tenant')).Statement;
    expect(statement?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`TENANT#\${aws:PrincipalTag/tenant}`] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
      StringNotLike: { 'aws:PrincipalTag/tenant': '*#*' },
    });
  });

  test('a policy uses the real names of adopted tables, and supports other AWS partitions', async () => {
    const args = ['--table', 'Tenants=acme-tenants', '--table', 'Users=acme-users', '--environment', 'qa'];
    const arns = async (...more: string[]) =>
      (await policy('trimobe', 'getTenant', 'getUser', 'getFile', ...args, ...more)).Statement.map(
        ({ Resource }) => Resource,
      );
    expect((await arns('--region', 'cn-north-1')).slice(0, 3)).toEqual([
      'arn:aws-cn:dynamodb:cn-north-1:<account>:table/acme-tenants',
      'arn:aws-cn:dynamodb:cn-north-1:<account>:table/acme-users',
      'arn:aws-cn:dynamodb:cn-north-1:<account>:table/trimobe-qa-RuralCreditAI',
    ]);
    expect((await arns('--region', 'us-gov-west-1'))[0]).toMatch(/^arn:aws-us-gov:/);
  });
});

test("`--format text` prints one line per pattern and statement, and one for the tables' KMS key", async () => {
  const text = await printed('booking', 'getTenant', 'updateBooking', 'servicesByCategory', '--format', 'text');
  expect(text.trimEnd().split('\n')).toEqual([
    'getTenant              GetItem           booking-prod-Tenants                      any partition',
    'updateBooking          UpdateItem        booking-prod-Bookings                     *#*',
    'servicesByCategory     Query             booking-prod-Services/index/GSI1          *#*',
    "(the tables' KMS key)  Decrypt, Encrypt  arn:aws:kms:<region>:<account>:key/<key>  only through DynamoDB",
    expect.stringMatching(
      /^4 statements, \d+ characters \(the limit is 6144 for a managed policy, and 10240 for a role's inline policies\)$/,
    ),
  ]);
});

describe("a user's own module", () => {
  let count = 0;
  /** Writes a module with the given exports under a new name, because Node caches modules. */
  function moduleOf(exports: string): string {
    const file = join(folder, `designs-${++count}.js`);
    const text = `const { z } = require('zod');
      const table = (name) => ({
        name,
        key: { partition: 'PK' },
        entities: { Thing: { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<id>' } } },
        patterns: { ['get' + name]: { op: 'get', where: { PK: 'THING#<id>' }, returns: ['Thing'] } },
      });
      ${exports}`;
    writeFileSync(file, text);
    return file;
  }

  test("`iam` prints one policy for a user's own module with systems and single tables", async () => {
    const file = moduleOf(`
      exports.shop = { name: 'shop', cloud: 'aws', tables: { Orders: table('Orders') } };
      exports.one = table('Alone');`);
    const { Statement } = await policy(file, '--environment', 'dev', ...here);
    expect(Statement.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:dynamodb:eu-west-1:111122223333:table/shop-dev-Orders',
      'arn:aws:dynamodb:eu-west-1:111122223333:table/Alone',
    ]);
    const [statement, ...more] = (await policy(file, 'getAlone', '--table', 'Alone=mine', '--environment', 'dev'))
      .Statement;
    expect(statement?.Resource).toBe('arn:aws:dynamodb:<region>:<account>:table/mine');
    expect(more).toEqual([]);
  });

  test("`iam` prints no policy if a user's own design has an error", async () => {
    await expect(printed(moduleOf(`exports.one = { ...table('Alone'), ttl: 'PK' };`))).rejects.toThrow(
      "'PK' is a key attribute",
    );
  });

  test("`iam` prints no policy if a user's own design is for another cloud or has no patterns", async () => {
    const azure = moduleOf(`exports.city = { name: 'city', cloud: 'azure', tables: {} };`);
    await expect(printed(azure)).rejects.toThrow(
      "'city' is designed for another cloud, but IAM policies exist only on AWS",
    );
    const bare = moduleOf(`exports.one = { ...table('Alone'), patterns: undefined };`);
    await expect(printed(bare)).rejects.toThrow('there are no patterns to grant');
  });
});

describe('wrong usage', () => {
  test.each([
    [
      ['blog', 'getPosts', 'hasLike'],
      "'getPosts' is not a pattern or procedure; did you mean getPost?\n'hasLike' is not a pattern or procedure; did you mean hasLiked?",
    ],
    [[], 'pass a file that exports designs, or write tablewright.config.ts:'],
    [['blogg'], "'blogg' is neither a design nor a file; did you mean blog?"],
    [['blog', '--region', 'Europe'], "--region must be a region such as eu-west-1, got: 'Europe'"],
    [['blog', '--account', '1'], "--account must be 12 digits, got: '1'"],
    [['blog', '--key', 'alias/x'], "--key must be the ARN of a KMS key, got: 'alias/x'"],
    [['blog', '--environment', 'a b'], '--environment: environment.name must be letters, digits'],
    [['blog', '--table', 'blob=abc'], "--table: there is no table 'blob'; did you mean blog?"],
    [['blog', '--tenant-tag', '*'], '--tenant-tag: a tag must be'],
    [['blog', '--format', 'yaml'], "--format must be one of policy, text, got: 'yaml'"],
    [['blog', '--regoin', 'x'], "'--regoin' is not an option of this command; did you mean --region?"],
  ])('`iam` refuses the arguments %j', async (args, message) => {
    await expect(printed(...args)).rejects.toThrow(UsageError);
    await expect(printed(...args)).rejects.toThrow(message);
  });

  test('`iam` exits with 2 and prints its usage if its arguments are wrong', async () => {
    const { status, stdout, stderr } = tablewright('blog', 'getPosts');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain("tablewright: 'getPosts' is not a pattern or procedure; did you mean getPost?\n");
    expect(stderr).toContain('tablewright iam [design or file]');
  });

  test('`iam` exits with 1 and prints no policy if a pattern cannot be limited to a tenant', async () => {
    const { status, stdout, stderr } = tablewright('booking', 'getTenant', 'resolveApiKey', '--tenant-tag', 'tenantId');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain("resolveApiKey: partition '<apiKeyHash>' of GSI1 does not contain <tenantId>");
  });

  test('`iam` reports the same problems in either format', async () => {
    const args = ['booking', 'tenantsOfOwner', 'resolveApiKey', '--tenant-tag', 'tenantId'];
    const [policy, text] = ['policy', 'text'].map((format) => {
      const { status, stdout, stderr } = tablewright(...args, '--format', format);
      return { status, stdout, stderr };
    });
    expect(text).toEqual(policy);
    expect(text?.stderr).toContain('nothing was granted: 2 problems');
  });
});

test('`iam` loads no cloud library, so that it starts fast', async () => {
  const script = `process.argv.splice(1, 1, 'tablewright', 'iam', 'blog', 'getPost');
    require(${JSON.stringify(join(root, 'dist/bin/tablewright.js'))});
    process.on('exit', () => console.error(Object.keys(require.cache).filter((file) => /aws-cdk-lib|aws-sdk/.test(file)).length))`;
  const { stderr, stdout } = spawnSync(process.execPath, ['-e', script, 'x'], { encoding: 'utf8' });
  expect(JSON.parse(stdout).Version).toBe('2012-10-17');
  expect(stderr.trim()).toBe('0');
});
