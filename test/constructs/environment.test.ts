import {
  type AlarmThresholds,
  type Environment,
  type EnvironmentName,
  environmentOf,
  environments,
} from '../../constructs/environment';

describe('the environments of the library', () => {
  test('are dev, economy, staging and prod, each under its own name, which is part of physical names', () => {
    expect(Object.entries(environments).map(([key, { name }]) => [key, name])).toEqual([
      ['dev', 'dev'],
      ['economy', 'economy'],
      ['staging', 'staging'],
      ['prod', 'prod'],
    ]);
  });

  test('all have point-in-time recovery, for longer where more data is at stake', () => {
    const { dev, staging, prod } = environments;
    expect([dev, staging, prod].map(({ recoveryPeriodInDays }) => recoveryPeriodInDays)).toEqual([7, 14, 35]);
  });

  test('protect data and have their own keys, except for dev, which must be easy to delete', () => {
    expect(environments.dev).toMatchObject({ protectData: false, encryption: 'aws-managed' });
    expect(environments.staging).toMatchObject({ protectData: true, encryption: 'customer-managed' });
    expect(environments.prod).toMatchObject({ protectData: true, encryption: 'customer-managed' });
  });

  test('the environments of the library watch throttled keys, except for dev, where it would only cost money', () => {
    expect(environments.dev.contributorInsights).toBe('off');
    expect(environments.staging.contributorInsights).toBe('throttled-keys');
    expect(environments.prod.contributorInsights).toBe('throttled-keys');
  });

  test('have alarms and backups, except for dev, and keep backups longer where more data is at stake', () => {
    const { dev, staging, prod } = environments;
    expect(dev).toMatchObject({ alarms: 'none', backup: 'none', tlsOnly: false });
    expect(staging.backup).toEqual({ daily: { days: 14 } });
    expect(Object.keys(prod.backup)).toEqual(['daily', 'weekly', 'monthly']);
    expect([staging, prod].map(({ tlsOnly }) => tlsOnly)).toEqual([true, true]);
  });

  test('protect data in economy as in prod, without what costs money before the first request', () => {
    const { economy, prod } = environments;
    const protection = ({ recoveryPeriodInDays, protectData, tlsOnly }: Environment) => [
      recoveryPeriodInDays,
      protectData,
      tlsOnly,
    ];
    expect(protection(economy)).toEqual(protection(prod));
    // The backup outlives its table for as long as a table can be restored.
    expect(economy.backup).toEqual({ weekly: { days: economy.recoveryPeriodInDays } });
    expect(economy).toMatchObject({ encryption: 'aws-managed', contributorInsights: 'off', alarms: 'none' });
  });

  test('have higher alarm thresholds in staging than in prod', () => {
    const [staging, prod] = [environments.staging, environments.prod].map(({ alarms }) => Object.entries(alarms));
    for (const [i, [name, value]] of (prod ?? []).entries()) {
      expect(staging?.[i]?.[0]).toBe(name);
      expect(staging?.[i]?.[1]).toBeGreaterThan(value);
    }
  });

  test.each(Object.values(environments))('$name passes the validation of a user’s own environments', (environment) => {
    expect(environmentOf(environment)).toBe(environment);
  });
});

describe('an environment', () => {
  test.each(['dev', 'economy', 'staging', 'prod'] as const)('may be given as %s', (name) => {
    expect(environmentOf(name)).toBe(environments[name]);
  });

  test('defaults to prod, so that forgetting it loses no data', () => {
    expect(environmentOf()).toBe(environments.prod);
    expect(environmentOf(undefined)).toBe(environments.prod);
  });

  test.each(['production', 'Prod', '', 'constructor'])(
    'an environment with an unknown name is refused, and the error lists the known names: %j',
    (name) => {
      expect(() => environmentOf(name as EnvironmentName)).toThrow(
        `environment must be one of dev, economy, staging, prod, got: '${name}'`,
      );
    },
  );

  test.each([
    [null, 'null'],
    [5, '5'],
    [[], 'an empty list'],
  ])('an environment that is neither a name nor an object is refused with what to write: %j', (environment, got) => {
    expect(() => environmentOf(environment as unknown as Environment)).toThrow(
      `environment must be one of dev, economy, staging, prod, or your own, such as { ...environments.prod, name: 'qa' }, got: ${got}`,
    );
  });
});

