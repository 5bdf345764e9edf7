import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/**
 * Runs jest, then repeats a few failed files alone. Files share two cores with engines, browsers and installs, so a race between a test
 * and its server may show only under that load. A file that also fails alone fails the run; a file that passes is reported as flaky.
 */
const MOST_REPEATED = 3;
// Both runs draw the same random values, so a value that breaks the code breaks it again.
if (process.env.FUZZ_SEED === undefined) {
  process.env.FUZZ_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.error(`random values are drawn with FUZZ_SEED=${process.env.FUZZ_SEED}`);
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

/** The files that failed; none if jest ended without results. */
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
  if (isRepeated) console.error(`\nruns again, alone: ${failed.join(', ')}`);
  const last = isRepeated ? jest('--runInBand', '--runTestsByPath', ...failed) : first;
  if (isRepeated && last.status === 0) console.error(`flaky, since they passed alone: ${failed.join(', ')}`);
  process.exitCode = last.status;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
