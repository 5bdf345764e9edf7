import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Shown } from '../../bin/commands/command';
import { explain } from '../../bin/commands/explain';
import { check, rules } from '../../lib/check';
import { examples } from '../../lib/check/examples';

const root = join(__dirname, '../..');

const tablewright = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'explain', ...args], { encoding: 'utf8' });

/** What the command prints, in this very process. */
async function printed(args: readonly string[]): Promise<string> {
  return (await pieces(args)).map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('\n');
}

/** The same, with what is marked. */
async function pieces(args: readonly string[]): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const ignore = () => undefined;
  await explain.run(args, {
    line: (...line) => shown.push(...line),
    json: (value) => shown.push(JSON.stringify(value)),
    ...{ text: ignore, note: ignore, status: ignore, progress: ignore },
  });
  return shown;
}

test('without a rule, all of them are listed, a line each', () => {
  const { stdout, stderr, status } = tablewright();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual(rules.map(({ id, severity, why }) => [id, severity, why]));
});

test('a rule is shown with why it matters, its causes, and what mends an example', () => {
  const { stdout, stderr, status } = tablewright('hot-partition');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toBe(`hot-partition (warning)
A partition serves 3,000 reads and 1,000 writes a second, however large the table.

Causes:
  one-value   a partition key always has the same value
  few-values  a partition key has only a few values

An example, with what is wrong (-) and what mends it (+):
  defineTable({
    name: 'blog',
    key: { partition: 'PK', sort: 'SK' },
    entities: {
      Post: {
        attributes: z.object({ authorId: z.string(), postId: z.string(), title: z.string() }),
-       keys: { PK: 'POSTS', SK: 'POST#<postId>' },
+       keys: { PK: 'AUTHOR#<authorId>', SK: 'POST#<postId>' },
      },
    },
  })

What the check says of it:
  entities.Post.keys.PK: ${check(examples['hot-partition'].broken)[0]?.message}
    fix: ${check(examples['hot-partition'].broken)[0]?.fix}
`);
});

test.each(rules.map(({ id }) => id))('%s can be explained', async (id) => {
  const text = await printed([id]);
  for (const cause of Object.keys(rules.find((rule) => rule.id === id)?.causes ?? {})) expect(text).toContain(cause);
  expect(text).toMatch(/\n- .*/);
});

describe('--format json', () => {
  test('lists the rules with their causes', async () => {
    expect(JSON.parse(await printed(['--format', 'json']))).toEqual(
      rules.map(({ id, severity, why, causes }) => ({ id, severity, why, causes })),
    );
  });

  test('gives the example whole, broken and mended, with what is found in it', async () => {
    const { example, ...rule } = JSON.parse(await printed(['unused-index', '--format', 'json']));
    const { id, severity, why, causes } = rules.find((one) => one.id === 'unused-index') ?? {};
    expect(rule).toEqual({ id, severity, why, causes });
    expect(example.findings).toEqual(check(examples['unused-index'].broken));
    expect(example.broken).toMatch(/^defineTable\(\{\n.*\n\}\)$/s);
    expect(example.broken).not.toContain('findUser');
    expect(example.mended).toContain('findUser');
  });
});

test('colours mark what is taken away and what is added, and change nothing else', async () => {
  const marked = (await pieces(['unused-index'])).filter((piece) => typeof piece !== 'string');
  expect(marked).toContainEqual({ style: 'green', text: '+   patterns: {' });
  expect(marked.every(({ style, text }) => (style === 'green' ? text.startsWith('+ ') : text.startsWith('- ')))).toBe(
    true,
  );
});

test.each([
  [['hot-partitions'], "'hot-partitions' is not a rule; did you mean hot-partition?"],
  [['nothing-like-it'], `'nothing-like-it' is not a rule; there are ${rules.map(({ id }) => id).join(', ')}`],
  [['limits', 'unwritable'], 'name one rule, got: limits, unwritable'],
  [['limits', '--format', 'xml'], "--format must be one of text, json, got: 'xml'"],
])('%j is wrong usage: exit code 2, and what can be used', (args, message) => {
  const { status, stdout, stderr } = tablewright(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`tablewright: ${message}\n`);
  expect(stderr).toContain('tablewright explain [rule] [--format text|json]');
});
