import type { TerraformJson } from '../azure-tables/terraform';
import { counted, isObject } from '../design/show';
import { type Cost, cents, HOURS } from './cost';
import { type AzurePrices, listed, PRICES } from './prices';

/** Itemizes the costs of a Terraform JSON stack. Fixed costs come first. */
export function azureCosts({ resource = {} }: TerraformJson, prices: AzurePrices = PRICES.azure): readonly Cost[] {
  const ofType = (type: string) =>
    Object.values(resource[type] ?? {}).flatMap((block) => [block].flat().filter(isObject));
  const endpoints = ofType('azurerm_private_endpoint').length;
  const accounts = ofType('azurerm_storage_account');
  return [
    ...(endpoints === 0
      ? []
      : [
          {
            part: counted(endpoints, 'private endpoint'),
            monthly: cents(endpoints * prices.endpointHour * HOURS),
            price: `${listed(prices.endpointHour)} per endpoint per hour, ${listed(prices.endpointGb)} a GB in and out; ${listed(prices.dnsZone)} a month for the private DNS zone`,
          },
        ]),
    ...accounts.map(({ account_replication_type: copies }) => ({
      part: `storage, ${copies}`,
      monthly: 0,
      price: `${storedAt(prices, copies)} per GB per month`,
    })),
    ...(accounts.length === 0
      ? []
      : [{ part: 'requests', monthly: 0, price: `${listed(prices.requests10k)} per 10,000` }]),
    ...(accounts.some(({ customer_managed_key: key }) => key !== undefined)
      ? [
          {
            part: 'your own key in a vault',
            monthly: 0,
            price: `${listed(prices.vaultOperations10k)} per 10,000 operations; ${listed(prices.hardwareKey)} a month more if the key is stored in hardware`,
          },
        ]
      : []),
    ...(ofType('azurerm_monitor_diagnostic_setting').length === 0
      ? []
      : [
          {
            part: 'every request logged in a workspace',
            monthly: 0,
            price: `${listed(prices.logsGb)} a GB, about ${listed(prices.logsGb)} for a million requests; the first 5 GB a month are free`,
          },
        ]),
  ];
}

/** Returns the monthly price of table storage per GB, for one type of replication. */
function storedAt(prices: AzurePrices, copies: unknown): string {
  const name = `storageGb${copies}`;
  return Object.hasOwn(prices, name) ? listed(prices[name as keyof AzurePrices]) : 'unknown';
}
