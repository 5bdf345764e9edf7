const Sequencer = require('@jest/test-sequencer').default;

/** The slowest test files, slowest first. If one of them started last, the other cores would idle. */
const LONGEST = [
  'consumer.slow',
  'bin/prove.slow',
  'lib/proof/shadow/prove-plan.slow',
  'lib/explore/serve/page.slow',
  'bin/azure-data.slow',
  'bin/accept/accept.slow',
  'lib/design/editor.slow',
  'lib/systems/races.slow',
  'lib/proof/shadow/prove-plan.azure.slow',
  'lib/systems/lost-answers-controle-pgm.slow',
  'lib/azure-tables/backup/backup.slow',
  'lib/systems/documented-plans.slow',
  'lib/permissions/tenant-leak.property.slow',
  'lib/proof/shadow/plan-mutants.slow',
  'lib/proof/shadow/booked.slow',
  'book.slow',
  'documents.slow',
  'lib/dynamodb/migration/kills.slow',
  'constructs/aws/validation.slow',
  'lib/systems/controle-pgm-users.slow',
  'lib/systems/controle-pgm-numbers.slow',
  'lib/proof/shadow/plan-mutants.deep',
  'lib/proof/mutation.trimobe.deep',
  'lib/proof/mutation.transporte.deep',
  'lib/proof/mutation.blog.deep',
].map((name) => `/test/${name}.test.ts`);

/**
 * Runs the listed files first, then the other slow and deep tests, and then the fast tests. Jest's own sequencer knows
 * durations only from earlier runs.
 */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const known = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
      return known >= 0 ? known : /\.(slow|deep)\.test\.ts$/.test(path) ? LONGEST.length : LONGEST.length + 1;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
