// aws-cdk-lib validates every synthesized template by default, at 2.7 s a process; one test file switches it on.
process.env.CDK_VALIDATION ??= 'false';

module.exports = {
  // No test is about speed, and a loaded machine is no failure.
  testTimeout: 120_000,
  // Much of the time is spent in processes that tests start and wait for.
  maxWorkers: '100%',
  globalSetup: '<rootDir>/test/support/build.ts',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/cdk.out/'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
};
