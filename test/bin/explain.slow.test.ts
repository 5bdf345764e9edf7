import { stripVTControlCharacters } from 'node:util';
import { CODES } from '../../bin/commands/codes';
import { run } from '../../bin/commands/run';
import { check, rules } from '../../lib/check';
import { CHANGES } from '../../lib/evolve/diff/rules';
import { examples } from '../../lib/explain';
import { terminalOf } from '../support/terminal';

/** Returns the output of `explain`. */
async function explained(args: readonly string[], isTTY = false) {
  const { terminal, output, errors } = terminalOf({ isTTY });
  const status = await run(['explain', ...args], terminal);
  return { status, stdout: output(), stderr: errors() };
}

async function printed(args: readonly string[], isTTY = false): Promise<string> {
  const { stdout, ...rest } = await explained(args, isTTY);
  expect(rest).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('`explain` without a code lists the rules first, one per line', async () => {
  expect(
    (await printed([]))
      .trimEnd()
      .split('\n')
      .slice(0, rules.length)
      .map((line) => line.split(/ {2,}/)),
  ).toEqual(rules.map(({ id, severity, why }) => [id, severity, why]));
});

test('`explain` shows why a rule exists, what causes its findings, and an example with its fix', async () => {
  expect(await printed(['hot-partition'])).toBe(`hot-partition (warning)
One partition serves 3,000 reads and 1,000 writes a second, even in a large table. The check compares these limits with the load in the configuration. If no load is configured, the check can only guess.

Causes:
  too-much-load  the patterns send more load to one partition than it can serve
  one-value      a partition key always has the same value (a guess if no load is configured)
  few-values     a partition key has only a few values (a guess if no load is configured)
  by-date        a partition key contains only a date or a year, so all writes of a day go to one partition (a guess if no load is configured)
  one-counter    every request of a pattern updates the same counter item (a guess if no load is configured)

An example, with the problem (-) and the fix (+):
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

What the check reports about the example:
  entities.Post.keys.PK: ${check(examples['hot-partition'].broken, { notes: true })[0]?.message}
    fix: ${check(examples['hot-partition'].broken, { notes: true })[0]?.fix}
`);
});

test.each(rules.map(({ id }) => id))('explains %s', async (id) => {
  const text = await printed([id]);
  for (const cause of Object.keys(rules.find((rule) => rule.id === id)?.causes ?? {})) expect(text).toContain(cause);
  expect(text).toMatch(/\n[-+] .*/);
});

describe('--json', () => {
  test('`explain --json` lists the rules with the causes of their findings', async () => {
    expect(JSON.parse(await printed(['--json'])).result.rules).toEqual(
      rules.map(({ id, severity, why, causes }) => ({ id, severity, why, causes })),
    );
  });

  test('`explain --json` contains the whole example, broken and fixed, with its findings', async () => {
    const { example, ...rule } = JSON.parse(await printed(['unused-index', '--json'])).result;
    const { id, severity, why, causes } = rules.find((one) => one.id === 'unused-index') ?? {};
    expect(rule).toEqual({ code: id, severity, why, causes });
    expect(example.findings).toEqual(check(examples['unused-index'].broken));
    expect(example.broken).toMatch(/^defineTable\(\{\n.*\n\}\)$/s);
    expect(example.broken).not.toContain('findUser');
    expect(example.mended).toContain('findUser');
  });
});

test('colors mark removed and added lines, and do not change the text', async () => {
  const coloured = await printed(['unused-index'], true);
  expect(coloured).toContain('\u001b[32m+   patterns: {\u001b[39m');
  expect(stripVTControlCharacters(coloured)).toBe(await printed(['unused-index']));
});

test.each([...Object.keys(CHANGES), ...Object.keys(CODES)])('`explain` shows a fix for %s', async (code) => {
  const text = await printed([code]);
  expect(text).toContain(code);
  expect(text).toContain('fix: ');
});

test.each([
  [['hot-partitions'], "'hot-partitions' is not a code; did you mean hot-partition?"],
  [['nothing-like-it'], "'nothing-like-it' is not a code; 'npx tablewright explain' lists all codes"],
  [['limits', 'unwritable'], 'pass one code, got: limits, unwritable'],
])('exits with 2 and prints the usage for the invalid arguments %j', async (args, message) => {
  const { status, stdout, stderr } = await explained(args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`tablewright: ${message}\n`);
  expect(stderr).toContain('tablewright explain [code] [--json]');
});
