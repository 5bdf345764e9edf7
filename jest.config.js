const { mkdtempSync, rmSync } = require('node:fs');
const { availableParallelism, tmpdir } = require('node:os');
const { join } = require('node:path');

// By default, aws-cdk-lib validates every synthesized template, which takes 2.7 s per process, so validation is off;
// one test file enables it.
process.env.CDK_VALIDATION ??= 'false';

// All random test values are derived from one seed, so that a later run can repeat the values that made a test fail.
if (process.env.FUZZ_SEED === undefined) {
  process.env.FUZZ_SEED = String(Math.floor(Math.random() * 2 ** 31));
  console.error(`to draw the same random values again, set FUZZ_SEED=${process.env.FUZZ_SEED}`);
}

// A single temp folder holds all files that a run writes, because CDK leaves a cdk.out folder behind for every app that
// it synthesizes. Jest's workers and the processes that tests start inherit these variables; only the process that
// created the folder removes it.
if (process.env.TABLEWRIGHT_TEMP === undefined) {
  const temp = mkdtempSync(join(tmpdir(), 'tablewright-tests-'));
  for (const name of ['TABLEWRIGHT_TEMP', 'TMPDIR', 'TEMP', 'TMP']) process.env[name] = temp;
  process.once('exit', () => rmSync(temp, { recursive: true, force: true, maxRetries: 3 }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

/** The settings that all lanes share. */
const lane = {
  // The cache is outside the temp folder, so that a run finds the files that the previous run compiled.
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
  // A generous limit, so that no test fails only because the machine is busy.
  testTimeout: 120_000,
  // One more worker than CPUs, because tests spend much of their time waiting for processes that they start.
  maxWorkers: availableParallelism() + 1,
  testSequencer: '<rootDir>/test/support/longest-first.js',
  projects: [
    {
      ...lane,
      displayName: 'fast',
      testMatch: ['<rootDir>/test/**/!(*.slow|*.deep).test.ts'],
      testEnvironment: '<rootDir>/test/support/fast-lane.ts',
    },
    // Slow tests start processes, servers or engines, or take a long time. `dist` is built first, because some slow tests run the built package,
    // as users do.
    {
      ...lane,
      displayName: 'slow',
      testMatch: ['<rootDir>/test/**/*.slow.test.ts'],
      globalSetup: '<rootDir>/test/support/build.ts',
    },
  ],
};
