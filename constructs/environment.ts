import { isObject, show } from '../lib/design/show';
import { type AzureEnvironment, azureEnvironments } from './azure-environment';
import { environmentProblems } from './environment-problems';

/** The settings that differ between environments. */
export interface Environment {
  /** Part of every physical name: `<system>-<environment>-<table>`. */
  readonly name: string;
  /**
   * The settings that apply only to Azure.
   * @default - prod's Azure settings
   */
  readonly azure?: AzureEnvironment;
  /** The number of days, from 1 to 35, for which a table can be restored to any second. */
  readonly recoveryPeriodInDays: number;
  /** The key that encrypts the tables: an AWS-managed key, or a customer-managed key, which is rotated every year. */
  readonly encryption: 'aws-managed' | 'customer-managed';
  /** Whether a table has deletion protection, and is retained when its stack is deleted. */
  readonly protectData: boolean;
  /** The keys that CloudWatch Contributor Insights monitors. */
  readonly contributorInsights: 'off' | 'throttled-keys' | 'accessed-and-throttled-keys';
  /** Whether a table refuses unencrypted connections, which DynamoDB accepts by default. */
  readonly tlsOnly: boolean;
  /** The alarms' thresholds; `'none'` creates no alarms. */
  readonly alarms: 'none' | AlarmThresholds;
  /** The backups that AWS Backup keeps in addition to point-in-time recovery. The backups outlive the table. */
  readonly backup: 'none' | BackupSchedule;
}

/** The limits above which alarms go off, measured over five-minute periods. */
export interface AlarmThresholds {
  /** The number of reads and writes throttled for one cause, on a table or on one of its indexes. */
  readonly throttles: number;
  /** The number of requests to a table that DynamoDB failed to serve. */
  readonly systemErrors: number;
  /**
   * The number of requests that DynamoDB refused as invalid, counted for the whole account and region, because
   * CloudWatch does not count these requests per table.
   */
  readonly userErrors: number;
  /** The average latency of an operation in milliseconds, measured within DynamoDB, without the network. */
  readonly latency: number;
  /** The number of seconds that a stream consumer may lag behind; a stream keeps changes for a day. */
  readonly lag: number;
  /** The number of consecutive five-minute periods for which a limit must be exceeded before the alarm goes off. */
  readonly periods: number;
}

/** How often backups are made, and how long they are kept. */
export interface BackupSchedule {
  /** @default - none */
  readonly daily?: Retention;
  /** @default - none */
  readonly weekly?: Retention;
  /** @default - none */
  readonly monthly?: Retention;
  /**
   * The lock that protects backups against early deletion. An administrator can remove a `governance` lock. Three days after a `compliance` lock
   * is set, nobody can remove it, not even AWS.
   * @default - the backups are not locked
   */
  readonly lock?: 'governance' | 'compliance';
}

export interface Retention {
  readonly days: number;
  /**
   * The number of days after which a backup moves to cold storage, where it must stay for at least 90 days.
   * @default - never
   */
  readonly coldAfterDays?: number;
}

export type EnvironmentName = 'dev' | 'economy' | 'staging' | 'prod';

/** The built-in environments. Spread one of them to create your own: `{ ...environments.prod, name: 'qa' }`. */
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
  // Economy keeps every setting that protects data, and drops every setting with a fixed price.
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
    // Point-in-time recovery covers 35 days. The daily backups also survive the loss of the table itself.
    backup: { daily: { days: 7 }, weekly: { days: 90 }, monthly: { days: 365, coldAfterDays: 30 } },
  },
};

/**
 * Returns the given environment, or the built-in environment with this name. The default is `prod`, so that every
 * setting is safe unless the user relaxes it explicitly.
 */
export function environmentOf(environment: EnvironmentName | Environment = 'prod'): Environment {
  if (isObject(environment)) return legal(environment as Environment);
  if (typeof environment === 'string' && Object.hasOwn(environments, environment)) return environments[environment];
  const own =
    typeof environment === 'string'
      ? ''
      : `, or an environment of your own, such as { ...environments.prod, name: 'qa' }`;
  throw new Error(
    `environment must be one of ${Object.keys(environments).join(', ')}${own}, got: ${show(environment)}`,
  );
}

/** Remembers which environments are already validated, because every table looks up its environment. */
const validated = new WeakSet<Environment>();

function legal(environment: Environment): Environment {
  if (validated.has(environment)) return environment;
  const problems = environmentProblems({ ...environment });
  if (problems.length > 1) throw new Error([`environment has ${problems.length} problems`, ...problems].join('\n  '));
  if (problems.length === 1) throw new Error(problems[0]);
  validated.add(environment);
  return environment;
}
