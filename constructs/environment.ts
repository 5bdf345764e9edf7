/** What differs between one environment and another. */
export interface Environment {
  /** Part of every physical name: `<system>-<environment>-<table>`. */
  readonly name: string;
  /** How far back a table can be restored to any second: 1 to 35 days. */
  readonly recoveryPeriodInDays: number;
  /** Whose key encrypts the tables: AWS's own, or one of the account that is rotated every year. */
  readonly encryption: 'aws-managed' | 'customer-managed';
  /** Whether a table refuses to be deleted, and stays when its stack goes. */
  readonly protectData: boolean;
  /** Which keys CloudWatch Contributor Insights watches. */
  readonly contributorInsights: 'off' | 'throttled-keys' | 'accessed-and-throttled-keys';
  /**
   * What differs on Azure alone.
   * @default - as in prod
   */
  readonly azure?: AzureEnvironment;
}

/** What differs between one environment and another on Azure alone. */
export interface AzureEnvironment {
  /** Where copies of the data are: one building, three zones (Z), another region (G), and whether that can be read (RA). */
  readonly replication: 'LRS' | 'ZRS' | 'GRS' | 'RAGRS' | 'GZRS' | 'RAGZRS';
  /** Who reaches the tables: those in the private network alone, or named addresses of the internet as well. */
  readonly network: 'private' | 'named-addresses';
  /** Whether a lock keeps the storage account from being deleted by anyone. */
  readonly deleteLock: boolean;
  /** Whether every read, write and delete is logged. */
  readonly diagnostics: boolean;
}

export type EnvironmentName = 'dev' | 'staging' | 'prod';

const PROD_ON_AZURE: AzureEnvironment = {
  replication: 'RAGZRS',
  network: 'private',
  deleteLock: true,
  diagnostics: true,
};

/** The environments that come with the library. Spread one to make your own: `{ ...environments.prod, name: 'qa' }`. */
export const environments: Readonly<Record<EnvironmentName, Environment>> = {
  dev: {
    name: 'dev',
    recoveryPeriodInDays: 7,
    encryption: 'aws-managed',
    protectData: false,
    contributorInsights: 'off',
    azure: { replication: 'LRS', network: 'named-addresses', deleteLock: false, diagnostics: false },
  },
  staging: {
    name: 'staging',
    recoveryPeriodInDays: 14,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
    azure: { replication: 'ZRS', network: 'private', deleteLock: true, diagnostics: true },
  },
  prod: {
    name: 'prod',
    recoveryPeriodInDays: 35,
    encryption: 'customer-managed',
    protectData: true,
    contributorInsights: 'throttled-keys',
    azure: PROD_ON_AZURE,
  },
};

/** The environment itself, or the one of that name. Nothing said means `prod`: safe unless relaxed by name. */
export function environmentOf(environment: EnvironmentName | Environment = 'prod'): Environment {
  if (typeof environment === 'object') return assertLegal(environment);
  if (Object.hasOwn(environments, environment)) return environments[environment];
  throw new Error(`environment must be one of ${Object.keys(environments).join(', ')}, got: '${environment}'`);
}

/** What an environment says of Azure. Nothing said means what is said of prod. */
export function onAzure({ azure = PROD_ON_AZURE }: Environment): AzureEnvironment {
  return azure;
}

function assertLegal(environment: Environment): Environment {
  const { name, recoveryPeriodInDays: days } = environment;
  if (!/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(name)) {
    throw new Error(`environment.name must be letters, digits and single hyphens, got: '${name}'`);
  }
  if (!Number.isInteger(days) || days < 1 || days > 35) {
    throw new Error(`environment.recoveryPeriodInDays must be a whole number from 1 to 35, got: ${days}`);
  }
  if (environment.azure !== undefined) assertLegalOnAzure(environment.azure);
  return environment;
}

/** What can be chosen on Azure, for those who have no compiler to tell them. */
const CHOICES = {
  replication: ['LRS', 'ZRS', 'GRS', 'RAGRS', 'GZRS', 'RAGZRS'],
  network: ['private', 'named-addresses'],
} as const;

function assertLegalOnAzure(azure: AzureEnvironment): void {
  for (const [key, known] of Object.entries(CHOICES)) {
    const got = azure[key as keyof typeof CHOICES];
    if (!(known as readonly string[]).includes(got)) {
      throw new Error(`environment.azure.${key} must be one of ${known.join(', ')}, got: '${got}'`);
    }
  }
}
