import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Runs jest. If only a few test files fail, reruns just those files, one at a time. Test files share two cores with
 * engines, browsers and installs, so some races show only under load. The run fails if a file also fails on its own; a
 * file that passes on its own is reported as flaky.
 */
const MOST_REPEATED = 3;
// Both runs of jest draw the same random values, so a value that breaks the code in the first run also breaks it in the second.
if (process.env.FUZZ_SEED === undefined) {
  process.env.FUZZ_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.error(`to draw the same random values again, set FUZZ_SEED=${process.env.FUZZ_SEED}`);
}
const folder = mkdtempSync(join(tmpdir(), 'tablewright-jest-'));

function jest(...args) {
  const outputFile = join(folder, 'results.json');
  rmSync(outputFile, { force: true });
  const { status } = spawnSync('npx', ['jest', '--json', '--outputFile', outputFile, ...args], {
    stdio: ['inherit', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  return { status: status ?? 1, failed: () => failedIn(outputFile) };
}

/** Returns the failed files, or an empty list if jest ended without results. */
function failedIn(outputFile) {
  try {
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8'));
    return testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(process.cwd(), name));
  } catch {
    return [];
  }
}

try {
  const first = jest(...process.argv.slice(2));
  const failed = first.status === 0 ? [] : first.failed();
  const isRepeated = failed.length > 0 && failed.length <= MOST_REPEATED;
  if (isRepeated) console.error(`\nrerunning the failed files, one at a time: ${failed.join(', ')}`);
  const last = isRepeated ? jest('--runInBand', '--runTestsByPath', ...failed) : first;
  if (isRepeated && last.status === 0) console.error(`flaky files, which passed when run alone: ${failed.join(', ')}`);
  process.exitCode = last.status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
