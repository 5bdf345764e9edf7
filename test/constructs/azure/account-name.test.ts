import { ACCOUNT_NAME, accountNameOf } from '../../../constructs/azure/account-name';
import { environments } from '../../../constructs/environment';
import { systems } from '../../../lib/systems/systems';
import fc from '../../support/fuzz';

test('an account name consists of the system, the environment and a stable hash', () => {
  expect(accountNameOf('blog', 'prod')).toBe('blogprodpya5fd3p');
  expect(accountNameOf('controle-pgm', 'staging')).toMatch(/^controlepgmstagi[a-z2-7]{8}$/);
});

test('long system names with the same prefix produce distinct account names', () => {
  const long = 'department-of-public-works';
  const names = [`${long}-a`, `${long}-b`].flatMap((system) =>
    ['dev', 'prod'].map((name) => accountNameOf(system, name)),
  );
  expect(new Set(names).size).toBe(4);
});

test('account names stay distinct even if two pairs of system and environment concatenate to the same string', () => {
  expect(accountNameOf('a', 'bc')).not.toBe(accountNameOf('ab', 'c'));
  expect(accountNameOf('my-app', 'dev')).not.toBe(accountNameOf('myapp', 'dev'));
});

test('every bundled system has a distinct account name in every environment', () => {
  const names = Object.keys(systems).flatMap((system) =>
    Object.keys(environments).map((environment) => accountNameOf(system, environment)),
  );
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
});

test('two subscriptions can contain the same system, although account names are globally unique', () => {
  expect(accountNameOf('blog', 'prod', 'one')).not.toBe(accountNameOf('blog', 'prod', 'two'));
});

test('every pair of system and environment gets a valid account name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (system, environment, uniqueIn) => {
      expect(accountNameOf(system, environment, uniqueIn)).toMatch(ACCOUNT_NAME.form);
    }),
  );
});