describe("a user's own environment", () => {
  const own = (given: Partial<Environment>): Environment => ({ ...environments.prod, name: 'qa', ...given });

  test('is used unchanged', () => {
    const qa = own({ recoveryPeriodInDays: 3, protectData: false });
    expect(environmentOf(qa)).toBe(qa);
  });

  test.each(['qa', 'QA2', 'feature-123-x', '1'])('may be named %s', (name) => {
    expect(environmentOf(own({ name })).name).toBe(name);
  });

  test.each(['', 'q a', '-qa', 'qa-', 'a--b', 'q_a', 'qä', 'q/a', 'qa\n'])('may not be named %j', (name) => {
    expect(() => environmentOf(own({ name }))).toThrow(
      `environment.name must be letters, digits and single hyphens, got: '${name}'`,
    );
  });

  test.each([1, 35])('may recover %i days back', (recoveryPeriodInDays) => {
    expect(environmentOf(own({ recoveryPeriodInDays })).recoveryPeriodInDays).toBe(recoveryPeriodInDays);
  });

  test.each([0, -1, 36, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects a recovery period of %d days', (days) => {
    expect(() => environmentOf(own({ recoveryPeriodInDays: days }))).toThrow(
      `environment.recoveryPeriodInDays must be a whole number from 1 to 35, got: ${days}`,
    );
  });

  test.each([
    [{ alarms: { throttles: 0 } }, 'environment.alarms.throttles must be a number above 0, got: 0'],
    [{ alarms: { latency: Number.NaN } }, 'environment.alarms.latency must be a number above 0, got: NaN'],
    [{ alarms: { periods: 1.5 } }, 'environment.alarms.periods must be a whole number from 1, got: 1.5'],
  ])('may not have alarms that never or always go off: %j', ({ alarms }, message) => {
    const thresholds = { ...(environments.prod.alarms as AlarmThresholds), ...alarms };
    expect(() => environmentOf(own({ alarms: thresholds }))).toThrow(message);
  });

  test.each([
    [{}, "environment.backup must be 'none' or have one of daily, weekly, monthly, got: an empty object"],
    [
      { lock: 'governance' as const },
      "environment.backup must be 'none' or have one of daily, weekly, monthly, got: an object with lock",
    ],
    [{ daily: { days: 0 } }, 'environment.backup.daily.days must be a whole number from 1, got: 0'],
    [
      { weekly: { days: 100, coldAfterDays: 11 } },
      'environment.backup.weekly.coldAfterDays must be a whole number from 1 that leaves 90 of its 100 days in cold storage, got: 11',
    ],
    [{ monthly: { days: 365, coldAfterDays: 0 } }, 'leaves 90 of its 365 days in cold storage, got: 0'],
  ])('may not make backups that AWS would refuse: %j', (backup, message) => {
    expect(() => environmentOf(own({ backup }))).toThrow(message);
  });

  test('may keep a backup in cold storage for exactly the minimum of AWS', () => {
    const qa = own({ backup: { monthly: { days: 100, coldAfterDays: 10 } } });
    expect(environmentOf(qa)).toBe(qa);
  });

  test("a user's own environment with several problems reports all of them at once, on every use", () => {
    const qa = own({ tlsOnly: 'no', protectData: 'false' } as object);
    for (let i = 0; i < 2; i++) {
      expect(() => environmentOf(qa)).toThrow(
        [
          'environment has 2 problems',
          "  environment.protectData must be true or false, got: 'false'",
          "  environment.tlsOnly must be true or false, got: 'no'",
        ].join('\n'),
      );
    }
  });
});
