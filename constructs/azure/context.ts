import { type Environment, type EnvironmentName, environmentOf } from '../environment';

/** The context keys that the app accepts, with their meanings. */
const KEYS = {
  environment: 'dev, economy, staging or prod',
  location: 'the region for all systems',
  subscription: 'the id of the subscription, which also changes the hash in account names',
  resourceGroup: 'an existing resource group, for all systems',
} as const;

/** The app's context, read from the command line (`-c environment=prod`) or from the CDK's own context. */
export interface Context {
  readonly environment: Environment;
  readonly location?: string;
  readonly subscription?: string;
  readonly resourceGroup?: string;
}

/** Reads the command line, which overrides `given`. Throws for an unknown key. */
export function contextFrom(args: readonly string[], given: (key: string) => unknown = () => undefined): Context {
  const values = new Map<string, string>();
  const wrong: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const flag = args[i] as string;
    const isFlag = flag === '-c' || flag === '--context';
    const [, key = '', value = ''] = /^([^=]+)=(.+)$/.exec((isFlag ? args[++i] : undefined) ?? '') ?? [];
    if (Object.hasOwn(KEYS, key)) values.set(key, value);
    else wrong.push(isFlag ? `${flag} ${args[i] ?? ''}`.trim() : flag);
  }
  if (wrong.length > 0) {
    const known = Object.entries(KEYS).map(([key, meaning]) => `  -c ${key}=…  ${meaning}`);
    throw new Error([`options must be given as -c <key>=<value>, got: ${wrong.join(' ')}`, ...known].join('\n'));
  }
  const at = (key: keyof typeof KEYS) => values.get(key) ?? optionalText(given(key));
  return {
    environment: environmentOf((at('environment') ?? 'dev') as EnvironmentName),
    ...optional('location', at('location')),
    ...optional('subscription', at('subscription')),
    ...optional('resourceGroup', at('resourceGroup')),
  };
}

function optionalText(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value);
}

function optional<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: string });
}
