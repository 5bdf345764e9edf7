import { isObject, show } from '../lib/design/show';
import { type AzureEnvironment, azureEnvironments } from './azure-environment';
import { environmentProblems } from './environment-problems';

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
  /** Whether a table refuses requests that come over an unencrypted connection, which DynamoDB serves too. */
  readonly tlsOnly: boolean;
  /** When a table calls for someone. */
  readonly alarms: 'none' | AlarmThresholds;
  /** What AWS Backup keeps beside point-in-time recovery, also after a table is gone. */
  readonly backup: 'none' | BackupSchedule;
}

/** What is still taken for normal in five minutes. */
export interface AlarmThresholds {
  /** Reads and writes throttled for one cause, on a table or on one of its indexes. */
  readonly throttles: number;
  /** Requests to a table that DynamoDB failed to serve. */
  readonly systemErrors: number;
  /** Requests that DynamoDB refused as wrong, in the whole account and region: it does not say by which table. */
  readonly userErrors: number;
  /** Milliseconds that DynamoDB itself takes for an operation on average, without the way there and back. */
  readonly latency: number;
  /** How many times five minutes it has to last before someone is called. */
  readonly periods: number;
}

/** How often a backup is made, and how long it is kept. */
export interface BackupSchedule {
  /** @default - none */
  readonly daily?: Retention;
  /** @default - none */
  readonly weekly?: Retention;
  /** @default - none */
  readonly monthly?: Retention;
  /**
   * Whether backups can be deleted before their time: `governance` lets an administrator take the lock off, `compliance`
   * lets nobody, not even AWS, from three days after it was set.
   * @default - they can
   */
  readonly lock?: 'governance' | 'compliance';
}

export interface Retention {
  readonly days: number;
  /**
   * When the backup moves to cold storage, where it has to stay for at least 90 days.
   * @default - never
   */
  readonly coldAfterDays?: number;
}

export type EnvironmentName = 'dev' | 'economy' | 'staging' | 'prod';

/** The environments that come with the library. Spread one to make your own: `{ ...environments.prod, name: 'qa' }`. */
export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: {
    name: 'dev',
    azure: azureEnvironments.dev,
    recoveryPeriodInDays: 7,
    encryption: 'aws-managed',
    protectData: false,
    contributorInsights: 'off',
    tlsOnly: false,
    alarms: 'none',
    backup: 'none',
  },
  // All that protects data, and nothing that costs money before the first request.
  economy: {
    name: 'economy',
    azure: azureEnvironments.economy,
    recoveryPeriodInDays: 35,
    encryption: 'aws-managed',
    protectData: true,
    contributorInsights: 'off',
    tlsOnly: true,
    alarms: 'none',
    backup: { weekly: { days: 35 } },
  },
  staging: {
    name: 'staging',
    azure: azureEnvironments.staging,
    recoveryPeriodInDays: 14,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
    tlsOnly: true,
    alarms: { throttles: 50, systemErrors: 25, userErrors: 500, latency: 100, periods: 3 },
    backup: { daily: { days: 14 } },
  },
  prod: {
    name: 'prod',
    azure: azureEnvironments.prod,
    recoveryPeriodInDays: 35,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
    tlsOnly: true,
    alarms: { throttles: 5, systemErrors: 5, userErrors: 50, latency: 50, periods: 2 },
    // Point-in-time recovery covers the same 35 days; a daily copy is for the week in which a table itself is lost.
    backup: { daily: { days: 7 }, weekly: { days: 90 }, monthly: { days: 365, coldAfterDays: 30 } },
  },
};

/** The environment itself, or the one of that name. Nothing said means `prod`: safe unless relaxed by name. */
export function environmentOf(environment: EnvironmentName | Environment = 'prod'): Environment {
  if (isObject(environment)) return legal(environment as Environment);
  if (typeof environment === 'string' && Object.hasOwn(environments, environment)) return environments[environment];
  const own = typeof environment === 'string' ? '' : `, or your own, such as { ...environments.prod, name: 'qa' }`;
  throw new Error(
    `environment must be one of ${Object.keys(environments).join(', ')}${own}, got: ${show(environment)}`,
  );
}

/** Every table asks for its environment, and one is judged once. */
const judged = new WeakSet<Environment>();

function legal(environment: Environment): Environment {
  if (judged.has(environment)) return environment;
  const problems = environmentProblems({ ...environment });
  if (problems.length > 1) throw new Error([`environment has ${problems.length} problems`, ...problems].join('\n  '));
  if (problems.length === 1) throw new Error(problems[0]);
  judged.add(environment);
  return environment;
}
