import {
  type AlarmThresholds,
  type Environment,
  type EnvironmentName,
  environmentOf,
  environments,
} from '../../constructs/environment';

describe('the built-in environments', () => {
  test('the built-in environments are named dev, economy, staging and prod, and these names are part of physical names', () => {
    expect(Object.entries(environments).map(([key, { name }]) => [key, name])).toEqual([
      ['dev', 'dev'],
      ['economy', 'economy'],
      ['staging', 'staging'],
      ['prod', 'prod'],
    ]);
  });

  test('all environments have point-in-time recovery, with a longer period if more data is at stake', () => {
    const { dev, staging, prod } = environments;
    expect([dev, staging, prod].map(({ recoveryPeriodInDays }) => recoveryPeriodInDays)).toEqual([7, 14, 35]);
  });

  test('staging and prod protect data and have their own keys; dev is easy to delete', () => {
    expect(environments.dev).toMatchObject({ protectData: false, encryption: 'aws-managed' });
    expect(environments.staging).toMatchObject({ protectData: true, encryption: 'customer-managed' });
    expect(environments.prod).toMatchObject({ protectData: true, encryption: 'customer-managed' });
  });

  test('staging and prod monitor throttled keys; dev does not, because it would only cost money there', () => {
    expect(environments.dev.contributorInsights).toBe('off');
    expect(environments.staging.contributorInsights).toBe('throttled-keys');
    expect(environments.prod.contributorInsights).toBe('throttled-keys');
  });

  test('staging and prod have backups and require TLS; dev has no backups and no alarms, and does not require TLS', () => {
    const { dev, staging, prod } = environments;
    expect(dev).toMatchObject({ alarms: 'none', backup: 'none', tlsOnly: false });
    expect(staging.backup).toEqual({ daily: { days: 14 } });
    expect(Object.keys(prod.backup)).toEqual(['daily', 'weekly', 'monthly']);
    expect([staging, prod].map(({ tlsOnly }) => tlsOnly)).toEqual([true, true]);
  });

  test('economy protects data like prod, without resources that cost money before the first request', () => {
    const { economy, prod } = environments;
    const protection = ({ recoveryPeriodInDays, protectData, tlsOnly }: Environment) => [
      recoveryPeriodInDays,
      protectData,
      tlsOnly,
    ];
    expect(protection(economy)).toEqual(protection(prod));
    // Each backup is kept for as long as point-in-time recovery reaches back.
    expect(economy.backup).toEqual({ weekly: { days: economy.recoveryPeriodInDays } });
    expect(economy).toMatchObject({ encryption: 'aws-managed', contributorInsights: 'off', alarms: 'none' });
  });

  test('alarm thresholds are higher in staging than in prod', () => {
    const [staging, prod] = [environments.staging, environments.prod].map(({ alarms }) => Object.entries(alarms));
    for (const [i, [name, value]] of (prod ?? []).entries()) {
      expect(staging?.[i]?.[0]).toBe(name);
      expect(staging?.[i]?.[1]).toBeGreaterThan(value);
    }
  });

  test.each(Object.values(environments))(
    'environment $name passes the validation for custom environments',
    (environment) => {
      expect(environmentOf(environment)).toBe(environment);
    },
  );
});

describe('an environment', () => {
  test.each(['dev', 'economy', 'staging', 'prod'] as const)('an environment may be given as the name %s', (name) => {
    expect(environmentOf(name)).toBe(environments[name]);
  });

  test('the default environment is prod, so that nobody loses data by forgetting to choose one', () => {
    expect(environmentOf()).toBe(environments.prod);
    expect(environmentOf(undefined)).toBe(environments.prod);
  });

  test.each(['production', 'Prod', '', 'constructor'])(
    'refuses an environment with the unknown name %j, and lists the known names',
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
  ])(
    'refuses the environment %j, which is neither a name nor an object, and shows what to write',
    (environment, got) => {
      expect(() => environmentOf(environment as unknown as Environment)).toThrow(
        `environment must be one of dev, economy, staging, prod, or an environment of your own, such as { ...environments.prod, name: 'qa' }, got: ${got}`,
      );
    },
  );
});

describe('a custom environment', () => {
  const own = (given: Partial<Environment>): Environment => ({ ...environments.prod, name: 'qa', ...given });

  test('a custom environment is used unchanged', () => {
    const qa = own({ recoveryPeriodInDays: 3, protectData: false });
    expect(environmentOf(qa)).toBe(qa);
  });

  test.each(['qa', 'QA2', 'feature-123-x', '1'])('a custom environment may be named %s', (name) => {
    expect(environmentOf(own({ name })).name).toBe(name);
  });

  test.each(['', 'q a', '-qa', 'qa-', 'a--b', 'q_a', 'qä', 'q/a', 'qa\n'])(
    'a custom environment may not be named %j',
    (name) => {
      expect(() => environmentOf(own({ name }))).toThrow(
        `environment.name must be letters, digits and single hyphens, got: '${name}'`,
      );
    },
  );

  test.each([1, 35])('accepts a recovery period of %i days', (recoveryPeriodInDays) => {
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
    [{ alarms: { periods: 1.5 } }, 'environment.alarms.periods must be a whole number of at least 1, got: 1.5'],
  ])('rejects invalid alarm thresholds: %j', ({ alarms }, message) => {
    const thresholds = { ...(environments.prod.alarms as AlarmThresholds), ...alarms };
    expect(() => environmentOf(own({ alarms: thresholds }))).toThrow(message);
  });

  test.each([
    [
      {},
      "environment.backup must be 'none' or an object with at least one of daily, weekly, monthly, got: an empty object",
    ],
    [
      { lock: 'governance' as const },
      "environment.backup must be 'none' or an object with at least one of daily, weekly, monthly, got: an object with lock",
    ],
    [{ daily: { days: 0 } }, 'environment.backup.daily.days must be a whole number of at least 1, got: 0'],
    [
      { weekly: { days: 100, coldAfterDays: 11 } },
      'environment.backup.weekly.coldAfterDays must be a whole number of at least 1 that leaves at least 90 of the 100 days in cold storage, got: 11',
    ],
    [{ monthly: { days: 365, coldAfterDays: 0 } }, 'leaves at least 90 of the 365 days in cold storage, got: 0'],
  ])('rejects backup settings that AWS would refuse: %j', (backup, message) => {
    expect(() => environmentOf(own({ backup }))).toThrow(message);
  });

  test("accepts backups that spend exactly AWS's minimum time in cold storage", () => {
    const qa = own({ backup: { monthly: { days: 100, coldAfterDays: 10 } } });
    expect(environmentOf(qa)).toBe(qa);
  });

  test('reports all problems of a custom environment at once, every time it is used', () => {
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
