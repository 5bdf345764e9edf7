import { spawn } from 'node:child_process';

/**
 * `node build/together.mjs lint types 'test:jest --selectProjects fast'`: runs scripts of package.json side by side. The last one
 * writes as it goes; what the others say is shown when they end, if they failed. It fails if one of them does.
 */
const scripts = process.argv.slice(2);

function run(script, isLast) {
  const [name, ...args] = script.split(' ');
  const child = spawn('npm', ['run', '--silent', name, '--', ...args], {
    stdio: isLast ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      if (code !== 0 && !isLast) process.stderr.write(`${said.trimEnd()}\n`);
      console.error(`${name}: ${code === 0 ? 'passed' : 'failed'}`);
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(scripts.map((script, i) => run(script, i === scripts.length - 1)));
process.exitCode = passed.every(Boolean) ? 0 : 1;
