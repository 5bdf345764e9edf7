import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './compile';
import { run } from './run';

const { projects } = jest.requireActual<{ projects: readonly Lane[] }>('../../jest.config');
const fast = projects.find(({ displayName }) => displayName === 'fast') as Lane;

interface Lane {
  readonly displayName: string;
  readonly transform: Readonly<Record<string, readonly [string, object]>>;
}

const wrong: readonly (readonly [what: string, code: string])[] = [
  ['starts a process', `require('node:child_process').spawn('true')`],
  ['starts a process', `require('node:child_process').exec('true')`],
  ['starts a process', `require('node:child_process').fork('true')`],
  ['starts a process', `require('node:child_process').spawnSync('true')`],
  ['starts a process', `require('node:child_process').execSync('true')`],
  ['starts a process', `require('node:child_process').execFileSync('true')`],
  ['opens a port', `require('node:http').createServer().listen(0)`],
  ['opens a connection', `require('node:net').connect(9)`],
  ['opens a connection', `require('node:http').get('http://127.0.0.1:9')`],
  ['opens a connection', `await new Promise((done) => setTimeout(done, 20)); require('node:net').connect(9)`],
];

/** Starts a timer that keeps running through all files, like work that an earlier file left behind. */
const LEFT = `module.exports = () => {
  setInterval(() => require('node:net').connect(9).on('error', () => {}), 5).unref();
};`;

/** jest's failure message for each file, keyed by file name. */
let messages: ReadonlyMap<string, string>;

// Runs all files in one process, to show that the restrictions end with each file.
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-lanes-'));
  writeFileSync(join(folder, 'left.js'), LEFT);
  const codes = [
    'await new Promise((done) => setTimeout(done, 200))',
    ...wrong.map(([, code]) => `try { ${code}; } catch {}`),
  ];
  for (const [i, code] of codes.entries())
    writeFileSync(join(folder, `${i}.test.ts`), `test('it', async () => { ${code} });`);
  const lane = {
    ...fast,
    rootDir: folder,
    testMatch: ['<rootDir>/*.test.ts'],
    globalSetup: '<rootDir>/left.js',
    testEnvironment: join(__dirname, 'fast-lane.ts'),
    // Resolves the transformers here, because the folder has no packages.
    transform: Object.fromEntries(
      Object.entries(fast.transform).map(([files, [name, options]]) => [files, [require.resolve(name), options]]),
    ),
  };
  const report = join(folder, 'report.json');
  run(
    ROOT,
    join(ROOT, 'node_modules/.bin/jest'),
    '-i',
    '--config',
    JSON.stringify(lane),
    '--json',
    '--outputFile',
    report,
  );
  const { testResults } = jest.requireActual<{ testResults: readonly { name: string; message: string }[] }>(report);
  messages = new Map(testResults.map(({ name, message }) => [name.slice(folder.length + 1), message]));
  rmSync(folder, { recursive: true });
});

test('a fast test that stays in its process passes, even if an earlier file left work behind', () => {
  expect(messages.get('0.test.ts')).toBe('');
});

test.each(wrong.map(([what, code], i) => [what, code, `${i + 1}`] as const))(
  'a fast test that %s fails even if the error is swallowed, and the error says how to rename the file (%s)',
  (what, _, name) => {
    expect(messages.get(`${name}.test.ts`)).toContain(`${name}.test.ts ${what}`);
    expect(messages.get(`${name}.test.ts`)).toContain(`rename it to ${name}.slow.test.ts`);
  },
);
