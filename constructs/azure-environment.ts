/** The settings of an environment that apply only to Azure. */
export interface AzureEnvironment {
  /**
   * Where Azure keeps copies of the data: in one data center (L), in three zones (Z), or also in another region (G),
   * where the copies may be readable (RA).
   */
  readonly replication: 'LRS' | 'ZRS' | 'GRS' | 'RAGRS' | 'GZRS' | 'RAGZRS';
  /** Where requests may come from: only the private network, or also named addresses on the internet. */
  readonly network: 'private' | 'named-addresses';
  /** Whether a lock prevents all users from deleting the storage account. */
  readonly deleteLock: boolean;
  /** Whether Azure logs every read, write and delete. */
  readonly diagnostics: boolean;
}

export const azureEnvironments: Readonly<Record<'dev' | 'economy' | 'staging' | 'prod', AzureEnvironment>> = {
  dev: { replication: 'LRS', network: 'named-addresses', deleteLock: false, diagnostics: false },
  // `economy` has no private endpoint and no workspace, because Azure bills for them by the hour or per request. It
  // does have zone redundancy, which raises only the price of storage.
  economy: { replication: 'ZRS', network: 'named-addresses', deleteLock: true, diagnostics: false },
  staging: { replication: 'ZRS', network: 'private', deleteLock: true, diagnostics: true },
  prod: { replication: 'RAGZRS', network: 'private', deleteLock: true, diagnostics: true },
};

/** The allowed values, which are checked for callers that use JavaScript. */
export const AZURE_CHOICES = {
  replication: ['LRS', 'ZRS', 'GRS', 'RAGRS', 'GZRS', 'RAGZRS'],
  network: ['private', 'named-addresses'],
} as const;

/**
 * Returns an environment's Azure settings, by default those of prod, so that every setting is safe unless an
 * environment explicitly relaxes it.
 */
export function onAzure(environment: { readonly azure?: AzureEnvironment }): AzureEnvironment {
  const { azure = azureEnvironments.prod } = environment;
  for (const [key, known] of Object.entries(AZURE_CHOICES)) {
    const got = azure[key as keyof typeof AZURE_CHOICES];
    if (!(known as readonly string[]).includes(got)) {
      throw new Error(`environment.azure.${key} must be one of ${known.join(', ')}, got: '${got}'`);
    }
  }
  return azure;
}
