const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');

// aws-cdk-lib validates every synthesized template by default, at 2.7 s a process; one test file switches it on.
process.env.CDK_VALIDATION ??= 'false';

// What tests draw at random follows from one number, so that what one run finds can be found again.
if (process.env.FUZZ_SEED === undefined) {
  process.env.FUZZ_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.error(`random values are drawn with FUZZ_SEED=${process.env.FUZZ_SEED}`);
}

// One temp folder for everything that a run writes, because CDK leaves a cdk.out folder behind for every app it synthesizes. Jest's
// workers and the processes of tests inherit the variables; only the process that made the folder removes it.
if (process.env.TABLEWRIGHT_TEMP === undefined) {
  const temp = mkdtempSync(join(tmpdir(), 'tablewright-tests-'));
  for (const name of ['TABLEWRIGHT_TEMP', 'TMPDIR', 'TEMP', 'TMP']) process.env[name] = temp;
  process.once('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

/** What all lanes have in common. */
const lane = {
  // Outside of the temp folder, so that a run finds what the last one compiled.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
};

module.exports = {
  // No test is about speed, and a loaded machine is no failure.
  testTimeout: 120_000,
  // Much of the time is spent in processes that tests start and wait for.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.js',
  projects: [
    {
      ...lane,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/!(*.slow|*.deep).test.ts'],
      testEnvironment: '<rootDir>/test/support/fast-lane.ts',
    },
    // Starts processes, servers or engines, or takes long; `dist` is built for those that run what users run.
    {
      ...lane,
      displayName: 'slow',
      testMatch: ['<rootDir>/test/**/*.slow.test.ts'],
      globalSetup: '<rootDir>/test/support/build.ts',
    },
  ],
};
