import { desk, deskCases } from './desk';
import { describeMutants } from './mutation';
import { templateOf } from './notes';

const MISSING = 'the one item of its case has no greeting; the tests of update expressions cover an item that has one';

describeMutants(
  'desk',
  { "desk.patterns.remark.set.greeting: {'ifMissing':'hello'} → 'hello'": MISSING },
  { system: desk, cases: deskCases, template: templateOf(desk, 'prod'), more: 140 },
);
