import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectGroupsGone, until } from '../../support/processes';
import { scripts } from '../../support/script';

const run = scripts();
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** An engine that starts a child process, as the multi-platform package does to run its binary. */
const NESTED = `{ command: process.execPath, args: ['-e',
  'const child = require("node:child_process").spawn("sleep", ["1000"]); console.error("inner " + child.pid);' ] }`;

describe.each(['shell', 'node'])('with %s as the keeper', (keeper) => {
  const started = `const waiting = setInterval(() => {}, 1000);
    const child = startKept(${NESTED}, ['--'], '${keeper}');
    const inner = await new Promise((resolve) => child.stderr.once('data', (text) => resolve(/\\d+/.exec(text)[0])));
    say('inner ' + inner);`;
  const innerOf = (said: readonly string[]) => {
    expect(said).toEqual([expect.stringMatching(/^inner \d+$/)]);
    return Number(said[0]?.slice('inner '.length));
  };

  test('stops an engine and its child processes when the process that started it is killed', async () => {
    const { script, ended, pids, said } = run(started);
    await until(() => said().length > 0);
    script.kill('SIGKILL');
    await ended;
    await expectGroupsGone([...pids(), innerOf(said())]);
  });

  test('reports the exit code and output of an engine that exits by itself, and leaves no process waiting', async () => {
    const { ended, pids, said, errors } = run(`
      const child = startKept({ command: process.execPath, args: ['-e', 'console.error("no room"); process.exit(7)'] }, ['--'], '${keeper}');
      child.stderr.once('data', (text) => say(String(text).trim()));
      child.ref();
      child.once('exit', (code) => say(code));
      child.once('close', () => say('closed'));`);
    expect(await ended).toBe(0);
    expect({ said: said(), errors: errors() }).toEqual({ said: ['no room', '7', 'closed'], errors: '' });
    await expectGroupsGone(pids());
  });

  test('lets the process exit while an engine runs', async () => {
    const { ended, pids, said } = run(`${started} clearInterval(waiting);`);
    expect(await ended).toBe(0);
    await expectGroupsGone([...pids(), innerOf(said())]);
  });

  test.each([
    ['is killed', `process.kill(process.pid, 'SIGKILL')`],
    ['is interrupted', `process.kill(process.pid, 'SIGINT')`],
    ['exits', 'process.exit(3)'],
    ['finishes', ''],
    ['requests the removal early', 'remove()'],
  ])('removes a temporary folder when the process %s', async (_, end) => {
    const path = join(folder, `it's a $HOME -${keeper}`);
    const beside = join(folder, 'beside');
    writeFileSync(beside, 'x');
    const { ended, pids } = run(`const remove = removeWithProcess(${JSON.stringify(path)}, '${keeper}');
      require('node:fs').mkdirSync(${JSON.stringify(join(path, 'data'))}, { recursive: true });
      ${end}`);
    await ended;
    await expectGroupsGone(pids());
    expect([path, beside].map((one) => existsSync(one))).toEqual([false, true]);
  });
});
