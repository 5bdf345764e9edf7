import type { TerraformJson } from '../azure-tables/terraform';
import { isRecord } from '../files/read';
import { type Cost, cents, count, HOURS } from './cost';

const ENDPOINT_HOUR = 0.01;

/** A GB and month of tables, by replication. */
const STORED: Readonly<Record<string, string>> = {
  LRS: '$0.045',
  ZRS: '$0.0563',
  GRS: '$0.06',
  RAGRS: '$0.075',
  GZRS: '$0.1013',
  RAGZRS: '$0.1266',
};

/** What a stack of Terraform JSON costs, by its parts; what is fixed first. */
export function azureCosts({ resource = {} }: TerraformJson): readonly Cost[] {
  const ofType = (type: string) =>
    Object.values(resource[type] ?? {}).flatMap((block) => [block].flat().filter(isRecord));
  const endpoints = ofType('azurerm_private_endpoint').length;
  const accounts = ofType('azurerm_storage_account');
  return [
    ...(endpoints === 0
      ? []
      : [
          {
            part: count(endpoints, 'private endpoint'),
            monthly: cents(endpoints * ENDPOINT_HOUR * HOURS),
            price: '$0.01 an endpoint and hour, $0.01 a GB in and out; $0.50 a month for the private DNS zone',
          },
        ]),
    ...accounts.map(({ account_replication_type: copies }) => ({
      part: `storage, ${copies}`,
      monthly: 0,
      price: `${STORED[String(copies)] ?? 'unknown'} a GB and month`,
    })),
    ...(accounts.length === 0 ? [] : [{ part: 'requests', monthly: 0, price: '$0.00036 for 10,000' }]),
    ...(accounts.some(({ customer_managed_key: key }) => key !== undefined)
      ? [
          {
            part: 'a key of your own in a vault',
            monthly: 0,
            price: '$0.03 for 10,000 operations; $1 a month more where it is kept in hardware',
          },
        ]
      : []),
    ...(ofType('azurerm_monitor_diagnostic_setting').length === 0
      ? []
      : [
          {
            part: 'every request logged in a workspace',
            monthly: 0,
            price: '$2.30 a GB, about $2.30 for a million requests; none for the first 5 GB a month',
          },
        ]),
  ];
}
