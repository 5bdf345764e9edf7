import { spawnSync } from 'node:child_process';
import { reportOf } from './start-report.cjs';

/**
 * `npm start` synthesizes, checks and proves the five bundled systems, and prints one line for each. `--details` prints
 * the output of every command, and `--notes` prints the check's notes. If a command fails, its whole output is printed.
 */
const flags = process.argv.slice(2);
const unknown = flags.filter((flag) => !['--details', '--notes'].includes(flag));
if (unknown.length > 0) {
  console.error(`npm start accepts only --details and --notes, got: ${unknown.join(' ')}`);
  process.exit(2);
}
const details = flags.includes('--details');

const COMMAND = 'dist/bin/tablewright.js';
const checked = ['check', '--demo', ...(flags.includes('--notes') ? ['--notes'] : [])];
const proved = ['prove', '--demo', '--assembly', 'cdk.out'];
const onAzure = ['prove', '--demo', '--on', 'azure'];

run('npx', 'cdk', 'synth', '--quiet', '-c', 'validate=false');
run(process.execPath, 'dist/bin/azure.js');
if (details) {
  for (const args of [checked, ['tables'], proved, onAzure]) show(...args);
} else {
  if (flags.includes('--notes')) show(...checked);
  const [check, proof, azure] = [checked, proved, onAzure].map((args) =>
    JSON.parse(run(process.execPath, COMMAND, ...args, '--json')),
  );
  console.log(reportOf(check, proof, azure).join('\n'));
}

/** Runs a command and returns its output. If the command fails, prints the whole output and exits. */
function run(command, ...args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status === 0) return stdout;
  process.stderr.write(`${stdout}${stderr}\n${[command, ...args].join(' ')}: failed\n`);
  process.exit(1);
}

function show(...args) {
  const { status } = spawnSync(process.execPath, [COMMAND, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
