import { contextFrom } from '../../../constructs/azure/context';
import { environments } from '../../../constructs/environment';

test('the environment is dev by default, as with AWS', () => {
  expect(contextFrom([])).toEqual({ environment: environments.dev });
  expect(contextFrom(['-c', 'environment=prod'])).toEqual({ environment: environments.prod });
  expect(contextFrom(['--context', 'environment=staging'])).toEqual({ environment: environments.staging });
});

test('the context sets the region, subscription and resource group', () => {
  const args = ['-c', 'location=brazilsouth', '-c', 'subscription=0-1=2', '-c', 'resourceGroup=acme'];
  expect(contextFrom(args)).toEqual({
    environment: environments.dev,
    location: 'brazilsouth',
    subscription: '0-1=2',
    resourceGroup: 'acme',
  });
});

test('the command line overrides the context of the Terraform CDK', () => {
  const given = (key: string) => ({ environment: 'prod', location: 'x' })[key];
  expect(contextFrom([], given)).toEqual({ environment: environments.prod, location: 'x' });
  expect(contextFrom(['-c', 'environment=dev'], given).environment).toBe(environments.dev);
});

test('refuses an unknown environment and lists the known environments', () => {
  expect(() => contextFrom(['-c', 'environment=qa'])).toThrow(
    "environment must be one of dev, economy, staging, prod, got: 'qa'",
  );
});

test.each([
  [['prod'], 'prod'],
  [['-c'], '-c'],
  [['-c', 'environment'], '-c environment'],
  [['-c', 'environment='], '-c environment='],
  [['-c', 'env=prod', '--x'], '-c env=prod --x'],
  [['-c', 'toString=x'], '-c toString=x'],
])('refuses the arguments %j and lists every valid setting', (args, got) => {
  expect(() => contextFrom(args)).toThrow(
    `options must be given as -c <key>=<value>, got: ${got}\n  -c environment=…  dev, economy, staging or prod\n`,
  );
});
