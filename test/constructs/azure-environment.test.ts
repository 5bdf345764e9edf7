import { onAzure } from '../../constructs/azure-environment';
import { type Environment, environments } from '../../constructs/environment';

test('environments with more data at stake replicate to more places, use a private network, and prevent deletion', () => {
  const { dev, staging, prod } = environments;
  expect([dev, staging, prod].map((environment) => Object.values(onAzure(environment)))).toEqual([
    ['LRS', 'named-addresses', false, false],
    ['ZRS', 'private', true, true],
    ['RAGZRS', 'private', true, true],
  ]);
});

test('economy has a lock and three zones, but no private endpoint and no logs, which would cost money', () => {
  expect(onAzure(environments.economy)).toEqual({
    ...{ replication: 'ZRS', deleteLock: true },
    ...{ network: 'named-addresses', diagnostics: false },
  });
});

test('an environment without Azure settings gets the Azure settings of prod', () => {
  const { azure: _, ...rest } = environments.dev;
  const silent: Environment = rest;
  expect(onAzure(silent)).toBe(onAzure(environments.prod));
});

test.each([
  ['replication', 'XRS', 'LRS, ZRS, GRS, RAGRS, GZRS, RAGZRS'],
  ['network', 'open', 'private, named-addresses'],
])('refuses the setting %s with the value %s', (key, value, known) => {
  const azure = { ...onAzure(environments.prod), [key]: value };
  expect(() => onAzure({ azure })).toThrow(`environment.azure.${key} must be one of ${known}, got: '${value}'`);
});
