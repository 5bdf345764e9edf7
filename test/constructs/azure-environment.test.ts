import { onAzure } from '../../constructs/azure-environment';
import { type Environment, environments } from '../../constructs/environment';

test('copies are further away, the network is private, and nothing can be deleted, the more there is to lose', () => {
  const { dev, staging, prod } = environments;
  expect([dev, staging, prod].map((environment) => Object.values(onAzure(environment)))).toEqual([
    ['LRS', 'named-addresses', false, false],
    ['ZRS', 'private', true, true],
    ['RAGZRS', 'private', true, true],
  ]);
});

test('economy is locked and in three zones, and has neither a private endpoint nor a log, which cost money', () => {
  expect(onAzure(environments.economy)).toEqual({
    ...{ replication: 'ZRS', deleteLock: true },
    ...{ network: 'named-addresses', diagnostics: false },
  });
});

test('an environment that says nothing of Azure is as safe there as prod', () => {
  const { azure: _, ...rest } = environments.dev;
  const silent: Environment = rest;
  expect(onAzure(silent)).toBe(onAzure(environments.prod));
});

test.each([
  ['replication', 'XRS', 'LRS, ZRS, GRS, RAGRS, GZRS, RAGZRS'],
  ['network', 'open', 'private, named-addresses'],
])('%s may not be %s', (key, value, known) => {
  const azure = { ...onAzure(environments.prod), [key]: value };
  expect(() => onAzure({ azure })).toThrow(`environment.azure.${key} must be one of ${known}, got: '${value}'`);
});
