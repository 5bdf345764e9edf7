import { describeMutants } from './mutation';

/** controle-pgm-users.slow.test.ts runs procedures that create and rename types concurrently. */
const CONCURRENT = 'only a concurrent caller can change the type in the meantime';

describeMutants('controle-pgm', {
  'DocumentTypes.patterns.addActiveType.steps.type.replace: none → true': CONCURRENT,
  'DocumentTypes.patterns.renameType.steps.type.unchanged: true → none': CONCURRENT,
  'DocumentTypes.patterns.renameType.steps.first.unchanged: true → none': CONCURRENT,
});
