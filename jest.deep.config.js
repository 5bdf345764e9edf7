const {
  projects: [, slow],
  ...run
} = require('./jest.config');

/**
 * The deep lane. It has its own configuration file, so that a plain `jest` never runs these tests, each of which takes
 * minutes.
 */
module.exports = {
  ...run,
  testTimeout: 30 * 60_000,
  projects: [{ ...slow, displayName: 'deep', testMatch: ['<rootDir>/test/**/*.deep.test.ts'] }],
};
