import { type AzureEnvironment, azureEnvironments } from './on-azure';

/** What differs between one environment and another. */
export interface Environment {
  /** Part of every physical name: `<system>-<environment>-<table>`. */
  readonly name: string;
  /**
   * What differs on Azure alone.
   * @default - as in prod
   */
  readonly azure?: AzureEnvironment;
  /** How far back a table can be restored to any second: 1 to 35 days. */
  readonly recoveryPeriodInDays: number;
  /** Whose key encrypts the tables: AWS's own, or one of the account that is rotated every year. */
  readonly encryption: 'aws-managed' | 'customer-managed';
  /** Whether a table refuses to be deleted, and stays when its stack goes. */
  readonly protectData: boolean;
  /** Which keys CloudWatch Contributor Insights watches. */
  readonly contributorInsights: 'off' | 'throttled-keys' | 'accessed-and-throttled-keys';
}

export type EnvironmentName = 'dev' | 'staging' | 'prod';

/** The environments that come with the library. Spread one to make your own: `{ ...environments.prod, name: 'qa' }`. */
export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: {
    name: 'dev',
    azure: azureEnvironments.dev,
    recoveryPeriodInDays: 7,
    encryption: 'aws-managed',
    protectData: false,
    contributorInsights: 'off',
  },
  staging: {
    name: 'staging',
    azure: azureEnvironments.staging,
    recoveryPeriodInDays: 14,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
  },
  prod: {
    name: 'prod',
    azure: azureEnvironments.prod,
    recoveryPeriodInDays: 35,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
  },
};

/** The environment itself, or the one of that name. Nothing said means `prod`: safe unless relaxed by name. */
export function environmentOf(environment: EnvironmentName | Environment = 'prod'): Environment {
  if (typeof environment === 'object') return assertLegal(environment);
  if (Object.hasOwn(environments, environment)) return environments[environment];
  throw new Error(`environment must be one of ${Object.keys(environments).join(', ')}, got: '${environment}'`);
}

function assertLegal(environment: Environment): Environment {
  const { name, recoveryPeriodInDays: days } = environment;
  if (!/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(name)) {
    throw new Error(`environment.name must be letters, digits and single hyphens, got: '${name}'`);
  }
  if (!Number.isInteger(days) || days < 1 || days > 35) {
    throw new Error(`environment.recoveryPeriodInDays must be a whole number from 1 to 35, got: ${days}`);
  }
  return environment;
}
