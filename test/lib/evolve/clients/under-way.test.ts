import { lockOf, planFor } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/azure-tables';
import { evolving as evolvingDynamo } from '../../../../lib/evolve/clients/dynamodb';
import { azureChangeNamed, deployedDiary, diaryLock, languageOf } from '../../../fixtures/azure-changes';

const { after } = azureChangeNamed('a required attribute');
const plan = planFor(diaryLock, after);
const migration = languageOf((note) => ({ ...note, language: 'en' }));
const right = { lock: diaryLock, plan, step: 'expand-1', design: after, migration };

test('accepts a plan, lock and design that belong together', () => {
  expect(evolving(right)).toBeInstanceOf(Function);
});

test.each<[string, object, RegExp]>([
  ['a lock that was edited', { lock: { ...diaryLock, environment: 'dev' } }, /^evolving\.lock .*edited/],
  ['an object that is not a lock', { lock: {} }, /^evolving\.lock/],
  ['a plan that was edited', { plan: { ...plan, to: 'x' } }, /^evolving\.plan .*edited/],
  [
    'a lock for another environment',
    { lock: lockOf(deployedDiary, { environment: 'dev' }) },
    /^the lock is for environment 'dev', not 'prod'; pass the lock of 'prod'/,
  ],
  ['a plan for another lock', { lock: lockOf(after, { environment: 'prod' }) }, /the plan .*a different lock/],
  [
    "a design other than the plan's target",
    { design: deployedDiary },
    /the plan leads to a different design of 'diary'/,
  ],
  [
    'a step that is not in the plan',
    { step: 'expand-9' },
    /^evolving\.step must be one of the plan's steps; .*expand-1/,
  ],
  ['no step', { step: undefined }, /^evolving\.step must be one of the plan's steps/],
])('rejects %s', (_, wrong, message) => {
  expect(() => evolving({ ...right, ...wrong } as typeof right)).toThrow(message);
});

test('rejects a plan for the other cloud, and says what to import instead', () => {
  expect(() => evolvingDynamo(right)).toThrow(
    "evolving.plan is for the cloud 'azure', not 'aws'; import evolving from 'tablewright/evolve/azure-tables'",
  );
});

test('rejects a table that the design does not have', () => {
  const stray = { ...deployedDiary.tables.Notes, name: 'Nots' };
  expect(() => evolving(right)(stray, 'Nots', async () => ({}), {})).toThrow(
    /'Nots' is not a table of 'diary'; .*Notes/,
  );
});
