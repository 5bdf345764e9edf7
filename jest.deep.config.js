const {
  projects: [, slow],
  ...run
} = require('./jest.config');

/** The third lane, in a file of its own so that a plain `jest` never runs it: each of its tests takes minutes. */
module.exports = {
  ...run,
  testTimeout: 30 * 60_000,
  projects: [{ ...slow, displayName: 'deep', testMatch: ['<rootDir>/test/**/*.deep.test.ts'] }],
};
