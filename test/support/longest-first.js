const Sequencer = require('@jest/test-sequencer').default;

/** The files that take longest, the longest first: one that began last would have a core to itself, and the others idle. */
const LONGEST = [
  'consumer',
  'bin/prove',
  'lib/proof/mutation.trimobe',
  'lib/proof/mutation.transporte',
  'lib/proof/mutation.blog',
  'lib/proof/shadow/prove-plan',
  'lib/explore/serve/page',
  'constructs/aws/grants.proof',
  'bin/azure-data',
  'lib/proof/shadow/controle-pgm.azure',
  'book',
  'lib/proof/shadow/prove-plan.azure',
  'lib/proof/mutation.booking',
  'package',
  'lib/dynamodb/migration/kills',
  'bin/prove-own',
  'lib/systems/controle-pgm-users',
  'lib/systems/controle-pgm-numbers',
  'lib/systems/controle-pgm-kill',
  'bin/tablewright',
  'lib/design/editor',
  'lib/systems/races',
].map((name) => `/test/${name}.slow.test.ts`);

/** Those first, then the rest of the slow lane, then the fast one; jest itself knows only of earlier runs. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const known = LONGEST.findIndex((name) => path.replaceAll('\\', '/').endsWith(name));
      return known >= 0 ? known : path.endsWith('.slow.test.ts') ? LONGEST.length : LONGEST.length + 1;
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
};
