import { spawn } from 'node:child_process';

/**
 * `node build/together.mjs lint types -- jest test/lib/check` runs package.json scripts in parallel. The script after
 * `--` receives all further arguments, including those of `npm test -- …`, and its output appears while it runs. The
 * output of any other script appears only if that script fails. The run fails if any script fails.
 */
const args = process.argv.slice(2);
const end = args.indexOf('--');
const [others, [shown, ...given]] = [args.slice(0, end), args.slice(end + 1)];

function run(name, isShown, ...args) {
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0 && !isShown) process.stderr.write(`${said.trimEnd()}\n`);
      console.error(`${name}: ${code === 0 ? 'passed' : 'failed'}`);
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all([...others.map((name) => run(name, false)), run(shown, true, ...given)]);
process.exitCode = passed.every(Boolean) ? 0 : 1;
