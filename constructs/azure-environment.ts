/** The settings of an environment that apply only to Azure. */
export interface AzureEnvironment {
  /** Where copies of the data are: one data center, three zones (Z), or another region (G), which may be readable (RA). */
  readonly replication: 'LRS' | 'ZRS' | 'GRS' | 'RAGRS' | 'GZRS' | 'RAGZRS';
  /** Who can reach the tables: only the private network, or also named addresses on the internet. */
  readonly network: 'private' | 'named-addresses';
  /** Whether a lock keeps the storage account from being deleted by anyone. */
  readonly deleteLock: boolean;
  /** Whether every read, write and delete is logged. */
  readonly diagnostics: boolean;
}

export const azureEnvironments: Readonly<Record<'dev' | 'economy' | 'staging' | 'prod', AzureEnvironment>> = {
  dev: { replication: 'LRS', network: 'named-addresses', deleteLock: false, diagnostics: false },
  // No private endpoint and no workspace, which are billed by the hour or by request; three zones cost only storage.
  economy: { replication: 'ZRS', network: 'named-addresses', deleteLock: true, diagnostics: false },
  staging: { replication: 'ZRS', network: 'private', deleteLock: true, diagnostics: true },
  prod: { replication: 'RAGZRS', network: 'private', deleteLock: true, diagnostics: true },
};

/** The allowed values, for callers without a compiler. */
export const AZURE_CHOICES = {
  replication: ['LRS', 'ZRS', 'GRS', 'RAGRS', 'GZRS', 'RAGZRS'],
  network: ['private', 'named-addresses'],
} as const;

/** The Azure settings of an environment, by default those of prod: safe unless relaxed by name. */
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
