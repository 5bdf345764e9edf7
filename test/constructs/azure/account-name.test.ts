import { ACCOUNT_NAME, accountNameOf } from '../../../constructs/azure/account-name';
import { environments } from '../../../constructs/environment';
import { systems } from '../../../lib/systems/systems';
import fc from '../../support/fuzz';

test('a name is of the system, the environment and a hash, the same for ever', () => {
  expect(accountNameOf('blog', 'prod')).toBe('blogprodpya5fd3p');
  expect(accountNameOf('controle-pgm', 'staging')).toMatch(/^controlepgmstagi[a-z2-7]{8}$/);
});

test('names that begin alike are kept apart, however long', () => {
  const long = 'department-of-public-works';
  const names = [`${long}-a`, `${long}-b`].flatMap((system) =>
    ['dev', 'prod'].map((name) => accountNameOf(system, name)),
  );
  expect(new Set(names).size).toBe(4);
});

test('what is put together differently is kept apart too', () => {
  expect(accountNameOf('a', 'bc')).not.toBe(accountNameOf('ab', 'c'));
  expect(accountNameOf('my-app', 'dev')).not.toBe(accountNameOf('myapp', 'dev'));
});

test('no two systems of the library, and no two environments, have the same', () => {
  const names = Object.keys(systems).flatMap((system) =>
    Object.keys(environments).map((environment) => accountNameOf(system, environment)),
  );
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(20);
});

test('two subscriptions can have the same system, since names are unique in the world', () => {
  expect(accountNameOf('blog', 'prod', 'one')).not.toBe(accountNameOf('blog', 'prod', 'two'));
});

test('any system and environment have a legal name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (system, environment, uniqueIn) => {
      expect(accountNameOf(system, environment, uniqueIn)).toMatch(ACCOUNT_NAME.form);
    }),
  );
});
