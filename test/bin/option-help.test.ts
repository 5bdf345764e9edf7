import { optionsIn, wrapped } from '../../bin/commands/option-help';
import { run } from '../../bin/commands/run';
import { documents, textOf } from '../support/documents';
import { terminalOf } from '../support/terminal';

const VERBS = [
  ...[
    'backup',
    'cases',
    'check',
    'costs',
    'dev',
    'diff',
    'draw',
    'explain',
    'explore',
    'from',
    'iam',
    'init',
    'migrate',
    'plan',
  ],
  ...['portability', 'prove', 'record', 'recreate', 'status', 'sweep', 'tables', 'to'],
];

async function said(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { terminal, output } = terminalOf({}, {});
  const notes: string[] = [];
  const code = await run(args, { ...terminal, note: (text) => notes.push(text) });
  return { code, text: [output(), ...notes].join('\n') };
}

/** Returns a verb's options, as listed in its error for an unknown option. */
async function optionsOf(verb: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const parts of verb === 'backup'
    ? [
        ['backup', 'export'],
        ['backup', 'import'],
      ]
    : [[verb]]) {
    const { text } = await said(...parts, '--zzzzzzzzzzzz');
    const [, listed = ''] = /'--zzzzzzzzzzzz' is not an option of this command; there are (.*)/.exec(text) ?? [];
    for (const option of listed.split(', ')) found.add(option);
  }
  return [...found];
}

describe.each(VERBS)('%s --help', (verb) => {
  test('the help explains exactly the options that the command accepts', async () => {
    const { code, text } = await said(verb, '--help');
    expect(code).toBe(0);
    const [, options = ''] = text.split('\nOptions:\n');
    const explained = options.split('\n').flatMap((line) => /^ {2}(--[a-z-]+).* {2}\S/.exec(line)?.[1] ?? []);
    expect([...explained].sort()).toEqual([...(await optionsOf(verb))].sort());
  });

  test('the help fits on one screen of 80 columns', async () => {
    const lines = (await said(verb, '--help')).text.trimEnd().split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.length).toBeLessThan(30);
  });
});

describe('options in the docs', () => {
  /** Returns the options that a string mentions. Ignores quoted text, whose options belong to another program. */
  const namedIn = (text: string) => text.replace(/'[^']*'/g, '').match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [];
  const texts = documents.map((document) => ({ document, text: textOf(document).replaceAll(/\\\n\s*/g, '') }));

  test.each(VERBS)('every `tablewright %s` command in the docs uses only existing options', async (verb) => {
    const known = [...(await optionsOf(verb)), '--help'];
    const calls = texts.flatMap(
      ({ text }) => text.match(new RegExp(`\\btablewright ${verb}\\b[^\`\\n|&>;]*`, 'g')) ?? [],
    );
    expect(calls.filter((call) => namedIn(call).some((option) => !known.includes(option)))).toEqual([]);
  });

  test('the prose of the docs mentions only existing options', async () => {
    const known = new Set(['--help', ...(await Promise.all(VERBS.map(optionsOf))).flat()]);
    // These pages also cover other programs, which have options of their own.
    const others = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/guides/acceptance.md', 'docs/reference/benchmarks.md'];
    const alone = texts
      .filter(({ document }) => !others.includes(document))
      .flatMap(({ document, text }) =>
        Array.from(text.matchAll(/`(--[a-z][a-z-]+)/g), ([, option = '']) => ({ document, option })),
      );
    expect(alone.length).toBeGreaterThan(40);
    // `--force` is an option of `cdk import`.
    expect(alone.filter(({ option }) => option !== '--force' && !known.has(option))).toEqual([]);
  });
});

test('the help lists every verb in a group', async () => {
  const { text } = await said('help');
  const listed = text.split('\n').flatMap((line) => /^ {2}([a-z]+) {2,}/.exec(line)?.[1] ?? []);
  expect([...listed].sort()).toEqual(VERBS);
  const [, ...groups] = text.split(/^\S.*:$/m);
  expect(groups.flatMap((group) => group.match(/^ {2}[a-z]+ /gm) ?? [])).toHaveLength(VERBS.length);
});

test("`optionsIn` prefers a verb's own explanation of an option to the shared one", () => {
  const [own, common] = ['backup', 'draw'].map((verb) => optionsIn(verb, '[--output file]')[0]);
  expect(own).toEqual({ option: '--output file', meaning: 'the file to write, which must not exist yet' });
  expect(common).toEqual({ option: '--output file', meaning: 'the file to write (default: standard output)' });
  expect(optionsIn('check', '[--nope]')).toEqual([{ option: '--nope', meaning: undefined }]);
});

test('`wrapped` breaks lines between words, but not inside the innermost brackets or inside long words', () => {
  expect(wrapped('one two three', '  ', 8)).toEqual(['one two', '  three']);
  expect(wrapped('one [a b] [--c [d e]]', '  ', 10)).toEqual(['one [a b]', '  [--c', '  [d e]]']);
  expect(wrapped('a-word-that-is-too-long b', '  ', 8)).toEqual(['a-word-that-is-too-long', '  b']);
});
