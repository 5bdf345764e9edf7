import { environments } from '../../constructs/environment';
import { environmentProblems } from '../../constructs/environment-problems';

const prod = { ...environments.prod };

test.each(Object.values(environments))('the environment $name has no problems', (environment) => {
  expect(environmentProblems({ ...environment })).toEqual([]);
});

test('accepts optional settings that are missing or undefined', () => {
  const { azure: _, ...silent } = prod;
  expect(environmentProblems(silent)).toEqual([]);
  const backup = { daily: { days: 7, coldAfterDays: undefined }, weekly: undefined, lock: undefined };
  expect(environmentProblems({ ...silent, azure: undefined, backup })).toEqual([]);
});

test.each([
  [{ encryption: 'none' }, "environment.encryption must be one of aws-managed, customer-managed, got: 'none'"],
  [
    { contributorInsights: 'on' },
    "environment.contributorInsights must be one of off, throttled-keys, accessed-and-throttled-keys, got: 'on'",
  ],
  [{ tlsOnly: 'no' }, "environment.tlsOnly must be true or false, got: 'no'"],
  [{ protectData: 'false' }, "environment.protectData must be true or false, got: 'false'"],
  [{ recoveryPeriodInDays: '7' }, "environment.recoveryPeriodInDays must be a whole number from 1 to 35, got: '7'"],
  [{ name: undefined }, 'environment.name must be letters, digits and single hyphens, got: nothing'],
  [{ encription: 1 }, 'environment.encription is not a known field; did you mean encryption?'],
  [{ alarms: 'all' }, "environment.alarms must be 'none' or the thresholds of all alarms, got: 'all'"],
  [{ alarms: null }, "environment.alarms must be 'none' or the thresholds of all alarms, got: null"],
  [
    { backup: { daily: { days: 7 }, lock: 'strict' } },
    "environment.backup.lock must be one of governance, compliance, got: 'strict'",
  ],
  [
    { backup: { hourly: { days: 7 } } },
    'environment.backup.hourly is not a known field; there are daily, weekly, monthly, lock',
  ],
  [{ backup: { daily: 7 } }, 'environment.backup.daily must be an object such as { days: 14 }, got: 7'],
  [{ backup: { daily: { days: 7, cold: 1 } } }, 'environment.backup.daily.cold is not a known field'],
  [{ azure: { ...prod.azure, deleteLock: 'yes' } }, "environment.azure.deleteLock must be true or false, got: 'yes'"],
  [{ azure: { ...prod.azure, network: 'open' } }, 'environment.azure.network must be one of private, named-addresses'],
])('refuses %j, and reports the path of the problem and the valid values', (given, problem) => {
  expect(environmentProblems({ ...prod, ...given })).toEqual([expect.stringContaining(problem)]);
});

test('lists every missing alarm threshold', () => {
  expect(environmentProblems({ ...prod, alarms: { throttles: 5 } })).toEqual([
    'environment.alarms.systemErrors must be a number above 0, got: nothing',
    'environment.alarms.userErrors must be a number above 0, got: nothing',
    'environment.alarms.latency must be a number above 0, got: nothing',
    'environment.alarms.lag must be a number above 0, got: nothing',
    'environment.alarms.periods must be a whole number of at least 1, got: nothing',
  ]);
});

test('lists every required setting if the environment is empty', () => {
  expect(environmentProblems({})).toHaveLength(8);
});
