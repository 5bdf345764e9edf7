import { isObject, show } from '../lib/design/show';
import { type AzureEnvironment, azureEnvironments } from './azure-environment';
import { environmentProblems } from './environment-problems';

/** The settings that differ between environments. */
export interface Environment {
  /** Part of every physical name: `<system>-<environment>-<table>`. */
  readonly name: string;
  /**
   * The settings that apply only to Azure.
   * @default - as in prod
   */
  readonly azure?: AzureEnvironment;
  /** How many days back a table can be restored to any second: 1 to 35. */
  readonly recoveryPeriodInDays: number;
  /** Whose key encrypts the tables: AWS's own, or one of the account, which is rotated every year. */
  readonly encryption: 'aws-managed' | 'customer-managed';
  /** Whether a table refuses to be deleted, and stays when its stack is deleted. */
  readonly protectData: boolean;
  /** Which keys CloudWatch Contributor Insights watches. */
  readonly contributorInsights: 'off' | 'throttled-keys' | 'accessed-and-throttled-keys';
  /** Whether a table refuses requests over an unencrypted connection, which DynamoDB serves too. */
  readonly tlsOnly: boolean;
  /** When an alarm goes off. */
  readonly alarms: 'none' | AlarmThresholds;
  /** What AWS Backup keeps in addition to point-in-time recovery, even after a table is gone. */
  readonly backup: 'none' | BackupSchedule;
}

/** What still counts as normal within five minutes. */
export interface AlarmThresholds {
  /** Reads and writes throttled for one cause, on a table or on one of its indexes. */
  readonly throttles: number;
  /** Requests to a table that DynamoDB failed to serve. */
  readonly systemErrors: number;
  /** Requests that DynamoDB refused as invalid, in the whole account and region: CloudWatch does not say on which table. */
  readonly userErrors: number;
  /** Milliseconds that DynamoDB itself takes for an operation on average, without the network. */
  readonly latency: number;
  /** Seconds that a function may lag behind the changes it follows; a stream keeps them for a day. */
  readonly lag: number;
  /** For how many five-minute periods the problem must last before the alarm goes off. */
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
   * Whether backups are locked against early deletion: an administrator can remove a `governance` lock; nobody, not even AWS,
   * can remove a `compliance` lock from three days after it was set.
   * @default - they are not locked
   */
  readonly lock?: 'governance' | 'compliance';
}

export interface Retention {
  readonly days: number;
  /**
   * The number of days after which the backup moves to cold storage, where it must stay for at least 90 days.
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
  // Has everything that protects data, and nothing that costs money before the first request.
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
    alarms: { throttles: 50, systemErrors: 25, userErrors: 500, latency: 100, lag: 3600, periods: 3 },
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
    alarms: { throttles: 5, systemErrors: 5, userErrors: 50, latency: 50, lag: 600, periods: 2 },
    // Point-in-time recovery covers 35 days; the daily copies help if the table itself is lost.
    backup: { daily: { days: 7 }, weekly: { days: 90 }, monthly: { days: 365, coldAfterDays: 30 } },
  },
};

/** The environment itself, or the one with that name; by default `prod`: safe unless relaxed by name. */
export function environmentOf(environment: EnvironmentName | Environment = 'prod'): Environment {
  if (isObject(environment)) return legal(environment as Environment);
  if (typeof environment === 'string' && Object.hasOwn(environments, environment)) return environments[environment];
  const own = typeof environment === 'string' ? '' : `, or your own, such as { ...environments.prod, name: 'qa' }`;
  throw new Error(
    `environment must be one of ${Object.keys(environments).join(', ')}${own}, got: ${show(environment)}`,
  );
}

/** Environments that are already validated, since every table asks for its environment. */
const validated = new WeakSet<Environment>();

function legal(environment: Environment): Environment {
  if (validated.has(environment)) return environment;
  const problems = environmentProblems({ ...environment });
  if (problems.length > 1) throw new Error([`environment has ${problems.length} problems`, ...problems].join('\n  '));
  if (problems.length === 1) throw new Error(problems[0]);
  validated.add(environment);
  return environment;
}
