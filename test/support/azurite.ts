import { type ClientOptions, client, type Send } from '../../lib/azure-tables';
import type { Client } from '../../lib/azure-tables/client';
import { azuriteEngine } from '../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../lib/azure-tables/engine/database';
import type { TerraformJson } from '../../lib/azure-tables/terraform';
import type { SystemDesign } from '../../lib/design/system';
import type { controlePgm } from '../../lib/systems';

/** Returns a synthesized stack that contains only the given tables. */
export function stackOf(...names: readonly string[]): TerraformJson {
  const type = 'Microsoft.Storage/storageAccounts/tableServices/tables@2024-01-01';
  const block = (name: string) => ({
    type,
    name,
    parent_id: `\${azurerm_storage_account.account.id}/tableServices/default`,
  });
  return {
    resource: { azapi_resource: Object.fromEntries(names.map((name) => [`table_${name}`, block(name)])) },
  };
}

/** Starts Azurite for the test file, and recreates the system's tables for every test. */
export function azurite(system: SystemDesign) {
  let engine: AzureDatabase | undefined;
  beforeAll(async () => {
    engine = await azuriteEngine();
  });
  beforeEach(() => engine?.provision(stackOf(...Object.keys(system.tables))));
  afterEach(async () => {
    for (const table of Object.keys(system.tables)) await engine?.drop(table);
  });
  afterAll(() => engine?.stop());
  return {
    engine: () => engine as AzureDatabase,
    send: ((table, call) => (engine as AzureDatabase).send(table, call)) satisfies Send,
  };
}

type Tables = (typeof controlePgm)['tables'];

/** A client with all of controle-pgm's patterns. */
export type PgmClient = Client<Tables['Users']> &
  Client<Tables['DocumentTypes']> &
  Client<Tables['Sequences']> &
  Client<Tables['NumberLogs']> &
  Client<Tables['UsersByEmail']>;

/** Returns one client for all tables of a system. This works because every pattern name in the system is unique. */
export function clientOf(system: SystemDesign, send: Send, options?: ClientOptions): PgmClient {
  const clients = Object.entries(system.tables).map(([name, table]) => client(table, name, send, options));
  return Object.assign({}, ...clients) as PgmClient;
}
